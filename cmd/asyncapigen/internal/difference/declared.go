package difference

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/warrenmq/warren/internal/jsontree"
)

// declared reads what asyncapigen writes of the queues, exchanges and bindings that a
// service declares beside its routes.
func (r *documentReader) declared() {
	const pointer = "#/x-topology"
	topology := r.root.Get("x-topology")
	if topology == nil {
		return
	}
	if topology.Kind != jsontree.Object {
		r.fail(pointer, topology, "%s is of the kind %s, not object", pointer, topology.Kind)
	}
	for _, m := range topology.Members {
		at := pointer + jsontree.Step(m.Name)
		switch m.Name {
		case "queues", "exchanges", "bindings", "exchangeBindings":
			if m.Value.Kind != jsontree.Array {
				r.fail(at, m.Value, "%s is of the kind %s, not array", at, m.Value.Kind)
			}
			r.declaredList(m.Name, m.Value, at)
		case "unknown":
			r.declaresUnknown = m.Value.Value() == true
		default:
			r.contract.child("unknown-key", m.Name, at, m.Value)
		}
	}
}

// declaredList reads one of the known members.
func (r *documentReader) declaredList(member string, list *jsontree.Node, pointer string) {
	switch member {
	case "queues":
		r.declaredThings("queue", list, pointer)
	case "exchanges":
		r.declaredThings("exchange", list, pointer)
	default:
		for i, b := range list.Items {
			r.contract.child("declared-binding", bindingName(b), fmt.Sprintf("%s/%d", pointer, i), b)
		}
	}
}

// declaredThings reads queues or exchanges.
func (r *documentReader) declaredThings(kind string, list *jsontree.Node, pointer string) {
	for i, node := range list.Items {
		at := fmt.Sprintf("%s/%d", pointer, i)
		e := r.contract.child("declared-"+kind, node.Get("name").Str(), at, node)
		e.subject = "the declared " + kind + " " + e.name
		r.amqp(e, kind, node, at)
	}
}

// bindingName says from where to where a binding leads, and what it matches.
func bindingName(b *jsontree.Node) string {
	name := fmt.Sprintf("of queue %s to exchange %s by %q", b.Get("queue").Str(), b.Get("exchange").Str(), b.Get("routingKey").Str())
	if source := b.Get("source").Str(); source != "" {
		name = fmt.Sprintf("of exchange %s to exchange %s by %q", b.Get("destination").Str(), source, b.Get("routingKey").Str())
	}
	if arguments := b.Get("arguments"); arguments != nil {
		if text, err := json.Marshal(arguments.Value()); err == nil {
			name += " with " + string(text)
		}
	}
	return name
}

// declaredBases are those of the elements that are declared beside the routes.
var declaredBases = []string{"declared-queue", "declared-exchange", "declared-binding"}

// undecidedIn returns what d declares beside its routes and another document doesn't list,
// which doesn't know all that it declares. See docs/decisions/0090.
func (d *Document) undecidedIn(other *Document) []*element {
	if !other.declaresUnknown {
		return nil
	}
	listed := make(map[[2]string]bool)
	for _, e := range other.contract.children {
		listed[[2]string{e.base, e.name}] = true
	}
	var all []*element
	for _, e := range d.contract.children {
		if slices.Contains(declaredBases, e.base) && !listed[[2]string{e.base, e.name}] {
			all = append(all, e)
		}
	}
	return all
}

// without returns a copy of e without some of its children.
func (e *element) without(some []*element) *element {
	if len(some) == 0 {
		return e
	}
	copied := *e
	copied.children = slices.DeleteFunc(slices.Clone(e.children), func(c *element) bool { return slices.Contains(some, c) })
	return &copied
}

// declaredUnknown reports what wasn't compared because a document doesn't know all that is
// declared, and that only one of them does.
func (c *comparison) declaredUnknown() {
	undecided := slices.Concat(c.old.undecidedIn(c.new), c.new.undecidedIn(c.old))
	if areOfTwoForms(c.old, c.new) || c.old.declaresUnknown == c.new.declaresUnknown && undecided == nil {
		return
	}
	change := Change{
		ID: unreadable, Severity: Undecided, Publisher: untold, Consumer: untold,
		What: "not all that the service declares beside its routes is known: what both documents list was compared",
	}
	for i, e := range undecided {
		if i == 0 {
			change.What += ", but not"
		} else {
			change.What += ","
		}
		change.What += " the " + strings.ReplaceAll(e.base, "-", " ") + " " + e.name
	}
	if c.old.declaresUnknown {
		change.Old = c.old.position(placeOf("#/x-topology", c.old.root.Get("x-topology")))
	}
	if c.new.declaresUnknown {
		change.New = c.new.position(placeOf("#/x-topology", c.new.root.Get("x-topology")))
	}
	c.add(change)
}

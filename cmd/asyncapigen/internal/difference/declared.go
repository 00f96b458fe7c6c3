package difference

import (
	"encoding/json"
	"fmt"

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
		return
	}
	for _, m := range topology.Members {
		at := pointer + jsontree.Step(m.Name)
		switch m.Name {
		case "queues", "exchanges", "bindings", "exchangeBindings":
			if m.Value.Kind != jsontree.Array {
				r.fail(at, m.Value, "%s is of the kind %s, not array", at, m.Value.Kind)
				continue
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

// declaredUnknown reports that only one of the documents knows all that is declared.
func (c *comparison) declaredUnknown() {
	if c.old.declaresUnknown == c.new.declaresUnknown || areOfTwoForms(c.old, c.new) {
		return
	}
	of, change := c.old, Change{
		ID: unreadable, Severity: Undecided, What: "not all that the service declares beside its routes is known: it wasn't compared",
		Publisher: untold, Consumer: untold,
	}
	if of.declaresUnknown {
		change.Old = of.position(placeOf("#/x-topology", of.root.Get("x-topology")))
	} else {
		of = c.new
		change.New = of.position(placeOf("#/x-topology", of.root.Get("x-topology")))
	}
	c.add(change)
}

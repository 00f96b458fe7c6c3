package difference

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/inclusion"
	"github.com/warrenmq/warren/internal/jsontree"
)

// A rootPair is the schema of a message in both documents.
type rootPair struct {
	element  *element
	old, new *element
}

// A flow is one direction of messages between a side that keeps to the old
// contract and the service with the new one.
type flow int

const (
	toService   flow = iota // others send by the old schema, the service accepts by the new
	fromService             // the service sends by the new schema, others accept by the old
)

// flows are those of a message.
func (e *element) flows() []flow {
	switch e.role {
	case receiving:
		return []flow{toService}
	case sending:
		return []flow{fromService}
	}
	return []flow{toService, fromService}
}

// A visit is a pair of schemas at one place, reached in a flow.
type visit struct {
	old, new *inclusion.Schema
	root     *rootPair
	flow     flow
	parent   *visit
	step     *inclusion.Step // from the parent's value to this one's; nil where it is the same value
	at       [2]string       // JSON pointers
	below    []*visit
	failed   bool // a change here isn't proved to be harmless
}

type visitKey struct {
	old, new *inclusion.Schema
	flow     flow
}

// sides returns the schema by which messages are sent, and the one that has to
// accept them.
func (v *visit) sides() (sends, accepts *inclusion.Schema) {
	if v.flow == toService {
		return v.old, v.new
	}
	return v.new, v.old
}

// A payloads compares the schemas of all messages. Each pair of schemas is looked
// at once in each flow.
type payloads struct {
	*comparison
	visits map[visitKey]*visit
	found  map[findingKey]int // places in the report
	texts  map[pairKey]bool
}

type pairKey struct{ old, new *jsontree.Node }

// A findingKey is a change that both flows find.
type findingKey struct{ id, old, new, what string }

// payloads compares the schemas of the messages that are in both documents. Those
// that aren't proved to be compatible come first, so that what they share with
// others is reported as theirs.
func (c *comparison) payloads() {
	p := &payloads{c, make(map[visitKey]*visit), make(map[findingKey]int), make(map[pairKey]bool)}
	var proved, others []*visit
	for _, root := range c.roots {
		for _, f := range root.element.flows() {
			v := &visit{old: root.old.schema, new: root.new.schema, root: root, flow: f, at: [2]string{root.old.at.pointer, root.new.at.pointer}}
			if sends, accepts := v.sides(); c.prover.Includes(sends, accepts) {
				proved = append(proved, v)
			} else {
				others = append(others, v)
			}
		}
	}
	p.visit(others, false)
	for _, v := range others {
		if !p.hasFailed(v.key(), make(map[visitKey]bool)) {
			p.unexplained(v)
		}
	}
	p.visit(proved, true)
}

// visit compares pairs of schemas, and those within them, the nearest first.
func (p *payloads) visit(queue []*visit, harmless bool) {
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		if p.visits[v.key()] != nil {
			continue
		}
		p.visits[v.key()] = v
		p.annotations(v)
		if !p.prover.Same(v.old, v.new) {
			for _, change := range keywordChanges(p.prover, v.old, v.new) {
				p.keyword(v, change, harmless)
			}
		}
		v.below = p.within(v)
		queue = append(queue, v.below...)
	}
}

// key names the pair of a visit.
func (v *visit) key() visitKey {
	v.old, v.at[0] = resolved(v.old, v.at[0])
	v.new, v.at[1] = resolved(v.new, v.at[1])
	return visitKey{v.old, v.new, v.flow}
}

// resolved follows references, and says where the schema stands.
func resolved(s *inclusion.Schema, at string) (*inclusion.Schema, string) {
	for range 64 {
		if s.Target == nil {
			break
		}
		s, at = s.Target, s.Ref
	}
	return s, at
}

func (p *payloads) hasFailed(key visitKey, seen map[visitKey]bool) bool {
	if seen[key] {
		return false
	}
	seen[key] = true
	v := p.visits[key]
	return v.failed || slices.ContainsFunc(v.below, func(b *visit) bool { return p.hasFailed(b.key(), seen) })
}

// within returns the pairs of schemas within a pair that are compared on their own.
func (p *payloads) within(v *visit) []*visit {
	var all []*visit
	sends, _ := v.sides()
	add := func(old, new *inclusion.Schema, step *inclusion.Step, steps string) {
		if old != nil && new != nil {
			if step != nil {
				step.Schema, step.Beside = v.value()
			}
			all = append(all, &visit{old: old, new: new, root: v.root, flow: v.flow, parent: v, step: step, at: [2]string{v.at[0] + steps, v.at[1] + steps}})
		}
	}
	for _, property := range v.old.Properties {
		add(property.Schema, v.new.Property(property.Name), &inclusion.Step{Name: property.Name}, "/properties"+jsontree.Step(property.Name))
	}
	for _, of := range v.old.PatternProperties {
		for _, other := range v.new.PatternProperties {
			if other.Pattern.Source == of.Pattern.Source {
				add(of.Schema, other.Schema, &inclusion.Step{Name: of.Pattern.Example()}, "/patternProperties"+jsontree.Step(of.Pattern.Source))
			}
		}
	}
	add(v.old.AdditionalProperties, v.new.AdditionalProperties, &inclusion.Step{Name: "other"}, "/additionalProperties")
	add(v.old.Items, v.new.Items, &inclusion.Step{Item: true, Index: len(sends.Tuple)}, "/items")
	if len(v.old.Tuple) == len(v.new.Tuple) {
		for i := range v.old.Tuple {
			add(v.old.Tuple[i], v.new.Tuple[i], &inclusion.Step{Item: true, Index: i}, fmt.Sprintf("/items/%d", i))
		}
	}
	for _, k := range []struct {
		keyword  string
		old, new []*inclusion.Schema
	}{{"allOf", v.old.AllOf, v.new.AllOf}, {"anyOf", v.old.AnyOf, v.new.AnyOf}, {"oneOf", v.old.OneOf, v.new.OneOf}} {
		both, _, _ := matchSchemas(p.prover, k.old, k.new)
		for _, pair := range both {
			add(pair[0], pair[1], nil, "/"+k.keyword)
			last := all[len(all)-1]
			last.at = [2]string{
				fmt.Sprintf("%s/%d", last.at[0], slices.Index(k.old, pair[0])), fmt.Sprintf("%s/%d", last.at[1], slices.Index(k.new, pair[1])),
			}
		}
	}
	return all
}

// value returns the sender's schema of the value that v is about, and those within
// it that lead to v.
func (v *visit) value() (whole *inclusion.Schema, beside []*inclusion.Schema) {
	for at := v; ; at = at.parent {
		sends, _ := at.sides()
		if at.step != nil || at.parent == nil {
			return sends, beside
		}
		beside = append(beside, sends)
	}
}

// field names the place of v in a message.
func (v *visit) field() string {
	var steps []string
	for at := v; at != nil; at = at.parent {
		switch {
		case at.step == nil:
		case at.step.Item:
			steps = append(steps, "[]")
		case strings.HasSuffix(at.at[0], "/additionalProperties") || strings.Contains(at.at[0], "/patternProperties/"):
			steps = append(steps, ".*")
		default:
			steps = append(steps, "."+at.step.Name)
		}
	}
	slices.Reverse(steps)
	return strings.TrimPrefix(strings.Join(steps, ""), ".")
}

// annotations reports changes of keywords that no validator acts on.
func (p *payloads) annotations(v *visit) {
	key := pairKey{v.old.Node, v.new.Node}
	if p.texts[key] || v.old.Node == nil || v.new.Node == nil {
		return
	}
	p.texts[key] = true
	names := make(map[string]bool)
	for _, s := range []*inclusion.Schema{v.old, v.new} {
		for _, m := range s.Others {
			if names[m.Name] || jsontree.Equal(v.old.Node.Get(m.Name), v.new.Node.Get(m.Name)) {
				continue
			}
			names[m.Name] = true
			id, known := annotations[m.Name]
			r := text
			if !known {
				id, r = "schema-keyword-changed", foreign
			}
			p.judge(Change{
				ID: id, What: fmt.Sprintf("%s: %s is %s, and was %s", v.where(), m.Name, shown(v.new.Node.Get(m.Name)), shown(v.old.Node.Get(m.Name))),
				Subject: v.root.element.subject, Old: p.at(v, 0, m.Name), New: p.at(v, 1, m.Name),
			}, r.judge(changed, v.root.element.role, m.Name))
		}
	}
}

// where names the schema of a visit in a sentence.
func (v *visit) where() string {
	if field := v.field(); field != "" {
		return fmt.Sprintf("the field %s", field)
	}
	return "the " + v.root.element.name
}

// at returns the position of a keyword of one of the schemas, of the schema where
// it hasn't got it.
func (p *payloads) at(v *visit, side int, path ...string) Position {
	d, s := p.old, v.old
	if side == 1 {
		d, s = p.new, v.new
	}
	node, pointer := s.Node, v.at[side]
	for _, name := range path {
		within := node.Get(name)
		if within == nil {
			break
		}
		node, pointer = within, pointer+jsontree.Step(name)
	}
	return d.position(placeOf(pointer, node))
}

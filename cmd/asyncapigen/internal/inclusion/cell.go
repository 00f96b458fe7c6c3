package inclusion

import (
	"slices"
)

// maxBranches is how many cases of a schema are told apart.
const maxBranches = 200

// A kinds is a set of types.
type kinds uint8

const allKinds kinds = 1<<6 - 1

var kindNames = []string{"null", "boolean", "number", "string", "array", "object"}

func kindsOf(s *Schema) kinds {
	var set kinds
	for i, name := range kindNames {
		if s.AllowsType(name) {
			set |= 1 << i
		}
	}
	if values, limited := s.values(); limited {
		var of kinds
		for _, value := range values {
			of |= 1 << slices.Index(kindNames, kindOf(value))
		}
		set &= of
	}
	return set
}

// A branch is one of the cases of schemas that hold together: all of its parts
// hold, with one choice made of each anyOf, oneOf and if, and none of its nots.
type branch struct {
	kinds kinds
	parts []*Schema
	nots  []*Schema
}

// branches returns the cases of schemas that hold together, and whether they could
// be told apart.
func (p *Prover) branches(all []*Schema) ([]branch, bool) {
	cases := []branch{{kinds: allKinds}}
	for _, s := range all {
		var next []branch
		for _, b := range cases {
			with, ok := b.and(s)
			if !ok || len(next)+len(with) > maxBranches {
				return nil, false
			}
			next = append(next, with...)
		}
		cases = next
	}
	return cases, true
}

// and returns the cases in which s holds as well.
func (b branch) and(s *Schema) ([]branch, bool) {
	s = s.Resolve()
	if s == nil {
		return nil, false
	}
	if slices.Contains(b.parts, s) {
		return []branch{b}, true
	}
	b.kinds &= kindsOf(s)
	if s.Never || b.kinds == 0 {
		return nil, true
	}
	b.parts = append(slices.Clip(b.parts), s)
	if s.Not != nil {
		b.nots = append(slices.Clip(b.nots), s.Not)
	}
	cases, ok := b.andAll(s.AllOf)
	for _, choice := range [][]*Schema{s.AnyOf, s.OneOf} {
		if choice != nil {
			cases, ok = andOne(cases, choice, ok)
		}
	}
	if s.If != nil {
		cases, ok = andIf(cases, s, ok)
	}
	for _, d := range s.Dependencies {
		if d.Schema != nil {
			cases, ok = andOne(cases, []*Schema{{}, d.Schema}, ok)
		}
	}
	return cases, ok
}

func (b branch) andAll(all []*Schema) ([]branch, bool) {
	cases := []branch{b}
	ok := true
	for _, s := range all {
		cases, ok = andOne(cases, []*Schema{s}, ok)
	}
	return cases, ok
}

// andOne returns the cases in which one of the choices holds as well.
func andOne(cases []branch, choices []*Schema, ok bool) ([]branch, bool) {
	var next []branch
	for _, b := range cases {
		for _, choice := range choices {
			with, fine := b.and(choice)
			if !ok || !fine || len(next)+len(with) > maxBranches {
				return nil, false
			}
			next = append(next, with...)
		}
	}
	return next, ok
}

func andIf(cases []branch, s *Schema, ok bool) ([]branch, bool) {
	holds, fine := andOne(cases, []*Schema{s.If}, ok)
	if s.Then != nil {
		holds, fine = andOne(holds, []*Schema{s.Then}, fine)
	}
	var fails []branch
	for _, b := range cases {
		b.nots = append(slices.Clip(b.nots), s.If)
		fails = append(fails, b)
	}
	if s.Else != nil {
		fails, fine = andOne(fails, []*Schema{s.Else}, fine)
	}
	return append(holds, fails...), fine && len(holds)+len(fails) <= maxBranches
}

// A cell is the values of one type of a branch.
type cell struct {
	kind   string
	parts  []*Schema
	nots   []*Schema
	lists  []*Schema // those that say which members are sent
	values []any     // all of them, where they are finite
	finite bool
}

// cells returns the values of schemas that hold together, by their types.
func (p *Prover) cells(all []*Schema) ([]cell, bool) {
	cases, ok := p.branches(all)
	var found []cell
	for _, b := range cases {
		for i, kind := range kindNames {
			if b.kinds&(1<<i) == 0 {
				continue
			}
			c := cell{kind: kind, parts: b.parts, nots: b.nots, lists: b.parts}
			p.enumerate(&c)
			found = append(found, c)
		}
	}
	return found, ok
}

// enumerate lists the values of a cell that has few.
func (p *Prover) enumerate(c *cell) {
	var values []any
	switch c.kind {
	case "null":
		values, c.finite = []any{nil}, true
	case "boolean":
		values, c.finite = []any{false, true}, true
	}
	for _, part := range c.parts {
		if of, limited := part.values(); limited {
			values, c.finite = of, true
		}
	}
	for _, value := range values {
		if kindOf(value) == c.kind && !slices.ContainsFunc(c.parts, func(s *Schema) bool { return p.Refuses(s, value) }) &&
			!slices.ContainsFunc(c.nots, func(s *Schema) bool { return p.Accepts(s, value) }) {
			c.values = append(c.values, value)
		}
	}
}

// member returns the schemas of a member that is sent, and whether one of that name
// is sent at all.
func (c *cell) member(name string) (all []*Schema, sent bool) {
	for _, part := range c.parts {
		of, err := part.member(name)
		if err != nil {
			return nil, true // it says less, which is no harm
		}
		all = append(all, of...)
	}
	return all, c.sends(name)
}

// sends reports whether a member of that name may be sent.
func (c *cell) sends(name string) bool {
	closed := false
	for _, part := range c.lists {
		closed = closed || part.HasProperties
		if of, err := part.member(name); err != nil || len(of) > 0 {
			return true
		}
	}
	return !closed
}

// isOpen reports whether members that no schema lists by their names may be sent.
func (c *cell) isOpen() bool {
	closed := false
	for _, part := range c.lists {
		closed = closed || part.HasProperties
		if part.AdditionalProperties != nil && !part.AdditionalProperties.Never || len(part.PatternProperties) > 0 {
			return true
		}
	}
	return !closed
}

// names are those that the parts list.
func (c *cell) names() []string {
	var all []string
	for _, part := range c.parts {
		for _, p := range part.Properties {
			all = append(all, p.Name)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// required are the names of the members that are always there.
func (c *cell) required() []string {
	var all []string
	for _, part := range c.parts {
		all = append(all, part.Required...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Sends reports whether a sender that knows the schema may send a value: it is
// accepted, and its objects have no members that their schemas don't list.
func (p *Prover) Sends(s *Schema, value any) bool {
	return p.Accepts(s, value) && p.sends([]*Schema{s}, value)
}

func (p *Prover) sends(all []*Schema, value any) bool {
	cases, ok := p.branches(all)
	if !ok {
		return false
	}
	return slices.ContainsFunc(cases, func(b branch) bool {
		return !slices.ContainsFunc(b.parts, func(s *Schema) bool { return !p.Accepts(s, value) }) && p.sendsParts(b, value)
	})
}

func (p *Prover) sendsParts(b branch, value any) bool {
	c := cell{parts: b.parts, lists: b.parts}
	switch value := value.(type) {
	case []any:
		for i, item := range value {
			if of := c.item(i); !p.sends(of, item) {
				return false
			}
		}
	case map[string]any:
		for name, member := range value {
			of, sent := c.member(name)
			if !sent || !p.sends(of, member) {
				return false
			}
		}
	}
	return true
}

// item returns the schemas of the item at an index.
func (c *cell) item(i int) []*Schema {
	var all []*Schema
	for _, part := range c.parts {
		if of := part.item(i); of != nil {
			all = append(all, of)
		}
	}
	return all
}

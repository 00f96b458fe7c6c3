package inclusion

import "slices"

// length returns how many items the arrays of a cell have.
func (c *cell) length() interval {
	n := interval{low: integer(0)}
	for _, part := range c.parts {
		n.between(part.MinItems, part.MaxItems)
	}
	return n
}

func (p *Prover) inArray(c cell, b *Schema) bool {
	length := c.length()
	if !length.within(interval{low: b.MinItems, high: b.MaxItems}) {
		return false
	}
	isUnique := func(s *Schema) bool { return s.UniqueItems }
	atMostOne := length.high != nil && length.high.Cmp(integer(1)) <= 0
	if b.UniqueItems && !atMostOne && !slices.ContainsFunc(c.parts, isUnique) {
		return false
	}
	return p.inItems(c, b, length) && p.inContains(c, b, length)
}

// inItems compares the items one by one as far as a schema tells them apart, and
// then all others at once.
func (p *Prover) inItems(c cell, b *Schema, length interval) bool {
	apart := len(b.Tuple)
	for _, part := range c.parts {
		apart = max(apart, len(part.Tuple))
	}
	for i := range apart + 1 {
		if length.high != nil && length.high.Cmp(integer(i)) <= 0 {
			return true
		}
		if wanted := b.item(i); wanted != nil && !p.included(c.item(i), wanted) && !p.areEmpty(c.item(i), 0) {
			return false
		}
	}
	return true
}

func (p *Prover) inContains(c cell, b *Schema, length interval) bool {
	if b.Contains == nil {
		return true
	}
	if slices.ContainsFunc(c.parts, func(s *Schema) bool {
		return s.Contains != nil && (p.Same(s.Contains, b.Contains) || isOpenly(s.Contains) && p.included([]*Schema{s.Contains}, b.Contains))
	}) {
		return true
	}
	return length.low.Sign() > 0 && !slices.ContainsFunc(c.parts, func(s *Schema) bool { return len(s.Tuple) > 0 }) && p.included(c.item(0), b.Contains)
}

// isOpenly reports whether what a schema accepts is what is sent by it: it is about
// no objects.
func isOpenly(s *Schema) bool {
	s = s.Resolve()
	return s != nil && s.Types != nil && !slices.Contains(s.Types, "object") && !slices.Contains(s.Types, "array")
}

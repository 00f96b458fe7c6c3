package inclusion

import "slices"

// maxEmptyDepth is how deep parts of values are looked into for a reason why there
// is no such value.
const maxEmptyDepth = 4

// apart reports whether it is proved that s accepts nothing that is sent by a cell.
func (p *Prover) apart(c cell, s *Schema) bool {
	if c.finite {
		return !slices.ContainsFunc(c.values, func(value any) bool { return !p.Refuses(s, value) })
	}
	both, ok := p.cells(append(slices.Clip(c.parts), s))
	if !ok {
		return false
	}
	for _, b := range both {
		if b.kind != c.kind {
			continue
		}
		b.lists, b.nots = c.lists, append(b.nots, c.nots...)
		if !p.isEmpty(b, 0) {
			return false
		}
	}
	return true
}

// isEmpty reports whether it is proved that a cell has no values.
func (p *Prover) isEmpty(c cell, depth int) bool {
	if p.steps++; depth > maxEmptyDepth || p.steps > maxSteps {
		return false
	}
	if c.finite {
		return len(c.values) == 0
	}
	whole := c
	whole.nots = nil
	if slices.ContainsFunc(c.nots, func(s *Schema) bool { return p.in(whole, s) }) {
		return true
	}
	switch c.kind {
	case "number":
		return c.numbers().isEmpty()
	case "string":
		return c.textLength().isEmpty()
	case "array":
		return p.isEmptyArray(c, depth)
	}
	return p.isEmptyObject(c, depth)
}

func (p *Prover) isEmptyArray(c cell, depth int) bool {
	length := c.length()
	if length.isEmpty() {
		return true
	}
	return length.low.Sign() > 0 && p.areEmpty(c.item(0), depth+1)
}

func (p *Prover) isEmptyObject(c cell, depth int) bool {
	if c.size().isEmpty() {
		return true
	}
	for _, name := range c.required() {
		if of, sent := c.member(name); !sent || p.areEmpty(of, depth+1) {
			return true
		}
	}
	return false
}

// areEmpty reports whether it is proved that schemas that hold together accept
// nothing.
func (p *Prover) areEmpty(all []*Schema, depth int) bool {
	if len(all) == 0 {
		return false
	}
	cells, ok := p.cells(all)
	return ok && !slices.ContainsFunc(cells, func(c cell) bool { return !p.isEmpty(c, depth) })
}

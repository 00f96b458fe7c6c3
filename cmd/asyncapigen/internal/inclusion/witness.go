package inclusion

import "slices"

// An Answer is what is known of an inclusion.
type Answer int

// The answers.
const (
	Undecided Answer = iota // neither proved nor refuted
	Included                // proved
	Excluded                // refuted by a value
)

func (a Answer) String() string { return [...]string{"undecided", "included", "excluded"}[a] }

// A Relation is an answer, with the value that refutes the inclusion where it is
// Excluded.
type Relation struct {
	Answer  Answer
	Witness any
}

// Compare decides whether b accepts all that is sent by a.
func (p *Prover) Compare(a, b *Schema) Relation {
	if p.Includes(a, b) {
		return Relation{Answer: Included}
	}
	if value, ok := p.Refute(a, b); ok {
		return Relation{Excluded, value}
	}
	return Relation{Answer: Undecided}
}

// Refute looks for a value that is sent by a and that b doesn't accept.
func (p *Prover) Refute(a, b *Schema) (any, bool) {
	for _, levels := range refuteLevels {
		p.begin(levels)
		for _, value := range p.many([]*Schema{a}, []*Schema{b}) {
			if p.Refuses(b, value) && p.Sends(a, value) {
				return value, true
			}
		}
	}
	return nil, false
}

// A Step is the way from a value to a part of it, and to the schema of that part.
type Step struct {
	Schema *Schema // of the value that has the part
	Beside []*Schema
	Name   string // of the member; "" with Item
	Item   bool   // an item of an array, at Index
	Index  int
}

// Embed makes values that are sent by the schema of the first step and have a part
// at the end of the steps.
func (p *Prover) Embed(steps []Step, part any) (any, bool) {
	p.begin(embedLevels)
	for _, step := range slices.Backward(steps) {
		around, ok := p.around(step, part)
		if !ok {
			return nil, false
		}
		part = around
	}
	return part, true
}

// around returns a value that has the part.
func (p *Prover) around(step Step, part any) (any, bool) {
	all := append([]*Schema{step.Schema}, step.Beside...)
	cells, _ := p.cells(all)
	for i := range cells {
		c := &cells[i]
		var found []any
		switch {
		case step.Item && c.kind == "array":
			found = p.arraysAround(c, step.Index, part)
		case !step.Item && c.kind == "object":
			found = p.objectsAround(c, step.Name, part)
		}
		for _, value := range found {
			if p.accept(all, value) && p.Sends(step.Schema, value) {
				return value, true
			}
		}
	}
	return nil, false
}

func (p *Prover) arraysAround(c *cell, index int, part any) []any {
	before, ok := p.arrayOf(c, index, nil)
	least := c.length().low
	if !ok || least.Cmp(integer(maxItems)) > 0 {
		return nil
	}
	first := append(slices.Clone(before.([]any)), part)
	array, ok := p.arrayOf(c, max(int(least.Num().Int64()), len(first)), first)
	if !ok {
		return nil
	}
	return []any{array}
}

func (p *Prover) objectsAround(c *cell, name string, part any) []any {
	var found []any
	for _, names := range [][]string{nil, c.names()} {
		if object, ok := p.objectOf(c, names, map[string]any{name: part}); ok {
			found = append(found, object)
		}
	}
	return found
}

// Candidates returns values that are sent by schemas that hold together and that
// another one, which may be none, refuses.
func (p *Prover) Candidates(all []*Schema, hints []*Schema, refusedBy *Schema) []any {
	p.begin(candidateLevels)
	var found []any
	for _, value := range p.many(all, append(slices.Clip(hints), refusedBy)) {
		if p.Refuses(refusedBy, value) {
			found = append(found, value)
		}
	}
	return found
}

package inclusion

import (
	"encoding/json"
	"maps"
	"math/big"
	"slices"
)

// Bounds on the values that are made.
const (
	maxWork         = 3000 // for one question
	maxSamples      = 60   // of one schema
	maxEnumerated   = 30   // of an enum, so that there are others beside them
	maxSmall        = 20   // of one schema, of which one is wanted
	maxListed       = 40   // members that are varied
	maxItems        = 200
	embedLevels     = 11 // of values within values
	candidateLevels = 3
)

// refuteLevels are tried in this order, simple values first.
var refuteLevels = []int{2, 3, 5, 8}

// arrayLengths are tried beside those that schemas name.
var arrayLengths = []int{0, 1, 2, 3}

// beside returns the schemas with all that are for the same value within them,
// whatever choices there are.
func beside(all []*Schema) []*Schema {
	var found []*Schema
	var add func(s *Schema)
	add = func(s *Schema) {
		if s == nil {
			return
		}
		s = s.Resolve()
		if s == nil || slices.Contains(found, s) || len(found) > maxBranches {
			return
		}
		found = append(found, s)
		for _, part := range slices.Concat(s.AllOf, s.AnyOf, s.OneOf, []*Schema{s.Not, s.If, s.Then, s.Else}) {
			add(part)
		}
		for _, d := range s.Dependencies {
			add(d.Schema)
		}
	}
	for _, s := range all {
		add(s)
	}
	return found
}

// one returns a small value that is sent by schemas that hold together.
func (p *Prover) one(all []*Schema) (any, bool) {
	defer p.leave()
	if !p.enter() {
		return nil, false
	}
	cells, _ := p.cells(all)
	slices.SortStableFunc(cells, func(a, b cell) int { return sampleOrder(a.kind) - sampleOrder(b.kind) })
	for i := range cells {
		for _, value := range p.small(&cells[i]) {
			if p.accept(all, value) {
				return value, true
			}
		}
	}
	return nil, false
}

// begin allows a search values that are so many levels deep.
func (p *Prover) begin(levels int) { p.work, p.levels = maxWork, levels }

// enter begins with a value, perhaps within others, and reports whether there may be one
// more of them.
func (p *Prover) enter() bool {
	p.work--
	p.levels--
	return p.work >= 0 && p.levels >= 0
}

// leave ends what enter begins.
func (p *Prover) leave() { p.levels++ }

// sampleOrder puts types first whose values show more.
func sampleOrder(kind string) int {
	return slices.Index([]string{"string", "number", "boolean", "object", "array", "null"}, kind)
}

func (p *Prover) accept(all []*Schema, value any) bool {
	return !slices.ContainsFunc(all, func(s *Schema) bool { return !p.Accepts(s, value) })
}

// small returns a few values of a cell, the smallest ones.
func (p *Prover) small(c *cell) []any {
	if c.finite {
		return c.values[:min(len(c.values), maxSmall)]
	}
	within := beside(c.parts)
	switch c.kind {
	case "number":
		return numbersNear(within)
	case "string":
		return textsNear(within)
	case "array":
		return p.smallArrays(c)
	}
	return p.smallObjects(c)
}

func (p *Prover) smallArrays(c *cell) []any {
	low := c.length().low
	if low.Cmp(integer(maxItems)) > 0 {
		return nil
	}
	n := int(low.Num().Int64())
	var found []any
	for _, length := range []int{n, n + 1} {
		if array, ok := p.arrayOf(c, length, nil); ok {
			found = append(found, array)
		}
	}
	return found
}

// arrayOf returns an array of a cell with a length, whose first items are given.
func (p *Prover) arrayOf(c *cell, length int, first []any) (any, bool) {
	array := slices.Clone(first)
	unique := slices.ContainsFunc(c.parts, func(s *Schema) bool { return s.UniqueItems })
	for i := len(array); i < length; i++ {
		choices := []any{}
		if value, ok := p.one(c.item(i)); ok {
			choices = append(choices, value)
		}
		if unique {
			choices = append(choices, p.many(c.item(i), nil)...)
		}
		isNew := func(value any) bool { return !unique || !hasTwins(append(slices.Clip(array), value)) }
		at := slices.IndexFunc(choices, isNew)
		if at < 0 {
			return nil, false
		}
		array = append(array, choices[at])
	}
	if array == nil {
		array = []any{}
	}
	return array, true
}

func (p *Prover) smallObjects(c *cell) []any {
	var found []any
	if object, ok := p.objectOf(c, c.required(), nil); ok {
		found = append(found, object)
		if p.accept(c.parts, object) {
			return found // the others are larger
		}
	}
	if object, ok := p.objectOf(c, c.names(), nil); ok {
		found = append(found, object)
	}
	if object, ok := p.objectOfSize(c, c.size().low); ok {
		found = append(found, object)
	}
	return found
}

// objectOfSize returns an object of a cell with a number of members, where others
// than those that are listed may be sent.
func (p *Prover) objectOfSize(c *cell, size *big.Rat) (map[string]any, bool) {
	if size == nil || !c.isOpen() || size.Cmp(integer(maxItems)) > 0 {
		return nil, false
	}
	names := slices.Clone(c.required())
	for i := len(names); i < int(size.Num().Int64()); i++ {
		names = append(names, "key"+string(literal(integer(i))))
	}
	return p.objectOf(c, names, nil)
}

// objectOf returns an object of a cell with members of the names, where they can
// be, and with others that are given.
func (p *Prover) objectOf(c *cell, names []string, given map[string]any) (map[string]any, bool) {
	object := maps.Clone(given)
	if object == nil {
		object = make(map[string]any)
	}
	for _, name := range slices.Concat(c.required(), names) {
		if _, ok := object[name]; ok {
			continue
		}
		of, sent := c.member(name)
		value, ok := p.one(of)
		switch {
		case sent && ok:
			object[name] = value
		case slices.Contains(c.required(), name):
			return nil, false
		}
	}
	return object, true
}

// many returns values that are sent by schemas that hold together, of all kinds,
// and near to what the hints name.
func (p *Prover) many(all, hints []*Schema) []any {
	defer p.leave()
	if !p.enter() {
		return nil
	}
	if len(all) == 0 && len(hints) == 0 {
		return []any{"a", json.Number("1"), true, nil, map[string]any{}, []any{}, json.Number("1.5")}
	}
	cells, _ := p.cells(all)
	var found []any
	for i := range cells {
		found = append(found, p.varied(&cells[i], beside(hints))...)
	}
	var sent []any
	for _, value := range distinct(found) {
		if p.accept(all, value) {
			sent = append(sent, value)
		}
	}
	return sent[:min(len(sent), maxSamples)]
}

// varied returns values of a cell, around what it and the hints name.
func (p *Prover) varied(c *cell, hints []*Schema) []any {
	if c.finite {
		return c.values[:min(len(c.values), maxSamples)]
	}
	all := append(beside(c.parts), hints...)
	switch c.kind {
	case "number":
		return append(valuesOf(all, c.kind), numbersNear(all)...)
	case "string":
		return append(valuesOf(all, c.kind), textsNear(all)...)
	case "array":
		return p.variedArrays(c, all, hints)
	}
	return p.variedObjects(c, all, hints)
}

func (p *Prover) variedArrays(c *cell, all, hints []*Schema) []any {
	lengths := slices.Clone(arrayLengths)
	for _, s := range all {
		if s.MinItems != nil && s.MinItems.Cmp(integer(maxItems)) < 0 {
			lengths = append(lengths, int(s.MinItems.Num().Int64()))
		}
		if s.MaxItems != nil && s.MaxItems.Cmp(integer(maxItems)) < 0 {
			lengths = append(lengths, int(s.MaxItems.Num().Int64()), int(s.MaxItems.Num().Int64())+1)
		}
		lengths = append(lengths, len(s.Tuple), len(s.Tuple)+1)
	}
	slices.Sort(lengths)
	var found []any
	for _, length := range slices.Compact(lengths) {
		if array, ok := p.arrayOf(c, length, nil); ok {
			found = append(found, array)
		}
	}
	least := int(c.length().low.Num().Int64())
	for i := range 3 {
		var wanted []*Schema
		for _, s := range hints {
			if of := s.item(i); of != nil {
				wanted = append(wanted, of)
			}
		}
		for _, s := range all {
			if s.Contains != nil {
				wanted = append(wanted, s.Contains)
			}
		}
		before, ok := p.arrayOf(c, i, nil)
		if !ok || least > maxItems {
			break
		}
		for _, value := range p.many(c.item(i), wanted) {
			if array, ok := p.arrayOf(c, max(least, i+1), append(slices.Clone(before.([]any)), value)); ok {
				found = append(found, array)
			}
		}
	}
	return found
}

func (p *Prover) variedObjects(c *cell, all, hints []*Schema) []any {
	found := p.smallObjects(c)
	var full map[string]any
	if object, ok := p.objectOf(c, c.names(), nil); ok {
		full = object
		found = append(found, object)
	}
	names := c.names()
	for _, s := range all {
		for _, size := range []*big.Rat{s.MinProperties, s.MaxProperties} {
			for i := -1; i <= 1 && size != nil; i++ {
				if object, ok := p.objectOfSize(c, new(big.Rat).Add(size, integer(i))); ok {
					found = append(found, object)
				}
			}
		}
		names = append(names, s.Required...)
		for _, property := range s.Properties {
			names = append(names, property.Name)
		}
		for _, of := range s.PatternProperties {
			names = append(names, matching(of.Pattern, nil)...)
		}
		for _, d := range s.Dependencies {
			names = append(names, d.Name)
		}
		if s.PropertyNames != nil {
			for _, text := range textsNear(beside([]*Schema{s.PropertyNames})) {
				names = append(names, text.(string))
			}
		}
	}
	slices.Sort(names)
	names = append(slices.Compact(names), "other", "other2", "")
	for _, name := range names[:min(len(names), maxListed)] {
		if full != nil && !slices.Contains(c.required(), name) && full[name] != nil {
			without := maps.Clone(full)
			delete(without, name)
			found = append(found, without)
		}
		found = append(found, p.variedMember(c, name, hints, full)...)
	}
	return found
}

// variedMember returns objects in which one member has other values, alone and
// beside all others.
func (p *Prover) variedMember(c *cell, name string, hints []*Schema, full map[string]any) []any {
	of, sent := c.member(name)
	if !sent {
		return nil
	}
	var wanted []*Schema
	for _, s := range hints {
		schemas, _ := s.member(name) // none where that can't be told
		wanted = append(wanted, schemas...)
	}
	var found []any
	for _, value := range p.many(of, wanted) {
		if object, ok := p.objectOf(c, nil, map[string]any{name: value}); ok {
			found = append(found, object)
		}
		if full != nil {
			with := maps.Clone(full)
			with[name] = value
			found = append(found, with)
		}
	}
	return found
}

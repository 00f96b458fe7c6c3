package inclusion

import "slices"

// size returns how many members the objects of a cell have.
func (c *cell) size() interval {
	n := interval{low: integer(len(c.required()))}
	for _, part := range c.parts {
		n.between(part.MinProperties, part.MaxProperties)
	}
	if !c.isOpen() {
		names := slices.DeleteFunc(c.names(), func(name string) bool { return !c.sends(name) })
		n.between(nil, integer(len(names)))
	}
	return n
}

func (p *Prover) inObject(c cell, b *Schema) bool {
	required := c.required()
	if slices.ContainsFunc(b.Required, func(name string) bool { return !slices.Contains(required, name) }) {
		return false
	}
	return c.size().within(interval{low: b.MinProperties, high: b.MaxProperties}) && p.inListed(c, b) && p.inUnlisted(c, b) && p.inNames(c, b) && p.inDependencies(c, b, required)
}

// inListed compares the members that a or b has by name.
func (p *Prover) inListed(c cell, b *Schema) bool {
	names := c.names()
	for _, property := range b.Properties {
		names = append(names, property.Name)
	}
	for _, name := range names {
		of, sent := c.member(name)
		if !sent {
			continue
		}
		wanted, err := b.member(name)
		if err != nil {
			return false
		}
		for _, s := range wanted {
			if !p.included(of, s) && !p.areEmpty(of, 0) {
				return false
			}
		}
	}
	return true
}

// A region is members that aren't listed by name, and that one pattern matches;
// nil for all that none does.
type region struct {
	pattern *Pattern
	schemas []*Schema
}

// regions are those whose members may be sent.
func (c *cell) regions() []region {
	if !c.isOpen() {
		return nil
	}
	rest, isSent := region{}, !slices.ContainsFunc(c.lists, func(s *Schema) bool { return s.HasProperties })
	var all []region
	for _, part := range c.parts {
		isSent = isSent || part.AdditionalProperties != nil
		for _, of := range part.PatternProperties {
			all = append(all, region{of.Pattern, []*Schema{of.Schema}})
		}
		if part.AdditionalProperties != nil {
			rest.schemas = append(rest.schemas, part.AdditionalProperties)
		}
	}
	if !isSent {
		return all
	}
	return append(all, rest)
}

// inUnlisted compares the members that neither has by name.
func (p *Prover) inUnlisted(c cell, b *Schema) bool {
	regions := c.regions()
	in := func(r region, s *Schema) bool { return p.included(r.schemas, s) || p.areEmpty(r.schemas, 0) }
	for _, of := range b.PatternProperties {
		isOf := func(r region) bool { return samePattern(r.pattern, of.Pattern) }
		if i := slices.IndexFunc(regions, isOf); i >= 0 {
			if !in(regions[i], of.Schema) {
				return false
			}
			continue
		}
		if slices.ContainsFunc(regions, func(r region) bool { return !in(r, of.Schema) }) {
			return false
		}
	}
	if b.AdditionalProperties == nil {
		return true
	}
	for _, r := range regions {
		isPattern := func(of PatternProperty) bool { return samePattern(r.pattern, of.Pattern) }
		if !slices.ContainsFunc(b.PatternProperties, isPattern) && !in(r, b.AdditionalProperties) {
			return false
		}
	}
	return true
}

// inNames compares the names.
func (p *Prover) inNames(c cell, b *Schema) bool {
	if b.PropertyNames == nil {
		return true
	}
	names := []*Schema{{Types: []string{"string"}}}
	for _, part := range c.parts {
		if part.PropertyNames != nil {
			names = append(names, part.PropertyNames)
		}
	}
	if c.isOpen() {
		return p.included(names, b.PropertyNames)
	}
	return !slices.ContainsFunc(c.names(), func(name string) bool {
		isRefused := func(s *Schema) bool { return p.Refuses(s, name) }
		return c.sends(name) && !slices.ContainsFunc(names, isRefused) && !p.Accepts(b.PropertyNames, name)
	})
}

func (p *Prover) inDependencies(c cell, b *Schema, required []string) bool {
	for _, d := range b.Dependencies {
		if !c.sends(d.Name) || c.depends(d) {
			continue
		}
		if slices.ContainsFunc(d.Required, func(name string) bool { return !slices.Contains(required, name) }) {
			return false
		}
		if d.Schema != nil && !p.in(c, d.Schema) {
			return false
		}
	}
	return true
}

// depends reports whether a part has a dependency on names.
func (c *cell) depends(d Dependency) bool {
	return d.Schema == nil && slices.ContainsFunc(c.parts, func(s *Schema) bool {
		return slices.ContainsFunc(s.Dependencies, func(of Dependency) bool {
			return of.Name == d.Name && of.Schema == nil && !slices.ContainsFunc(d.Required, func(name string) bool { return !slices.Contains(of.Required, name) })
		})
	})
}

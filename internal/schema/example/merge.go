package example

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/warrenmq/warren/internal/schema"
)

// flat returns s with the parts of its allOf in it, as far as one schema can say the
// same: what it can't is found when the value is tried. It returns nil for one that leads
// nowhere.
func (m *Maker) flat(s *schema.Schema) *schema.Schema {
	s = m.resolve(s)
	if s == nil || m.tired() {
		return nil
	}
	all := *s
	all.AllOf = nil
	for _, part := range s.AllOf {
		if part = m.flat(part); part == nil {
			return nil
		}
		all = both(all, part)
	}
	return &all
}

// both returns the schema of what a and b accept.
func both(a schema.Schema, b *schema.Schema) schema.Schema {
	if a.Type == nil { // where both have types, those of one are tried
		a.Type = b.Type
	}
	a.Sample = cmp.Or(a.Sample, b.Sample)
	if a.Enum == nil {
		a.Enum = b.Enum
	}
	if a.Const == nil {
		a.Const = b.Const
	}
	a.Examples = append(slices.Clone(a.Examples), b.Examples...)
	a.Format, a.Pattern = cmp.Or(a.Format, b.Format), cmp.Or(a.Pattern, b.Pattern)
	a.ContentEncoding = cmp.Or(a.ContentEncoding, b.ContentEncoding)
	a.ContentMediaType = cmp.Or(a.ContentMediaType, b.ContentMediaType)
	a.Minimum, a.Maximum = higher(a.Minimum, b.Minimum), lower(a.Maximum, b.Maximum)
	a.ExclusiveMinimum, a.ExclusiveMaximum = higher(a.ExclusiveMinimum, b.ExclusiveMinimum), lower(a.ExclusiveMaximum, b.ExclusiveMaximum)
	a.MultipleOf = cmp.Or(a.MultipleOf, b.MultipleOf)
	a.MinLength, a.MaxLength = larger(a.MinLength, b.MinLength), smaller(a.MaxLength, b.MaxLength)
	a.MinItems, a.MaxItems = larger(a.MinItems, b.MinItems), smaller(a.MaxItems, b.MaxItems)
	a.MinProperties, a.MaxProperties = larger(a.MinProperties, b.MinProperties), smaller(a.MaxProperties, b.MaxProperties)
	a.UniqueItems = a.UniqueItems || b.UniqueItems
	a.Items, a.Contains = together(a.Items, b.Items), together(a.Contains, b.Contains)
	a.AdditionalProperties = together(a.AdditionalProperties, b.AdditionalProperties)
	a.PropertyNames = together(a.PropertyNames, b.PropertyNames)
	a.Properties = bothProperties(a.Properties, b.Properties)
	a.PatternProperties = bothProperties(a.PatternProperties, b.PatternProperties)
	a.Required = append(slices.Clone(a.Required), b.Required...)
	if a.AnyOf == nil {
		a.AnyOf = b.AnyOf
	}
	if a.OneOf == nil {
		a.OneOf = b.OneOf
	}
	return a
}

func bothProperties(a, b schema.Properties) schema.Properties {
	all := slices.Clone(a)
	for _, property := range b {
		if i := slices.IndexFunc(all, func(p schema.Property) bool { return p.Name == property.Name }); i >= 0 {
			all[i].Schema = together(all[i].Schema, property.Schema)
		} else {
			all = append(all, property)
		}
	}
	return all
}

func together(a, b *schema.Schema) *schema.Schema {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return &schema.Schema{AllOf: []*schema.Schema{a, b}}
}

func higher(a, b json.Number) json.Number { return chosen(a, b, 1) }

func lower(a, b json.Number) json.Number { return chosen(a, b, -1) }

func chosen(a, b json.Number, order int) json.Number {
	if a == "" || b == "" {
		return cmp.Or(a, b)
	}
	x, y := rational(a), rational(b)
	if x == nil || y == nil || x.Cmp(y) == order {
		return a
	}
	return b
}

func larger(a, b *int) *int {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	n := max(*a, *b)
	return &n
}

func smaller(a, b *int) *int {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	n := min(*a, *b)
	return &n
}

package inclusion

import (
	"math/big"
	"slices"
)

// Same reports whether two schemas say the same, but for texts. References count
// as what they lead to. It is a sufficient condition of mutual inclusion.
func (p *Prover) Same(a, b *Schema) bool {
	if a == nil || b == nil {
		return a == b
	}
	a, b = a.Resolve(), b.Resolve()
	if a == nil || b == nil {
		return false
	}
	if a == b {
		return true
	}
	return p.same.holds(pair{a, b}, func() bool { return p.sameKeywords(a, b) })
}

// A pair of schemas, by identity.
type pair struct{ a, b *Schema }

func sameNumber(a, b *big.Rat) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Cmp(b) == 0
}

func samePattern(a, b *Pattern) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Source == b.Source
}

func (p *Prover) sameKeywords(a, b *Schema) bool {
	return a.Never == b.Never && sameSet(a.Types, b.Types) && (a.Types == nil) == (b.Types == nil) && p.sameValues(a, b) &&
		sameText(a, b) && sameCounts(a, b) && p.sameItems(a, b) && p.sameMembers(a, b) &&
		p.sameList(a.AllOf, b.AllOf) && p.sameList(a.AnyOf, b.AnyOf) && p.sameList(a.OneOf, b.OneOf) &&
		p.Same(a.Not, b.Not) && p.Same(a.If, b.If) && p.Same(a.Then, b.Then) && p.Same(a.Else, b.Else)
}

func sameText(a, b *Schema) bool {
	return a.Format == b.Format && a.ContentEncoding == b.ContentEncoding && a.ContentMediaType == b.ContentMediaType && samePattern(a.Pattern, b.Pattern)
}

func sameCounts(a, b *Schema) bool {
	of := func(s *Schema) []*big.Rat {
		return []*big.Rat{
			s.MinLength, s.MaxLength, s.Minimum, s.Maximum, s.ExclusiveMinimum, s.ExclusiveMaximum, s.MultipleOf,
			s.MinItems, s.MaxItems, s.MinProperties, s.MaxProperties,
		}
	}
	return slices.EqualFunc(of(a), of(b), sameNumber) && a.UniqueItems == b.UniqueItems
}

// sameSet reports whether two lists have the same texts in some order.
func sameSet(a, b []string) bool {
	return len(a) == len(b) && slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

func (p *Prover) sameValues(a, b *Schema) bool {
	if a.HasEnum != b.HasEnum || a.HasConst != b.HasConst || a.HasConst && !sameValue(a.Const, b.Const) || len(a.Enum) != len(b.Enum) {
		return false
	}
	if slices.EqualFunc(a.Enum, b.Enum, sameValue) {
		return true
	}
	return !slices.ContainsFunc(a.Enum, func(v any) bool {
		return !slices.ContainsFunc(b.Enum, func(w any) bool { return sameValue(v, w) })
	})
}

func (p *Prover) sameItems(a, b *Schema) bool {
	return p.Same(a.Items, b.Items) && p.sameList(a.Tuple, b.Tuple) && p.Same(a.AdditionalItems, b.AdditionalItems) && p.Same(a.Contains, b.Contains)
}

func (p *Prover) sameList(a, b []*Schema) bool {
	return (a == nil) == (b == nil) && slices.EqualFunc(a, b, p.Same)
}

func (p *Prover) sameMembers(a, b *Schema) bool {
	if a.HasProperties != b.HasProperties || len(a.Properties) != len(b.Properties) || !sameSet(a.Required, b.Required) {
		return false
	}
	for i, property := range a.Properties {
		of := b.Properties[i].Schema
		if b.Properties[i].Name != property.Name {
			of = b.Property(property.Name)
		}
		if of == nil || !p.Same(property.Schema, of) {
			return false
		}
	}
	return slices.EqualFunc(a.PatternProperties, b.PatternProperties, func(x, y PatternProperty) bool {
		return samePattern(x.Pattern, y.Pattern) && p.Same(x.Schema, y.Schema)
	}) && p.Same(a.AdditionalProperties, b.AdditionalProperties) && p.Same(a.PropertyNames, b.PropertyNames) &&
		slices.EqualFunc(a.Dependencies, b.Dependencies, func(x, y Dependency) bool {
			return x.Name == y.Name && slices.Equal(x.Required, y.Required) && p.Same(x.Schema, y.Schema)
		})
}

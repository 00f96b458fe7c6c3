package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/warrenmq/warren/internal/diagnostic"
)

// A union is what the builder makes of a [Union].
type union struct {
	Union
	variants []describedVariant // those of each place that has the interface
	others   []Union            // that say otherwise of the interface, until it is described
}

type describedVariant struct {
	Variant
	schema *Schema
}

// addUnion adds a union. The first of an interface counts.
func (b *builder) addUnion(u Union) {
	first := b.unions[u.Interface.ID()]
	switch {
	case first == nil:
		b.unions[u.Interface.ID()] = &union{Union: u}
	case !first.saysTheSame(u):
		first.others = append(first.others, u)
	}
}

// saysTheSame reports whether two unions of an interface describe it alike. Their variants
// are in the order of their values.
func (u Union) saysTheSame(other Union) bool {
	return u.Discriminator == other.Discriminator && slices.EqualFunc(u.Variants, other.Variants, func(a, b Variant) bool {
		return a.Value == b.Value && a.Type.ID() == b.Type.ID()
	})
}

// oneOf describes an interface by its variants (rule 18). Each is a component,
// which other languages have a type for.
func (b *builder) oneOf(t Type, at place) *Schema {
	u := b.unions[t.ID()]
	b.reportOthers(u, at)
	if u.Position.IsValid() {
		at.position = u.Position
	}
	at.present = true
	s := &Schema{Discriminator: u.Discriminator}
	for _, v := range u.Variants {
		described := b.variant(v.Type, at)
		u.variants = append(u.variants, describedVariant{v, described})
		s.OneOf = append(s.OneOf, described)
	}
	return s
}

// reportOthers reports the unions that contradict u, once.
func (b *builder) reportOthers(u *union, at place) {
	for _, other := range u.others {
		what := "another union of the interface has other variants, or another discriminator"
		if u.Position.IsValid() {
			what = fmt.Sprintf("the union of the interface at %s has other variants, or another discriminator", u.Position)
		}
		b.report(diagnostic.UnknownUnion, u.Interface, place{path: at.path, position: other.Position}, what,
			"leave one of them, or give each an interface of its own")
	}
	u.others = nil
}

// variant describes a type as it is written from within an interface, where it
// has no address.
func (b *builder) variant(t Type, at place) *Schema {
	if b.Direction == Decode {
		return b.value(behindPointer(t), at)
	}
	return b.mapValue(t, at)
}

// finishUnions ties the discriminator of each variant to its value: where the
// variant's struct has the member, there; where a method writes the variant,
// beside the reference to it.
func (b *builder) finishUnions() {
	for _, declared := range b.Unions {
		u := b.unions[declared.Interface.ID()]
		for _, described := range u.variants {
			b.tie(u, described.Variant, described.schema)
		}
	}
}

func (b *builder) tie(u *union, v Variant, s *Schema) {
	value, err := marshal(v.Value)
	if err != nil {
		return
	}
	if !b.hasStructure(behindPointer(v.Type)) {
		s.Type = Types{"object"}
		s.Properties = Properties{{Name: u.Discriminator, Schema: &Schema{Type: Types{"string"}, Enum: []json.RawMessage{value}}}}
		s.Required = []string{u.Discriminator}
		return
	}
	target := s
	if r, ok := b.refs[s]; ok {
		target = r.target.schema
	}
	property := target.Properties.Get(u.Discriminator)
	if property == nil {
		b.report(diagnostic.UnionVariant, v.Type, place{path: u.Interface.String(), position: u.Position},
			fmt.Sprintf("the variant %q has no member %q, by which readers could tell it", v.Value, u.Discriminator),
			fmt.Sprintf("add a field with the tag json:%q, and set it to %q", u.Discriminator, v.Value))
		return
	}
	if !slices.ContainsFunc(property.Enum, func(other json.RawMessage) bool { return bytes.Equal(other, value) }) {
		property.Enum = append(property.Enum, value)
	}
	if !slices.Contains(target.Required, u.Discriminator) {
		target.Required = append(target.Required, u.Discriminator)
	}
}

// hasStructure reports whether t is a struct whose fields say what is written.
func (b *builder) hasStructure(t Type) bool {
	return t.Kind() == reflect.Struct && !writesItself(t) && !readsItself(t) &&
		t.Method(JSONSchema) == NoReceiver && len(b.directives(t, SchemaDirective)) == 0
}

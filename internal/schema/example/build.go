package example

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/warrenmq/warren/internal/schema"
)

// A builder makes one example.
type builder struct {
	*Maker
	full    bool
	careful bool                    // each part is tried, rather than those without parts
	open    map[*schema.Schema]bool // components of which the value is inside
	parts   int                     // that it has
}

// A place is where a value stands in the example.
type place struct {
	name   string // of the member, or of that which is around it
	depth  int
	within bool // it is part of a value of its own type

	choices int // of alternatives around it
}

func (p place) inside(name string) place {
	if name == "" {
		name = p.name
	}
	return place{name, p.depth + 1, p.within, p.choices}
}

// value returns one that s accepts, where one is found.
func (b *builder) value(s *schema.Schema, at place) (any, bool) {
	if at.depth > maxDepth || at.choices > maxDepth || b.tired() {
		return nil, false
	}
	target := b.resolve(s)
	if target == nil {
		return nil, false
	}
	one := b.flat(target, maxDepth)
	if one == nil {
		return nil, false
	}
	if written, ok := b.written(one, target); ok {
		return written, true
	}
	if b.open[target] {
		at.within = true
	} else if b.full && s.Ref != "" {
		b.open[target] = true
		defer delete(b.open, target)
	}
	b.parts++
	if value, ok := b.alternatives(one, at); ok && b.holds(target, value) {
		return value, true
	}
	for candidate := range b.candidates(one, at) {
		if b.holds(target, candidate) {
			return candidate, true
		}
	}
	return nil, false
}

// holds reports whether s accepts a part of the example. Unless the builder is careful,
// one that has parts itself is tried with the whole.
func (b *builder) holds(s *schema.Schema, value any) bool {
	switch value.(type) {
	case []any, *object:
		return !b.careful || b.accepts(s, value)
	}
	return b.accepts(s, value)
}

// written returns a value that the schema s itself has: an example of its author, or a
// value of an enumeration. The target, of which s is the flat form, accepts it.
func (b *builder) written(s, target *schema.Schema) (any, bool) {
	texts := slices.Clone(s.Examples)
	if s.Const != nil {
		texts = append(texts, s.Const)
	}
	texts = append(texts, s.Enum...)
	var null bool
	for _, text := range texts {
		value, err := parse(text)
		if err != nil || !b.accepts(target, value) {
			continue
		}
		if value != nil {
			return value, true
		}
		null = true
	}
	return nil, null
}

// alternatives tries those of anyOf and oneOf, each with what stands beside them. A
// small example takes null where it may, for an object or an array.
func (b *builder) alternatives(s *schema.Schema, at place) (any, bool) {
	all := append(slices.Clone(s.AnyOf), s.OneOf...)
	if len(all) == 0 {
		return nil, false
	}
	beside := *s
	beside.AnyOf, beside.OneOf, beside.Examples = nil, nil, nil
	if b.isSparse(at) && slices.ContainsFunc(all, b.hasParts) && b.accepts(s, nil) {
		return nil, true
	}
	at.choices++
	var null bool
	for _, one := range all {
		value, ok := b.value(b.beside(&beside, one), at)
		if !ok || !b.holds(s, value) {
			continue
		}
		if value != nil {
			return value, true
		}
		null = true
	}
	return nil, null
}

// beside returns the schema of what both accept. A reference stays one, so that it is
// seen where it leads back, if there is nothing beside it.
func (b *builder) beside(s, one *schema.Schema) *schema.Schema {
	if len(s.Type) == 0 && s.Enum == nil && s.Const == nil && len(guessed(s)) == len(anyType) {
		return one // values are tried on all of s anyway
	}
	return &schema.Schema{AllOf: []*schema.Schema{s, one}}
}

// isSparse reports whether a value has no more than it has to.
func (b *builder) isSparse(at place) bool {
	return !b.full || at.within || at.depth >= fullDepth || b.parts >= maxParts
}

// hasParts reports whether the values of s are objects or arrays.
func (b *builder) hasParts(s *schema.Schema) bool {
	s = b.resolve(s)
	return s != nil && (s.Type.Has("object") || s.Type.Has("array") || s.Properties != nil || s.AllOf != nil || s.AnyOf != nil || s.OneOf != nil)
}

// kinds are the types of values, those first that say most.
var kinds = []string{"object", "array", "string", "integer", "number", "boolean", "null"}

// candidates are values by the types that s has, or that its keywords are about.
func (b *builder) candidates(s *schema.Schema, at place) iter.Seq[any] {
	types := s.Type
	if len(types) == 0 {
		types = guessed(s)
	}
	return func(yield func(any) bool) {
		if b.isSparse(at) && at.depth > 0 && types.Has("null") && (types.Has("object") || types.Has("array")) && !yield(nil) {
			return
		}
		for _, kind := range kinds {
			if !types.Has(kind) {
				continue
			}
			for candidate := range b.ofKind(kind, s, at) {
				if !yield(candidate) {
					return
				}
			}
		}
	}
}

func (b *builder) ofKind(kind string, s *schema.Schema, at place) iter.Seq[any] {
	switch kind {
	case "object":
		return b.objects(s, at)
	case "array":
		return b.arrays(s, at)
	case "string":
		return slices.Values(b.texts(s, at.name))
	case "integer", "number":
		return slices.Values(numbers(s))
	case "boolean":
		return slices.Values([]any{true, false})
	}
	return slices.Values([]any{nil})
}

// guessed returns the types of a schema that names none.
func guessed(s *schema.Schema) schema.Types {
	switch {
	case s.Properties != nil || s.Required != nil || s.AdditionalProperties != nil || s.PatternProperties != nil || s.MinProperties != nil:
		return schema.Types{"object"}
	case s.Items != nil || s.MinItems != nil || s.Contains != nil:
		return schema.Types{"array"}
	case s.Minimum+s.Maximum+s.ExclusiveMinimum+s.ExclusiveMaximum+s.MultipleOf != "":
		return schema.Types{"number"}
	case s.Pattern != "" || s.Format != "" || s.MinLength != nil || s.MaxLength != nil:
		return schema.Types{"string"}
	}
	return anyType
}

// anyType are all types, those first that are readiest to stand for anything.
var anyType = schema.Types{"object", "string", "number", "boolean", "array", "null"}

// arrays are one with as many items as a full example has, and one with as many as
// there have to be.
func (b *builder) arrays(s *schema.Schema, at place) iter.Seq[any] {
	least := 0
	if s.MinItems != nil {
		least = *s.MinItems
	}
	return func(yield func(any) bool) {
		if !b.isSparse(at) && (s.MaxItems == nil || *s.MaxItems > 0) && !yield(b.array(s, max(1, least), at)) {
			return
		}
		yield(b.array(s, least, at))
	}
}

// array returns one with n items, or fewer where no more are found.
func (b *builder) array(s *schema.Schema, n int, at place) any {
	items := []any{}
	if s.Contains != nil {
		if item, ok := b.value(together(s.Contains, s.Items), at.inside("")); ok {
			items = append(items, item)
		}
	}
	for len(items) < min(n, maxParts) {
		item, ok := b.item(s, items, at)
		if !ok {
			break
		}
		items = append(items, item)
	}
	return items
}

// item returns one more item of an array, which differs from the others where it
// has to.
func (b *builder) item(s *schema.Schema, others []any, at place) (any, bool) {
	items := s.Items
	if items == nil {
		items = &schema.Schema{}
	}
	value, ok := b.value(items, at.inside(""))
	if !ok || !s.UniqueItems {
		return value, ok
	}
	isTaken := func(value any) bool {
		return slices.ContainsFunc(others, func(other any) bool { return equal(other, value) })
	}
	if !isTaken(value) {
		return value, true
	}
	for _, candidate := range b.variants(items, value, len(others)) {
		if !isTaken(candidate) && b.accepts(items, candidate) {
			return candidate, true
		}
	}
	return nil, false
}

// variants returns values like one.
func (b *builder) variants(s *schema.Schema, value any, n int) []any {
	var all []any
	if target := b.flat(s, maxDepth); target != nil {
		for _, text := range target.Enum {
			if parsed, err := parse(text); err == nil {
				all = append(all, parsed)
			}
		}
	}
	switch value := value.(type) {
	case string:
		all = append(all, fmt.Sprintf("%s%d", value, n+1))
	case json.Number:
		all = append(all, json.Number(fmt.Sprint(n+1)))
	case bool:
		all = append(all, !value)
	}
	return all
}

// objects are one with all members, and one with those that are required: it may be
// that not all fit together.
func (b *builder) objects(s *schema.Schema, at place) iter.Seq[any] {
	return func(yield func(any) bool) {
		if !b.isSparse(at) {
			all := func(schema.Property) bool { return true }
			if members, ok := b.members(s, at, all); ok {
				if s.AdditionalProperties != nil || s.PatternProperties != nil {
					b.addFurther(s, members, len(members.names)+1, at)
				}
				if !yield(members) {
					return
				}
			}
		}
		required := func(p schema.Property) bool { return slices.Contains(s.Required, p.Name) }
		if members, ok := b.members(s, at, required); ok {
			if s.MinProperties != nil {
				b.addFurther(s, members, *s.MinProperties, at)
			}
			yield(members)
		}
	}
}

// members returns an object with the properties that are wanted.
func (b *builder) members(s *schema.Schema, at place, isWanted func(schema.Property) bool) (*object, bool) {
	members := newObject()
	for _, property := range s.Properties {
		if !isWanted(property) {
			continue
		}
		value, ok := b.value(property.Schema, at.inside(property.Name))
		if ok {
			members.set(property.Name, value)
		}
	}
	for _, name := range s.Required {
		if _, ok := members.values[name]; ok {
			continue
		}
		value, ok := b.further(s, name, at)
		if !ok {
			return nil, false
		}
		members.set(name, value)
	}
	return members, true
}

// further returns a value for a member that isn't among the properties.
func (b *builder) further(s *schema.Schema, name string, at place) (any, bool) {
	if s.Properties.Get(name) != nil {
		return nil, false // there is none
	}
	parts := b.schemasOf(s, name)
	if slices.Contains(parts, nil) {
		return nil, false
	}
	if len(parts) == 0 {
		parts = []*schema.Schema{{}}
	}
	return b.value(&schema.Schema{AllOf: parts}, at.inside(name))
}

// addFurther adds members until there are n, where it finds names for them:
// properties that aren't there yet, and such as the schema has rules for.
func (b *builder) addFurther(s *schema.Schema, members *object, n int, at place) {
	var names []string
	for _, property := range s.Properties {
		names = append(names, property.Name)
	}
	if s.PropertyNames != nil {
		if name, ok := b.value(s.PropertyNames, place{name: "key", depth: at.depth + 1}); ok {
			if text, ok := name.(string); ok {
				names = append(names, text)
			}
		}
		if target := b.flat(s.PropertyNames, maxDepth); target != nil {
			for _, text := range target.Enum {
				var name string
				if json.Unmarshal(text, &name) == nil {
					names = append(names, name)
				}
			}
		}
	}
	for _, property := range s.PatternProperties {
		if p := b.pattern(property.Name); p != nil {
			names = append(names, p.texts(1)...)
		}
	}
	for i := range max(0, min(n, maxParts)) {
		names = append(names, "key"+strings.Repeat("'", i))
	}
	for _, name := range names {
		if len(members.names) >= n {
			return
		}
		if _, taken := members.values[name]; taken || s.PropertyNames != nil && !b.accepts(s.PropertyNames, name) {
			continue
		}
		value, ok := b.further(s, name, at)
		if own := s.Properties.Get(name); own != nil {
			value, ok = b.value(own, at.inside(name))
		}
		if ok {
			members.set(name, value)
		}
	}
}

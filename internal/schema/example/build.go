package example

import (
	"cmp"
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"github.com/warrenmq/warren/internal/schema"
)

// A builder makes one example.
type builder struct {
	*Maker
	full  bool
	open  map[*schema.Schema]int // schemas of which the value is inside, with its depth
	parts int                    // that it has
}

// A place is where a value stands in the example.
type place struct {
	name   string // of the member, or of that which is around it
	depth  int
	within bool // it is part of a value of its own type
	nth    int  // of the items of an array, which have to differ
}

func (p place) inside(name string) place {
	p.name = cmp.Or(name, p.name)
	p.depth++
	return p
}

// value returns one that s accepts, where one is found, and that is none of others.
func (b *builder) value(s *schema.Schema, at place, others ...any) (any, bool) {
	target := b.resolve(s)
	one := b.flat(target)
	if one == nil || at.depth > maxDepth {
		return nil, false
	}
	if depth, isOpen := b.open[target]; !isOpen {
		b.open[target] = at.depth
		defer delete(b.open, target)
	} else if at.within = true; depth == at.depth {
		return nil, false // it is an alternative of itself
	}
	b.parts++
	for candidate := range b.candidates(one, at) {
		isTaken := slices.ContainsFunc(others, func(other any) bool { return equal(other, candidate) })
		if !isTaken && b.accepts(target, candidate) {
			return candidate, true
		}
	}
	return nil, false
}

// candidates are values that a flat schema may accept, those first that say most.
func (b *builder) candidates(s *schema.Schema, at place) iter.Seq[any] {
	return func(yield func(any) bool) {
		for _, some := range []iter.Seq[any]{b.written(s), b.null(s, at), b.alternatives(s, at), b.kinds(s, at)} {
			for candidate := range some {
				if !yield(candidate) {
					return
				}
			}
		}
	}
}

// written are the values that the schema itself has: examples of its author, and those of
// an enumeration. Null says less than the others, and comes with the kinds.
func (b *builder) written(s *schema.Schema) iter.Seq[any] {
	return func(yield func(any) bool) {
		for _, text := range slices.Concat(s.Examples, []json.RawMessage{s.Const}, s.Enum) {
			value, err := parse(text)
			if err == nil && value != nil && !yield(value) {
				return
			}
		}
	}
}

// null is what a small example takes where it may, for an object or an array.
func (b *builder) null(s *schema.Schema, at place) iter.Seq[any] {
	return func(yield func(any) bool) {
		if b.isSparse(at) && at.depth > 0 && b.hasParts(s) {
			yield(nil)
		}
	}
}

// hasParts reports whether values of s may be objects or arrays.
func (b *builder) hasParts(s *schema.Schema) bool {
	if s = b.flat(s); s == nil {
		return false
	}
	if all := slices.Concat(s.AnyOf, s.OneOf); len(all) > 0 {
		return slices.ContainsFunc(all, b.hasParts)
	}
	types := typesOf(s)
	return types.Has("object") || types.Has("array")
}

// alternatives are values of those of anyOf and oneOf, each with what stands beside them.
// A reference stays one where nothing does, so that it is seen where it leads back.
func (b *builder) alternatives(s *schema.Schema, at place) iter.Seq[any] {
	return func(yield func(any) bool) {
		beside := *s
		beside.AnyOf, beside.OneOf, beside.Examples, beside.Title, beside.Description = nil, nil, nil, "", ""
		for _, one := range slices.Concat(s.AnyOf, s.OneOf) {
			if !beside.IsEmpty() {
				one = together(&beside, one)
			}
			if value, ok := b.value(one, at); ok && value != nil && !yield(value) {
				return
			}
		}
	}
}

// isSparse reports whether a value has no more than it has to.
func (b *builder) isSparse(at place) bool {
	return !b.full || at.within || at.depth >= fullDepth || b.parts >= maxParts
}

// kinds are values of the types that s has, or that its keywords are about.
func (b *builder) kinds(s *schema.Schema, at place) iter.Seq[any] {
	types := typesOf(s)
	return func(yield func(any) bool) {
		for _, kind := range []string{"object", "array", "string", "integer", "number", "boolean", "null"} {
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
		return slices.Values(b.texts(s, at.name, at.nth))
	case "integer", "number":
		return slices.Values(numbers(s, at.nth))
	case "boolean":
		return slices.Values([]any{true, false})
	}
	return slices.Values([]any{nil})
}

// typesOf returns the types of s, or where it names none those that its keywords are
// about.
func typesOf(s *schema.Schema) schema.Types {
	switch {
	case len(s.Type) > 0:
		return s.Type
	case s.Properties != nil || s.Required != nil || s.AdditionalProperties != nil || s.PatternProperties != nil || s.MinProperties != nil:
		return schema.Types{"object"}
	case s.Items != nil || s.MinItems != nil || s.Contains != nil:
		return schema.Types{"array"}
	case s.Minimum+s.Maximum+s.ExclusiveMinimum+s.ExclusiveMaximum+s.MultipleOf != "":
		return schema.Types{"number"}
	case s.Pattern != "" || s.Format != "" || s.MinLength != nil || s.MaxLength != nil:
		return schema.Types{"string"}
	}
	return schema.Types{"object", "array", "string", "integer", "number", "boolean", "null"}
}

// arrays are one with as many items as a full example has, and one with as many as
// there have to be.
func (b *builder) arrays(s *schema.Schema, at place) iter.Seq[any] {
	least := 0
	if s.MinItems != nil {
		least = *s.MinItems
	}
	return func(yield func(any) bool) {
		if !b.isSparse(at) && !yield(b.array(s, max(1, least), at)) {
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
	one := s.Items
	if one == nil {
		one = &schema.Schema{}
	}
	for len(items) < min(n, maxParts) {
		in, others := at.inside(""), []any(nil)
		if s.UniqueItems {
			in.nth, others = len(items), items
		}
		item, ok := b.value(one, in, others...)
		if !ok {
			return items
		}
		items = append(items, item)
	}
	return items
}

// objects are one with all members, and one with those that are required: it may be
// that not all fit together.
func (b *builder) objects(s *schema.Schema, at place) iter.Seq[any] {
	return func(yield func(any) bool) {
		if !b.isSparse(at) {
			members := newObject()
			for _, property := range s.Properties {
				b.addMember(s, members, property.Name, at)
			}
			b.addRequired(s, members, at)
			if s.AdditionalProperties != nil || s.PatternProperties != nil {
				b.addFurther(s, members, len(members.names)+1, at)
			}
			if !yield(members) {
				return
			}
		}
		members := newObject()
		b.addRequired(s, members, at)
		if s.MinProperties != nil {
			b.addFurther(s, members, *s.MinProperties, at)
		}
		yield(members)
	}
}

// addMember adds a value of a name, where one is found.
func (b *builder) addMember(s *schema.Schema, members *object, name string, at place) {
	if _, taken := members.values[name]; taken {
		return
	}
	parts := b.schemasOf(s, name)
	one := &schema.Schema{AllOf: parts}
	if len(parts) == 1 {
		one = parts[0] // which may be a reference that leads back
	}
	if value, ok := b.value(one, at.inside(name)); ok {
		members.set(name, value)
	}
}

// addRequired adds the members that are required, the properties among them in their order.
func (b *builder) addRequired(s *schema.Schema, members *object, at place) {
	for _, property := range s.Properties {
		if slices.Contains(s.Required, property.Name) {
			b.addMember(s, members, property.Name, at)
		}
	}
	for _, name := range s.Required {
		b.addMember(s, members, name, at)
	}
}

// addFurther adds members until there are n, where it finds names for them:
// properties that aren't there yet, and such as the schema has rules for.
func (b *builder) addFurther(s *schema.Schema, members *object, n int, at place) {
	for _, name := range b.furtherNames(s, n) {
		if len(members.names) < n && b.accepts(cmp.Or(s.PropertyNames, &schema.Schema{}), name) {
			b.addMember(s, members, name, at)
		}
	}
}

func (b *builder) furtherNames(s *schema.Schema, n int) []string {
	var names []string
	for _, property := range s.Properties {
		names = append(names, property.Name)
	}
	if rule := b.flat(s.PropertyNames); rule != nil {
		for candidate := range b.candidates(rule, place{name: "key"}) {
			if name, ok := candidate.(string); ok {
				names = append(names, name)
			}
		}
	}
	for _, property := range s.PatternProperties {
		if p := b.pattern(property.Name); p != nil {
			names = append(names, p.texts(1)...)
		}
	}
	for i := range min(n, maxParts) {
		names = append(names, "key"+strings.Repeat("'", i))
	}
	return names
}

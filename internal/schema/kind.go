package schema

import (
	"reflect"
	"slices"
	"strings"

	"github.com/warrenmq/warren/internal/diagnostic"
)

// describe describes t by what its author says of it, by its methods or by its
// kind, rather than by a reference to a component. The types that it is made of
// are described as values.
func (b *builder) describe(t Type, at place) *Schema {
	if s := b.described(t, at); s != nil {
		return s
	}
	if s := b.byMethod(t, at); s != nil {
		return s
	}
	switch t.Kind() {
	case reflect.Pointer:
		return b.pointer(t, at)
	case reflect.Slice:
		return b.slice(t, at)
	case reflect.Array:
		return b.array(t, at)
	case reflect.Map:
		return b.mapping(t, at)
	case reflect.Struct:
		return b.object(t, at)
	case reflect.Interface:
		return b.dynamic(t, at)
	case reflect.Chan, reflect.Func, reflect.UnsafePointer, reflect.Complex64, reflect.Complex128:
		return b.anything(diagnostic.NoJSON, t, at, "a %s has no JSON form", `leave the field out by the tag json:"-"`, t.Kind())
	case reflect.Invalid:
		return b.anything(diagnostic.NoJSON, t, at, "the type isn't known", "make the code compile, and give type parameters a type")
	default:
		return scalar(t.Kind())
	}
}

// pointer describes what is behind it, or null. A pointer to itself, as of type P *P,
// is always null.
func (b *builder) pointer(t Type, at place) *Schema {
	if behindPointers(t).Kind() == reflect.Pointer {
		return &Schema{Type: Types{"null"}}
	}
	elem := b.part(t.Elem(), at.within(""))
	if at.present && b.Direction == Encode {
		return elem
	}
	return b.orNull(elem)
}

// slice describes base64 text for bytes, else an array; nil is null (rules 8, 9
// and 11).
func (b *builder) slice(t Type, at place) *Schema {
	var s *Schema
	switch {
	case b.Direction == Decode && t.Elem().Kind() == reflect.Uint8:
		// Both forms are read, whatever methods the elements have.
		s = &Schema{Type: Types{"string", "array"}, ContentEncoding: "base64", Items: b.part(t.Elem(), at.within("[]"))}
	case isByte(t.Elem()):
		s = &Schema{Type: Types{"string"}, ContentEncoding: "base64"}
	default:
		s = &Schema{Type: Types{"array"}, Items: b.part(t.Elem(), at.within("[]"))}
	}
	if at.present && b.Direction == Encode {
		return s
	}
	return b.orNull(s)
}

// isByte reports whether slices of elem are written in base64: elem is an
// unsigned byte that doesn't write itself.
func isByte(elem Type) bool {
	return elem.Kind() == reflect.Uint8 && !writesItself(elem)
}

// writesItself reports whether encoding/json calls a method to write a t.
func writesItself(t Type) bool {
	return t.Method(MarshalJSON) != NoReceiver || t.Method(MarshalText) != NoReceiver
}

// array describes an array of exactly so many elements. Bytes are numbers here
// (rule 10). Reading fills up a shorter array and drops the rest of a longer one.
func (b *builder) array(t Type, at place) *Schema {
	s := &Schema{Type: Types{"array"}, Items: b.part(t.Elem(), at.within("[]"))}
	b.noteZero(t.Elem())
	if b.Direction == Decode {
		if t.Len() == 0 {
			s.Items = nil
		}
		return s
	}
	length := int(t.Len())
	s.MinItems, s.MaxItems = &length, &length
	return s
}

func (b *builder) mapping(t Type, at place) *Schema {
	s := &Schema{
		Type:                 Types{"object"},
		AdditionalProperties: b.mapValue(t.Elem(), at.within("[]")),
		PropertyNames:        b.keys(t.Key(), at.within("[key]")),
	}
	if at.present && b.Direction == Encode {
		return s
	}
	return b.orNull(s)
}

// mapValue is part for a map's values. Their address can't be taken, so that a
// method with a pointer receiver is called when one is read, but not when it is
// written: only the open schema is true of both (rule 32).
func (b *builder) mapValue(t Type, at place) *Schema {
	if b.Direction == Decode || !needsAddress(t, map[any]bool{}) {
		return b.part(t, at)
	}
	return b.anything(diagnostic.UncalledMethod, t, at, "encoding/json doesn't call a marshal method of a pointer receiver on a map's values",
		"hold a pointer in the map, or give the method a value receiver")
}

// needsAddress reports whether a value of t, or one inside it, is written by a
// method that only its pointer has.
func needsAddress(t Type, seen map[any]bool) bool {
	for _, method := range []Method{MarshalJSON, MarshalText} {
		if receiver := t.Method(method); receiver != NoReceiver {
			return receiver == PointerReceiver
		}
	}
	if seen[t.ID()] {
		return false
	}
	seen[t.ID()] = true
	switch t.Kind() {
	case reflect.Array:
		return needsAddress(t.Elem(), seen)
	case reflect.Struct:
		return slices.ContainsFunc(members(t).members, func(m member) bool {
			return !m.optional && needsAddress(m.field.Type, seen)
		})
	default:
		return false
	}
}

// keys describes the names that a map's keys become, nil for any (rules 13 to
// 15). A string key is written as it is, even where it has MarshalText.
func (b *builder) keys(key Type, at place) *Schema {
	text, readable := key.Method(MarshalText) == ValueReceiver, key.Method(UnmarshalText) != NoReceiver
	if kind := key.Kind(); kind != reflect.String && text != readable && (text || b.Direction == Decode) {
		b.reportKey(key, at)
	}
	if b.Direction == Decode {
		text = readable
	}
	switch kind := key.Kind(); {
	case kind == reflect.String, text:
		return nil
	case isUnsigned(kind):
		return &Schema{Pattern: unsignedPattern}
	case isInteger(kind):
		return &Schema{Pattern: integerPattern}
	default:
		b.report(diagnostic.MapKey, key, at, "encoding/json has no form for such a map key",
			"use a string, an integer, or a type whose MarshalText has a value receiver")
		return nil
	}
}

// reportKey warns of a key that has only one of the methods.
func (b *builder) reportKey(key Type, at place) {
	switch {
	case key.Method(UnmarshalText) != NoReceiver:
		b.report(diagnostic.OneWayJSON, key, at, "the map is read otherwise than it is written: its key has UnmarshalText and no MarshalText",
			"add MarshalText to the key's type")
	default:
		b.report(diagnostic.OneWayJSON, key, at, "the map can be written but not read: its key has MarshalText and no UnmarshalText",
			"add UnmarshalText to the key's type")
	}
}

// dynamic describes an interface: what its union holds, anything where it has
// no methods. Values of another interface can't be read (rules 18 and 19).
func (b *builder) dynamic(t Type, at place) *Schema {
	switch {
	case b.unions[t.ID()] != nil:
		return b.oneOf(t, at)
	case t.NumMethod() == 0:
		return &Schema{}
	case t.Name().Ident == "error" && !t.Name().Defined():
		return b.anything(diagnostic.ErrorType, t, at, "most errors are written as {}, and none can be read",
			`use a string, or leave the field out by the tag json:"-"`)
	default:
		return b.anything(diagnostic.InterfaceType, t, at, "encoding/json can't read into an interface with methods, and writes whatever it holds",
			`use a concrete type, say by asyncapi.NewUnion what it holds, or leave the field out by the tag json:"-"`)
	}
}

// handled describes an interface with methods in a type that reads or writes it by a
// method of its own: as anything, with a warning.
func (b *builder) handled(t Type, at place) *Schema {
	s := b.anything(diagnostic.InterfaceType, t, at, "the type around has a method for what this interface holds, so the schema accepts any JSON",
		"say what it is by a comment //asyncapigen:schema {...} on the field or on the type around, or say by asyncapi.NewUnion what it holds")
	b.problems[len(b.problems)-1].Severity = diagnostic.Warning
	return s
}

// object describes a struct, open to further members, which encoding/json
// ignores (rule 30).
func (b *builder) object(t Type, at place) *Schema {
	s := &Schema{Type: Types{"object"}}
	at.handled = at.handled || b.Direction == Encode && t.Method(UnmarshalJSON) != NoReceiver
	found := members(t)
	for _, f := range found.faults {
		if at.oneWay && b.Direction == Encode {
			break
		}
		b.report(diagnostic.EmbeddedHidden, f.field.Type, at.field(f.path, f.field),
			"encoding/json can't set an embedded pointer to an unexported type", "embed the struct itself, or export its type")
	}
	if len(found.members) == 0 && found.fallback == nil && hidesAll(t) {
		b.report(diagnostic.EmptyObject, t, at, "it has no exported field, so it is always {}",
			`use a type that has, give it MarshalText, or leave the field out by the tag json:"-"`)
	}
	for _, m := range found.members {
		property, required := b.member(m, at)
		s.Properties = append(s.Properties, Property{Name: m.name, Schema: property})
		if required {
			s.Required = append(s.Required, m.name)
		}
	}
	if m := found.fallback; m != nil && behindPointer(m.field.Type).Kind() == reflect.Map {
		s.AdditionalProperties = b.mapValue(behindPointer(m.field.Type).Elem(), at.field(m.path+"[]", m.field))
	}
	return s
}

// hidesAll reports whether t has fields, none of them left out by a tag.
func hidesAll(t Type) bool {
	for _, field := range t.Fields() {
		if ParseJSONTag(field.Tag).Skip {
			return false
		}
	}
	return len(t.Fields()) > 0
}

// member describes a field and says whether it is always there.
func (b *builder) member(m member, at place) (s *Schema, required bool) {
	at = at.field(m.path, m.field)
	omitted := optionalMember(m)
	at.present = m.tag.OmitEmpty || m.tag.OmitZero
	if s = b.formatted(m, at); s == nil {
		s = b.quoted(m)
	}
	if s == nil {
		s = b.part(m.field.Type, at)
	}
	b.origins[s] = origin{b.payload, m.field.Type, at}
	constrained := b.constrain(s, m, at)
	if !omitted && !constrained {
		b.noteZero(m.field.Type)
	}
	b.addDoc(s, m.field.Doc)
	b.addExamples(s, m.field.Type, b.fieldDirectives(m.field))
	return s, constrained || !omitted && b.Direction == Encode
}

// paragraphs joins the texts that aren't empty.
func paragraphs(texts ...string) string {
	texts = slices.DeleteFunc(texts, func(text string) bool { return text == "" })
	return strings.Join(texts, "\n\n")
}

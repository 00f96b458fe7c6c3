package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/warrenmq/warren/internal/diagnostic"
)

// described returns the schema that the author of t gives: by a directive, else
// by the method JSONSchema, else nil. Both must agree, and be true of the type's
// structure where encoding/json goes by that. See docs/decisions/0013.
func (b *builder) described(t Type, at place) *Schema {
	marker, marked := b.marker(t)
	text, err := t.JSONSchema()
	switch {
	case err != nil && !marked:
		b.report(diagnostic.BadSchema, t, at, "the schema of its method JSONSchema isn't known: "+err.Error(),
			"let the method return a constant string and nothing else")
		return &Schema{}
	case marked && text != "" && !sameJSON(marker.Text, text):
		b.report(diagnostic.SchemaConflict, t, at, "the comment //asyncapigen:schema and the method JSONSchema give different schemas", "remove one of them")
		return &Schema{}
	case marked:
		text = marker.Text
		if marker.Position.IsValid() {
			at.position = marker.Position
		}
	case text == "":
		return nil
	case b.inheritedOnly(t, text):
		b.report(diagnostic.SchemaConflict, t, at, "its method JSONSchema is that of an embedded type, and doesn't describe its other fields",
			"give the type a method JSONSchema of its own")
		return nil
	}
	s, err := parseSchema(text)
	if err != nil {
		b.report(diagnostic.BadSchema, t, at, "its schema can't be read: "+err.Error(), "write a JSON Schema of draft-07, without $defs and boolean schemas")
		return &Schema{}
	}
	if want := b.structure(t); want != nil && !want.satisfy(s) {
		b.report(diagnostic.SchemaConflict, t, at, fmt.Sprintf("its schema says %s, but encoding/json has %s there", whatItSays(s), strings.Join(want, " or ")),
			"correct the schema, or give the type the method that writes it so")
	}
	b.byHand = true
	return s
}

func (b *builder) marker(t Type) (Directive, bool) {
	directives := b.directives(t, SchemaDirective)
	if len(directives) == 0 {
		return Directive{}, false
	}
	return directives[0], true
}

// directives returns those of t that have the name.
func (b *builder) directives(t Type, name string) []Directive {
	source := b.source(t)
	if source == nil {
		return nil
	}
	return withName(source.Directives, name)
}

func withName(all []Directive, name string) []Directive {
	return slices.DeleteFunc(slices.Clone(all), func(d Directive) bool { return d.Name != name })
}

// inheritedOnly reports whether t has its method JSONSchema from an embedded
// type, but no method to be written by.
func (b *builder) inheritedOnly(t Type, text string) bool {
	if t.Kind() != reflect.Struct || writesItself(t) || readsItself(t) {
		return false
	}
	for _, field := range t.Fields() {
		if !field.Embedded {
			continue
		}
		if inherited, err := behindPointer(field.Type).JSONSchema(); err == nil && inherited == text {
			return true
		}
	}
	return false
}

// structure returns the JSON types that encoding/json goes by where no method
// may write another; nil where one may.
func (b *builder) structure(t Type) Types {
	json, text := MarshalJSON, MarshalText
	if b.Direction == Decode {
		json, text = UnmarshalJSON, UnmarshalText
	}
	switch kind := t.Kind(); {
	case t.Method(json) != NoReceiver, kind == reflect.Interface, kind == reflect.Pointer:
		return nil
	case t.Method(text) != NoReceiver, kind == reflect.String:
		return Types{"string"}
	case kind == reflect.Bool:
		return Types{"boolean"}
	case isInteger(kind):
		return Types{"integer"}
	case kind == reflect.Float32, kind == reflect.Float64:
		return Types{"number"}
	case kind == reflect.Struct, kind == reflect.Map:
		return Types{"object"}
	case kind == reflect.Slice && isByte(t.Elem()):
		return Types{"string"}
	case kind == reflect.Slice, kind == reflect.Array:
		return Types{"array"}
	default:
		return nil
	}
}

// allows reports whether a value of the JSON type called name may be of t.
func (t Types) allows(name string) bool {
	return t.Has(name) || name == "number" && t.Has("integer") || name == "integer" && t.Has("number")
}

// satisfy reports whether a value of one of the JSON types may be of a schema, as far as
// its types and the values that it lists tell.
func (t Types) satisfy(s *Schema) bool {
	values := s.Enum
	if len(s.Const) > 0 {
		values = []json.RawMessage{s.Const}
	}
	switch {
	case len(s.Type) > 0 && !slices.ContainsFunc(s.Type, t.allows):
		return false
	case len(values) > 0 && !slices.ContainsFunc(values, func(text json.RawMessage) bool { return t.allows(typeOfJSON(text)) }):
		return false
	}
	for _, part := range s.AllOf {
		if !t.satisfy(part) {
			return false
		}
	}
	for _, choice := range [][]*Schema{s.AnyOf, s.OneOf} {
		if len(choice) > 0 && !slices.ContainsFunc(choice, t.satisfy) {
			return false
		}
	}
	return true
}

// whatItSays returns the types that a schema says, or where they are.
func whatItSays(s *Schema) string {
	if len(s.Type) > 0 {
		return strings.Join(s.Type, " or ")
	}
	return "something else by its enum, const, allOf, anyOf or oneOf"
}

// typeOfJSON returns the JSON type of a text.
func typeOfJSON(text json.RawMessage) string {
	switch v := parsed(text).(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case json.Number:
		if _, err := v.Int64(); err == nil {
			return "integer"
		}
		return "number"
	default:
		return "object"
	}
}

// parseSchema reads a JSON Schema and refuses the keywords that [Schema] hasn't.
func parseSchema(text string) (*Schema, error) {
	s := &Schema{}
	decoder := json.NewDecoder(strings.NewReader(text))
	if err := decoder.Decode(s); err != nil {
		return nil, err
	}
	if decoder.More() {
		return nil, fmt.Errorf("there is text after it")
	}
	written, err := s.MarshalJSON()
	if err != nil {
		return nil, err
	}
	if word := lost(parsed([]byte(text)), parsed(written)); word != "" {
		return nil, fmt.Errorf("the word %q isn't known, or is empty", word)
	}
	return s, nil
}

// lost returns the name of a member of x, at any depth, that y hasn't.
func lost(x, y any) string {
	switch x := x.(type) {
	case map[string]any:
		y, _ := y.(map[string]any)
		for name, member := range x {
			other, ok := y[name]
			if !ok {
				return name
			}
			if word := lost(member, other); word != "" {
				return word
			}
		}
	case []any:
		y, _ := y.([]any)
		for i, element := range x {
			if i < len(y) {
				if word := lost(element, y[i]); word != "" {
					return word
				}
			}
		}
	}
	return ""
}

// parsed returns JSON as values that can be compared, nil for other text.
func parsed(text []byte) any {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return nil
	}
	return value
}

func sameJSON(x, y string) bool {
	return reflect.DeepEqual(parsed([]byte(x)), parsed([]byte(y)))
}

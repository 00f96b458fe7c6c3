package schema

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
)

// addConstants makes s an enumeration of the declared values of t, each once
// (rule 44). Further names of a value go into its description.
// See docs/decisions/0012.
func (b *builder) addConstants(s *Schema, t Type) {
	source := b.source(t)
	if b.OpenEnums || source == nil || !isScalar(t.Kind()) || len(s.Type) == 0 || len(s.Enum) > 0 ||
		writesItself(t) || readsItself(t) || len(b.directives(t, SchemaDirective)) > 0 {
		return
	}
	if text, err := t.JSONSchema(); text != "" || err != nil {
		return
	}
	var docs []string
	for _, c := range source.Constants {
		at := slices.IndexFunc(s.Enum, func(value json.RawMessage) bool { return bytes.Equal(value, c.Value) })
		if at >= 0 {
			docs[at] = paragraphs(docs[at], "Also "+c.Name+".")
			continue
		}
		s.Enum = append(s.Enum, c.Value)
		s.EnumNames = append(s.EnumNames, c.Name)
		docs = append(docs, c.Doc)
	}
	if strings.Join(docs, "") != "" {
		s.EnumDescriptions = docs
	}
}

func isScalar(kind reflect.Kind) bool {
	return kind == reflect.Bool || kind == reflect.String || isInteger(kind) || kind == reflect.Float32 || kind == reflect.Float64
}

// noteZero notes that the zero value of t is written where a member isn't set.
func (b *builder) noteZero(t Type) {
	for t.Kind() == reflect.Array && !t.Name().Defined() {
		t = t.Elem()
	}
	if c := b.byID[t.ID()]; c != nil {
		c.zero = true
	}
}

// addZero adds the zero value to an enumeration without it, if it is written
// where a member isn't set. It comes last, and has no name. Readers get it, too,
// so that the directions don't differ.
func (b *builder) addZero(c *component) {
	if !c.zero || len(c.schema.EnumNames) == 0 {
		return
	}
	zero := zeroOf(c.t.Kind())
	if slices.ContainsFunc(c.schema.Enum, func(value json.RawMessage) bool { return string(value) == zero }) {
		return
	}
	c.schema.Enum = append(c.schema.Enum, json.RawMessage(zero))
}

func zeroOf(kind reflect.Kind) string {
	switch kind {
	case reflect.Bool:
		return "false"
	case reflect.String:
		return `""`
	default:
		return "0"
	}
}

package schema

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/warrenmq/warren/internal/diagnostic"
)

// addDoc adds a doc comment. A paragraph that begins with "Deprecated:" marks what
// is deprecated, as in Go.
func (b *builder) addDoc(s *Schema, doc string) {
	if b.ReflectionOnly {
		return
	}
	if s.Description == "" || doc != "" {
		s.Description = paragraphs(doc, s.Description)
	}
	for paragraph := range strings.SplitSeq(doc, "\n\n") {
		if strings.HasPrefix(paragraph, "Deprecated:") {
			s.Deprecated = true
		}
	}
}

func (b *builder) fieldDirectives(f Field) []Directive {
	var found []Directive
	if !b.ReflectionOnly {
		found = withName(f.Directives, ExampleDirective)
	}
	if text, ok := f.Tag.Lookup("example"); ok {
		found = append(found, Directive{Text: text, Position: f.Position})
	}
	return found
}

// addExamples adds the values that the directives give, each as the JSON that a
// value of t may be.
func (b *builder) addExamples(s *Schema, t Type, directives []Directive) {
	for _, d := range directives {
		value, ok := b.valueOf(s, t, d.Text)
		if !ok {
			from := b.origins[s]
			at := from.at
			if d.Position.IsValid() {
				at.position = d.Position
			}
			b.report(diagnostic.BadExample, from.t, at, "the example "+d.Text+" is no JSON", "write it as JSON; only strings need no quotes")
			continue
		}
		s.Examples = append(s.Examples, value)
	}
}

// valueOf reads the text that stands in a tag or a directive for a value of t,
// which s describes. Text for strings is taken as it is, unless it is a JSON
// string; elements of an array may be separated by commas.
func (b *builder) valueOf(s *Schema, t Type, text string) (json.RawMessage, bool) {
	only := b.jsonTypes(s)
	compact, isJSON := compacted(text)
	switch {
	case slices.Equal(only, Types{"string"}) && !(isJSON && compact[0] == '"'):
		quoted, err := marshal(text)
		return quoted, err == nil
	case isJSON:
		return compact, true
	case slices.Equal(only, Types{"array"}) && t != nil:
		return b.elements(t, text)
	case len(only) == 0:
		quoted, err := marshal(text)
		return quoted, err == nil
	default:
		return nil, false
	}
}

func (b *builder) elements(t Type, text string) (json.RawMessage, bool) {
	t = behindPointer(t)
	if t.Kind() != reflect.Slice && t.Kind() != reflect.Array {
		return nil, false
	}
	var values []json.RawMessage
	for part := range strings.SplitSeq(text, ",") {
		elem := t.Elem()
		value, ok := b.valueOf(&Schema{Type: b.structure(behindPointer(elem))}, elem, strings.TrimSpace(part))
		if !ok {
			return nil, false
		}
		values = append(values, value)
	}
	array, err := marshal(values)
	return array, err == nil
}

// jsonTypes returns the types that s accepts, null aside; none for any.
func (b *builder) jsonTypes(s *Schema) Types {
	if r, ok := b.refs[s]; ok {
		s = r.target.schema
	}
	return slices.DeleteFunc(slices.Clone(s.Type), func(name string) bool { return name == "null" })
}

// compacted returns text without spaces if it is one JSON value.
func compacted(text string) (json.RawMessage, bool) {
	value := json.RawMessage(strings.TrimSpace(text))
	if !json.Valid(value) {
		return nil, false
	}
	compact, err := marshal(value)
	return compact, err == nil
}

package schema_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/internal/schema/proof"
)

// commented is a struct whose only field has a comment.
type commented struct {
	schema.Type
	field schema.Field
}

func (c commented) Fields() []schema.Field { return []schema.Field{c.field} }

func comment(t reflect.Type, doc string, examples ...string) *schema.Set {
	field := schema.Field{Name: "F", Type: schema.Reflect(t), Exported: true, Doc: doc}
	for _, example := range examples {
		field.Directives = append(field.Directives, schema.Directive{Name: "example", Text: example})
	}
	structure := commented{schema.Reflect(reflect.TypeFor[struct{}]()), field}
	return schema.Options{Check: proof.Check}.Build([]schema.Type{structure})
}

func TestDocComment_DeprecatedParagraphs(t *testing.T) {
	set := comment(reflect.TypeFor[int](), "F counts.\n\nDeprecated: use G.")
	require.Equal(t, `{"description":"F counts.\n\nDeprecated: use G.","deprecated":true,"type":"integer","format":"int64"}`, text(t, set.Payloads[0].Properties.Get("F")))

	set = comment(reflect.TypeFor[Order](), "Deprecated: use G.")
	require.Equal(t, `{"description":"Deprecated: use G.","deprecated":true,"allOf":[{"$ref":"#/components/schemas/Order"}]}`,
		text(t, set.Payloads[0].Properties.Get("F")), "nothing stands beside a $ref")

	set = comment(reflect.TypeFor[int](), "It isn't Deprecated: really.")
	require.False(t, set.Payloads[0].Properties.Get("F").Deprecated)
}

func TestDocComment_DeprecatedTypes(t *testing.T) {
	o := schema.Options{}
	set := o.Build([]schema.Type{sourced{Type: schema.Reflect(reflect.TypeFor[Order]()), doc: "Order is old.\n\nDeprecated: use Sale."}})
	require.True(t, component(t, set, "Order").Deprecated)
	require.Equal(t, "Order is old.\n\nDeprecated: use Sale.", component(t, set, "Order").Description)
}

func TestExample(t *testing.T) {
	for name, c := range map[string]struct {
		t    reflect.Type
		text string
		want string
	}{
		"text":             {reflect.TypeFor[string](), "two words", `"two words"`},
		"digits as text":   {reflect.TypeFor[string](), "7", `"7"`},
		"quoted text":      {reflect.TypeFor[string](), `"seven"`, `"seven"`},
		"number":           {reflect.TypeFor[int](), "7", `7`},
		"null":             {reflect.TypeFor[*int](), "null", `null`},
		"time":             {reflect.TypeFor[time.Time](), "2024-02-29T12:00:00Z", `"2024-02-29T12:00:00Z"`},
		"list":             {reflect.TypeFor[[]string](), "a, b", `["a","b"]`},
		"list of numbers":  {reflect.TypeFor[[]int](), "1,2", `[1,2]`},
		"JSON":             {reflect.TypeFor[[]int](), "[1, 2]", `[1,2]`},
		"object":           {reflect.TypeFor[map[string]int](), `{"a": 1}`, `{"a":1}`},
		"defined text":     {reflect.TypeFor[color](), "red", `"red"`},
		"anything as text": {reflect.TypeFor[any](), "red", `"red"`},
	} {
		set := comment(c.t, "", c.text)
		require.Empty(t, set.Problems, name)
		require.Equal(t, []json.RawMessage{json.RawMessage(c.want)}, set.Payloads[0].Properties.Get("F").Examples, name)
	}
}

func TestExample_InTags(t *testing.T) {
	s := object[struct {
		ID   string `example:"o-17"`
		Many []int8 `example:"1,2"`
	}](t)
	require.JSONEq(t, `{"type":"string","examples":["o-17"]}`, text(t, s.Properties.Get("ID")))
	require.JSONEq(t, `[[1,2]]`, text(t, s.Properties.Get("Many").Examples))
}

func TestExample_OfTypes(t *testing.T) {
	source := schema.Source{Directives: []schema.Directive{{Name: "example", Text: `{"ID":"o-17"}`}, {Name: "example", Text: `{"ID":7}`}}}
	set := withSource[Order](schema.Options{}, source)
	require.Equal(t, []string{`error: Order (schema_test.Order): the example {"ID":7} isn't valid: /ID: got number, want string: correct it, or the type`}, problems(set))
}

func TestExample_IsValidatedBySchema(t *testing.T) {
	for name, c := range map[string]struct {
		set  *schema.Set
		want string
	}{
		"type":   {comment(reflect.TypeFor[int](), "", `"seven"`), `the example "seven" isn't valid: got string, want integer`},
		"range":  {comment(reflect.TypeFor[int8](), "", `300`), `the example 300 isn't valid: maximum: got 300, want 127`},
		"format": {comment(reflect.TypeFor[time.Time](), "", `yesterday`), `the example "yesterday" isn't valid`},
		"ref":    {comment(reflect.TypeFor[Order](), "", `{"ID":7}`), `the example {"ID":7} isn't valid: /ID: got number, want string`},
		"text":   {comment(reflect.TypeFor[int](), "", `seven`), "the example seven is no JSON"},
		"default": {prove[struct {
			F int `jsonschema:"default=3.5"`
		}](), `the default 3.5 isn't valid: got number, want integer`},
		"component": {prove[struct{ C inComponent }](), `the example 300 isn't valid`},
	} {
		require.Len(t, c.set.Problems, 1, name)
		require.Equal(t, diagnostic.BadExample, c.set.Problems[0].Code, name)
		require.Contains(t, c.set.Problems[0].What, c.want, name)
		require.NotEmpty(t, c.set.Problems[0].Type, name)
		require.Contains(t, c.set.Problems[0].Path, ".F", name)
	}
}

type inComponent struct {
	F int8 `example:"300"`
}

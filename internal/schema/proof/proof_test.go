package proof_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/internal/schema/proof"
)

// check returns the problems of a payload's schema and of components, each by its code
// and its text.
func check(payload *schema.Schema, components ...schema.Component) (found []string) {
	set := &schema.Set{Payloads: []*schema.Schema{payload}, Components: components, ByHand: true}
	for _, problem := range proof.Check(set) {
		found = append(found, string(problem.Code)+": "+problem.What)
	}
	return found
}

// within are the places at which a schema stands in another one.
var within = map[string]func(s *schema.Schema) *schema.Schema{
	"itself":                func(s *schema.Schema) *schema.Schema { return s },
	"items":                 func(s *schema.Schema) *schema.Schema { return &schema.Schema{Items: s} },
	"contains":              func(s *schema.Schema) *schema.Schema { return &schema.Schema{Contains: s} },
	"additionalProperties":  func(s *schema.Schema) *schema.Schema { return &schema.Schema{AdditionalProperties: s} },
	"propertyNames":         func(s *schema.Schema) *schema.Schema { return &schema.Schema{PropertyNames: s} },
	"not":                   func(s *schema.Schema) *schema.Schema { return &schema.Schema{Not: s} },
	"if":                    func(s *schema.Schema) *schema.Schema { return &schema.Schema{If: s} },
	"then":                  func(s *schema.Schema) *schema.Schema { return &schema.Schema{Then: s} },
	"else":                  func(s *schema.Schema) *schema.Schema { return &schema.Schema{Else: s} },
	"allOf":                 func(s *schema.Schema) *schema.Schema { return &schema.Schema{AllOf: []*schema.Schema{s}} },
	"anyOf":                 func(s *schema.Schema) *schema.Schema { return &schema.Schema{AnyOf: []*schema.Schema{{}, s}} },
	"oneOf":                 func(s *schema.Schema) *schema.Schema { return &schema.Schema{OneOf: []*schema.Schema{s}} },
	"property":              property("name"),
	"property with escapes": property(`a/b~c %20 "#<>[\]^` + "`{|}é\x7f!~"),
	"patternProperties": func(s *schema.Schema) *schema.Schema {
		return &schema.Schema{PatternProperties: schema.Properties{{Name: "^a", Schema: s}}}
	},
	"second property": func(s *schema.Schema) *schema.Schema {
		return &schema.Schema{Properties: schema.Properties{{Name: "z", Schema: &schema.Schema{}}, {Name: "a", Schema: s}}}
	},
}

func property(name string) func(s *schema.Schema) *schema.Schema {
	return func(s *schema.Schema) *schema.Schema {
		return &schema.Schema{Properties: schema.Properties{{Name: name, Schema: s}}}
	}
}

func TestCheck_FindsExamplesWhereverASchemaStands(t *testing.T) {
	for name, around := range within {
		t.Run(name, func(t *testing.T) {
			text := &schema.Schema{Type: schema.Types{"string"}, Examples: []json.RawMessage{json.RawMessage(`"text"`), json.RawMessage("7")}}
			require.Equal(t, []string{"bad-example: the example 7 isn't valid: got number, want string"}, check(around(text)))

			number := &schema.Schema{Type: schema.Types{"number"}, Default: json.RawMessage(`"seven"`)}
			component := schema.Component{Key: "Page.Order-2", Schema: around(number)}
			require.Equal(t, []string{`bad-example: the default "seven" isn't valid: got string, want number`},
				check(&schema.Schema{Ref: schema.RefPrefix + component.Key}, component))
		})
	}
}

func TestCheck_FindsReferencesAndPatternsWhereverASchemaStands(t *testing.T) {
	for name, around := range within {
		t.Run(name, func(t *testing.T) {
			none := schema.RefPrefix + "none"
			require.Equal(t, `bad-schema: the reference "`+none+`" leads nowhere`, check(around(&schema.Schema{Ref: none}))[0])
			require.Contains(t, check(around(&schema.Schema{Pattern: `\Qa`}))[0], `bad-pattern: the pattern "\\Qa" is none of ECMA 262`)
		})
	}
	require.Contains(t, check(&schema.Schema{PatternProperties: schema.Properties{{Name: "a{", Schema: &schema.Schema{}}}})[0],
		`bad-pattern: the pattern "a{" is none of ECMA 262`)
}

func TestCheck_EachComponentIsReferredTo(t *testing.T) {
	order := schema.Component{Key: "Order", Schema: &schema.Schema{Title: "Order"}}
	require.Empty(t, check(&schema.Schema{Ref: schema.RefPrefix + "Order"}, order))
	require.Equal(t, []string{"bad-schema: nothing refers to it"}, check(&schema.Schema{}, order))
	require.Equal(t, []string{`bad-schema: the reference "Order" leads nowhere`, "bad-schema: nothing refers to it"},
		check(&schema.Schema{Ref: "Order"}, order)[:2], "not without the prefix")
}

func TestCheck_ComponentsAreSchemas(t *testing.T) {
	for name, c := range map[string]struct {
		schema *schema.Schema
		want   string
	}{
		"a type that there isn't": {&schema.Schema{Type: schema.Types{"text"}}, "bad-schema: it is no JSON Schema: /type: value must be one of 'array', "},
		"a negative length":       {&schema.Schema{MinLength: new(-1)}, "bad-schema: it is no JSON Schema: /minLength: minimum: got -1, want 0"},
	} {
		t.Run(name, func(t *testing.T) {
			found := check(&schema.Schema{Ref: schema.RefPrefix + "T"}, schema.Component{Key: "T", Schema: c.schema})
			require.Len(t, found, 1)
			require.Contains(t, found[0], c.want)
		})
	}
}

func TestCheck_TellsTheFirstOfSeveralCauses(t *testing.T) {
	text := &schema.Schema{Type: schema.Types{"string"}}
	var object schema.Schema
	value := make(map[string]int)
	for _, name := range []string{"z", "a", "k", "c", "b"} {
		object.Properties = append(object.Properties, schema.Property{Name: name, Schema: text})
		value[name] = 1
	}
	example, err := json.Marshal(value)
	require.NoError(t, err)
	object.Examples = []json.RawMessage{example}
	for range 20 { // the validator visits them in any order
		require.Equal(t, []string{"bad-example: the example " + string(example) + " isn't valid: /a: got number, want string"}, check(&object))
	}
}

func TestCheck_TakesEscapesWhereECMA262Does(t *testing.T) {
	for _, pattern := range []string{`^\d+$`, `a\.b`, `[\-a]`, `[a\]]\}`, `(?<year>\d{4})-(?:\d{2})`, `a{2,}`} {
		require.Empty(t, check(&schema.Schema{Pattern: pattern}), pattern)
	}
	for _, pattern := range []string{`a\-b`, `[a]\-`, `\z`, `(?i)a`, `a]`, `a{,2}`} {
		require.Contains(t, check(&schema.Schema{Pattern: pattern})[0], "bad-pattern: ", pattern)
	}
}

func TestCheck_ReportsWhatIsNoJSON(t *testing.T) {
	found := check(&schema.Schema{Examples: []json.RawMessage{json.RawMessage("{")}})
	require.Len(t, found, 1)
	require.Contains(t, found[0], "bad-schema: the schemas can't be read back: json: error calling MarshalJSON")
}

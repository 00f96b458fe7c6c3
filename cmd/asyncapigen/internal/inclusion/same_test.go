package inclusion_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/inclusion"
)

func TestSame_TellsKeywordsApart(t *testing.T) {
	all := []string{
		`true`, `false`, `{"type":[]}`, `{"type":"string"}`, `{"type":"integer"}`, `{"type":["string","integer"]}`,
		`{"enum":[]}`, `{"enum":[1]}`, `{"enum":[2]}`, `{"enum":[1,2]}`, `{"const":null}`, `{"const":1}`, `{"const":"1"}`, `{"enum":[1],"const":1}`,
		`{"format":"date"}`, `{"contentEncoding":"base64"}`, `{"contentMediaType":"application/json"}`, `{"pattern":"a"}`, `{"pattern":"b"}`,
		`{"minLength":1}`, `{"minLength":2}`, `{"maxLength":1}`, `{"minimum":1}`, `{"maximum":1}`, `{"exclusiveMinimum":1}`, `{"exclusiveMaximum":1}`, `{"multipleOf":1}`,
		`{"items":{}}`, `{"items":[]}`, `{"items":[{}]}`, `{"items":{"minimum":1}}`, `{"additionalItems":{}}`, `{"contains":{}}`, `{"minItems":1}`, `{"maxItems":1}`, `{"uniqueItems":true}`,
		`{"properties":{}}`, `{"properties":{"a":{}}}`, `{"properties":{"b":{}}}`, `{"properties":{"a":{"minimum":1}}}`, `{"properties":{"a":{},"b":{}}}`,
		`{"const":1e2000}`, `{"const":2e2000}`, `{"properties":{"a":{},"b":{"minimum":1}}}`, `{"required":["a"]}`, `{"required":["b"]}`, `{"minProperties":1}`, `{"maxProperties":1}`,
		`{"patternProperties":{"a":{}}}`, `{"patternProperties":{"b":{}}}`, `{"patternProperties":{"a":{"minimum":1}}}`, `{"additionalProperties":{}}`, `{"propertyNames":{}}`,
		`{"dependencies":{"a":["b"]}}`, `{"dependencies":{"a":["c"]}}`, `{"dependencies":{"b":["b"]}}`, `{"dependencies":{"a":{}}}`,
		`{"allOf":[]}`, `{"allOf":[{}]}`, `{"anyOf":[{}]}`, `{"anyOf":[{},{"minimum":1}]}`, `{"oneOf":[{}]}`, `{"not":{}}`, `{"if":{}}`, `{"then":{}}`, `{"else":{}}`,
	}
	p := inclusion.NewProver()
	for i, a := range all {
		for j, b := range all {
			require.Equal(t, i == j, p.Same(document(t, a, "{}"), document(t, b, "{}")), "%s and %s", a, b)
		}
	}
	require.False(t, p.Same(nil, document(t, "{}", "{}")))
	require.True(t, p.Same(nil, nil))
}

func TestSame_IgnoresOrderTextsAndReferences(t *testing.T) {
	for a, b := range map[string]string{
		`{"type":["string","null"]}`:                                     `{"type":["null","string"],"title":"A"}`,
		`{"enum":[1,"a",{"b":[2]}]}`:                                     `{"enum":[{"b":[2.0]},"a",1.0]}`,
		`{"properties":{"a":{},"b":{"minimum":1}},"required":["a","b"]}`: `{"properties":{"b":{"minimum":1.0},"a":{}},"required":["b","a"]}`,
		`{"uniqueItems":false}`:                                          `{}`,
		`{"$ref":"#/components/schemas/List"}`:                           `{"type":"array","items":{"$ref":"#/components/schemas/Other"}}`,
	} {
		components := `{"List":{"type":"array","items":{"$ref":"#/components/schemas/List"}},"Other":{"type":"array","items":{"$ref":"#/components/schemas/Other"}}}`
		require.True(t, inclusion.NewProver().Same(document(t, a, components), document(t, b, components)), a)
	}
}

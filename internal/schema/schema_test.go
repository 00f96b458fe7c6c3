package schema_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/schema"
)

const everyKeyword = `{"title":"T <&>","description":"d","type":["object","null"],"format":"f","contentEncoding":"base64","pattern":"<&>",` +
	`"minimum":-9223372036854775808,"maximum":1e400,"items":{},"minItems":0,"maxItems":2,` +
	`"properties":{"b<":{"type":"string"},"a":{"$ref":"#/components/schemas/A"}},"required":["b<"],` +
	`"additionalProperties":{},"propertyNames":{"pattern":"x"},"anyOf":[{"type":"null"}]}`

func TestSchema_KeepsTextAndOrder(t *testing.T) {
	var s schema.Schema
	require.NoError(t, json.Unmarshal([]byte(everyKeyword), &s))
	require.Equal(t, everyKeyword, text(t, s))
	direct, err := s.MarshalJSON()
	require.NoError(t, err)
	require.Equal(t, everyKeyword, string(direct))
}

func TestSchema_IsEmpty(t *testing.T) {
	require.True(t, (*schema.Schema)(nil).IsEmpty())
	require.True(t, (&schema.Schema{Required: []string{}}).IsEmpty())
	require.False(t, (&schema.Schema{Items: &schema.Schema{}}).IsEmpty())
}

func TestMarshalObject_ReturnsTheErrorOfAMember(t *testing.T) {
	_, err := schema.MarshalObject(func(yield func(string, any) bool) { _ = yield("a", 1) && yield("b", func() {}) && yield("c", 1) })
	require.ErrorContains(t, err, "unsupported type: func()")
}

func TestUnmarshalObject_ReturnsTheFirstError(t *testing.T) {
	for _, text := range []string{``, `x`, `{`, `{"a"`, `{"a":`, `{"a":x}`, `{"a":1`, `{"a":1,`, `[]`, `1`} {
		require.Error(t, schema.UnmarshalObject([]byte(text), func(_ string, decode func(any) error) error { return decode(new(any)) }), text)
	}
	require.NoError(t, schema.UnmarshalObject([]byte(`null`), nil))
}

func TestSchema_RefusesOtherJSON(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"type":1}`, `read the schema keyword "type": want a string or an array of strings`},
		{`{"properties":[]}`, "read schema properties: want a JSON object"},
		{`{"properties":{"a":1}}`, `read schema properties: property "a"`},
	} {
		require.ErrorContains(t, json.Unmarshal([]byte(c.text), new(schema.Schema)), c.want)
	}
}

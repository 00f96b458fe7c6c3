package schema_test

import (
	"encoding/json"
	"log/slog"
	"math/big"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/schema"
)

func decoding[T any]() *schema.Set {
	return schema.Options{Direction: schema.Decode}.Build([]schema.Type{schema.Reflect(reflect.TypeFor[T]())})
}

func TestDecode_RequiresNothingAndTakesNull(t *testing.T) {
	require.JSONEq(t, `{
		"payload": {"$ref": "#/components/schemas/node"},
		"components": {"node": {"title": "node", "type": "object", "properties": {
			"next": {"anyOf": [{"$ref": "#/components/schemas/node"}, {"type": "null"}]},
			"kids": {"type": ["array", "null"], "items": {"anyOf": [{"$ref": "#/components/schemas/node"}, {"type": "null"}]}},
			"omit": {"anyOf": [{"$ref": "#/components/schemas/node"}, {"type": "null"}]},
			"zero": {"anyOf": [{"$ref": "#/components/schemas/node"}, {"type": "null"}]}
		}}}
	}`, document(t, decoding[node]()))
}

// Each row: what a field of the type accepts, by the rule's number.
func TestDecode_ByRule(t *testing.T) {
	for _, c := range []struct {
		rule string
		set  *schema.Set
		want string
	}{
		{"1", decoding[struct{ F bool }](), `{"type":["boolean","null"]}`},
		{"2", decoding[struct{ F uint8 }](), `{"type":["integer","null"],"minimum":0,"maximum":255}`},
		{"5", decoding[struct{ F json.Number }](), `{"type":["number","string","null"],"pattern":"^-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?$"}`},
		{"8", decoding[struct{ F []byte }](), `{"type":["string","array","null"],"contentEncoding":"base64","items":{"type":["integer","null"],"minimum":0,"maximum":255}}`},
		{"9", decoding[struct{ F []byteText }](), `{"type":["string","array","null"],"contentEncoding":"base64","items":{"anyOf":[{"$ref":"#/components/schemas/byteText"},{"type":"null"}]}}`},
		{"10", decoding[struct{ F [3]byte }](), `{"type":["array","null"],"items":{"type":["integer","null"],"minimum":0,"maximum":255}}`},
		{"11", decoding[struct{ F []string }](), `{"type":["array","null"],"items":{"type":["string","null"]}}`},
		{"14", decoding[struct{ F map[uint8]bool }](), `{"type":["object","null"],"additionalProperties":{"type":["boolean","null"]},"propertyNames":{"pattern":"^[0-9]+$"}}`},
		{"28", decoding[struct {
			F int `json:",string"`
		}](), `{"type":["string","null"],"pattern":"` + quotedIntByEngine + `"}`},
		{"36", decoding[struct{ F time.Time }](), `{"type":["string","null"],"format":"date-time"}`},
		{"37", decoding[struct{ F slog.Level }](), `{"type":"string"}`},
		{"37", decoding[struct{ F *slog.Level }](), `{"type":["string","null"]}`},
		{"38", decoding[struct{ F *big.Int }](), `{"type":["integer","null"]}`},
	} {
		require.Empty(t, c.set.Problems, c.rule)
		require.Equal(t, c.want, text(t, c.set.Payloads[0].Properties.Get("F")), "rule %s", c.rule)
		require.Empty(t, c.set.Payloads[0].Required, "rule %s", c.rule)
	}
}

func TestRule13_DecodeKeys(t *testing.T) {
	require.Empty(t, decoding[map[text1]bool]().Problems)
	require.Contains(t, problems(decoding[map[writeOnly]bool]())[0], "its key has MarshalText and no UnmarshalText")
	require.Contains(t, problems(decoding[map[readOnly]bool]())[0], "its key has UnmarshalText and no MarshalText")
}

func TestRule33_DecodeAsksTheMethodsThatRead(t *testing.T) {
	set := decoding[reader1]()
	require.Equal(t, `{"title":"reader1"}`, text(t, component(t, set, "reader1")))
	require.Contains(t, problems(set)[0], "UnmarshalJSON may read any JSON, so the schema accepts any")

	set = decoding[textReader]()
	require.Equal(t, `{"title":"textReader","type":"string"}`, text(t, component(t, set, "textReader")))
	require.Empty(t, set.Problems)

	set = decoding[writer1]()
	require.Equal(t, `{"title":"writer1","type":"object","properties":{"A":{"type":["integer","null"],"format":"int64"}}}`, text(t, component(t, set, "writer1")))
	require.Contains(t, problems(set)[0], "it writes itself by MarshalJSON, but is read without a method")
}

type (
	textReader struct{ A int }
	writer1    struct{ A int }
)

type readOnly int

func (*readOnly) UnmarshalText([]byte) error { return nil }

func (*textReader) UnmarshalText([]byte) error { return nil }
func (writer1) MarshalJSON() ([]byte, error)   { return nil, nil }

func TestDecode_KeepsWhatValidationRequires(t *testing.T) {
	s := decoding[struct {
		F *string `validate:"required,max=3"`
		G *string
	}]().Payloads[0]
	require.Equal(t, []string{"F"}, s.Required)
	require.Equal(t, `{"type":"string","maxLength":3}`, text(t, s.Properties.Get("F")))
}

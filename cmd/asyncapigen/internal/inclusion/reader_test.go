package inclusion_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/inclusion"
	"github.com/warrenmq/warren/internal/jsontree"
)

// schemaIn reads the member payload of a document, by a reader of it.
func schemaIn(t testing.TB, text string) (*inclusion.Reader, *jsontree.Node, error) {
	t.Helper()
	root, err := jsontree.Parse("", []byte(text))
	require.NoError(t, err, text)
	reader := inclusion.NewReader(root)
	_, err = reader.Schema(root.Get("payload"))
	return reader, root, err
}

func TestReader_RefusesWhatIsNoSchema(t *testing.T) {
	for schema, want := range map[string]string{
		`1`:                                "line 2: a schema is an object or a boolean, and this is of the kind number",
		`{"type":"text"}`:                  `line 2: "text" is no type of JSON Schema`,
		`{"type":1}`:                       `line 2: "" is no type of JSON Schema`,
		`{"type":["string","text"]}`:       `line 2: "text" is no type of JSON Schema`,
		`{"enum":1}`:                       "line 2: enum is of the kind number, not array",
		`{"format":1}`:                     "line 2: format is of the kind number, not string",
		`{"contentEncoding":1}`:            "line 2: contentEncoding is of the kind number, not string",
		`{"contentMediaType":1}`:           "line 2: contentMediaType is of the kind number, not string",
		`{"pattern":1}`:                    "line 2: pattern is of the kind number, not string",
		`{"uniqueItems":1}`:                "line 2: uniqueItems is of the kind number, not boolean",
		`{"required":"a"}`:                 "line 2: required is of the kind string, not array",
		`{"required":["a",1]}`:             "line 2: a name in required is of the kind number, not string",
		`{"allOf":{}}`:                     "line 2: allOf is of the kind object, not array",
		`{"properties":[]}`:                "line 2: properties is of the kind array, not object",
		`{"patternProperties":[]}`:         "line 2: patternProperties is of the kind array, not object",
		`{"dependencies":[]}`:              "line 2: dependencies is of the kind array, not object",
		`{"minimum":"1"}`:                  "line 2: minimum is of the kind string, not number",
		`{"minimum":1e1001}`:               "line 2: the number minimum is too large",
		`{"minimum":1e-1001}`:              "line 2: the number minimum is too large",
		`{"minLength":0.5}`:                "line 2: minLength is no count",
		`{"maxItems":-1}`:                  "line 2: maxItems is no count",
		`{"multipleOf":0}`:                 "line 2: multipleOf isn't above 0",
		`{"multipleOf":-1}`:                "line 2: multipleOf isn't above 0",
		`{"$ref":1}`:                       `line 2: the reference "" leads out of the document, and only the document is read`,
		`{"$ref":"other.json#/a"}`:         `line 2: the reference "other.json#/a" leads out of the document, and only the document is read`,
		`{"$ref":"#"}`:                     `line 2: the reference "#" leads to no schema of the document`,
		`{"$ref":"#%zz"}`:                  `line 2: the reference "#%zz" leads to no schema of the document`,
		`{"$ref":"#/payload"}`:             `line 2: the reference "#/payload" leads back to itself`,
		"{\"type\":\"text\",\n\"enum\":1}": `line 2: "text" is no type of JSON Schema`,
	} {
		_, _, err := schemaIn(t, "{\n\"payload\":"+schema+"}")
		require.EqualError(t, err, want, schema)
	}
	for schema, want := range map[string]string{
		`{"$ref":"#/a"}`:                 `line 1: the reference "#/a" leads nowhere: `,
		`{"pattern":"("}`:                `line 1: the pattern "(" is no regular expression of ECMA 262: `,
		`{"patternProperties":{"(":{}}}`: `line 1: the pattern "(" is no regular expression of ECMA 262: `,
	} {
		_, _, err := schemaIn(t, `{"payload":`+schema+`}`)
		require.ErrorContains(t, err, want, schema)
	}
}

func TestReader_RefusesWhatIsMadeOfNoSchema(t *testing.T) {
	for _, schema := range []string{
		`{"$ref":"#/payload/definitions/a","definitions":{"a":BAD}}`,
		`{"items":BAD}`, `{"items":[{},BAD]}`, `{"additionalItems":BAD}`, `{"contains":BAD}`,
		`{"properties":{"a":{},"b":BAD}}`, `{"patternProperties":{"a":BAD}}`, `{"additionalProperties":BAD}`, `{"propertyNames":BAD}`,
		`{"dependencies":{"a":["b"],"b":BAD}}`,
		`{"allOf":[BAD]}`, `{"anyOf":[BAD]}`, `{"oneOf":[BAD]}`, `{"not":BAD}`, `{"if":BAD}`, `{"then":BAD}`, `{"else":BAD}`,
		`{"items":{"$ref":"#/payload"},"not":{"not":BAD}}`,
	} {
		_, _, err := schemaIn(t, `{"payload":`+strings.ReplaceAll(schema, "BAD", `{"type":"text"}`)+`}`)
		require.EqualError(t, err, `line 1: "text" is no type of JSON Schema`, schema)
	}
}

func TestReader_RefusesNoSchemaForAnotherOne(t *testing.T) {
	reader, root, err := schemaIn(t, `{"payload":{"type":"text"},"good":{"items":{"$ref":"#/good"}},"bad":{"items":{"$ref":"#/payload"}}}`)
	require.Error(t, err)
	_, err = reader.Schema(root.Get("good"))
	require.NoError(t, err)
	for range 2 {
		_, err = reader.Schema(root.Get("bad"))
		require.Error(t, err)
	}
}

func TestReader_ReadsEachSchemaOnce(t *testing.T) {
	reader, root, err := schemaIn(t, `{"payload":{"$ref":"#/a%20b","type":"void beside it"},"a b":{"type":"string","minimum":1,"items":{},"title":"A","x-b":1}}`)
	require.NoError(t, err)
	payload, err := reader.Schema(root.Get("payload"))
	require.NoError(t, err)
	target, err := reader.Schema(root.Get("a b"))
	require.NoError(t, err)
	require.Same(t, target, payload.Resolve())
	require.Equal(t, "#/a%20b", payload.Ref)
	require.Equal(t, root.Get("a b").Members[3:], target.Others)
}

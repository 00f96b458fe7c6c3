// Package specschema validates AsyncAPI documents against the official JSON
// Schemas of AsyncAPI 2.6.0 and 3.0.0, offline.
//
// It is for tests, of this module's packages and of whole generated documents:
//
//	document, err := os.ReadFile("asyncapi.json")
//	require.NoError(t, err)
//	require.NoError(t, specschema.Validate(document))
//
// Beyond the schema it checks that every $ref leads somewhere, which JSON Schema
// can't. It knows none of the official parser's further rules (unique
// operationIds, channel names without ? and #), and never fetches anything.
package specschema

import (
	"bytes"
	"compress/gzip"
	_ "embed" // for the schema
	"errors"
	"fmt"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

//go:embed asyncapi-2.6.0.json.gz
var compressedTwo []byte

//go:embed asyncapi-3.0.0.json.gz
var compressedThree []byte

// official are the schemas by their versions, each compiled once, when it is first
// needed; none ever changes.
var official = map[string]func() (*jsonschema.Schema, error){
	"2.6.0": sync.OnceValues(func() (*jsonschema.Schema, error) { return compile("2.6.0", compressedTwo) }),
	"3.0.0": sync.OnceValues(func() (*jsonschema.Schema, error) { return compile("3.0.0", compressedThree) }),
}

// Validate returns an error that says where and why document isn't a valid
// AsyncAPI document in JSON, of the version that it names; nil for one that is. What
// names no version that is known is held to 2.6.0.
func Validate(document []byte) error {
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		return fmt.Errorf("validate an AsyncAPI document: it isn't JSON: %w", err)
	}
	members, _ := parsed.(map[string]any)
	version, _ := members["asyncapi"].(string)
	of, ok := official[version]
	if !ok {
		of = official["2.6.0"]
	}
	schema, err := of()
	if err != nil {
		return err
	}
	if err := schema.Validate(parsed); err != nil {
		return fmt.Errorf("validate an AsyncAPI document: %w", err)
	}
	if err := errors.Join(dangling(parsed, parsed, "#")...); err != nil {
		return fmt.Errorf("validate an AsyncAPI document: %w", err)
	}
	return nil
}

func compile(version string, compressed []byte) (*jsonschema.Schema, error) {
	location := "http://asyncapi.com/definitions/" + version + "/asyncapi.json"
	text, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return nil, fmt.Errorf("unpack the AsyncAPI schema: %w", err)
	}
	parsed, err := jsonschema.UnmarshalJSON(text)
	if err != nil {
		return nil, fmt.Errorf("unpack the AsyncAPI schema: %w", err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft7)
	compiler.AssertFormat()
	compiler.RegisterFormat(&jsonschema.Format{Name: "uri-template", Validate: uriTemplate})
	if err := compiler.AddResource(location, parsed); err != nil {
		return nil, fmt.Errorf("read the AsyncAPI schema: %w", err)
	}
	compiled, err := compiler.Compile(location)
	if err != nil {
		return nil, fmt.Errorf("read the AsyncAPI schema: %w", err)
	}
	return compiled, nil
}

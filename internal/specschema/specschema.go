// Package specschema validates AsyncAPI documents against the official JSON
// Schema of AsyncAPI 2.6.0, offline.
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
var compressed []byte

const location = "http://asyncapi.com/definitions/2.6.0/asyncapi.json"

// Validate returns an error that says where and why document isn't a valid
// AsyncAPI 2.6.0 document in JSON, nil for one that is.
func Validate(document []byte) error {
	official, err := official()
	if err != nil {
		return err
	}
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		return fmt.Errorf("validate an AsyncAPI document: it isn't JSON: %w", err)
	}
	if err := official.Validate(parsed); err != nil {
		return fmt.Errorf("validate an AsyncAPI document: %w", err)
	}
	if err := errors.Join(dangling(parsed, parsed, "#")...); err != nil {
		return fmt.Errorf("validate an AsyncAPI document: %w", err)
	}
	return nil
}

// official is compiled once, when it is first needed, and never changes.
var official = sync.OnceValues(compile)

func compile() (*jsonschema.Schema, error) {
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

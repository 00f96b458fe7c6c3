// Package validation is a middleware that holds the bodies of messages to the schemas of
// the service's contract.
//
//	//go:embed asyncapi.json
//	var contract []byte
//
//	validate, err := validation.New(contract)
//	if err != nil {
//		return err
//	}
//	router.Use(validate)
//
// The contract is the document that asyncapigen has written, or what package asyncapi
// makes of a running program's routes. What encoding/json takes of a body is more than
// what the schema allows: fields that are missing are zero, and enumerations aren't
// checked.
//
// It is a package of its own, so that a user of package runtime compiles no validator.
package validation

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/asyncapi"
)

// A message is one that a route takes: its case is "" where it is the only one.
type message struct{ route, name string }

// New returns a middleware for the routes of a contract, an AsyncAPI 2.6.0 document. A
// body that doesn't validate fails as by [runtime.Reject], with a [*runtime.DecodeError]
// that says where, and the handler isn't called. Messages without a schema, such as
// bytes and those of codecs, and routes that the contract doesn't have are passed on.
// New fails where the document can't be read, or has a schema that isn't valid.
func New(contract []byte) (runtime.Middleware, error) {
	schemas, err := compile(contract)
	if err != nil {
		return nil, fmt.Errorf("validate by the contract: %w", err)
	}
	return func(next runtime.HandlerFunc) runtime.HandlerFunc {
		return func(ctx context.Context, d *runtime.Delivery) (*runtime.Message, error) {
			schema := schemas[message{d.Route, d.Case}]
			if schema == nil || d.Unreadable != nil {
				return next(ctx, d)
			}
			if err := validate(schema, d.Body); err != nil {
				return nil, runtime.Reject(&runtime.DecodeError{Err: err})
			}
			return next(ctx, d)
		}
	}, nil
}

// documentURL names the contract for its own references.
const documentURL = "contract:///asyncapi.json"

// compile returns the schemas of what the service consumes.
func compile(contract []byte) (map[message]*jsonschema.Schema, error) {
	var document asyncapi.Document
	var version struct{ AsyncAPI string }
	if err := json.Unmarshal(contract, &version); err != nil {
		return nil, err
	}
	if version.AsyncAPI != "2.6.0" { // of another one nothing would be found, and nothing held to it
		return nil, fmt.Errorf("its version of AsyncAPI is %q: generate the document as 2.6.0", version.AsyncAPI)
	}
	if err := json.Unmarshal(contract, &document); err != nil {
		return nil, err
	}
	resource, err := jsonschema.UnmarshalJSON(bytes.NewReader(contract))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft7) // of AsyncAPI 2.6.0
	if err := compiler.AddResource(documentURL, resource); err != nil {
		return nil, fmt.Errorf("add the document: %w", err)
	}
	schemas := make(map[message]*jsonschema.Schema)
	for _, channel := range document.Channels {
		if channel.Subscribe == nil {
			continue
		}
		at := "#/channels/" + escaped(channel.Name) + "/subscribe/message"
		for name, payload := range payloads(at, &channel.Subscribe.Message) {
			schema, err := compiler.Compile(documentURL + payload)
			if err != nil {
				return nil, fmt.Errorf("the schema of route %q: %w", channel.Subscribe.OperationID, err)
			}
			schemas[message{channel.Subscribe.OperationID, name}] = schema
		}
	}
	return schemas, nil
}

// payloads returns where the schemas of the messages are, by case.
func payloads(at string, m *asyncapi.Message) map[string]string {
	if m.OneOf == nil {
		if m.Payload == nil {
			return nil
		}
		return map[string]string{"": at + "/payload"}
	}
	all := make(map[string]string)
	for i, one := range m.OneOf {
		if one.Payload != nil {
			all[one.Name] = fmt.Sprintf("%s/oneOf/%d/payload", at, i)
		}
	}
	return all
}

// escaped writes a key as a step of a JSON pointer in the fragment of a URL (RFC 6901).
func escaped(key string) string {
	key = strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
	var b strings.Builder
	for _, c := range []byte(key) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("-._~", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// validate returns where the body isn't what the schema says, without the values, which
// may be personal data.
func validate(schema *jsonschema.Schema, body []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("the body isn't JSON: %w", err)
	}
	var invalid *jsonschema.ValidationError
	err = schema.Validate(value)
	if !errors.As(err, &invalid) {
		return err
	}
	places := make(map[string]string)
	note(invalid, places)
	faults := make([]string, 0, len(places))
	for _, place := range slices.Sorted(maps.Keys(places)) {
		faults = append(faults, places[place])
	}
	const shown = 10
	if more := len(faults) - shown; more > 0 {
		faults = append(faults[:shown], fmt.Sprintf("and %d more", more))
	}
	return errors.New("the body isn't what the contract says: " + strings.Join(faults, "; "))
}

// note collects the innermost faults, one for each place and keyword.
func note(e *jsonschema.ValidationError, places map[string]string) {
	for _, cause := range e.Causes {
		note(cause, places)
	}
	if len(e.Causes) > 0 {
		return
	}
	place := "/" + strings.Join(e.InstanceLocation, "/")
	keyword := strings.Join(e.ErrorKind.KeywordPath(), "/")
	places[place+" "+keyword] = fmt.Sprintf("%s violates %s", place, keyword)
}

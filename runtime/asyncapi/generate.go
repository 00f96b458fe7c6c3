package asyncapi

import (
	"fmt"

	"github.com/warrenmq/warren/internal/contract"
	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/runtime"
)

// Generate returns the document of the routes, with a channel for each queue in
// the order of the routes. No routes give a document without channels. A nil cfg
// means the defaults. Options choose how much the document has and what its payload
// schemas say; without any it is the exact one, which describes what json.Marshal
// writes.
//
// Routes needn't be registered, and are neither changed nor kept. Of two that
// consume one queue the document shows the later. Generate is safe for concurrent
// use, and calls no method of the message types but JSONSchema() string.
//
// The error names the route, what is missing or can't be described, and what to
// do. It is a [*ProblemError] unless a route has no handler.
func Generate(routes []runtime.Route, cfg *Config, options ...Option) (*Document, error) {
	c, err := NewContract(routes, options...)
	if err != nil {
		return nil, err
	}
	if chosen(options).form == Extended {
		return ExtendedFromContract(c, cfg), nil
	}
	return FromContract(c, cfg), nil
}

// NewContract returns the contract of which [Generate] makes the document. It is for
// packages that make others of it.
func NewContract(routes []runtime.Route, options ...Option) (*contract.Contract, error) {
	chosen := chosen(options)
	operations := make([]contract.Operation, len(routes))
	for i, route := range routes {
		if route.Handler.IsZero() {
			return nil, fmt.Errorf("generate the AsyncAPI document: route %q of queue %q has no handler: make one by runtime.Consume or runtime.Respond",
				route.Name, route.Queue.Name)
		}
		if err := route.Handler.Err(); err != nil {
			return nil, fmt.Errorf("generate the AsyncAPI document: the handler of route %q of queue %q %w", route.Name, route.Queue.Name, err)
		}
		operations[i] = operationOf(route, chosen.form)
	}
	c, problems := contract.New(operations, chosen.schemas)
	if c == nil {
		return nil, errorsOf(problems)
	}
	c.Declared = chosen.declared
	return c, nil
}

func operationOf(route runtime.Route, form Form) contract.Operation {
	cases, by := route.Handler.Cases()
	operation := contract.Operation{Route: route.WithDefaults(), DispatchedBy: by}
	if route.Codec != nil && len(route.Codec.ContentTypes()) > 0 {
		operation.ContentType = route.Codec.ContentTypes()[0]
	}
	if cases == nil {
		operation.Payload = schema.Reflect(route.Handler.BodyType())
		operation.Result = resultOf(route.Handler, form)
	}
	for _, c := range cases {
		operation.Messages = append(operation.Messages, contract.Message{
			Name: c.Name(), Payload: schema.Reflect(c.Handler().BodyType()), Result: resultOf(c.Handler(), form),
		})
	}
	return operation
}

// resultOf returns the type of a handler's replies, nil for none, and where the
// document says nothing of them.
func resultOf(handler runtime.Handler, form Form) schema.Type {
	if form == Exact || handler.ReplyType() == nil {
		return nil
	}
	return schema.Reflect(handler.ReplyType())
}

// GenerateJSON is [Generate] for the JSON text of the document, see
// [Document.JSON]. Indent is the number of spaces by which each level is
// indented; the specification's default is 2. A negative indent writes one line.
func GenerateJSON(routes []runtime.Route, cfg *Config, indent int, options ...Option) ([]byte, error) {
	document, err := Generate(routes, cfg, options...)
	if err != nil {
		return nil, err
	}
	return document.JSON(indent)
}

// Package asyncapi3 describes a service as an AsyncAPI 3.0.0 document: what it
// receives, what it replies, and what it sends.
//
//	document, err := asyncapi3.Generate(router.Routes(), &asyncapi.Config{Title: "Shop", Version: "2.1.0"})
//	if err != nil {
//		return err
//	}
//	text, err := document.JSON(2)
//
// A queue is a channel, and so is each routing key of an exchange. A route is an
// operation "receive" of its queue's channel, with its reply; the channels of exchanges
// that fill the queue have the same messages. All that is known is shown: what AsyncAPI
// has no place for is in extensions, whose names begin with "x-".
//
// A running program doesn't know what it will send: the document that asyncapigen makes
// of its source code has operations "send" beside. See docs/decisions/0065.
//
// Functions are safe for concurrent use. Documents are plain values, and not safe for
// use while they are changed.
package asyncapi3

import (
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/asyncapi"
)

// Generate returns the document of the routes. It takes what [asyncapi.Generate]
// takes, and fails where that fails. A form among the options counts for nothing.
func Generate(routes []runtime.Route, cfg *asyncapi.Config, options ...asyncapi.Option) (*Document, error) {
	c, err := asyncapi.NewContract(routes, append(options[:len(options):len(options)], asyncapi.Extended)...)
	if err != nil {
		return nil, err
	}
	return FromContract(c, cfg), nil
}

// GenerateJSON is [Generate] for the JSON text of the document, see [Document.JSON].
func GenerateJSON(routes []runtime.Route, cfg *asyncapi.Config, indent int, options ...asyncapi.Option) ([]byte, error) {
	document, err := Generate(routes, cfg, options...)
	if err != nil {
		return nil, err
	}
	return document.JSON(indent)
}

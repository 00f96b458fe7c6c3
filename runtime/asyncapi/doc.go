// Package asyncapi describes the routes of a service as an AsyncAPI 2.6.0
// document.
//
//	routes := router.Routes()
//	document, err := asyncapi.Generate(routes, &asyncapi.Config{Title: "Shop", Version: "2.1.0"})
//	if err != nil {
//		return err // route "order.created": Order.Done (chan int): a chan has no JSON form: ...
//	}
//	text, err := document.JSON(2)
//
// The document has exactly what the specification lists, and components.schemas
// for the types that payloads refer to. It speaks from the point of view of
// those who send to the service: what a route consumes is under "subscribe", and
// what it replies under "publish".
//
// Payload schemas say what encoding/json writes for the types of the handlers, or
// reads, see [Direction]. A type that writes itself describes itself by a method
// JSONSchema() string; an interface is described by a [Union].
//
// The package never runs a handler, never opens a connection, and never reads
// source code: asyncapigen, which does, hands its findings to [FromOperations],
// so that both write the same document, aside from what only source code says.
// [Drift] compares the two.
package asyncapi

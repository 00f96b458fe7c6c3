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
// for the types that payloads refer to. It takes the point of view of those who
// send to the service: what a route consumes is under "subscribe", and what it
// replies under "publish".
//
// Payload schemas describe what encoding/json writes for the types of the
// handlers, or what it reads, see [Direction]. A type that writes itself describes
// itself by a method JSONSchema() string; an interface is described by a [Union].
//
// The package never runs a handler, never opens a connection, and never reads
// source code. The command asyncapigen does the latter and makes the same document
// by [FromContract], with what only source code has: comments, examples and the
// values of enumerations. [Drift] compares the two, for a test that the committed
// document is that of the program.
//
// Functions are safe for concurrent use. Documents are plain values, and not safe
// for use while they are changed.
package asyncapi

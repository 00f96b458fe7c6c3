package runtime

import "context"

// A Transport sends messages. Both brokers are one, and so is whatever a test
// puts in their place. It is safe for concurrent use, and neither changes nor
// keeps a message after it has returned.
type Transport interface {
	// Publish sends msg and returns nil only when the broker has confirmed that
	// it took the message and at least one queue has it. It fails with
	// ErrNacked, ErrUnroutable, ErrNoExchange, ErrUnknown, ErrBlocked, ErrClosed,
	// or what the context says.
	Publish(ctx context.Context, to Address, msg *Message) error

	// Call publishes msg as Publish does, with ReplyTo and CorrelationID set by
	// the transport, and waits for the reply until ctx ends. A context without
	// a deadline is refused with ErrNoDeadline.
	Call(ctx context.Context, to Address, msg *Message) (*Message, error)
}

// A Broker consumes the routes of a router and sends messages.
type Broker interface {
	Transport

	// Start declares the queues, exchanges and bindings of all routes and
	// begins to consume. It returns when every route is consuming, or with the
	// first error, in which case nothing is consuming. ctx bounds the start
	// only. A broker is started at most once; one that only sends is never
	// started.
	Start(ctx context.Context, router *Router) error

	// Shutdown stops consuming, waits for the handlers that are running until
	// ctx ends, and releases everything. Messages that were delivered but not
	// handled go back to their queues. When ctx ends first, the contexts of the
	// handlers are cancelled and Shutdown returns the context's error. Every
	// method called later fails with ErrClosed, a second Shutdown returns nil.
	Shutdown(ctx context.Context) error
}

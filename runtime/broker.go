package runtime

import "context"

// A Broker consumes the routes of a router and sends messages. Package rabbitmq
// and package memory have one each; both pass the same tests, so that a service
// may use either.
//
// All methods are safe for concurrent use. Who makes a broker calls Shutdown in
// the end, [Run] does both.
type Broker interface {
	Transport

	// Start declares the queues, exchanges and bindings of all routes and
	// begins to consume. It returns when every route is consuming, or with the
	// first error, which names the route and what was declared; nothing is
	// consuming then, and Start may be tried again. ctx bounds the start only:
	// its end afterwards stops nothing. The router's routes are read once, so
	// that later changes of it have no effect. A broker is started at most once;
	// one that only sends is never started.
	Start(ctx context.Context, router *Router) error

	// Shutdown stops consuming, waits for the handlers that are running until
	// ctx ends, and releases everything. Messages that were delivered but not
	// handled go back to their queues. When ctx ends first, the contexts of the
	// handlers are cancelled and Shutdown returns the context's error. Every
	// method called later fails with ErrClosed, a second Shutdown returns nil.
	Shutdown(ctx context.Context) error
}

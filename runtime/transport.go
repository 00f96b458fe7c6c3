package runtime

import "context"

// A Transport sends messages. Both brokers are one, and a test may put its own in
// their place.
//
// Its methods are safe for concurrent use. They neither change the message nor
// keep it, or anything that it refers to, after they have returned.
type Transport interface {
	// Publish sends msg and returns nil only when the broker has confirmed that
	// it took the message and at least one queue has it. It waits for that until
	// ctx ends. It fails with ErrNacked, ErrUnroutable, ErrNoExchange,
	// ErrUnknown, ErrBlocked, ErrClosed, the error of ctx, or because the message
	// has no form in AMQP; see the errors for what to do.
	Publish(ctx context.Context, to Address, msg *Message) error

	// Call publishes msg as Publish does, with ReplyTo and CorrelationID set by
	// the transport, and waits for the reply until ctx ends. A context without
	// a deadline is refused with ErrNoDeadline. The reply is the caller's own.
	Call(ctx context.Context, to Address, msg *Message) (*Message, error)
}

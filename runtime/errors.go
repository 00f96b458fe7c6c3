package runtime

import (
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
)

// Errors of a [Transport] and of handlers' contexts, told apart because the caller's
// next step differs. They come wrapped: compare them by errors.Is.
var (
	// ErrNacked: the broker refused the message and doesn't have it, as a full
	// queue with x-overflow does. Sending it again, later, is safe.
	ErrNacked = errors.New("the broker refused the message")

	// ErrUnroutable: no queue took the message, and the broker dropped it. Declare
	// the queue or the binding, usually by starting the consumer first; where
	// there needn't be one, set [Message.AllowUnroutable].
	ErrUnroutable = errors.New("no queue is bound for the message")

	// ErrNoExchange: the exchange doesn't exist, so no queue took the message.
	// It is an ErrUnroutable as well, to errors.Is, but one that
	// [Message.AllowUnroutable] doesn't turn into a success.
	// See docs/decisions/0026.
	ErrNoExchange = fmt.Errorf("there is no such exchange: declare it by a route that binds to it: %w", ErrUnroutable)

	// ErrUnknown: the connection or the context ended before the broker's answer.
	// It may have the message or not; sending it again may double it, so give it a
	// [Message.MessageID] by which consumers can tell.
	ErrUnknown = errors.New("the broker may or may not have the message")

	// ErrBlocked: the broker takes no messages at the moment, because it is out
	// of memory or disk space, and the context ended first. Send again later,
	// unless the error is an ErrUnknown as well.
	ErrBlocked = errors.New("the broker is out of resources and takes no messages")

	// ErrClosed: the [Broker] has been shut down. It can't be used again.
	ErrClosed = errors.New("the broker is closed")

	// ErrTimeout is the cause with which a handler's context ends after
	// [Route.Timeout], and is wrapped by what the handler returns then.
	ErrTimeout = errors.New("the handler has used up the route's Timeout")

	// ErrLost is the cause with which a handler's context ends when its delivery
	// can't be settled any more and the broker is configured to say so, and what
	// [Delivery.Ack] and [Delivery.Nack] fail with then. The message comes again,
	// perhaps while the handler still runs.
	ErrLost = errors.New("the channel of the delivery has gone, so its message comes again")

	// ErrSettled: the delivery has been settled by [Delivery.Ack] or [Delivery.Nack],
	// or because its handler returned an error. Nothing is to be done.
	ErrSettled = errors.New("the delivery has been settled")

	// ErrNoCase: the route's handler is one of [Dispatch] that has no case for the
	// message. It is permanent, as if returned by [Reject].
	ErrNoCase = errors.New("no case takes the message")

	// ErrContentType: a body isn't in a form that the route, or the caller, reads. It is
	// the cause of a [*DecodeError].
	ErrContentType = errors.New("the content type isn't one that is read here")

	// ErrHeadersTooLarge: the headers and properties of a message don't fit into one
	// frame of the server, or are more than clients read, see [Message]. Nothing was
	// sent. Put large values into the body, or raise the server's frame_max.
	ErrHeadersTooLarge = errors.New("the headers and properties don't fit into a frame of the server")

	// ErrTooLarge: the message is larger than the server takes, which doesn't have it. Make
	// it smaller, or raise the server's max_message_size.
	ErrTooLarge = errors.New("the server refuses the message: make it smaller, or raise the server's max_message_size")

	// ErrNoDeadline: a call without a deadline would never end without a reply.
	// Give its context one, by context.WithTimeout.
	ErrNoDeadline = errors.New("the context of a call has no deadline: use context.WithTimeout")
)

// A SendError says which route a message was for and what failed. Every error of a
// [Publisher] or a [Caller] is one.
type SendError struct {
	Route string // the route's name
	Stage string // "encode", "choose the key", "send", "reply" or "decode the reply"
	Err   error  // the cause
}

// Error names the route, the stage and the cause.
func (e *SendError) Error() string {
	return fmt.Sprintf("route %q: %s: %v", e.Route, e.Stage, e.Err)
}

// Unwrap returns the cause.
func (e *SendError) Unwrap() error { return e.Err }

// A ReplyError is the reply of a [Respond] handler that failed. The request has
// been handled and won't come again: whether calling again helps depends on the
// handler.
type ReplyError struct {
	Message string // what the handler shows of its error, see [Public], at most 4 KiB
	Code    string // by which programs tell failures apart, such as [CodeInternal]; "" of a service that sends none
}

// Error gives the handler's text and the code.
func (e *ReplyError) Error() string {
	if e.Code == "" || e.Code == CodeInternal {
		return "the handler answered with an error: " + e.Message
	}
	return fmt.Sprintf("the handler answered with an error: %s (%s)", e.Message, e.Code)
}

// A DecodeError says that a body isn't JSON for the type that it is read into, or
// isn't what the route's [Codec] reads.
// Of a delivery it is permanent, as if returned by [Reject]: the next delivery
// would fail alike. Of a call's reply it isn't, so that a handler whose own
// call fails may return the error as it is.
type DecodeError struct {
	Type reflect.Type // what the body was to be decoded into; nil where middleware has failed to
	Err  error        // the cause, such as a *json.SyntaxError
}

// Error names the type and the cause.
func (e *DecodeError) Error() string {
	if e.Type == nil {
		return fmt.Sprintf("decode the body: %v", e.Err)
	}
	return fmt.Sprintf("decode the body as %v: %v", e.Type, e.Err)
}

// Unwrap returns the cause.
func (e *DecodeError) Unwrap() error { return e.Err }

// A PanicError is a panic of the program's code around a delivery: of a handler or
// of middleware, as [Handler.Handle] returns it, of an interceptor of the reply, or
// of a function of [Delivery.OnSettled]. In the latter the message is settled; in the
// others it comes again. A caller gets "internal error" rather than the value. The
// brokers log the stack.
type PanicError struct {
	Value any    // of the panic
	Stack []byte // the stack of the panic, as by debug.Stack
}

// newPanicError is called by the deferred function that has recovered v.
func newPanicError(v any) *PanicError { return &PanicError{Value: v, Stack: debug.Stack()} }

// Error gives the value, without the stack. What has panicked is said by the error
// that wraps it.
func (e *PanicError) Error() string { return fmt.Sprint(e.Value) }

// Unwrap returns the panic's value where it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

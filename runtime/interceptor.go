package runtime

import "context"

// A Sending is one message that is being sent, as an [Interceptor] sees it.
type Sending struct {
	// Route is the name of the route: the one that the message is for or, of a
	// reply, the one that replies.
	Route string

	// To is where the message goes.
	To Address

	// Message is what is sent. It is never nil.
	Message *Message

	// Call says that a reply is waited for.
	Call bool

	// Request is the delivery that the message replies to, see
	// [Router.Intercept]. It is nil for what a client sends, and isn't to be
	// changed.
	Request *Delivery
}

// A SendFunc sends a message. It returns the reply of a call, and nil for what
// isn't one. Errors are those of a [Transport], or an interceptor's own.
type SendFunc func(ctx context.Context, s *Sending) (*Message, error)

// An Interceptor adds logic to the sending of messages, as a [Middleware] does to
// their handling: tracing, metrics, signing, retries, limits. It is installed by
// [WithInterceptors] for what a client sends, and by [Router.Intercept] for
// replies.
//
// It gets the next step and returns a function that is called in its place. That
// function may change the sending before it calls next, the address and all of the
// message included; the bytes of a body that the caller gave as []byte are the
// caller's, so it replaces them rather than writing to them. It may call next more
// than once, with another context, or not at all: what it returns is the result,
// and for a call that is a reply or an error. It keeps neither the sending nor the
// message after it has returned.
//
// The function is called by many goroutines at the same time, and must be safe for
// that. The Interceptor itself is called once for each publisher or caller that is made,
// and once for each reply. It must neither be nil nor return nil. A panic around a
// reply is a failure to send it, see [Process]; one around what a client sends is the
// caller's.
type Interceptor func(next SendFunc) SendFunc

// intercept returns send within the interceptors, the first one outermost.
func intercept(send SendFunc, interceptors []Interceptor) SendFunc {
	for i := len(interceptors) - 1; i >= 0; i-- {
		send = interceptors[i](send)
	}
	return send
}

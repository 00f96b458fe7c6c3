package runtime

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// errorHeader carries the text of a handler's error in the reply to a request.
const errorHeader = "warren-error"

// maxErrorText bounds that text, in bytes: headers must fit into one frame, and
// a longer one than the negotiated frame-max would cost the connection.
const maxErrorText = 4096

// Process runs a delivery through its route, one of [Router.Routes], and returns
// how it has to be settled. Brokers call it for each delivery, also at the same
// time, so that all of them behave alike. It fills in the delivery's Route and
// Queue. The broker then settles the delivery and calls [Delivery.Settled]. A
// handler that ends its goroutine (runtime.Goexit) ends Process too: the broker
// settles such a delivery by Requeue.
//
// A message leaves its queue only when its handler succeeded and its reply, if
// any, was confirmed by the broker; when the caller of a request has been sent
// the error of the handler; or, after a permanent failure (see [Reject]), when
// the queue declares the argument x-dead-letter-exchange. In every other case
// the settlement is Requeue. The error is for the broker's log. It may be non-nil
// with Ack: where the caller has been sent a failure, or where it no longer waits
// for the reply.
//
// A panic outside of the handler, as in an interceptor of the reply, is returned as
// a [*PanicError] with Requeue.
//
// Two things are the server's doing. It dead-letters without confirmation, and
// a dead-letter exchange that doesn't exist or has no binding loses the message.
// And a quorum queue drops or dead-letters a message that has come back more often
// than its x-delivery-limit, which RabbitMQ 4 sets to 20 where the queue doesn't
// declare it; see package rabbitmq.
//
// See docs/decisions/0004.
func Process(ctx context.Context, route *Route, d *Delivery, t Transport) (settlement Settlement, err error) {
	defer func() {
		if v := recover(); v != nil {
			settlement, err = Requeue, routeError(route, fmt.Errorf("a panic outside of the handler: %w", newPanicError(v)))
		}
	}()
	d.Route, d.Queue = route.Name, route.Queue.Name
	toCaller := route.Reply != nil && route.Reply.IsZero()
	reply, err := handle(ctx, route, d)
	if err == nil {
		return sendReply(ctx, route, d, reply, t)
	}
	if toCaller && d.ReplyTo != "" && ctx.Err() == nil {
		settlement, replyErr := sendReply(ctx, route, d, errorReply(err), t)
		return settlement, errors.Join(routeError(route, err), replyErr)
	}
	return settleFailure(route, err)
}

// handle gives the handler its time. What comes later, such as the reply, doesn't
// count for it.
func handle(ctx context.Context, route *Route, d *Delivery) (*Message, error) {
	if route.Timeout <= 0 {
		return route.Handler.Handle(ctx, d)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, route.Timeout, ErrTimeout)
	defer cancel()
	reply, err := route.Handler.Handle(ctx, d)
	if err != nil && context.Cause(ctx) == ErrTimeout {
		err = fmt.Errorf("%w of %v: %w", ErrTimeout, route.Timeout, err)
	}
	return reply, err
}

func settleFailure(route *Route, err error) (Settlement, error) {
	if isPermanent(err) && route.Queue.Arguments["x-dead-letter-exchange"] != nil {
		return Drop, routeError(route, err)
	}
	return Requeue, routeError(route, err)
}

// sendReply publishes reply, which is nil for Consume handlers. A caller that
// no longer waits is no reason to run the handler again.
func sendReply(ctx context.Context, route *Route, d *Delivery, reply *Message, t Transport) (Settlement, error) {
	if reply == nil || route.Reply == nil {
		return Ack, nil
	}
	to := *route.Reply
	if to.IsZero() {
		to.RoutingKey = d.ReplyTo
	}
	// Requesters that set no correlation id look for the id of their message.
	reply.CorrelationID = d.CorrelationID
	if reply.CorrelationID == "" {
		reply.CorrelationID = d.MessageID
	}
	for name, value := range d.ReplyHeaders {
		if _, ok := reply.Headers[name]; !ok {
			WithHeader(name, value)(reply)
		}
	}
	send := intercept(func(ctx context.Context, s *Sending) (*Message, error) {
		return nil, t.Publish(ctx, s.To, s.Message)
	}, route.interceptors)
	_, err := send(ctx, &Sending{Route: route.Name, To: to, Message: reply, Request: d})
	if err == nil {
		return Ack, nil
	}
	err = routeError(route, fmt.Errorf("publish the reply to %v: %w", to, err))
	if route.Reply.IsZero() && errors.Is(err, ErrUnroutable) {
		return Ack, err
	}
	return Requeue, err
}

// errorReply is the reply with the text of err. The value of a panic stays in this
// process: it may be anything.
func errorReply(err error) *Message {
	text := err.Error()
	var panicked *PanicError
	if errors.As(err, &panicked) {
		text = "internal error"
	}
	if len(text) > maxErrorText {
		text = strings.ToValidUTF8(text[:maxErrorText], "")
	}
	return &Message{Headers: map[string]any{errorHeader: text}}
}

func routeError(route *Route, err error) error {
	return fmt.Errorf("route %q, queue %q: %w", route.Name, route.Queue.Name, err)
}

package runtime

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// maxErrorText bounds the text of an error in a header, in bytes: headers must fit
// into one frame, and a longer one than the negotiated frame-max would cost the
// connection.
const maxErrorText = 4096

// An Outcome is what [Process] has made of a delivery.
type Outcome struct {
	// Settlement is what becomes of the delivery, once the outcome isn't pending.
	Settlement Settlement

	// Err is for the broker's log. It may be non-nil with every settlement: the
	// caller of a request has been sent a failure, or a copy is tried again.
	Err error

	copy *Message // to be confirmed before the settlement holds; nil: none
	to   Address
	gone bool // the message has left its queue already, see AckFirst
	open bool // it is settled by hand
	turn turn // of a message of an ordered route

	postponed  bool
	unsendable func(refused error) Outcome // the dead letter of a message whose copy has no room; nil: it stays
}

// Postponed reports whether the message hasn't failed and waits to be handled, see
// [Postpone].
func (o *Outcome) Postponed() bool { return o.postponed }

// Pending reports whether the settlement waits for [Outcome.Conclude].
func (o *Outcome) Pending() bool { return o.copy != nil }

// copyTimeout is how long a copy may take to be confirmed. It doesn't keep other
// deliveries waiting, but its own counts for the prefetch.
const copyTimeout = 30 * time.Second

// Conclude sends the copy of a pending outcome, and waits until it is confirmed or
// ctx ends. Where it can't be, the settlement is Requeue: the message stays where
// it is, and at worst there are two of it. The brokers call it apart from the
// handlers, so that the route goes on.
func (o *Outcome) Conclude(ctx context.Context, t Transport) {
	ctx, cancel := context.WithTimeout(ctx, copyTimeout)
	defer cancel()
	if err := o.publishCopy(ctx, t); err != nil {
		o.Err = errors.Join(o.Err, fmt.Errorf("%v: publish the copy to %v: %w", o.Settlement, o.to, err))
		o.Settlement = Requeue
		o.forgetGone()
	}
	o.copy, o.unsendable = nil, nil
}

// forgetGone makes of a message that would stay in its queue, and isn't there any more,
// one that is forgotten.
func (o *Outcome) forgetGone() {
	if o.gone && (o.Settlement == Requeue || o.Settlement == Refuse) {
		o.Settlement = Discard
	}
}

// Process runs a delivery through its route, one of [Router.Routes], and returns
// how it has to be settled. Brokers call it for each delivery, also at the same
// time, so that all of them behave alike. It fills in the delivery's Route, Queue
// and Attempt. Where the outcome is pending, the broker calls its Conclude. It then
// settles the delivery and calls [Delivery.Settled]. A handler that ends its
// goroutine (runtime.Goexit) ends Process too: the broker settles such a delivery
// by Requeue.
//
// A message leaves its queue only when its handler succeeded and its reply, if
// any, was confirmed by the broker; when the caller of a request has been sent
// the error of the handler; when a copy of it has been confirmed, by the queue in
// which it waits to be tried again or by that for dead letters, see
// [FailurePolicy]; when its handler said so, by [Drop]; or when it can't succeed and
// the route has no dead letters, see [FailurePolicy].Endless. In every other case
// the settlement is Requeue.
//
// A panic outside of the handler, as in an interceptor of the reply, is returned as
// a [*PanicError] with Requeue.
//
// What can't be settled like that is told by the outcome: a message with another
// attempt in place ([Outcome.Again]), and one that is settled by hand ([Outcome.Open]).
// Of a route with [AckFirst], which the broker acknowledges before, nothing is
// requeued.
//
// See docs/decisions/0004.
func Process(ctx context.Context, route *Route, d *Delivery, t Transport) Outcome {
	d.Route, d.Queue, d.codec = route.Name, route.queueName(), route.Codec
	d.leaves = route.AckMode == AckFirst || route.answersCallers() && d.ReplyTo != ""
	p := resume(d)
	outcome := process(ctx, route, d, &p, t)
	if !route.Order.IsZero() && outcome.turn.next == nil {
		outcome.turn.next = p.copy()
	}
	outcome.gone = route.AckMode == AckFirst
	outcome.forgetGone()
	return outcome
}

func process(ctx context.Context, route *Route, d *Delivery, p *passage, t Transport) (outcome Outcome) {
	defer func() {
		if v := recover(); v != nil {
			err := fmt.Errorf("a panic outside of the handler: %w", newPanicError(v))
			outcome = Outcome{Settlement: Requeue, Err: routeError(route, err)}
		}
	}()
	if !p.due.IsZero() && route.AckMode != AckFirst {
		if wait := time.Until(p.due); wait > 0 { // it has come before its time
			outcome.postpone(route, d, p, wait)
			return outcome
		}
	}
	if d.hand != nil {
		d.hand.prepare(route, d, *p)
	}
	reply, err := handle(ctx, route, d)
	if d.hand != nil && (err == nil || d.claim() != nil) {
		return Outcome{open: true, Err: err}
	}
	if err == nil {
		return sendReply(ctx, route, d, p, reply, t)
	}
	if ctx.Err() != nil { // the broker stops: the handler didn't fail on its own account
		return Outcome{Settlement: Requeue, Err: routeError(route, err)}
	}
	if route.answersCallers() && d.ReplyTo != "" {
		outcome := sendReply(ctx, route, d, p, errorReply(err), t)
		outcome.Err = errors.Join(routeError(route, err), outcome.Err)
		return outcome
	}
	return fail(route, d, p, err)
}

// handle gives the handler its time. What comes later, such as the reply, doesn't
// count for it.
func handle(ctx context.Context, route *Route, d *Delivery) (*Message, error) {
	if d.fault != nil {
		return nil, Reject(d.fault)
	}
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

// postpone has d wait without an attempt. Where the route has no queue for that, d goes
// back to its own.
func (o *Outcome) postpone(route *Route, d *Delivery, p *passage, wait time.Duration) {
	o.postponed = true
	policy := route.failure()
	switch {
	case policy.Endless:
		o.Settlement = Requeue
	case !route.Order.IsZero():
		now := time.Now()
		wait = min(wait, policy.MaxDelay, p.leftToPostpone(now))
		if p.postponed.IsZero() {
			p.postponed = now
		}
		o.park(route, d, p, 0, wait)
	case route.answersCallers(), len(policy.delays()) == 0:
		o.Settlement = Requeue
	default:
		p.due = time.Now().Add(wait)
		o.park(route, d, p, policy.atLeast(wait), wait)
	}
}

// isUnsendable reports whether the message would be refused as often as it is sent.
func isUnsendable(err error) bool {
	return errors.Is(err, ErrTooLarge) || errors.Is(err, ErrHeadersTooLarge)
}

// sendReply publishes reply, which is nil for Consume handlers. A caller that
// no longer waits is no reason to run the handler again.
func sendReply(ctx context.Context, route *Route, d *Delivery, p *passage, reply *Message, t Transport) Outcome {
	if reply == nil || route.Reply == nil {
		return Outcome{}
	}
	for name, value := range d.ReplyHeaders {
		if _, ok := reply.Headers[name]; !ok {
			WithHeader(name, value)(reply)
		}
	}
	err := publishReply(ctx, route, d, reply, t)
	switch {
	case err == nil:
		return Outcome{}
	case !route.answersCallers() && ctx.Err() == nil:
		return fail(route, d, p, err)
	case route.answersCallers() && isUnsendable(err):
		return replaceReply(ctx, route, d, err, t)
	default:
		return unanswered(route, err)
	}
}

// replaceReply answers with an error in place of the reply that was refused. It is sent
// without Delivery.ReplyHeaders, which may be what is too large.
func replaceReply(ctx context.Context, route *Route, d *Delivery, refused error, t Transport) Outcome {
	var outcome Outcome
	if err := publishReply(ctx, route, d, errorReply(refused), t); err != nil {
		outcome = unanswered(route, err)
	}
	outcome.Err = errors.Join(routeError(route, refused), outcome.Err)
	return outcome
}

// unanswered is the outcome of a request whose reply couldn't be sent: it is handled again
// where that may help.
func unanswered(route *Route, err error) Outcome {
	settlement := Requeue
	if isUnsendable(err) || errors.Is(err, ErrUnroutable) {
		settlement = Ack
	}
	return Outcome{Settlement: settlement, Err: routeError(route, err)}
}

func publishReply(ctx context.Context, route *Route, d *Delivery, reply *Message, t Transport) error {
	to := *route.Reply
	if to.IsZero() {
		to.RoutingKey = d.ReplyTo
	}
	// Requesters that set no correlation id look for the id of their message.
	reply.CorrelationID = d.CorrelationID
	if reply.CorrelationID == "" {
		reply.CorrelationID = d.MessageID
	}
	send := intercept(func(ctx context.Context, s *Sending) (*Message, error) {
		return nil, t.Publish(ctx, s.To, s.Message)
	}, route.interceptors)
	if _, err := send(ctx, &Sending{Route: route.Name, To: to, Message: reply, Request: d}); err != nil {
		return fmt.Errorf("publish the reply to %v: %w", to, err)
	}
	return nil
}

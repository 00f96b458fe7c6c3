package runtime

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// Reject marks err as permanent: delivering the message again can't help, as with
// an order without an id. A handler or middleware returns the result. Its text
// stays, and errors that wrap or join it are permanent too. Reject returns nil for
// a nil err. The message becomes a dead letter, see [FailurePolicy]; with
// [FailurePolicy.Endless] it leaves the queue all the same.
func Reject(err error) error { return mark(err, rejected, 0) }

// RetryAfter marks err as temporary, and says when the message is to be tried
// again: after d at least, and a little later where other messages wait before
// it. It is one of the policy's attempts as any other, see [Postpone] for one that
// isn't; [FailurePolicy.Permanent] isn't asked. RetryAfter returns nil for a nil err. With
// [FailurePolicy.Endless] d has no effect, and of a route with an [Order] the message
// keeps its turn, so it waits for MaxDelay of the policy at most.
func RetryAfter(err error, d time.Duration) error { return mark(err, retried, d) }

// Postpone marks err as the reason for which a message can't be handled yet, as with one
// that another process is handling. It is handled again, as by [RetryAfter], and as
// often as its handler says so: this isn't an attempt, so no dead letter comes of it.
// Postpone returns nil for a nil err. Where the route has no delays, as with Attempts of
// 1 or [FailurePolicy.Endless], d has no effect: the message goes back to its queue, which
// counts for the delivery limit of a quorum queue. The caller of a request gets the error.
// Of a route with [AckFirst] it is a failure, since the message has left its queue.
//
// Of a route with an [Order] the message keeps its turn, with MaxDelay of the policy
// between two attempts at most, and for 15 minutes in all, which are counted from the
// first time, the handler's own time included: then it is a dead letter, since those after
// it wait.
//
// See docs/decisions/0061.
func Postpone(err error, d time.Duration) error { return mark(err, postponed, d) }

// Drop marks err as the reason for which a message is to be forgotten: it isn't
// tried again, and no dead letter is left of it. The error is logged and counted.
// Drop returns nil for a nil err.
func Drop(err error) error { return mark(err, discarded, 0) }

// A result is what a handler has said about its failure.
type result int

const (
	failed    result = iota // nothing
	retried                 // by RetryAfter
	postponed               // by Postpone
	rejected                // by Reject
	discarded               // by Drop
)

// A markedError is the error of a handler with what it has said about it.
type markedError struct {
	error
	result result
	after  time.Duration // of retried and postponed
}

func mark(err error, r result, after time.Duration) error {
	if err == nil {
		return nil
	}
	return &markedError{err, r, after}
}

func (e *markedError) Unwrap() error { return e.error }

// Postpones reports whether err, as the handler of d returns it, has the message wait
// rather than fail, see [Postpone]. It is for middleware, which so knows before the
// delivery is settled. It calls methods of err, which may panic.
func (d *Delivery) Postpones(err error) bool {
	how, _ := resultOf(err)
	mayWait := !d.leaves && d.Unreadable == nil && (d.resumed == nil || d.resumed.mayPostpone())
	return how == postponed && mayWait
}

// resultOf returns the mark of err, the outermost where there are several.
func resultOf(err error) (result, time.Duration) {
	var marked *markedError
	if !errors.As(err, &marked) {
		return failed, 0
	}
	return marked.result, marked.after
}

// fail decides what becomes of d, whose attempt p has failed with err.
func fail(route *Route, d *Delivery, p *passage, err error) Outcome {
	policy := route.failure()
	how, after := resultOf(err)
	if d.Unreadable != nil && how != discarded { // a copy that is tried again would have lost headers
		if how = rejected; !errors.Is(err, d.Unreadable) { // but the error of middleware
			err = fmt.Errorf("%w; %w", d.Unreadable, err)
		}
	}
	outcome := Outcome{Settlement: Requeue, Err: routeError(route, err)}
	switch {
	case how == discarded:
		outcome.Settlement = Discard
		return outcome
	case how == postponed && !d.leaves && p.mayPostpone():
		outcome.postpone(route, d, p, after)
		return outcome
	case policy.Endless:
		if how == rejected {
			outcome.refuse(route, err)
		}
		return outcome
	case how == failed && policy.Permanent != nil && policy.Permanent(err):
		how = rejected
	}
	if p.first.IsZero() {
		p.first = time.Now()
	}
	switch {
	case d.Unreadable != nil && route.deadLetterQueue(policy) == "":
		outcome.Settlement = Refuse // the server's own copy has all headers
	case how == rejected, route.answersCallers(): // of a request that can't be answered
		outcome.bury(route, d, p, reasonOf(d, err), err)
	case p.waited >= maxTurn, how == postponed && !p.mayPostpone():
		err = fmt.Errorf("%w; it has kept its turn for %v, in which those after it wait", err, maxTurn)
		outcome.Err = routeError(route, err)
		outcome.bury(route, d, p, ReasonAttempts, err)
	case p.attempt >= policy.Attempts:
		outcome.bury(route, d, p, ReasonAttempts, err)
	case how == retried:
		outcome.unsendable = buriedInstead(route, d, p, err)
		p.attempt++
		p.due = time.Now().Add(after)
		outcome.park(route, d, p, policy.atLeast(after), min(after, policy.MaxDelay))
	default:
		delay := policy.delay(p.attempt)
		outcome.unsendable = buriedInstead(route, d, p, err)
		p.attempt++
		p.due = time.Time{}
		outcome.park(route, d, p, delay, delay-rand.N(delay/5+1))
	}
	return outcome
}

// refuse takes a message that can't succeed out of the queue of a route without dead
// letters. The server has it go where the queue's arguments or a policy of the server
// say, or drops it. See docs/decisions/0089.
func (o *Outcome) refuse(route *Route, err error) {
	o.Settlement = Refuse
	switch {
	case route.Queue.isStream(), route.AckMode == AckFirst: // what is there can't be refused
		o.Settlement = Discard
	case route.Queue.Arguments[argDeadLetterExchange] == nil:
		err = fmt.Errorf("%w; the route has no dead letters and its queue declares no %s, "+
			"so the message is dropped unless a policy of the server has one", err, argDeadLetterExchange)
		o.Err = routeError(route, err)
	}
}

// buriedInstead returns what buries d where it can't be tried again: its headers leave no
// room for those of a copy.
func buriedInstead(route *Route, d *Delivery, p *passage, err error) func(refused error) Outcome {
	last := p.copy()
	return func(refused error) (o Outcome) {
		err := fmt.Errorf("%w; it can't be tried again: %w", err, refused)
		o.Err = routeError(route, err)
		o.bury(route, d, last, ReasonAttempts, err)
		return o
	}
}

func reasonOf(d *Delivery, err error) string {
	var undecodable *DecodeError
	if d.Unreadable != nil || errors.As(err, &undecodable) || errors.Is(err, ErrNoCase) {
		return ReasonUndecodable
	}
	return ReasonRejected
}

// park makes o wait until a copy of d has been confirmed by the queue that holds
// messages for delay. The copy stays there for wait, and for delay at most. A message
// of an ordered route stays where it is for that time.
func (o *Outcome) park(route *Route, d *Delivery, p *passage, delay, wait time.Duration) {
	o.Settlement = Retry
	if !route.Order.IsZero() {
		o.turn = p.keepTurn(wait)
		return
	}
	o.to = Address{RoutingKey: retryQueue(route.Queue.Name, delay)}
	o.copy = copyOf(d, retryHeader, p.table())
	o.copy.Expiration = max(min(wait, delay), time.Millisecond)
}

// bury makes o wait until the dead letter of d has been confirmed.
func (o *Outcome) bury(route *Route, d *Delivery, p *passage, reason string, err error) {
	o.Settlement = DeadLetter
	o.to = route.deadLetters(route.failure(), p.key)
	o.copy = copyOf(d, deadHeader, p.deadTable(Failure{
		Reason: reason, Error: bounded(fmt.Sprint(err), maxErrorText), Route: route.Name, Queue: route.Queue.Name, Time: time.Now(),
	}))
}

// deadLetters returns where the dead letters of r go that came with key.
func (r *Route) deadLetters(policy FailurePolicy, key string) Address {
	if name := r.deadLetterQueue(policy); name != "" {
		return Address{RoutingKey: name}
	}
	exchange, _ := r.Queue.Arguments[argDeadLetterExchange].(string)
	if replaced, ok := r.Queue.Arguments[argDeadLetterKey].(string); ok {
		key = replaced
	}
	return Address{Exchange: exchange, RoutingKey: key}
}

func routeError(route *Route, err error) error {
	return fmt.Errorf("route %q, queue %q: %w", route.Name, route.queueName(), err)
}

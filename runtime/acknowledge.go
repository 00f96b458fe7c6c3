package runtime

import (
	"errors"
	"fmt"
	"sync"
)

// An AckMode says when the messages of a route leave their queue.
type AckMode int

const (
	// AckOnSuccess: when the handler has succeeded. It is the default.
	AckOnSuccess AckMode = iota

	// AckByHand: when the handler, or whoever it has given the delivery to, calls
	// [Delivery.Ack] or [Delivery.Nack]. A handler that returns nil before that leaves
	// the message unsettled: it counts for the route's Prefetch, but not for its
	// Concurrency, and has failed when the route's Timeout is over. An error of the
	// handler is a Nack. The broker's Shutdown waits for what is unsettled, until its
	// context ends. It goes with handlers of [Consume], without an [Order].
	AckByHand

	// AckFirst: before the handler is called, so that a message is handled at most
	// once, but for those whose acknowledgement was lost with a connection. What fails
	// isn't tried again: it is a dead letter, or forgotten where that can't be
	// confirmed, or where the policy is Endless.
	AckFirst
)

// Ack settles a delivery of a route with [AckByHand]: the message leaves its queue. It
// returns nil when that was written to the server. It fails with [ErrSettled] when the
// delivery has been settled, with [ErrLost] or [ErrClosed] when it can't be any more,
// and for every other route; nothing happens then. Ack may be called by any goroutine,
// also after the handler has returned.
func (d *Delivery) Ack() error {
	if err := d.claim(); err != nil {
		return err
	}
	return d.hand.settle(Outcome{})
}

// Nack settles a delivery of a route with [AckByHand] as failed with err, so that the
// route's [FailurePolicy] decides: [Reject] and [RetryAfter] mark err as that of a
// handler. It waits until the copy that the policy asks for was confirmed. It fails as
// [Delivery.Ack] does; where the copy can't be confirmed the message goes back to its
// queue, and the error says why.
func (d *Delivery) Nack(err error) error {
	if err == nil {
		err = errors.New("the handler didn't say why")
	}
	if err := d.claim(); err != nil {
		return err
	}
	return d.hand.settle(d.hand.fail(err))
}

// A hand is what settles a delivery by hand.
type hand struct {
	settle func(Outcome) error
	fail   func(error) Outcome // set by Process

	mu      sync.Mutex
	late    error // why it can't be settled any more, nil while it can
	settled []func(Settlement, error)
	ended   *ending // nil while it isn't settled
}

// An ending is what Settled was called with.
type ending struct {
	settlement Settlement
	err        error
}

// ByHand lets d be settled by hand. It is for brokers and routes with [AckByHand], which
// call it before [Process]: settle is called at most once, by any goroutine, with what
// Ack and Nack make of the delivery. The broker sends the copy of a pending outcome.
func (d *Delivery) ByHand(settle func(Outcome) error) {
	fail := func(err error) Outcome { return Outcome{Settlement: Requeue, Err: err} }
	d.hand = &hand{settle: settle, fail: fail}
}

// prepare lets Nack decide about d, which p has brought.
func (h *hand) prepare(route *Route, d *Delivery, p passage) {
	h.fail = func(err error) (outcome Outcome) {
		defer func() {
			if v := recover(); v != nil { // of FailurePolicy.Permanent
				outcome = Outcome{Settlement: Requeue, Err: routeError(route, newPanicError(v))}
			}
		}()
		return fail(route, d, &p, err)
	}
}

// onSettled adds fn, or calls it where the delivery has been settled.
func (h *hand) onSettled(fn func(Settlement, error)) {
	if ended := h.add(fn); ended != nil {
		fn(ended.settlement, ended.err)
	}
}

func (h *hand) add(fn func(Settlement, error)) *ending {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ended == nil {
		h.settled = append(h.settled, fn)
	}
	return h.ended
}

// settledAs notes what became of the delivery, and returns what takes the functions to
// be called, one by one.
func (h *hand) settledAs(settlement Settlement, err error) (next func() func(Settlement, error)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ended == nil {
		h.ended = &ending{settlement, err}
	}
	return h.nextSettled
}

func (h *hand) nextSettled() (fn func(Settlement, error)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.settled) > 0 {
		fn, h.settled = h.settled[0], h.settled[1:]
	}
	return fn
}

// GiveUp ends the time in which d can be settled by hand: Ack and Nack fail with err
// from now on. It is for brokers, and returns false where d was settled before.
func (d *Delivery) GiveUp(err error) bool {
	d.hand.mu.Lock()
	defer d.hand.mu.Unlock()
	if d.hand.late != nil {
		return false
	}
	d.hand.late = err
	return true
}

var errNotByHand = errors.New("the delivery isn't settled by hand: set the route's AckMode to runtime.AckByHand")

// claim makes the caller the one that settles d.
func (d *Delivery) claim() error {
	if d.hand == nil {
		return errNotByHand
	}
	d.hand.mu.Lock()
	defer d.hand.mu.Unlock()
	if d.hand.late != nil {
		return fmt.Errorf("settle the delivery of route %q: %w", d.Route, d.hand.late)
	}
	d.hand.late = ErrSettled
	return nil
}

// Open reports whether d stays unsettled after [Process], or was settled by hand: the
// broker doesn't settle it. It is for routes with [AckByHand].
func (o *Outcome) Open() bool { return o.open }

// checkAckMode finds what contradicts how a route acknowledges.
func checkAckMode(route *Route) (field, fault string) {
	switch {
	case route.AckMode < AckOnSuccess || route.AckMode > AckFirst:
		return "AckMode", fmt.Sprintf("is %d: use runtime.AckOnSuccess, AckByHand or AckFirst", route.AckMode)
	case route.AckMode != AckByHand:
		return "", ""
	case route.Handler.answers():
		return "AckMode", "is AckByHand, and the handler replies: a request is settled by its reply, so use runtime.Consume"
	case !route.Order.IsZero():
		return "AckMode", "is AckByHand, and the route has an Order, which settles one message before it handles the next: use one of them"
	}
	return "", ""
}

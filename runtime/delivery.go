package runtime

import (
	"context"
	"errors"
	"fmt"
)

// A Delivery is a message as it came from a queue. One that comes again is another
// Delivery.
//
// It belongs to the goroutine that handles it: but for Ack and Nack it isn't safe for
// concurrent use, and it is valid until the handler and its middleware have returned. A handler
// that keeps the body or the headers for longer, or gives them to other
// goroutines, copies them. Middleware that changes the message passes on a copy of
// the Delivery. The copy's ReplyHeaders and OnSettled have no effect: use those of
// the one that [DeliveryFrom] returns, which is never the copy.
type Delivery struct {
	Message

	Route       string // the name of the route that handles it
	Queue       string // the queue that it was taken from, without the instance's name, see Queue.PerInstance
	Instance    string // of a Queue.PerInstance a name of the broker that took it, the same over all its connections; "" of other queues
	Exchange    string // the exchange that it was published to; "" is the default exchange
	RoutingKey  string // the key that it was published with
	Redelivered bool   // an earlier delivery of it wasn't acknowledged, so it may have been handled
	Case        string // the name of the case of Dispatch that takes it, "" for none
	Attempt     int    // the number of this attempt to handle it, 1 for the first, see FailurePolicy
	Tag         uint64 // RabbitMQ's number of the delivery in its channel; 0 in memory

	// Unreadable says why some of the headers are missing: no client could read them.
	// It is nil where all of them are here. The function of such a delivery isn't
	// called: it fails as one marked by [Reject] does.
	Unreadable error

	// ReplyHeaders are for middleware: they are set on the reply, unless it has
	// a header of that name, and on the error that is sent in its place. Nil, as
	// it comes, means none.
	ReplyHeaders map[string]any

	codec   Codec                     // of the route; nil for JSON
	settled []func(Settlement, error) // those of a hand are its own

	hand    *hand    // of a route with AckByHand
	resumed *passage // of an attempt in place, see Outcome.Again
	fault   error    // why it isn't handled
	leaves  bool     // even where it can't be handled yet: it has left its queue, or its caller gets the error

	collector batchCollector // of the route, nil without batches
}

// OnSettled calls fn when the delivery has been settled, which is after the
// handler and its middleware have returned and the reply was sent. A non-nil
// error says that it couldn't be settled: the message then comes again. Functions
// are called once, in the order in which they were added, by the goroutine that
// settles; they must not block. A panic of one is logged, and doesn't keep the others
// from being called. OnSettled is for middleware and handlers, until they return.
//
// A delivery of a route with [AckByHand] may be settled while its handler runs. Its
// functions may then be called by another goroutine meanwhile, and one that is added
// after the settlement is called at once.
func (d *Delivery) OnSettled(fn func(Settlement, error)) {
	if d.hand != nil {
		d.hand.onSettled(fn)
		return
	}
	d.settled = append(d.settled, fn)
}

// Settled calls the functions of [Delivery.OnSettled]. It is for brokers, which
// call it once they have settled the delivery; a second call calls those that an
// earlier one hasn't, because a function has ended the goroutine. The panics of the
// functions are returned, each as a [*PanicError].
func (d *Delivery) Settled(settlement Settlement, err error) error {
	next := d.nextSettled
	if d.hand != nil {
		next = d.hand.settledAs(settlement, err)
	}
	var panics []error
	for fn := next(); fn != nil; fn = next() {
		if err := callSettled(fn, settlement, err); err != nil {
			panics = append(panics, err)
		}
	}
	return errors.Join(panics...)
}

// nextSettled takes the first of the functions, nil for none.
func (d *Delivery) nextSettled() (fn func(Settlement, error)) {
	if len(d.settled) > 0 {
		fn, d.settled = d.settled[0], d.settled[1:]
	}
	return fn
}

func callSettled(fn func(Settlement, error), settlement Settlement, err error) (panicked error) {
	defer func() {
		if v := recover(); v != nil {
			panicked = fmt.Errorf("a function of OnSettled panicked: %w", newPanicError(v))
		}
	}()
	fn(settlement, err)
	return nil
}

type deliveryKey struct{}

// DeliveryFrom returns the delivery that is being handled, nil outside of a
// handler. It is how a handler gets headers, keys and ids. It is valid until the
// handler returns, and must not be changed.
func DeliveryFrom(ctx context.Context) *Delivery {
	d, _ := ctx.Value(deliveryKey{}).(*Delivery)
	return d
}

func withDelivery(ctx context.Context, d *Delivery) context.Context {
	return context.WithValue(ctx, deliveryKey{}, d)
}

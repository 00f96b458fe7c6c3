package memory

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/consuming"
)

// A consumer hands the messages of one queue to one route.
type consumer struct {
	broker *Broker
	route  *runtime.Route
	queue  *queue
	limits consuming.Limits
	log    *slog.Logger
	watch  *consuming.Watch
	hold   *consuming.Hold
	inbox  chan *entry // has room for all that prefetch allows

	ordered   *consuming.Ordered   // nil of a route without an order
	unsettled *consuming.Unsettled // nil unless the route settles by hand

	// Guarded by the server's mutex.
	taken     map[*entry]struct{} // and not settled
	held      int                 // of taken, those that failed or whose handlers are stuck: they don't count for the prefetch
	bytes     int64               // of the bodies of those that do
	lost      chan struct{}       // closed when all of taken goes back
	suspended bool                // it gets nothing, because all of its handlers are stuck
}

func newConsumer(b *Broker, route *runtime.Route, q *queue) *consumer {
	c := &consumer{
		broker: b,
		route:  route,
		queue:  q,
		limits: b.config.limits().Of(route),
		log:    b.config.Logger.With("route", route.Name, "queue", route.Queue.Name),
		taken:  make(map[*entry]struct{}),
		lost:   make(chan struct{}),
	}
	c.inbox = make(chan *entry, c.limits.Prefetch)
	c.hold = consuming.NewHold(c.limits)
	c.watch = consuming.NewWatch(c.limits, c.log, func(d *runtime.Delivery) { b.config.Server.overlook(c, d) })
	route.Timeout, route.Handler = c.limits.Timeout, route.Handler.With(c.watch.Middleware)
	if !route.Order.IsZero() {
		c.ordered = consuming.NewOrdered(route, c.limits, restoringTransport{b, route}, c.log, b.handling, b.stop, b.running.Go)
		consuming.WarnOfOrder(c.log, route)
	}
	if route.AckMode == runtime.AckByHand {
		c.unsettled = consuming.NewUnsettled(c.limits, &b.running, c.log)
		context.AfterFunc(b.handling, func() { c.unsettled.Close(runtime.ErrClosed) })
	}
	return c
}

// errTaken: the broker was shut down before the handler returned, or the handler was
// stuck like all others of its route.
var errTaken = errors.New("the delivery was taken back before its handler returned, so it isn't settled and comes again")

// run handles the deliveries until the broker stops.
func (c *consumer) run() {
	defer c.hold.Close()
	if c.ordered != nil {
		c.line()
	} else {
		c.dispatch()
	}
}

// dispatch starts a handler for each delivery, as many at a time as the limits allow,
// until the broker stops. A handler has a goroutine of its own, so that one that
// ends it by runtime.Goexit doesn't stop the route.
func (c *consumer) dispatch() {
	slots := make(chan struct{}, c.limits.Concurrency)
	for {
		select {
		case <-c.broker.stop:
			return
		case <-c.watch.Full():
			c.pause()
			continue
		case slots <- struct{}{}:
		}
		select { // a place is free, so not all are taken by stuck handlers
		case <-c.broker.stop:
			return
		case e := <-c.inbox:
			if c.broker.isStopping() { // e goes back with the others
				return
			}
			c.broker.running.Go(func() { c.handle(e, func() { <-slots }) })
		}
	}
}

// line puts the deliveries of an ordered route into the lines of their keys, until the
// broker stops. Where the key function ends the goroutine, another one takes over.
func (c *consumer) line() {
	finished := false
	defer func() {
		if !finished {
			c.broker.loops.Go(c.line)
		}
	}()
	for {
		select {
		case <-c.broker.stop:
			finished = true
			return
		case <-c.watch.Full():
			c.pause()
			c.ordered.Clean()
		case e := <-c.inbox:
			d, lost := c.broker.config.Server.handle(c, e)
			c.ordered.Add(turn{c, e, lost, new(error)}, d)
		}
	}
}

// A turn is a delivery of an ordered route.
type turn struct {
	c       *consumer
	e       *entry
	lost    <-chan struct{}
	failure *error // of the last attempt
}

// Process implements [consuming.Turn].
func (t turn) Process(d *runtime.Delivery) runtime.Outcome {
	outcome := t.c.process(t.e, d)
	*t.failure = outcome.Err
	return outcome
}

// Settle implements [consuming.Turn].
func (t turn) Settle(d *runtime.Delivery, settlement runtime.Settlement) {
	if settlement == runtime.Requeue {
		consuming.Settled(t.c.log, []consuming.Settlement{{Delivery: d, End: settlement}}, nil)
		return
	}
	_ = t.c.settle(t.e, d, settlement, *t.failure) // OnSettled has it
}

// IsStale implements [consuming.Turn].
func (t turn) IsStale() bool { return !t.c.broker.config.Server.isHeldBy(t.c, t.e) }

// Lost implements [consuming.Turn].
func (t turn) Lost() <-chan struct{} { return t.lost }

// pause gives back what the consumer holds, until one of its stuck handlers returns
// or the broker stops.
func (c *consumer) pause() {
	c.log.Warn("consuming interrupted", "error", consuming.ErrAllStuck)
	c.broker.config.Server.suspend(c)
	select {
	case <-c.watch.Released():
		c.broker.config.Server.resume(c)
	case <-c.broker.stop:
	}
}

// handle runs e through the route and settles it. release makes room for the
// next handler: after the settlement, so that what becomes of the messages keeps
// their order, but before a copy is sent or a delivery held.
func (c *consumer) handle(e *entry, release func()) {
	outcome := runtime.Outcome{Settlement: runtime.Requeue, Err: consuming.ErrGoexit}
	delivery, _ := c.broker.config.Server.handle(c, e)
	if c.unsettled != nil {
		defer release()
		c.handleByHand(e, delivery)
		return
	}
	defer func() {
		if outcome.Pending() || c.comesAgain(e, outcome) {
			release()
			c.conclude(e, delivery, outcome)
			return
		}
		defer release()
		c.conclude(e, delivery, outcome)
	}()
	outcome = c.process(e, delivery)
}

// process runs d through the route. Of a route that acknowledges first, it does so
// before, and doesn't handle what can't be acknowledged.
func (c *consumer) process(e *entry, d *runtime.Delivery) runtime.Outcome {
	if c.route.AckMode == runtime.AckFirst && !e.acked {
		if err := c.broker.config.Server.settle(c, e, runtime.Ack); err != nil {
			c.broker.config.Server.settled()
			return runtime.Outcome{Settlement: runtime.Requeue, Err: err}
		}
		e.acked = true
	}
	return runtime.Process(c.broker.handling, c.route, d, c.broker)
}

// handleByHand runs d through the route, and leaves it unsettled where the handler does.
func (c *consumer) handleByHand(e *entry, d *runtime.Delivery) {
	c.broker.config.Server.settles()
	defer c.broker.config.Server.settled() // which may be after the settlement
	c.unsettled.Handle(d,
		func() runtime.Outcome { return runtime.Process(c.broker.handling, c.route, d, c.broker) },
		func(outcome runtime.Outcome) error { return c.settleByHand(e, d, outcome) })
}

// settleByHand sends the copy of a message that failed, where there is one, and settles
// the delivery.
func (c *consumer) settleByHand(e *entry, d *runtime.Delivery, outcome runtime.Outcome) (err error) {
	if outcome.Pending() {
		outcome.Conclude(c.broker.handling, restoringTransport{c.broker, c.route})
		if outcome.Settlement == runtime.Requeue {
			err = outcome.Err
		}
	}
	consuming.LogFailure(c.log, d, outcome)
	if c.comesAgain(e, outcome) {
		c.holdBack(e, d, outcome)
		return err
	}
	if lost := c.settle(e, d, outcome.Settlement, outcome.Err); lost != nil {
		return fmt.Errorf("%w: %w", runtime.ErrLost, lost)
	}
	return err
}

// comesAgain reports whether e has failed before, and goes back to its queue.
func (c *consumer) comesAgain(e *entry, outcome runtime.Outcome) bool {
	return outcome.Settlement == runtime.Requeue && e.redelivered
}

// conclude sends the copy of a message that failed, where there is one, and settles
// the delivery or holds it back.
func (c *consumer) conclude(e *entry, d *runtime.Delivery, outcome runtime.Outcome) {
	if outcome.Pending() {
		outcome.Conclude(c.broker.handling, restoringTransport{c.broker, c.route})
	}
	consuming.LogFailure(c.log, d, outcome)
	if c.comesAgain(e, outcome) {
		c.holdBack(e, d, outcome)
		return
	}
	_ = c.settle(e, d, outcome.Settlement, outcome.Err) // OnSettled has it
}

// settle settles the delivery of e with the server, unless it was before. cause is why
// the delivery failed.
func (c *consumer) settle(e *entry, d *runtime.Delivery, settlement runtime.Settlement, cause error) (err error) {
	server := c.broker.config.Server
	if c.route.AckMode != runtime.AckFirst {
		err = server.settle(c, e, settlement)
	}
	if e.acked || c.route.AckMode != runtime.AckFirst {
		defer server.settled()
	}
	if observe := c.broker.config.OnSettled; observe != nil {
		defer observe(d, settlement, errors.Join(cause, err))
	}
	consuming.Settled(c.log, []consuming.Settlement{{Delivery: d, End: settlement}}, err)
	return err
}

// holdBack gives e back later, see [consuming.Hold].
func (c *consumer) holdBack(e *entry, d *runtime.Delivery, outcome runtime.Outcome) {
	c.broker.config.Server.hold(c, e)
	c.broker.running.Add(1)
	c.hold.Add(func() {
		defer c.broker.running.Done()
		_ = c.settle(e, d, runtime.Requeue, outcome.Err) // OnSettled has it
	})
}

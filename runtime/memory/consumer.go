package memory

import (
	"errors"
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

	// Guarded by the server's mutex.
	unsettled map[*entry]struct{}
	held      int  // of unsettled, those that don't count for the prefetch
	suspended bool // it gets nothing, because all of its handlers are stuck
}

func newConsumer(b *Broker, route *runtime.Route, q *queue) *consumer {
	c := &consumer{
		broker:    b,
		route:     route,
		queue:     q,
		limits:    b.config.limits().Of(route),
		log:       b.config.Logger.With("route", route.Name, "queue", route.Queue.Name),
		unsettled: make(map[*entry]struct{}),
	}
	c.inbox = make(chan *entry, c.limits.Prefetch)
	c.watch, c.hold = consuming.NewWatch(c.limits, c.log), consuming.NewHold(c.limits)
	route.Timeout, route.Handler = c.limits.Timeout, route.Handler.With(c.watch.Middleware)
	return c
}

// errTaken: the broker was shut down before the handler returned, or the handler was
// stuck like all others of its route.
var errTaken = errors.New("the delivery was taken back before its handler returned, so it isn't settled and comes again")

// run starts a handler for each delivery, as many at a time as the limits allow,
// until the broker stops. A handler has a goroutine of its own, so that one that
// ends it by runtime.Goexit doesn't stop the route.
func (c *consumer) run() {
	defer c.hold.Close()
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
		select {
		case <-c.broker.stop:
			return
		case <-c.watch.Full():
			<-slots
			c.pause()
		case e := <-c.inbox:
			if c.broker.isStopping() { // e goes back with the others
				return
			}
			c.broker.running.Go(func() { c.handle(e, func() { <-slots }) })
		}
	}
}

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
	delivery := e.delivery(c.queue)
	defer func() {
		if outcome.Pending() || c.comesAgain(e, outcome) {
			release()
			c.conclude(e, delivery, outcome)
			return
		}
		defer release()
		c.conclude(e, delivery, outcome)
	}()
	outcome = runtime.Process(c.broker.handling, c.route, delivery, c.broker)
}

// comesAgain reports whether e has failed before, and goes back to its queue.
func (c *consumer) comesAgain(e *entry, outcome runtime.Outcome) bool {
	return outcome.Settlement == runtime.Requeue && e.redelivered
}

// conclude sends the copy of a message that failed, where there is one, and settles
// the delivery or holds it back.
func (c *consumer) conclude(e *entry, d *runtime.Delivery, outcome runtime.Outcome) {
	if outcome.Pending() {
		outcome.Conclude(c.broker.handling, c.broker)
	}
	consuming.LogFailure(c.log, d, outcome)
	if c.comesAgain(e, outcome) {
		c.holdBack(e, d, outcome)
		return
	}
	c.settle(e, d, outcome)
}

// settle settles the delivery of e with the server.
func (c *consumer) settle(e *entry, d *runtime.Delivery, outcome runtime.Outcome) {
	server := c.broker.config.Server
	err := server.settle(c, e, outcome.Settlement)
	defer server.settled()
	if observe := c.broker.config.OnSettled; observe != nil {
		defer observe(d, outcome.Settlement, errors.Join(outcome.Err, err))
	}
	consuming.Settled(c.log, []consuming.Settlement{{Delivery: d, End: outcome.Settlement}}, err)
}

// holdBack gives e back later, see [consuming.Hold].
func (c *consumer) holdBack(e *entry, d *runtime.Delivery, outcome runtime.Outcome) {
	c.broker.config.Server.hold(c, e)
	c.broker.running.Add(1)
	c.hold.Add(func() {
		defer c.broker.running.Done()
		c.settle(e, d, outcome)
	})
}

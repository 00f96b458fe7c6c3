package memory

import (
	"errors"
	"log/slog"
	"time"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/consuming"
)

// A consumer hands the messages of one queue to one route.
type consumer struct {
	broker *Broker
	route  *runtime.Route
	queue  *queue
	log    *slog.Logger
	inbox  chan *entry // has room for all that prefetch allows

	// Guarded by the server's mutex.
	unsettled map[*entry]struct{}
	cancelled bool
}

// errTaken: the broker was shut down before the handler returned, and its
// deliveries went back to their queues.
var errTaken = errors.New("the broker was shut down before the handler returned, so the delivery isn't settled and comes again")

// run starts a handler for each delivery, as many at a time as the broker
// allows, until the broker stops. A handler has a goroutine of its own, so that
// one that ends it by runtime.Goexit doesn't stop the route.
func (c *consumer) run() {
	slots := make(chan struct{}, c.broker.config.Concurrency)
	for {
		select {
		case <-c.broker.stop:
			return
		case slots <- struct{}{}:
		}
		select {
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

// handle runs e through the route and settles it. release makes room for the
// next handler: after the settlement, so that what becomes of the messages keeps
// their order, but before a copy is sent or a delivery held.
func (c *consumer) handle(e *entry, release func()) {
	outcome := runtime.Outcome{Settlement: runtime.Requeue, Err: consuming.ErrGoexit}
	delivery := e.delivery(c.queue)
	defer func() {
		if outcome.Pending() || outcome.Settlement == runtime.Requeue && e.redelivered {
			release()
			c.conclude(e, delivery, outcome)
			return
		}
		defer release()
		c.settle(e, delivery, outcome)
	}()
	outcome = runtime.Process(c.broker.handling, c.route, delivery, c.broker)
}

// conclude sends the copy of a message that failed, and settles it; one that goes
// back to its queue is held for the redelivery delay.
func (c *consumer) conclude(e *entry, delivery *runtime.Delivery, outcome runtime.Outcome) {
	if outcome.Pending() {
		outcome.Conclude(c.broker.handling, c.broker)
	}
	if outcome.Settlement == runtime.Requeue {
		c.hold()
	}
	c.settle(e, delivery, outcome)
}

// settle settles the delivery of e with the server.
func (c *consumer) settle(e *entry, d *runtime.Delivery, outcome runtime.Outcome) {
	consuming.LogFailure(c.log, d, outcome)
	err := c.broker.config.Server.settle(c, e, outcome.Settlement)
	consuming.Settled(c.log, []consuming.Settlement{{Delivery: d, End: outcome.Settlement}}, err)
}

// hold waits for the redelivery delay, or until the broker stops.
func (c *consumer) hold() {
	if c.broker.config.RedeliveryDelay <= 0 {
		return
	}
	timer := time.NewTimer(c.broker.config.RedeliveryDelay)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-c.broker.stop:
	}
}

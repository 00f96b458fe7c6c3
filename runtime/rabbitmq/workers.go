package rabbitmq

import (
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

// workerRest is how long nothing has to come before the workers of a route end.
const workerRest = 5 * time.Second

// A pool has the deliveries of a subscription handled by workers, of which there are
// none while nothing comes: its consumption waits for the first delivery then. Only the
// consumption uses it.
type pool struct {
	consumer *consumer
	s        *subscription
	first    <-chan amqp.Delivery // nil while the workers wait for deliveries
	ticker   *time.Ticker         // nil while none of them can be ended
}

func newPool(c *consumer, s *subscription) *pool {
	return &pool{consumer: c, s: s, first: s.current.Load().deliveries}
}

// rest returns a channel that has an element when it is time to call end.
func (p *pool) rest() <-chan time.Time {
	if p.ticker == nil {
		return nil
	}
	return p.ticker.C
}

// begin starts a worker with a delivery that came from first. Where first was closed and
// d is nil, it looks for the stream that follows.
func (p *pool) begin(d *amqp.Delivery) {
	p.first = nil
	c, s := p.consumer, p.s
	switch {
	case d != nil:
		p.ticker = time.NewTicker(workerRest)
		p.prepare()
		s.busy.Store(true)
		c.broker.running.Go(func() { c.work(s, d, cap(c.slots)) })
	case s.follow(s.current.Load()):
		p.first = s.current.Load().deliveries
	}
}

// prepare makes what only workers need: a route that has had no delivery takes less.
func (p *pool) prepare() {
	if p.s.dismiss == nil {
		p.s.dismiss = make(chan struct{})
	}
	switch {
	case p.consumer.slots != nil:
	case p.consumer.ordered != nil:
		p.consumer.slots = make(chan struct{}, 1)
	default:
		p.consumer.slots = make(chan struct{}, p.consumer.limits.Concurrency)
	}
}

// end ends the workers that wait, where nothing has come since the last call. A worker
// takes either a delivery or its end, so a route that handles one message at a time
// keeps their order. Those that are at work go on.
func (p *pool) end() {
	if p.s.busy.Swap(false) {
		return
	}
	for p.dismissOne() {
		p.first = p.s.current.Load().deliveries
	}
	if p.first != nil {
		p.close()
	}
}

// dismissOne returns false where no worker waits.
func (p *pool) dismissOne() bool {
	select {
	case p.s.dismiss <- struct{}{}:
		return true
	default:
		return false
	}
}

func (p *pool) close() {
	if p.ticker != nil {
		p.ticker.Stop()
		p.ticker = nil
	}
}

// work takes one delivery after the other, the first one aside, until it is dismissed,
// the subscription ends or the broker stops. With its first delivery it starts the next
// one of as many workers as there may be, so that somebody waits for what comes
// meanwhile. Where a handler ends the goroutine, another one takes over.
func (c *consumer) work(s *subscription, first *amqp.Delivery, workers int) {
	finished := false
	defer func() {
		if !finished {
			c.broker.running.Go(func() { c.work(s, nil, workers) })
		}
	}()
	for {
		var d amqp.Delivery
		ok := true
		if first != nil {
			d, first = *first, nil
		} else {
			d, ok = s.next(c.broker.accepting)
		}
		if ok && workers > 1 {
			next := workers - 1
			c.broker.running.Go(func() { c.work(s, nil, next) })
		}
		workers = 0
		if !ok || !c.inPlace(s, &d) {
			finished = true
			s.acks.flush()
			return
		}
	}
}

// inPlace handles d when there is a place for it: handlers of an earlier subscription
// that still run have theirs. It returns false where the subscription has ended before.
func (c *consumer) inPlace(s *subscription, d *amqp.Delivery) bool {
	select {
	case c.slots <- struct{}{}:
	default:
		select {
		case c.slots <- struct{}{}:
		case <-s.ended:
			return false
		case <-c.broker.accepting.Done():
			return false
		}
	}
	defer func() { <-c.slots }()
	if c.ordered != nil {
		c.line(s, d)
	} else {
		c.handle(s, d)
	}
	return true
}

// line puts a delivery of an ordered route into the line of its key.
func (c *consumer) line(s *subscription, d *amqp.Delivery) {
	delivery := c.delivery(s, d)
	c.offset.take(delivery)
	c.ordered.Add(&turn{c: c, s: s}, delivery)
}

package rabbitmq

import (
	"errors"
	"fmt"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/consuming"
)

// errStale: the channel has gone, and the settlements with it. The server
// delivers the messages again.
var errStale = errors.New("the channel has gone, so the delivery isn't settled and comes again")

// delivery returns d as the handlers of the route get it. It takes over d's memory.
func (c *consumer) delivery(s *subscription, d *amqp.Delivery) *runtime.Delivery {
	delivery := s.link.delivery(d)
	if c.route.Queue.PerInstance {
		delivery.Instance = c.broker.instance
	}
	return delivery
}

// handle runs d through the route and settles it, so that what becomes of the
// messages keeps their order. A copy that has to be confirmed first has a goroutine
// of its own.
func (c *consumer) handle(s *subscription, d *amqp.Delivery) {
	outcome := runtime.Outcome{Settlement: runtime.Requeue, Err: consuming.ErrGoexit}
	delivery := c.delivery(s, d)
	if c.sizer != nil {
		c.sizer.Note(len(d.Body))
	}
	c.offset.take(delivery)
	if c.route.AckMode == runtime.AckByHand {
		c.handleByHand(s, delivery)
		return
	}
	defer func() {
		if outcome.Pending() {
			c.broker.running.Go(func() { c.conclude(s, delivery, outcome) })
			return
		}
		c.conclude(s, delivery, outcome)
	}()
	outcome = c.process(s, delivery)
}

// process runs d through the route. Of a route that acknowledges first, it does so
// before, and doesn't handle what can't be acknowledged.
func (c *consumer) process(s *subscription, d *runtime.Delivery) runtime.Outcome {
	if c.route.AckMode == runtime.AckFirst {
		if err := s.acks.now(consuming.Settlement{Delivery: d}); err != nil {
			return runtime.Outcome{Settlement: runtime.Requeue, Err: stale(err)}
		}
	}
	return runtime.Process(s.handling, c.route, d, c.broker)
}

// conclude sends the copy of a message that failed, where there is one, and settles
// the delivery. One that has failed again and goes back to its queue is held back.
func (c *consumer) conclude(s *subscription, d *runtime.Delivery, outcome runtime.Outcome) {
	if outcome.Pending() {
		outcome.Conclude(c.broker.handling, restoringTransport{c.broker, c})
	}
	consuming.LogFailure(c.log, d, outcome)
	if outcome.Settlement == runtime.Requeue && d.Redelivered {
		c.holdBack(s, d)
		return
	}
	c.settle(s, d, outcome.Settlement)
}

// settle settles d with the server, at once or, for acknowledgements, soon.
func (c *consumer) settle(s *subscription, d *runtime.Delivery, settlement runtime.Settlement) {
	end := consuming.Settlement{Delivery: d, End: settlement}
	if settlement != runtime.Requeue {
		c.offset.done(d)
	}
	switch {
	case c.route.AckMode == runtime.AckFirst: // it was settled before
		c.settled([]consuming.Settlement{end}, nil)
	case settlement == runtime.Requeue && c.offset.isStream: // which takes nothing back: it is read again from there
		c.later(s, func() { _ = s.link.ask(s.channel.Close) })
		c.settled([]consuming.Settlement{end}, nil)
	case settlement == runtime.Requeue, settlement == runtime.Refuse:
		c.settled([]consuming.Settlement{end}, s.acks.now(end))
	default:
		s.acks.ack(end)
	}
}

// handleByHand runs d through the route, and leaves it unsettled where the handler does.
func (c *consumer) handleByHand(s *subscription, d *runtime.Delivery) {
	s.unsettled.Handle(d,
		func() runtime.Outcome { return runtime.Process(s.handling, c.route, d, c.broker) },
		func(outcome runtime.Outcome) error { return c.settleByHand(s, d, outcome) })
}

// settleByHand sends the copy of a message that failed, where there is one, and settles
// the delivery at once.
func (c *consumer) settleByHand(s *subscription, d *runtime.Delivery, outcome runtime.Outcome) (err error) {
	if outcome.Pending() {
		outcome.Conclude(c.broker.handling, restoringTransport{c.broker, c})
		if outcome.Settlement == runtime.Requeue {
			err = outcome.Err
		}
	}
	consuming.LogFailure(c.log, d, outcome)
	if outcome.Settlement == runtime.Requeue && d.Redelivered {
		c.holdBack(s, d)
		return err
	}
	if outcome.Settlement == runtime.Requeue && c.offset.isStream {
		c.settle(s, d, outcome.Settlement)
		return err
	}
	if outcome.Settlement != runtime.Requeue {
		c.offset.done(d)
	}
	end := consuming.Settlement{Delivery: d, End: outcome.Settlement}
	lost := s.acks.now(end)
	c.settled([]consuming.Settlement{end}, lost)
	if lost != nil {
		return fmt.Errorf("%w: %w", runtime.ErrLost, lost)
	}
	return err
}

// A turn is a delivery of an ordered route.
type turn struct {
	c    *consumer
	s    *subscription
	gone bool // it was acknowledged first
}

// Process implements [consuming.Turn].
func (t *turn) Process(d *runtime.Delivery) runtime.Outcome {
	t.gone = t.c.route.AckMode == runtime.AckFirst
	return t.c.process(t.s, d)
}

// Settle implements [consuming.Turn].
func (t *turn) Settle(d *runtime.Delivery, settlement runtime.Settlement) {
	if settlement == runtime.Requeue && t.c.route.AckMode != runtime.AckFirst {
		t.c.settled([]consuming.Settlement{{Delivery: d, End: settlement}}, nil)
		return
	}
	t.c.settle(t.s, d, settlement)
}

// IsStale implements [consuming.Turn].
func (t *turn) IsStale() bool { return t.gone || t.s.hasEnded() }

// Lost implements [consuming.Turn].
func (t *turn) Lost() <-chan struct{} { return t.s.ended }

// settled reports the settlement of deliveries to their middleware, and a failure
// to the log as well. The library's channel refuses to send after its end and is
// never opened again, so a stale tag can't reach another channel.
func (c *consumer) settled(ds []consuming.Settlement, err error) {
	if err != nil {
		err = stale(err)
		c.log.Warn("deliveries not settled", "count", len(ds), "error", err)
	}
	consuming.Settled(c.log, ds, err)
}

// stale turns an error of the channel into errStale: the channel has gone, whether
// the library knows that already or fails to write.
func stale(err error) error {
	if errors.Is(err, amqp.ErrClosed) {
		return errStale
	}
	return fmt.Errorf("%w: %w", errStale, err)
}

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

// handle runs d through the route and settles it, so that what becomes of the
// messages keeps their order. A copy that has to be confirmed first has a goroutine
// of its own.
func (c *consumer) handle(s *subscription, d *amqp.Delivery) {
	outcome := runtime.Outcome{Settlement: runtime.Requeue, Err: consuming.ErrGoexit}
	delivery := s.link.delivery(d)
	if c.sizer != nil {
		c.sizer.Note(len(d.Body))
	}
	defer func() {
		if outcome.Pending() {
			c.broker.running.Go(func() { c.conclude(s, delivery, outcome) })
			return
		}
		c.conclude(s, delivery, outcome)
	}()
	c.offset.take(delivery)
	outcome = runtime.Process(s.handling, c.route, delivery, c.broker)
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
	} else if c.offset.isStream { // which takes nothing back: it is read again from there
		s.hold.Add(func() { _ = s.link.ask(s.channel.Close) })
		c.settled([]consuming.Settlement{end}, nil)
		return
	}
	switch settlement {
	case runtime.Requeue, runtime.Refuse:
		c.settled([]consuming.Settlement{end}, s.acks.refuse(end))
	default:
		s.acks.ack(end)
	}
}

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

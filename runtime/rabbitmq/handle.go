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
// messages keeps their order. A delivery that has failed again is held meanwhile
// by a goroutine of its own.
func (c *consumer) handle(s *subscription, d *amqp.Delivery) {
	settlement, err := runtime.Requeue, consuming.ErrGoexit
	delivery := s.link.delivery(d)
	defer func() {
		if err != nil {
			c.log.Error("delivery failed", "settlement", settlement.String(), "error", err)
		}
		if settlement != runtime.Requeue || !d.Redelivered {
			c.settle(s, delivery, settlement)
			return
		}
		c.broker.running.Go(func() {
			c.hold(s)
			c.settle(s, delivery, settlement)
		})
	}()
	settlement, err = runtime.Process(c.broker.handling, c.route, delivery, c.broker)
}

// settle settles d with the server, at once or, for acknowledgements, soon.
func (c *consumer) settle(s *subscription, d *runtime.Delivery, settlement runtime.Settlement) {
	if settlement == runtime.Ack {
		s.acks.ack(d)
		return
	}
	err := s.acks.refuse(d, settlement)
	c.settled(settlement, []*runtime.Delivery{d}, err)
}

// acknowledged is called when acknowledgements were sent, or couldn't be.
func (c *consumer) acknowledged(ds []*runtime.Delivery, err error) {
	c.settled(runtime.Ack, ds, err)
}

// settled reports the settlement of deliveries to their middleware, and a failure
// to the log as well. The library's channel refuses to send after its end and is
// never opened again, so a stale tag can't reach another channel.
func (c *consumer) settled(settlement runtime.Settlement, ds []*runtime.Delivery, err error) {
	if err != nil {
		err = stale(err)
		c.log.Warn("deliveries not settled", "settlement", settlement.String(), "count", len(ds), "error", err)
	}
	for _, d := range ds {
		d.Settled(settlement, err)
	}
}

// stale turns an error of the channel into errStale: the channel has gone, whether
// the library knows that already or fails to write.
func stale(err error) error {
	if errors.Is(err, amqp.ErrClosed) {
		return errStale
	}
	return fmt.Errorf("%w: %w", errStale, err)
}

// hold waits for the redelivery delay, or until the broker stops or the
// subscription ends.
func (c *consumer) hold(s *subscription) {
	wait(c.broker.config.RedeliveryDelay, c.broker.accepting.Done(), s.ended)
}

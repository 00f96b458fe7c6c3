package rabbitmq

import (
	"errors"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/warrenmq/warren/runtime"
)

var (
	// errGoexit stands for the result of a handler that has none.
	errGoexit = errors.New("the handler ended its goroutine, as testing.T.FailNow does")

	// errStale: the delivery's channel has gone, and the settlement with it. The
	// server delivers the message again.
	errStale = errors.New("the channel of the delivery has gone, so it isn't settled and comes again")
)

// handle runs d through the route and settles it, so that what becomes of the
// messages keeps their order. A delivery that has failed again is held meanwhile
// by a goroutine of its own.
func (c *consumer) handle(s *subscription, d *amqp.Delivery) {
	settlement, err := runtime.Requeue, errGoexit
	delivery := fromDelivery(d)
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

func (c *consumer) settle(s *subscription, d *runtime.Delivery, settlement runtime.Settlement) {
	err := s.settle(d.Tag, settlement)
	if err != nil {
		c.log.Warn("delivery not settled", "settlement", settlement.String(), "error", err)
	}
	d.Settled(settlement, err)
}

// hold waits for the redelivery delay, or until the broker stops or the
// subscription ends.
func (c *consumer) hold(s *subscription) {
	wait(c.broker.config.RedeliveryDelay, c.broker.accepting.Done(), s.ended)
}

// settle tells the server what becomes of a delivery of this subscription. The
// library's channel refuses to send after its end and is never opened again, so
// a stale tag can't reach another channel.
func (s *subscription) settle(tag uint64, settlement runtime.Settlement) error {
	var err error
	switch settlement {
	case runtime.Ack:
		err = s.channel.Ack(tag, false)
	case runtime.Drop:
		err = s.channel.Nack(tag, false, false)
	default:
		err = s.channel.Nack(tag, false, true)
	}
	if errors.Is(err, amqp.ErrClosed) {
		return errStale
	}
	return err
}

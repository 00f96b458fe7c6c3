package rabbitmq

import (
	"errors"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/warrenmq/warren/runtime"
)

var (
	// errGoexit stands for the result of a handler that has none.
	errGoexit = errors.New("the handler ended its goroutine, as testing.T.FailNow does")

	// errStale: the channel has gone, and the settlements with it. The server
	// delivers the messages again.
	errStale = errors.New("the channel of the deliveries has gone, so they come again")
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
	count, err := s.settle(d.Tag, settlement)
	c.unsettled(settlement, count, err)
	d.Settled(settlement, err)
}

// flush sends the acknowledgements that s holds.
func (c *consumer) flush(s *subscription) {
	count, err := s.acks.flush()
	c.unsettled(runtime.Ack, count, err)
}

// unsettled logs that count deliveries couldn't be settled. The library's channel
// refuses to send after its end and is never opened again, so a stale tag can't
// reach another channel.
func (c *consumer) unsettled(settlement runtime.Settlement, count int, err error) {
	if err == nil {
		return
	}
	if errors.Is(err, amqp.ErrClosed) {
		err = errStale
	}
	c.log.Warn("deliveries not settled", "settlement", settlement.String(), "count", count, "error", err)
}

// hold waits for the redelivery delay, or until the broker stops or the
// subscription ends.
func (c *consumer) hold(s *subscription) {
	wait(c.broker.config.RedeliveryDelay, c.broker.accepting.Done(), s.ended)
}

// settle tells the server what becomes of a delivery of this subscription. On an
// error, count deliveries weren't settled.
func (s *subscription) settle(tag uint64, settlement runtime.Settlement) (count int, err error) {
	if settlement == runtime.Ack {
		return s.acks.ack(tag)
	}
	return 1, s.acks.refuse(tag, settlement != runtime.Drop)
}

package rabbitmq

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	goruntime "runtime"
	"strings"
	"sync"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/warrenmq/warren/runtime"
)

// A consumer handles the deliveries of one route, over all its subscriptions.
type consumer struct {
	broker *Broker
	route  *runtime.Route
	log    *slog.Logger
	slots  chan struct{} // as many as handlers may run at a time
	last   *subscription // that was good when the broker stopped, nil if none was
}

func (b *Broker) consumers(routes []runtime.Route) []*consumer {
	consumers := make([]*consumer, len(routes))
	for i := range routes {
		consumers[i] = &consumer{
			broker: b,
			route:  &routes[i],
			log:    b.config.Logger.With("route", routes[i].Name, "queue", routes[i].Queue.Name),
			slots:  make(chan struct{}, b.config.Concurrency),
		}
	}
	return consumers
}

// A subscription is an incarnation of a consumer: one channel, from its opening
// to its end. Deliveries are settled on the subscription that they came with.
type subscription struct {
	link       *link
	channel    *amqp.Channel
	acks       *acks
	deliveries <-chan amqp.Delivery
	ended      chan struct{} // closed when no more deliveries come
	cause      error         // why, once ended is closed
}

// subscribe declares all routes and then begins to consume them. Nothing is
// handled yet, so on an error the caller closes the link and all is as before.
func subscribe(ctx context.Context, l *link, consumers []*consumer) (_ []*subscription, err error) {
	release := l.guard(ctx)
	defer func() {
		if !release() { // what the library says of the closed socket may mislead
			err = fmt.Errorf("start: declare and consume the routes: %w", ctx.Err())
		}
	}()
	channel, err := l.conn.Channel()
	if err != nil {
		return nil, fmt.Errorf("start: open a channel: %w", err)
	}
	for _, c := range consumers {
		if err := declare(channel, c.route); err != nil {
			return nil, err
		}
	}
	if err := channel.Close(); err != nil {
		return nil, fmt.Errorf("start: close a channel: %w", err)
	}
	subscriptions := make([]*subscription, len(consumers))
	for i, c := range consumers {
		if subscriptions[i], err = c.subscribe(l); err != nil {
			return nil, err
		}
	}
	return subscriptions, nil
}

// resubscribe declares the route again, since what it needs may have gone, and
// consumes.
func (c *consumer) resubscribe(l *link) (s *subscription, err error) {
	err = l.ask(func() error {
		channel, err := c.openChannel(l)
		if err != nil {
			return err
		}
		if err := declare(channel, c.route); err != nil {
			channel.Close()
			return err
		}
		s, err = c.consumeOn(l, channel)
		return err
	})
	return s, err
}

// subscribe opens a channel and consumes the route's queue on it.
func (c *consumer) subscribe(l *link) (*subscription, error) {
	channel, err := c.openChannel(l)
	if err != nil {
		return nil, err
	}
	return c.consumeOn(l, channel)
}

func (c *consumer) openChannel(l *link) (*amqp.Channel, error) {
	channel, err := l.conn.Channel()
	if err != nil {
		return nil, fmt.Errorf("open a channel for route %q: %w", c.route.Name, err)
	}
	return channel, nil
}

// consumeOn consumes the route's queue on channel, which it closes on an error.
func (c *consumer) consumeOn(l *link, channel *amqp.Channel) (_ *subscription, err error) {
	defer func() {
		if err != nil {
			channel.Close()
		}
	}()
	s := &subscription{link: l, channel: channel, ended: make(chan struct{})}
	s.acks = newAcks(channel, c.broker.config.AckBatch, c.settled)
	s.watch()
	if err := channel.Qos(c.broker.config.Prefetch, 0, false); err != nil {
		return nil, fmt.Errorf("set the prefetch of route %q: %w", c.route.Name, err)
	}
	s.deliveries, err = channel.Consume(c.route.Queue.Name, c.route.Name, false, false, false, false, nil)
	if err != nil {
		return nil, fmt.Errorf("consume queue %q for route %q: %w", c.route.Queue.Name, c.route.Name, explain(err))
	}
	return s, nil
}

// consume runs the consumers until the broker stops, over as many connections
// as it takes. The last one is closed after all handlers have returned.
func (b *Broker) consume(l *link, consumers []*consumer, subscriptions []*subscription) {
	session := func(l *link) {
		var routes sync.WaitGroup
		for i, c := range consumers {
			var first *subscription
			if subscriptions != nil {
				first = subscriptions[i]
			}
			routes.Go(func() { c.run(l, first) })
		}
		routes.Wait()
		subscriptions = nil
		if b.accepting.Err() != nil {
			b.running.Wait()
			for _, c := range consumers {
				c.giveBack()
			}
		}
	}
	b.supervise(b.accepting, "consuming", l, session, func(error) {})
	b.running.Wait() // those whose connection had gone
}

// run consumes on one link, subscribing again whenever the channel ends or the
// server cancels, until the link ends or the broker stops.
func (c *consumer) run(l *link, s *subscription) {
	stopping := c.broker.accepting
	ended := func() bool { return stopping.Err() != nil || l.hasEnded() }
	var pause backoff
	for {
		if s == nil {
			wait(pause.next(), stopping.Done(), l.dead)
			if ended() {
				return
			}
			var err error
			if s, err = c.resubscribe(l); err != nil {
				if !ended() {
					c.log.Error("can't consume, trying again", "error", err)
				}
				continue
			}
			c.log.Info("consuming")
		}
		began := time.Now()
		if err := c.receive(s); err != nil && !ended() {
			c.log.Warn("consuming interrupted", "error", explainEnd(err))
		}
		pause.lasted(time.Since(began))
		s = nil
	}
}

var (
	errCancelled = errors.New("the server cancelled it: the queue was deleted")
	errEnded     = errors.New("its channel was closed")
)

// explainEnd adds the remedy to the end of a channel.
func explainEnd(err error) error {
	var closed *amqp.Error
	if errors.As(err, &closed) && closed.Code == amqp.PreconditionFailed && strings.Contains(closed.Reason, "timed out") {
		return fmt.Errorf("a delivery wasn't settled within the server's consumer_timeout, which begins when it is sent: "+
			"lower Prefetch, make the handler faster, or raise the limit by the queue's argument x-consumer-timeout: %w", err)
	}
	return err
}

// receive handles deliveries until the subscription ends, and says why. When the
// broker stops, it cancels the subscription, which stays good for settlements.
func (c *consumer) receive(s *subscription) error {
	for range cap(c.slots) {
		c.broker.running.Go(func() { c.work(s) })
	}
	select {
	case <-s.ended:
		_ = s.link.ask(s.channel.Close) // a cancelled subscription still has it
		return s.cause
	case <-c.broker.accepting.Done():
		c.last = s
		// It fails where the channel has ended, too.
		_ = s.link.ask(func() error { return s.channel.Cancel(c.route.Name, false) })
		return nil
	}
}

// giveBack returns the unhandled deliveries, when all handlers have settled
// theirs. The end of the channel would return them too, but from RabbitMQ 4.3 on, a
// quorum queue counts only that against its delivery limit.
func (c *consumer) giveBack() {
	if c.last != nil {
		const all = 0
		_ = c.last.channel.Nack(all, true, true) // fails where the channel has ended
	}
}

// work handles one delivery after the other, until the subscription ends or the
// broker stops. It needs a slot: handlers of an earlier subscription that still
// run have theirs. Where a handler ends the goroutine, another one takes over.
func (c *consumer) work(s *subscription) {
	stop := c.broker.accepting.Done()
	select {
	case c.slots <- struct{}{}:
	case <-s.ended:
		return
	case <-stop:
		return
	}
	finished := false
	defer func() {
		<-c.slots
		if !finished {
			c.broker.running.Go(func() { c.work(s) })
		}
	}()
	for {
		d, ok := c.next(s)
		if !ok {
			finished = true
			s.acks.flush()
			return
		}
		c.handle(s, &d)
	}
}

// next returns the next delivery, and sends acknowledgements where it has to wait
// for it. It returns false when there is none any more.
func (c *consumer) next(s *subscription) (amqp.Delivery, bool) {
	stop := c.broker.accepting.Done()
	d, open := s.waiting()
	if !open {
		s.acks.flush()
		select {
		case d, open = <-s.deliveries:
		case <-s.ended:
		case <-stop:
		}
	}
	return d, open && !s.hasEnded() && c.broker.accepting.Err() == nil
}

// waiting returns a delivery that has come already. The library hands them over
// one by one from a goroutine, which gets a chance to do so.
func (s *subscription) waiting() (amqp.Delivery, bool) {
	for range 2 {
		select {
		case d, open := <-s.deliveries:
			return d, open
		default:
			goruntime.Gosched()
		}
	}
	return amqp.Delivery{}, false
}

// hasEnded reports whether deliveries can't be settled any more, so that those
// which are left aren't worth handling.
func (s *subscription) hasEnded() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

// watch notes the end of the subscription. The goroutine ends with the channel.
func (s *subscription) watch() {
	cancelled := s.channel.NotifyCancel(make(chan string, 1))
	closed := s.channel.NotifyClose(make(chan *amqp.Error, 1))
	go func() {
		defer close(s.ended)
		if _, open := <-cancelled; open {
			s.cause = errCancelled
			return
		}
		s.cause = errEnded
		if err, failed := <-closed; failed {
			s.cause = err
		}
	}()
}

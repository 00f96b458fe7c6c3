package rabbitmq

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/consuming"
)

// A consumer handles the deliveries of one route, over all its subscriptions.
type consumer struct {
	broker *Broker
	route  *runtime.Route
	limits consuming.Limits
	log    *slog.Logger
	watch  *consuming.Watch
	sizer  *consuming.Sizer // nil where the bytes of its deliveries have no limit
	offset streamPosition
	slots  chan struct{} // as many as handlers may run at a time; one that puts deliveries in line of an ordered route; nil before the first delivery

	ordered *consuming.Ordered // nil of a route without an order

	current atomic.Pointer[subscription] // nil while it doesn't consume

	last *subscription // that was good when the broker stopped, nil if none was

	plainCancel atomic.Bool // its queue's type doesn't take cancelArgument

	risky     atomic.Bool // a connection has ended while the route was being declared
	retry     time.Time   // when to try to consume again, over another connection as well
	consuming problem     // why it doesn't consume
	topology  problem     // what of its topology isn't as it was declared
}

func (b *Broker) newConsumers(routes []runtime.Route) []*consumer {
	consumers, limits := make([]*consumer, len(routes)), b.config.limits()
	for i := range routes {
		route := &routes[i]
		c := &consumer{
			broker: b,
			route:  route,
			limits: limits.Of(route),
			log:    b.config.Logger.With("route", route.Name, "queue", route.Queue.Name),
		}
		c.watch = consuming.NewWatch(c.limits, c.log, c.overlook)
		c.sizer = consuming.NewSizer(c.limits, route.Handler.BatchSize())
		c.plainCancel.Store(!takesCancelArgument(route))
		c.offset.isStream = route.Queue.Arguments["x-queue-type"] == "stream"
		route.Timeout, route.Handler = c.limits.Timeout, route.Handler.With(c.watch.Middleware)
		if route.Handler.BatchSize() > 0 {
			context.AfterFunc(b.accepting, route.Flush)
		}
		if !route.Order.IsZero() {
			c.ordered = consuming.NewOrdered(route, c.limits, restoringTransport{b, c}, c.log, b.handling, b.accepting.Done(), b.running.Go)
			consuming.WarnOfOrder(c.log, route)
		}
		consumers[i] = c
	}
	return consumers
}

// subscribe declares all routes and then begins to consume them. Nothing is
// handled yet, so on an error the caller closes the link and all is as before.
func (b *Broker) subscribe(ctx context.Context, l *link, consumers []*consumer) (_ []*subscription, err error) {
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
	if err := b.declareAll(channel, l, consumers); err != nil {
		return nil, err
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

// declareAll declares everything that the router has.
func (b *Broker) declareAll(channel *amqp.Channel, l *link, consumers []*consumer) error {
	d := declarer{channel: channel, mode: b.config.Topology}
	if err := d.queuesAndExchanges(&b.declared); err != nil {
		return err
	}
	for _, c := range consumers {
		route := c.route.ForInstance(l.instance)
		if err := d.route(&route); err != nil {
			return err
		}
	}
	return d.bindingsOf(&b.declared)
}

// resubscribe declares the route again, since what it needs may have gone, and
// consumes.
func (c *consumer) resubscribe(l *link) (*subscription, error) {
	if c.risky.Load() {
		if err := c.probe(l); err != nil {
			return nil, err
		}
		c.risky.Store(false)
	}
	route := c.route.ForInstance(l.instance)
	stop := c.broker.accepting
	var s *subscription
	declared := false
	err := l.askUntil(stop.Done(), func() error {
		channel, err := c.openChannel(l)
		if err != nil {
			return err
		}
		if err = c.redeclarer(channel).route(&route); err == nil && stop.Err() != nil {
			err = errStopped
		}
		if err != nil {
			channel.Close()
			return err
		}
		declared = true
		s, err = c.consumeOn(l, channel)
		return err
	})
	if errors.Is(err, errStopped) {
		return nil, err
	}
	c.risky.Store(!declared && endsConnection(err) || errors.Is(err, errNoAnswer))
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
		return nil, fmt.Errorf("open a channel for route %q: %w", c.route.Name, explainChannel(err))
	}
	return channel, nil
}

// consume runs the consumers until the broker stops, over as many connections
// as it takes. The last one is closed after all handlers have returned.
func (b *Broker) consume(l *link, consumers []*consumer, subscriptions []*subscription) {
	session := func(l *link) {
		var routes, upkeep sync.WaitGroup
		first := subscriptions != nil
		upkeep.Go(func() {
			next := b.upkeepPeriod
			if !first {
				next = b.redeclare(l)
			}
			b.keepUp(l, consumers, next)
		})
		for i, c := range consumers {
			var subscribed *subscription
			if first {
				subscribed = subscriptions[i]
			}
			routes.Go(func() { c.run(l, subscribed) })
		}
		routes.Wait()
		upkeep.Wait()
		subscriptions = nil
		if b.accepting.Err() != nil {
			b.running.Wait()
			for _, c := range consumers {
				c.giveBack()
			}
		}
	}
	b.supervise(b.accepting, "consuming", l, session, b.connection.set)
	b.running.Wait() // those whose connection had gone
}

// overlook keeps the delivery of a stuck handler from counting for the prefetch. It may
// be one of an earlier subscription: then the present one takes over too early, which
// does no harm.
func (c *consumer) overlook(*runtime.Delivery) {
	if s := c.current.Load(); s != nil {
		s.credit.take()
	}
}

// awaitHandlers waits while all handlers are stuck.
func (c *consumer) awaitHandlers(l *link) {
	select {
	case <-c.watch.Released():
	case <-c.broker.accepting.Done():
	case <-l.dead:
	}
}

// noteEnd tells the hooks why the route doesn't consume any more, while its connection
// goes on.
func (c *consumer) noteEnd(err error) {
	kind := runtime.EventChannelLost
	if errors.Is(err, errCancelled) {
		kind = runtime.EventConsumerCancelled
	}
	c.broker.emit(runtime.Event{Kind: kind, Connection: "consuming", Err: explainEnd(err)}, c)
}

var (
	errCancelled = errors.New("the server cancelled it: the queue was deleted, or its node is down")
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

// forgetStale forgets what waits for its turn and comes again. What is at work stays, so
// that there would be more of it each time.
func (c *consumer) forgetStale() {
	if c.ordered != nil {
		c.ordered.Clean()
	}
}

// giveBack returns the unhandled deliveries, when all handlers have settled
// theirs. The end of the channel would return them too, but from RabbitMQ 4.3 on, a
// quorum queue counts only that against its delivery limit.
func (c *consumer) giveBack() {
	switch {
	case c.last == nil:
	case c.ordered != nil: // the end of the channel returns them as they were
		c.last.acks.flush()
	default:
		const all = 0
		_ = c.last.channel.Nack(all, true, true) // fails where the channel has ended
	}
}

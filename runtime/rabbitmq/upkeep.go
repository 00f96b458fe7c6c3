package rabbitmq

import (
	"context"
	"errors"
	"slices"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/warrenmq/warren/runtime"
)

const (
	// upkeepPeriod is how often the topology of the routes is declared again.
	upkeepPeriod = time.Minute

	// upkeepPause is how soon it is tried again where something isn't there yet.
	upkeepPause = time.Second

	// restoreTime is how long a sender waits for a queue or an exchange to come back.
	restoreTime = 5 * time.Second
)

// A restoring asks for what a sender misses to be declared again.
type restoring struct {
	meant    func(*consumer) bool // which routes declare it
	declared bool                 // what Router.Declare has is meant
	done     chan struct{}
}

// keepUp declares what the router needs again, from time to time and when a sender
// misses something: the server says nothing when an exchange or a binding is deleted, and the
// queue just stays empty. The first time is after next. It returns when the link ends or
// the broker stops. See docs/decisions/0040.
func (b *Broker) keepUp(l *link, consumers []*consumer, next time.Duration) {
	all := func(*consumer) bool { return true }
	timer := time.NewTimer(next)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
			declareAgain(l, consumers, all)
			timer.Reset(b.redeclare(l))
		case wanted := <-b.restoring:
			declareAgain(l, consumers, wanted.meant)
			if wanted.declared {
				b.redeclare(l)
			}
			close(wanted.done)
		case <-l.dead:
			return
		case <-b.accepting.Done():
			return
		}
	}
}

// declareAgain declares the routes that are meant and are consumed; the others
// declare theirs when they try to consume.
func declareAgain(l *link, consumers []*consumer, meant func(*consumer) bool) {
	for _, c := range consumers {
		if c.consuming.err() != nil || !meant(c) {
			continue
		}
		err := c.redeclare(l)
		if l.hasEnded() || c.broker.accepting.Err() != nil {
			return
		}
		if err != nil && c.topology.err() == nil {
			c.log.Error("the topology isn't as it was declared", "error", err)
		}
		if !isRefused(c.topology.err()) { // which the hooks know already
			c.noteRefused(err)
		}
		c.topology.set(err)
	}
}

func (c *consumer) redeclare(l *link) error {
	if c.risky.Load() {
		if err := c.probe(l); err != nil {
			return err
		}
		c.risky.Store(false)
	}
	route := c.route.ForInstance(l.instance)
	err := c.broker.onChannel(l, func(channel *amqp.Channel) error { return c.redeclarer(channel).route(&route) })
	c.risky.Store(endsConnection(err))
	return err
}

// redeclare declares what Router.Declare has, and returns when to do so again.
func (b *Broker) redeclare(l *link) time.Duration {
	if b.declared.IsEmpty() {
		return b.upkeepPeriod
	}
	declare := func(channel *amqp.Channel) error { return b.declareBeside(channel) }
	var err error
	if b.risky.Load() {
		err = b.apart(l, declare)
	}
	if err == nil {
		err = b.onChannel(l, declare)
		b.risky.Store(endsConnection(err))
	}
	if l.hasEnded() || b.accepting.Err() != nil {
		return b.upkeepPeriod
	}
	if err != nil && b.topology.err() == nil {
		b.config.Logger.Error("the topology isn't as it was declared", "error", err)
	}
	if isRefused(err) && !isRefused(b.topology.err()) {
		b.emit(runtime.Event{Kind: runtime.EventTopologyRefused, Connection: "consuming", Err: err}, nil)
	}
	b.topology.set(err)
	if err != nil && !isRefused(err) {
		return min(upkeepPause, b.upkeepPeriod)
	}
	return b.upkeepPeriod
}

func (b *Broker) declareBeside(channel *amqp.Channel) error {
	d := declarer{channel: channel, mode: b.config.Topology}
	if err := d.queuesAndExchanges(&b.declared); err != nil {
		return err // the channel has ended with it
	}
	return d.bindingsOf(&b.declared)
}

// onChannel does something on a channel of its own, and waits for it until the broker
// stops.
func (b *Broker) onChannel(l *link, do func(*amqp.Channel) error) error {
	return l.askUntil(b.accepting.Done(), func() error {
		channel, err := l.conn.Channel()
		if err != nil {
			return explainChannel(err)
		}
		defer channel.Close()
		return do(channel)
	})
}

// binds reports whether the route declares the exchange.
func (c *consumer) binds(exchange string) bool {
	return slices.ContainsFunc(c.route.Exchanges(), func(x runtime.Exchange) bool { return x.Name == exchange })
}

// restoreExchange has the exchange declared again where the router does so. It
// returns false where it doesn't, or not in time.
func (b *Broker) restoreExchange(exchange string) bool {
	binds := func(c *consumer) bool { return c.binds(exchange) }
	isNamed := func(x runtime.Exchange) bool { return x.Name == exchange }
	b.mu.Lock()
	declared := b.consumes && slices.ContainsFunc(b.declared.Exchanges, isNamed)
	found := declared || slices.ContainsFunc(b.consumers, binds)
	b.mu.Unlock()
	return found && b.restore(restoring{meant: binds, declared: declared})
}

// restore has what is wanted declared again, and returns false where that isn't done in
// time.
func (b *Broker) restore(wanted restoring) bool {
	if b.config.Topology != runtime.TopologyDeclare || b.connection.err() != nil {
		return false
	}
	timer := time.NewTimer(restoreTime)
	defer timer.Stop()
	wanted.done = make(chan struct{})
	select {
	case b.restoring <- wanted:
	case <-timer.C:
		return false
	case <-b.accepting.Done():
		return false
	}
	select {
	case <-wanted.done:
		return true
	case <-timer.C:
		return false
	}
}

// A restoringTransport sends the copies of a route's messages. Where the queue for one
// has gone, it has it declared again first.
type restoringTransport struct {
	*Broker
	consumer *consumer
}

// Publish sends msg, see [Broker.Publish].
func (t restoringTransport) Publish(ctx context.Context, to runtime.Address, msg *runtime.Message) error {
	err := t.Broker.Publish(ctx, to, msg)
	if !errors.Is(err, runtime.ErrUnroutable) || !t.restore(restoring{meant: func(c *consumer) bool { return c == t.consumer }}) {
		return err
	}
	return t.Broker.Publish(ctx, to, msg)
}

package rabbitmq

import (
	"errors"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

// upkeepPeriod is how often the topology of the routes is declared again.
const upkeepPeriod = time.Minute

// restoreTime is how long a sender waits for the exchange of a route to come back.
const restoreTime = 5 * time.Second

// A restoring asks for the exchange of a route to be declared again.
type restoring struct {
	exchange string
	done     chan struct{}
}

// keepUp declares what the routes need again, from time to time and when a sender
// misses an exchange: nobody says so when an exchange or a binding is deleted, and the
// queue just stays empty. It returns when the link ends or the broker stops.
// See docs/decisions/0040.
func (b *Broker) keepUp(l *link, consumers []*consumer) {
	ticker := time.NewTicker(b.upkeepPeriod)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			declareAgain(l, consumers, func(*consumer) bool { return true })
		case wanted := <-b.restoring:
			declareAgain(l, consumers, func(c *consumer) bool { return c.binds(wanted.exchange) })
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
		err := l.ask(func() error { return c.redeclare(l) })
		if l.hasEnded() {
			return
		}
		if err != nil && c.topology.err() == nil {
			c.log.Error("the topology isn't as it was declared", "error", err)
		}
		c.topology.set(err)
	}
}

func (c *consumer) redeclare(l *link) error {
	channel, err := c.openChannel(l)
	if err != nil {
		return err
	}
	defer channel.Close()
	return declare(channel, c.route)
}

// binds reports whether the route declares the exchange.
func (c *consumer) binds(exchange string) bool {
	return c.route.Exchange != nil && c.route.Exchange.Name == exchange
}

// restore has the exchange declared again where a route of the broker does so. It
// returns false where none does, or not in time.
func (b *Broker) restore(exchange string) bool {
	b.mu.Lock()
	consumers := b.consumers
	b.mu.Unlock()
	for _, c := range consumers {
		if c.binds(exchange) && b.connection.err() == nil {
			return b.awaitRestored(exchange)
		}
	}
	return false
}

func (b *Broker) awaitRestored(exchange string) bool {
	timer := time.NewTimer(restoreTime)
	defer timer.Stop()
	wanted := restoring{exchange, make(chan struct{})}
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

// isRefused reports whether the server has refused a declaration, so that asking again
// is of little use before somebody changes something.
func isRefused(err error) bool {
	var refused *amqp.Error
	if !errors.As(err, &refused) || !refused.Server {
		return false
	}
	switch refused.Code {
	case amqp.PreconditionFailed, amqp.AccessRefused, amqp.CommandInvalid, amqp.NotAllowed, amqp.NotImplemented:
		return true
	default:
		return false
	}
}

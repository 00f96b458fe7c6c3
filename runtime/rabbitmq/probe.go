package rabbitmq

import (
	"context"
	"errors"
	"fmt"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/warrenmq/warren/runtime"
)

// maxProbes bounds the connections on which declarations are tried at a time.
const maxProbes = 8

// A provenRefusal is the server's answer to the declarations of one route, on a
// connection that had nothing else on it.
type provenRefusal struct{ cause error }

func (r *provenRefusal) Error() string { return r.cause.Error() }

func (r *provenRefusal) Unwrap() error { return r.cause }

// errAbandoned: nothing is known of the declaration.
var errAbandoned = errors.New("a declaration was being tried on a connection of its own when the consuming connection ended: it is tried again after the next one is made")

// probe declares the route on a connection of its own, where one has ended while the
// route was being declared, by the server or for want of an answer: the other routes would
// lose theirs again. An exclusive queue ends with the probe. See docs/decisions/0046.
func (c *consumer) probe(current *link) error {
	return c.broker.apart(current, func(channel *amqp.Channel) error {
		route := c.route.ForInstance("probe-" + c.broker.instance)
		return c.redeclarer(channel).route(&route)
	})
}

// apart declares something on a connection of its own. One that isn't answered there
// either isn't refused, and stays apart. It gives up at once when the broker stops or the
// current consuming connection ends: no route consumes again before all have ended theirs.
func (b *Broker) apart(current *link, declare func(*amqp.Channel) error) error {
	ctx, stop := current.during(b.accepting)
	defer stop()
	err := b.declareApart(ctx, declare)
	if err != nil && ctx.Err() != nil { // what the library says of the closed socket may mislead
		return errAbandoned
	}
	return err
}

func (b *Broker) declareApart(ctx context.Context, declare func(*amqp.Channel) error) error {
	select {
	case b.probing <- struct{}{}:
		defer func() { <-b.probing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	l, err := b.dial(ctx, "declaring")
	if err != nil {
		return err
	}
	defer l.guard(ctx)() // a clean close waits for the server as well
	defer l.close(b.closeTimeout)
	return l.ask(func() error {
		channel, err := l.conn.Channel()
		if err != nil {
			return fmt.Errorf("open a channel: %w", err)
		}
		defer channel.Close()
		if err = declare(channel); endsConnection(err) {
			return &provenRefusal{err}
		}
		return err
	})
}

// isRefused reports whether the server has refused a declaration, so that asking again
// is of little use before somebody changes something. What ends a connection ends the
// declarations of all who share it, so it is one only where it was alone there.
func isRefused(err error) bool {
	var proven *provenRefusal
	var refused *amqp.Error
	switch {
	case errors.As(err, &proven), errors.Is(err, errDeleted):
		return true
	case !errors.As(err, &refused) || !refused.Server:
		return false
	default:
		return refused.Code == amqp.PreconditionFailed || refused.Code == amqp.AccessRefused
	}
}

// redeclarer declares for the consumer on a channel, as it was done before.
func (c *consumer) redeclarer(channel *amqp.Channel) declarer {
	return declarer{channel: channel, mode: c.broker.config.Topology, again: true}
}

// refused notes an error of the route's declarations for Ready and the hooks.
func (c *consumer) noteRefused(err error) {
	if isRefused(err) {
		c.broker.emit(runtime.Event{Kind: runtime.EventTopologyRefused, Connection: "consuming", Err: err}, c)
	}
}

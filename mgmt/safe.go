package mgmt

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"
)

// An Inspector asks a broker over AMQP, by a passive declare, how many messages
// are ready in a queue and how many consumers it has now, which the management
// API doesn't know. Package mgmt/passive has one.
//
// An implementation obeys ctx and is safe for concurrent use. It returns an
// error if the queue doesn't exist, and changes nothing. The virtual host is
// never empty.
type Inspector interface {
	InspectQueue(ctx context.Context, vhost, queue string) (ready, consumers int, err error)
}

// SafeDeleteQueue deletes a queue if it has neither messages nor consumers, and
// fails with ErrInUse otherwise. It never trusts the API's message count, which
// is up to 5 seconds old and absent of a new queue.
//
// The broker checks both in the step that deletes a classic queue, and the
// inspector may be nil. There is no such step for quorum queues: the inspector
// is asked just before, and a message that is published in between is lost.
// Stop the publishers first, or unbind the queue. Messages that a get or a
// cancelled consumer has taken and not acknowledged aren't counted in time. A
// stream keeps messages that were read, and isn't counted at all (3.10 says 0
// over AMQP too), so it is always in use.
func SafeDeleteQueue(ctx context.Context, c *Client, vhost, name string, inspector Inspector) error {
	queue, err := c.Queue(ctx, vhost, name)
	if err != nil {
		return err
	}
	r := get("delete queue safely", name, orDefault(vhost), path{})
	switch {
	case queue.Type == "classic":
		return c.DeleteQueue(ctx, vhost, name, IfEmpty, IfUnused)
	case queue.Type == "stream":
		return r.fail(fmt.Errorf("%w: it is a stream, of which that can't be known: use DeleteQueue", ErrInUse))
	case inspector == nil:
		return r.fail(fmt.Errorf("%w, for a queue of type %q", ErrNoInspector, queue.Type))
	}
	ready, consumers, err := inspector.InspectQueue(ctx, orDefault(vhost), name)
	if err != nil {
		return r.fail(err)
	}
	// An old count of unacknowledged messages can't show that there are none, but
	// it can show that there are some.
	if unacknowledged := queue.Unacknowledged.Or(0); ready > 0 || consumers > 0 || unacknowledged > 0 {
		return r.fail(fmt.Errorf("%w: %d ready, %d unacknowledged, %d consumers", ErrInUse, ready, unacknowledged, consumers))
	}
	return c.DeleteQueue(ctx, vhost, name)
}

// SafeMigrateQueue moves the bindings and the messages of the queue from to the
// queue to, both of which exist, and then deletes from as [SafeDeleteQueue]
// does. Streams and auto-delete queues are refused as from. A shovel moves the
// messages, so the plugin rabbitmq_shovel has to be enabled.
//
// Nothing is lost: a message is acknowledged in from when to has confirmed it,
// and to is bound before from is unbound. Messages that are published in
// between, or sent again after a connection broke, come twice. Consumers of
// from may go on; it isn't deleted while it has any, and the call waits for
// that until ctx ends. The error then says what is left; calling it again
// continues from there.
func SafeMigrateQueue(ctx context.Context, c *Client, vhost, from, to string, inspector Inspector) error {
	fail := get("migrate queue", from, orDefault(vhost), path{}).fail
	if from == to {
		return fail(errors.New("it can't be migrated to itself"))
	}
	source, err := c.Queue(ctx, vhost, from)
	if err != nil {
		return err
	}
	switch {
	case source.Type == "stream":
		return fail(errors.New("it is a stream, which isn't emptied by moving what is in it"))
	case source.AutoDelete.Or(false):
		return fail(errors.New("it is deleted with its last consumer, which the shovel would be"))
	}
	if _, err := c.Queue(ctx, vhost, to); err != nil {
		return err
	}
	if err := moveBindings(ctx, c, vhost, from, to); err != nil {
		return err
	}
	name := fmt.Sprintf("warren-migrate-%.16x", sha256.Sum256([]byte(from+"\x00"+to)))
	for {
		if err := moveMessages(ctx, c, vhost, name, from, to); err != nil {
			return err
		}
		err := SafeDeleteQueue(ctx, c, vhost, from, inspector)
		if !errors.Is(err, ErrInUse) {
			return err
		}
		select {
		case <-time.After(pollInterval):
		case <-ctx.Done():
			return fail(fmt.Errorf("%w: %w", ended(ctx), err))
		}
	}
}

func moveBindings(ctx context.Context, c *Client, vhost, from, to string) error {
	bindings, err := c.QueueBindings(ctx, vhost, from)
	if err != nil {
		return err
	}
	for _, b := range bindings {
		if b.Source == "" {
			continue // the default exchange has one for each queue
		}
		if err := c.BindQueue(ctx, vhost, to, b.Source, BindingSettings{b.RoutingKey, b.Arguments}); err != nil {
			return err
		}
		if err := c.UnbindQueue(ctx, vhost, from, b.Source, b.PropertiesKey); err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
	}
	return nil
}

// moveMessages moves the messages that from has now.
func moveMessages(ctx context.Context, c *Client, vhost, shovel, from, to string) error {
	err := c.PutShovel(ctx, vhost, shovel, ShovelSettings{SourceQueue: from, DestQueue: to, SourceDeleteAfter: QueueLength})
	var refused *Error
	if errors.As(err, &refused) && refused.Status != 0 {
		return err
	}
	if err == nil {
		err = c.AwaitShovelFinished(ctx, vhost, shovel)
	}
	if err != nil {
		// The shovel must not outlive the call, whose context may have ended: also
		// while it was put, when it may exist or not.
		again, cancel := context.WithTimeout(context.WithoutCancel(ctx), defaultTimeout)
		defer cancel()
		if left := c.DeleteShovel(again, vhost, shovel); left != nil && !errors.Is(left, ErrNotFound) {
			err = errors.Join(err, left)
		}
	}
	return err
}

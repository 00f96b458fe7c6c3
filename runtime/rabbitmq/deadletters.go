package rabbitmq

import (
	"context"
	"errors"
	"fmt"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/warrenmq/warren/runtime"
)

// A Verdict is what becomes of a dead letter that was looked at.
type Verdict int

const (
	Keep   Verdict = iota // it stays where it is
	Replay                // it goes back to the queue that it failed in, see runtime.Replayed
	Drop                  // it is deleted
)

// A Review counts what became of dead letters.
type Review struct{ Kept, Replayed, Dropped int }

// maxLooks is how often a message of a quorum queue may come back before it is replaced
// by a copy: RabbitMQ 4 drops what comes back 20 times, by default, and each look is one.
const maxLooks = 15

// ReviewDeadLetters shows decide each message that queue has when it begins, the oldest
// first, and does what it says, at once. One that is to be replayed is deleted when the
// server has confirmed its copy; a copy that isn't confirmed is an error, and the message
// stays. So do those that are kept, in their places, and all that decide hasn't seen
// when it returns an error or ctx ends, which ends the review. While it lasts, what was
// kept is held back from consumers; a quorum queue has it again a moment later.
//
// Each look at a message of a quorum queue counts for its delivery limit. So that it
// isn't lost by being looked at, one that has come back 15 times and is kept is replaced
// by a copy, at the end of the queue.
//
// The broker needn't be started. decide may keep the delivery. See docs/decisions/0057.
func (b *Broker) ReviewDeadLetters(ctx context.Context, queue string, decide func(*runtime.Delivery) (Verdict, error)) (done Review, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("review the dead letters of queue %q: %w", queue, err)
		}
	}()
	if err := b.accepting.Err(); err != nil {
		return done, runtime.ErrClosed
	}
	l, err := b.dial(ctx, "dead letters")
	if err != nil {
		return done, err
	}
	defer l.close(leastHandshake)
	defer l.guard(ctx)()
	var channel *amqp.Channel
	var state amqp.Queue
	err = l.ask(func() (err error) {
		if channel, err = l.conn.Channel(); err != nil {
			return explainChannel(err)
		}
		state, err = channel.QueueDeclarePassive(queue, false, false, false, false, nil)
		return err
	})
	for i := 0; err == nil && i < state.Messages; i++ {
		if err = ctx.Err(); err != nil {
			break
		}
		var got amqp.Delivery
		var found bool
		err = l.ask(func() (err error) {
			got, found, err = channel.Get(queue, false)
			return err
		})
		if err != nil || !found {
			break
		}
		err = b.review(ctx, queue, l.delivery(&got), decide, &done, func() error { return got.Ack(false) })
	}
	if err != nil && ctx.Err() != nil {
		return done, ctx.Err()
	}
	if channel != nil && !channel.IsClosed() { // so that what was kept is back when this returns
		err = errors.Join(err, l.ask(func() error { return errors.Join(channel.Nack(0, true, true), channel.Close()) }))
	}
	return done, err
}

// review does with one message what decide says. remove takes it from the queue.
func (b *Broker) review(ctx context.Context, queue string, d *runtime.Delivery, decide func(*runtime.Delivery) (Verdict, error), done *Review, remove func() error) error {
	verdict, err := decide(d)
	if err != nil {
		return err
	}
	switch verdict {
	case Keep:
		done.Kept++
		if looks, _ := d.Headers["x-delivery-count"].(int64); looks < maxLooks {
			return nil
		}
		if d.Unreadable != nil {
			return fmt.Errorf("replace the message with the id %q by a copy, since its queue may drop it: it would lose headers: %w", d.MessageID, d.Unreadable)
		}
		if err := b.Publish(ctx, runtime.Address{RoutingKey: queue}, runtime.Republished(d)); err != nil {
			return fmt.Errorf("replace the message with the id %q by a copy, since its queue may drop it: %w", d.MessageID, err)
		}
	case Replay:
		to, msg, err := runtime.Replayed(d)
		if err != nil {
			return err
		}
		if err := b.Publish(ctx, to, msg); err != nil {
			return fmt.Errorf("replay the message with the id %q: %w", d.MessageID, err)
		}
		done.Replayed++
	case Drop:
		done.Dropped++
	default:
		return fmt.Errorf("the verdict %d is none of Keep, Replay and Drop", verdict)
	}
	return remove()
}

package memory

import (
	"context"
	"errors"
	"fmt"

	"github.com/warrenmq/warren/runtime"
)

// Publish sends msg, see [runtime.Transport]. It fails with ErrUnroutable,
// ErrNoExchange, ErrNacked (a queue with x-overflow is full), ErrClosed, what the
// context says, or because a value has no form in AMQP.
func (b *Broker) Publish(ctx context.Context, to runtime.Address, msg *runtime.Message) error {
	if err := b.publish(ctx, to, msg); err != nil {
		return fmt.Errorf("publish to %v: %w", to, err)
	}
	return nil
}

func (b *Broker) publish(ctx context.Context, to runtime.Address, msg *runtime.Message) error {
	if b.isClosed() {
		return runtime.ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if msg.UserID != "" && msg.UserID != b.config.User {
		return fmt.Errorf("the user id isn't that of the connection, which is %q, and the server would refuse it: leave it empty", b.config.User)
	}
	m, err := newMessage(to, msg)
	if err != nil {
		return err
	}
	if b.config.OnPublish != nil {
		return b.config.OnPublish(ctx, to, msg, func() error { return b.config.Server.publish(m) })
	}
	return b.config.Server.publish(m)
}

// A restoringTransport sends the copies of a route's messages. Where the queue for one
// has gone, it declares it again first.
type restoringTransport struct {
	*Broker
	route *runtime.Route
}

// Publish sends msg, see [Broker.Publish].
func (t restoringTransport) Publish(ctx context.Context, to runtime.Address, msg *runtime.Message) error {
	err := t.Broker.Publish(ctx, to, msg)
	if !errors.Is(err, runtime.ErrUnroutable) || t.config.Server.declareAgain(t.Broker, t.route.ForInstance(t.instance)) != nil {
		return err
	}
	return t.Broker.Publish(ctx, to, msg)
}

// Call sends msg and waits for the reply, see [runtime.Transport].
func (b *Broker) Call(ctx context.Context, to runtime.Address, msg *runtime.Message) (*runtime.Message, error) {
	reply, err := b.call(ctx, to, msg)
	if err != nil {
		return nil, fmt.Errorf("call %v: %w", to, err)
	}
	return reply, nil
}

func (b *Broker) call(ctx context.Context, to runtime.Address, msg *runtime.Message) (*runtime.Message, error) {
	if _, limited := ctx.Deadline(); !limited {
		return nil, runtime.ErrNoDeadline
	}
	replies := make(chan *message, 1)
	address := b.config.Server.expectReply(b, replies)
	defer b.config.Server.dropReply(address)

	request := *msg
	request.ReplyTo, request.CorrelationID = address, address
	if err := b.publish(ctx, to, &request); err != nil {
		return nil, err
	}
	select {
	case reply := <-replies:
		received := reply.received()
		return &received, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("no reply has come: %w", ctx.Err())
	case <-b.closed:
		return nil, runtime.ErrClosed
	}
}

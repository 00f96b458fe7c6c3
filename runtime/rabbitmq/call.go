package rabbitmq

import (
	"context"
	"crypto/rand"
	"fmt"
	"strconv"
	"sync"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/wire"
)

// Call sends msg and waits for the reply, see [runtime.Transport]. When the
// connection is lost while it waits, the reply can't come any more, and the
// error is ErrUnknown.
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
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	calls := b.publisher.calls
	id, replies := calls.begin()
	defer calls.end(id)

	request := *msg
	request.ReplyTo, request.CorrelationID = wire.DirectReply, id
	r, err := b.publisher.request(ctx, to, &request)
	if r != nil {
		defer b.publisher.leave(r.lane)
	}
	select {
	case reply := <-replies: // even where the request seems to have failed
		return received(reply)
	default:
	}
	if err != nil {
		return nil, err
	}
	reply, err := calls.await(ctx, replies, r.session)
	if err != nil {
		return nil, err
	}
	return received(reply)
}

func received(reply *runtime.Delivery) (*runtime.Message, error) {
	if reply.Unreadable != nil {
		return nil, fmt.Errorf("the reply has come: %w", reply.Unreadable)
	}
	return &reply.Message, nil
}

// consumeReplies begins to consume the replies of the session.
func (s *session) consumeReplies() error {
	var deliveries <-chan amqp.Delivery
	err := s.link.ask(func() (err error) {
		deliveries, err = s.channel.Consume(wire.DirectReply, "", true, false, false, false, nil)
		return err
	})
	if err != nil {
		return amqp.ErrClosed // the channel has ended, or does so now
	}
	s.replying = true
	s.readers.Go(func() { // ends with the channel
		for d := range deliveries {
			if !s.lane.publisher.calls.reply(s.link.delivery(&d)) {
				s.lane.publisher.broker.emit(runtime.Event{Kind: runtime.EventLateReply, Connection: "publishing"}, nil)
			}
		}
	})
	return nil
}

func (s *session) lostReply() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readCause()
	if s.cause == nil {
		return runtime.ErrClosed
	}
	return fmt.Errorf("%w: the reply is lost: %w", runtime.ErrUnknown, s.cause)
}

// calls are the calls that wait for replies.
type calls struct {
	prefix string // of correlation ids: the replies to other clients have another
	closed chan struct{}

	mu      sync.Mutex
	count   uint64
	waiting map[string]chan *runtime.Delivery
}

func newCalls() *calls {
	return &calls{prefix: rand.Text() + "-", closed: make(chan struct{}), waiting: make(map[string]chan *runtime.Delivery)}
}

// begin returns a correlation id and where its reply will be.
func (c *calls) begin() (string, <-chan *runtime.Delivery) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count++
	id := c.prefix + strconv.FormatUint(c.count, 10)
	replies := make(chan *runtime.Delivery, 1)
	c.waiting[id] = replies
	return id, replies
}

// await returns the reply to a request of s. One that has come counts, whatever
// else has happened.
func (c *calls) await(ctx context.Context, replies <-chan *runtime.Delivery, s *session) (reply *runtime.Delivery, err error) {
	select {
	case reply = <-replies:
		return reply, nil
	case <-ctx.Done():
		err = fmt.Errorf("no reply has come: %w", ctx.Err())
	case <-c.closed:
		err = runtime.ErrClosed
	case <-s.ended:
		err = s.lostReply()
	}
	select {
	case reply = <-replies:
		return reply, nil
	default:
		return nil, err
	}
}

func (c *calls) end(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, id)
}

// reply hands a reply to the call that waits for it. It returns false for one that no
// call waits for any more, which is dropped.
func (c *calls) reply(reply *runtime.Delivery) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	replies, waiting := c.waiting[reply.CorrelationID]
	if !waiting {
		return false
	}
	delete(c.waiting, reply.CorrelationID)
	replies <- reply
	return true
}

func (c *calls) close() { close(c.closed) }

package conformance

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

// echo answers a request with its body.
func echo(_ context.Context, body []byte) ([]byte, error) { return body, nil }

var replyTests = []test{
	{"a call gets the reply of its handler", func(c *testCase) {
		q := c.queue("q")
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: runtime.Respond(echo), Reply: &runtime.Address{}})
		msg := &runtime.Message{Body: []byte("ping"), CorrelationID: "mine", ReplyTo: "mine"}
		reply, err := b.Call(c.ctx(), toQueue(q), msg)
		require.NoError(c, err)
		require.Equal(c, "ping", string(reply.Body))
		require.Equal(c, &runtime.Message{Body: []byte("ping"), CorrelationID: "mine", ReplyTo: "mine"}, msg)
	}},
	{"a call reaches a handler of another broker", func(c *testCase) {
		q := c.queue("q")
		c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: runtime.Respond(echo), Reply: &runtime.Address{}})
		reply, err := c.open(Settings{}).Call(c.ctx(), toQueue(q), text("ping"))
		require.NoError(c, err)
		require.Equal(c, "ping", string(reply.Body))
	}},
	{"concurrent calls get their own replies", func(c *testCase) {
		q := c.queue("q")
		b := c.start(Settings{Concurrency: 8}, runtime.Route{Name: "r", Queue: q, Handler: runtime.Respond(echo), Reply: &runtime.Address{}})
		var calls sync.WaitGroup
		errs := make(chan error, 50)
		ctx := c.ctx()
		for i := range 50 {
			calls.Go(func() {
				want := fmt.Sprint(i)
				reply, err := b.Call(ctx, toQueue(q), text(want))
				if err == nil && string(reply.Body) != want {
					err = fmt.Errorf("call %s got the reply %s", want, reply.Body)
				}
				errs <- err
			})
		}
		calls.Wait()
		for range 50 {
			require.NoError(c, <-errs)
		}
	}},
	{"a reply to a fixed address carries the request's id", func(c *testCase) {
		q, answers, in := c.queue("q"), c.queue("answers"), newInbox()
		reply := toQueue(answers)
		b := c.start(Settings{},
			runtime.Route{Name: "r", Queue: q, Handler: runtime.Respond(echo), Reply: &reply},
			runtime.Route{Name: "answers", Queue: answers, Handler: in.handler()})
		require.NoError(c, b.Publish(c.ctx(), toQueue(q), &runtime.Message{Body: []byte("1"), CorrelationID: "c", MessageID: "m"}))
		require.NoError(c, b.Publish(c.ctx(), toQueue(q), &runtime.Message{Body: []byte("2"), MessageID: "m"}))
		first, second := c.next(in), c.next(in)
		require.Equal(c, []string{"1", "c"}, []string{string(first.Body), first.CorrelationID})
		require.Equal(c, []string{"2", "m"}, []string{string(second.Body), second.CorrelationID})
	}},
	{"a reply goes to the queue that the request names", func(c *testCase) {
		q, answers, in := c.queue("q"), c.queue("answers"), newInbox()
		b := c.start(Settings{},
			runtime.Route{Name: "r", Queue: q, Handler: runtime.Respond(echo), Reply: &runtime.Address{}},
			runtime.Route{Name: "answers", Queue: answers, Handler: in.handler()})
		require.NoError(c, b.Publish(c.ctx(), toQueue(q), &runtime.Message{Body: []byte("1"), ReplyTo: answers.Name}))
		require.Equal(c, "1", c.body(in))
	}},
	{"an unroutable reply at a fixed address returns the request", func(c *testCase) {
		q, in := c.queue("q"), newInbox()
		handler := runtime.Respond(func(ctx context.Context, body []byte) ([]byte, error) {
			in <- *runtime.DeliveryFrom(ctx)
			return body, nil
		})
		b := c.start(Settings{RedeliveryDelay: time.Hour}, runtime.Route{
			Name: "r", Queue: q, Handler: handler, Reply: &runtime.Address{RoutingKey: c.prefix + "unbound"},
		})
		c.publish(b, toQueue(q), "1")
		require.False(c, c.next(in).Redelivered)
		require.True(c, c.next(in).Redelivered)
	}},
	{"a reply to a caller that has gone settles the request", func(c *testCase) {
		q, in := c.queue("q"), newInbox()
		handler := runtime.Respond(func(ctx context.Context, body []byte) ([]byte, error) {
			in <- *runtime.DeliveryFrom(ctx)
			return body, nil
		})
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: handler, Reply: &runtime.Address{}})
		require.NoError(c, b.Publish(c.ctx(), toQueue(q), &runtime.Message{Body: []byte("1"), ReplyTo: c.prefix + "gone"}))
		_, err := b.Call(c.ctx(), toQueue(q), text("2"))
		require.NoError(c, err)
		require.Len(c, in, 2, "the first request was handled again")
	}},
	{"a reply that is sent by hand is confirmed, also when its caller has gone", replyByHand},
	{"a call without a deadline is refused", func(c *testCase) {
		_, err := c.open(Settings{}).Call(context.Background(), runtime.Address{RoutingKey: "q"}, text(""))
		require.ErrorIs(c, err, runtime.ErrNoDeadline)
	}},
	{"a call ends with its context, and a late reply is dropped", lateReply},
	{"a call without a queue is ErrUnroutable", func(c *testCase) {
		_, err := c.open(Settings{}).Call(c.ctx(), runtime.Address{RoutingKey: c.prefix + "unbound"}, text(""))
		require.ErrorIs(c, err, runtime.ErrUnroutable)
	}},
	{"the public error of a handler reaches its caller, once", func(c *testCase) {
		handled, err := c.failingCall(func(context.Context, []byte) ([]byte, error) {
			return nil, runtime.Public(errors.New("no such order"), "not-found")
		})
		var replyErr *runtime.ReplyError
		require.ErrorAs(c, err, &replyErr)
		require.Equal(c, runtime.ReplyError{Message: "no such order", Code: "not-found"}, *replyErr)
		require.Equal(c, 1, handled())
	}},
	{"another error of a handler stays with it", func(c *testCase) {
		_, err := c.failingCall(func(context.Context, []byte) ([]byte, error) { return nil, errors.New("secret") })
		var replyErr *runtime.ReplyError
		require.ErrorAs(c, err, &replyErr)
		require.Equal(c, runtime.ReplyError{Message: "internal error", Code: runtime.CodeInternal}, *replyErr)
	}},
	{"the value of a panic stays with the handler", func(c *testCase) {
		_, err := c.failingCall(func(context.Context, []byte) ([]byte, error) { panic("secret") })
		var replyErr *runtime.ReplyError
		require.ErrorAs(c, err, &replyErr)
		require.NotContains(c, err.Error(), "secret")
	}},
	{"a request that names no address for its reply is dead-lettered", func(c *testCase) {
		q, dead, in := c.queue("q", "x-dead-letter-exchange", "", "x-dead-letter-routing-key", c.prefix+"dead"), c.queue("dead"), newInbox()
		b := c.start(Settings{},
			runtime.Route{Name: "r", Queue: q, Handler: runtime.Respond(echo), Reply: &runtime.Address{}},
			runtime.Route{Name: "dead", Queue: dead, Handler: in.handler()})
		c.publish(b, toQueue(q), "1")
		require.Equal(c, "1", c.body(in))
	}},
}

// failingCall calls a handler by a typed client. handled counts its runs.
func (c *testCase) failingCall(handle func(context.Context, []byte) ([]byte, error)) (handled func() int, err error) {
	q, runs := c.queue("q"), make(chan struct{}, 10)
	b := c.start(Settings{}, runtime.Route{
		Name: "r", Queue: q, Reply: &runtime.Address{},
		Handler: runtime.Respond(func(ctx context.Context, body []byte) ([]byte, error) {
			runs <- struct{}{}
			return handle(ctx, body)
		}),
	})
	_, err = runtime.NewCaller[[]byte, []byte](b, runtime.Endpoint{Route: "r", To: toQueue(q)}).Call(c.ctx(), []byte("1"))
	handled = func() int {
		c.shutdown(b)
		return len(runs)
	}
	return handled, err
}

func lateReply(c *testCase) {
	q, release := c.queue("q"), make(chan struct{})
	handler := runtime.Respond(func(_ context.Context, body []byte) ([]byte, error) {
		if string(body) == "late" {
			<-release
		}
		return body, nil
	})
	b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: handler, Reply: &runtime.Address{}})
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	_, err := b.Call(ctx, toQueue(q), text("late"))
	require.ErrorIs(c, err, context.DeadlineExceeded)
	close(release)
	reply, err := b.Call(c.ctx(), toQueue(q), text("next"))
	require.NoError(c, err)
	require.Equal(c, "next", string(reply.Body))
}

func replyByHand(c *testCase) {
	q := c.queue("q")
	transport, sent := c.open(Settings{}), make(chan error, 2)
	b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: runtime.Consume(func(ctx context.Context, body []byte) error {
		d := runtime.DeliveryFrom(ctx)
		for range 2 { // the caller takes one
			sent <- transport.Publish(ctx, runtime.Address{RoutingKey: d.ReplyTo}, &runtime.Message{Body: body, CorrelationID: d.CorrelationID})
		}
		return nil
	})})
	reply, err := b.Call(c.ctx(), toQueue(q), text("ping"))
	require.NoError(c, err)
	require.Equal(c, "ping", string(reply.Body))
	require.NoError(c, <-sent)
	require.NoError(c, <-sent)
}

package conformance

import (
	"context"
	"errors"
	goruntime "runtime"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

var lifecycleTests = []test{
	{"shutdown waits for running handlers and returns the rest", shutdownWaits},
	{"shutdown ends with its context and cancels the handlers", shutdownCancels},
	{"a handler that outlives the shutdown learns that its message isn't settled", outlivesShutdown},
	{"a handler may send while shutdown waits for it", func(c *testCase) {
		q, results, in := c.queue("q"), c.queue("results"), newInbox()
		c.start(Settings{}, runtime.Route{Name: "results", Queue: results, Handler: in.handler()})
		entered, release := newInbox(), make(chan struct{})
		var b runtime.Broker
		b = c.start(Settings{}, runtime.Route{
			Name: "r", Queue: q, Handler: entered.then(func(ctx context.Context, _ runtime.Delivery) error {
				<-release
				return b.Publish(ctx, toQueue(results), text("sent"))
			}),
		})
		c.publish(b, toQueue(q), "1")
		c.next(entered)
		done := make(chan struct{})
		go func() {
			defer close(done)
			c.shutdown(b)
		}()
		close(release)
		require.Equal(c, "sent", c.body(in))
		c.await("shutdown", done)
	}},
	{"shutdown sends the reply of a running handler, and settles the request", shutdownReplies},
	{"after shutdown everything is ErrClosed", func(c *testCase) {
		q := c.queue("q")
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: newInbox().handler()})
		c.shutdown(b)
		require.ErrorIs(c, b.Publish(c.ctx(), toQueue(q), text("")), runtime.ErrClosed)
		_, err := b.Call(c.ctx(), toQueue(q), text(""))
		require.ErrorIs(c, err, runtime.ErrClosed)
		require.ErrorIs(c, b.Start(c.ctx(), runtime.NewRouter()), runtime.ErrClosed)
		require.NoError(c, b.Shutdown(c.ctx()))
	}},
	{"a broker that was never used shuts down", func(c *testCase) {
		b := c.open(Settings{})
		c.shutdown(b)
		require.ErrorIs(c, b.Publish(c.ctx(), runtime.Address{}, text("")), runtime.ErrClosed)
	}},
	{"shutdown ends a waiting call", func(c *testCase) {
		q, entered := c.queue("q"), newInbox()
		c.start(Settings{}, runtime.Route{Name: "silent", Queue: q, Handler: entered.handler()})
		caller := c.open(Settings{})
		failed := make(chan error, 1)
		ctx := c.ctx()
		go func() {
			_, err := caller.Call(ctx, toQueue(q), text("1"))
			failed <- err
		}()
		c.next(entered)
		c.shutdown(caller)
		require.ErrorIs(c, <-failed, runtime.ErrClosed)
	}},
	{"a queue that exists in another way is an error that names it", func(c *testCase) {
		q := c.queue("q")
		c.declared(q)
		for name, change := range map[string]func(*runtime.Queue){
			"durable":        func(q *runtime.Queue) { q.Durable = false },
			"auto_delete":    func(q *runtime.Queue) { q.AutoDelete = true },
			"x-max-priority": func(q *runtime.Queue) { q.Arguments = map[string]any{"x-max-priority": 3} },
		} {
			other := q
			change(&other)
			err := c.open(Settings{}).Start(c.ctx(), c.router(runtime.Route{Name: "late", Queue: other, Handler: newInbox().handler()}))
			require.ErrorContains(c, err, `declare queue "`+q.Name+`" for route "late"`)
			require.ErrorContains(c, err, name)
		}
	}},
	{"an exchange that exists in another way is an error that names it", func(c *testCase) {
		x := c.exchange("x", runtime.Fanout)
		c.shutdown(c.start(Settings{}, runtime.Route{Name: "r", Queue: c.queue("q"), Exchange: x, Handler: newInbox().handler()}))
		for name, change := range map[string]func(*runtime.Exchange){
			"type":    func(x *runtime.Exchange) { x.Type = runtime.Topic },
			"durable": func(x *runtime.Exchange) { x.Durable = false },
		} {
			other := *x
			change(&other)
			err := c.open(Settings{}).Start(c.ctx(), c.router(
				runtime.Route{Name: "late", Queue: c.queue("q2"), Exchange: &other, Handler: newInbox().handler()}))
			require.ErrorContains(c, err, `declare exchange "`+x.Name+`" for route "late"`)
			require.ErrorContains(c, err, name)
		}
	}},
	{"declaring alike is no error", func(c *testCase) {
		q, x, in := c.queue("q", "x-max-length", 10), c.exchange("x", runtime.Direct), newInbox()
		route := runtime.Route{Name: "r", Queue: q, Exchange: x, RoutingKeys: []string{"k"}, Handler: in.handler()}
		c.shutdown(c.start(Settings{}, route))
		c.publish(c.start(Settings{}, route), toExchange(x, "k"), "1")
		require.Equal(c, "1", c.body(in))
	}},
	{"a start that fails consumes nothing", func(c *testCase) {
		good, bad, in := c.queue("good"), c.queue("bad"), newInbox()
		sender := c.declared(good)
		c.declared(bad)
		bad.AutoDelete = true
		refused := newInbox()
		b := c.open(Settings{})
		require.Error(c, b.Start(c.ctx(), c.router(
			runtime.Route{Name: "good", Queue: good, Handler: refused.handler()},
			runtime.Route{Name: "bad", Queue: bad, Handler: refused.handler()})))
		c.publish(sender, toQueue(good), "1")
		c.start(Settings{}, runtime.Route{Name: "r", Queue: good, Handler: in.handler()})
		require.Equal(c, "1", c.body(in))
		require.Empty(c, refused)
	}},
	{"a start that failed can be tried again", func(c *testCase) {
		q, in := c.queue("q"), newInbox()
		c.declared(q)
		bad := q
		bad.AutoDelete = true
		b := c.open(Settings{})
		require.Error(c, b.Start(c.ctx(), c.router(runtime.Route{Name: "r", Queue: bad, Handler: in.handler()})))
		require.NoError(c, b.Start(c.ctx(), c.router(runtime.Route{Name: "r", Queue: q, Handler: in.handler()})))
		c.publish(b, toQueue(q), "1")
		require.Equal(c, "1", c.body(in))
	}},
	{"a second start is refused", func(c *testCase) {
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: c.queue("q"), Handler: newInbox().handler()})
		require.ErrorContains(c, b.Start(c.ctx(), runtime.NewRouter()), "has been started")
	}},
	{"a context that has ended starts and sends nothing", func(c *testCase) {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		cancel()
		b := c.open(Settings{})
		require.ErrorIs(c, b.Start(ctx, runtime.NewRouter()), context.Canceled)
		require.ErrorIs(c, b.Publish(ctx, runtime.Address{RoutingKey: c.prefix + "q"}, text("")), context.Canceled)
		_, err := b.Call(ctx, runtime.Address{RoutingKey: c.prefix + "q"}, text(""))
		require.ErrorIs(c, err, context.Canceled)
	}},
	{"the context of the start doesn't end the handlers'", func(c *testCase) {
		q, in := c.queue("q"), newInbox()
		b := c.open(Settings{})
		ctx, cancel := context.WithCancel(context.Background())
		require.NoError(c, b.Start(ctx, c.router(runtime.Route{
			Name: "r", Queue: q, Handler: in.then(func(ctx context.Context, _ runtime.Delivery) error { return ctx.Err() }),
		})))
		cancel()
		c.publish(b, toQueue(q), "1")
		c.publish(b, toQueue(q), "2")
		require.Equal(c, []string{"1", "2"}, []string{c.body(in), c.body(in)})
	}},
}

func shutdownWaits(c *testCase) {
	q, entered, rest := c.queue("q"), newInbox(), newInbox()
	release, finished := make(chan struct{}), make(chan error, 1)
	b := c.start(Settings{}, runtime.Route{
		Name: "r", Queue: q, Handler: entered.then(func(ctx context.Context, _ runtime.Delivery) error {
			<-release
			finished <- ctx.Err()
			return nil
		}),
	})
	for _, body := range []string{"running", "rest 1", "rest 2"} {
		c.publish(b, toQueue(q), body)
	}
	require.Equal(c, "running", c.body(entered))
	c.whenStopping(b, release)
	c.shutdown(b)
	require.Len(c, finished, 1, "shutdown returned before the handler did")
	require.NoError(c, <-finished)
	require.Empty(c, entered)
	c.start(Settings{}, runtime.Route{Name: "rest", Queue: q, Handler: rest.handler()})
	require.Equal(c, []string{"rest 1", "rest 2"}, []string{c.body(rest), c.body(rest)})
	require.Empty(c, rest)
}

// whenStopping closes release when the shutdown of b has begun.
func (c *testCase) whenStopping(b runtime.Broker, release chan<- struct{}) {
	ctx := c.ctx()
	go func() {
		defer close(release)
		for ctx.Err() == nil && !errors.Is(b.Start(ctx, runtime.NewRouter()), runtime.ErrClosed) {
			goruntime.Gosched()
		}
	}()
}

func shutdownReplies(c *testCase) {
	q, entered, release := c.queue("q"), newInbox(), make(chan struct{})
	b := c.start(Settings{}, runtime.Route{
		Name: "r", Queue: q, Reply: &runtime.Address{},
		Handler: runtime.Respond(func(ctx context.Context, body []byte) ([]byte, error) {
			entered <- *runtime.DeliveryFrom(ctx)
			<-release
			return body, nil
		}),
	})
	caller, replies, ctx := c.open(Settings{}), make(chan string, 1), c.ctx()
	go func() {
		reply, err := caller.Call(ctx, toQueue(q), text("1"))
		if err != nil {
			reply = text(err.Error())
		}
		replies <- string(reply.Body)
	}()
	c.next(entered)
	c.whenStopping(b, release)
	c.shutdown(b)
	require.Equal(c, "1", <-replies)
	rest := newInbox()
	c.publish(caller, toQueue(q), "next")
	c.start(Settings{}, runtime.Route{Name: "rest", Queue: q, Handler: rest.handler()})
	require.Equal(c, "next", c.body(rest))
}

func shutdownCancels(c *testCase) {
	q, entered, again := c.queue("q"), newInbox(), newInbox()
	cancelled := make(chan struct{})
	b := c.start(Settings{}, runtime.Route{
		Name: "r", Queue: q, Handler: entered.then(func(ctx context.Context, _ runtime.Delivery) error {
			<-ctx.Done()
			close(cancelled)
			return ctx.Err()
		}),
	})
	c.publish(b, toQueue(q), "1")
	c.next(entered)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	require.ErrorIs(c, b.Shutdown(ctx), context.DeadlineExceeded)
	c.await("the handler's context", cancelled)
	c.start(Settings{}, runtime.Route{Name: "again", Queue: q, Handler: again.handler()})
	require.Equal(c, "1", c.body(again))
}

func outlivesShutdown(c *testCase) {
	q, entered, again := c.queue("q"), newInbox(), newInbox()
	release, settled := make(chan struct{}), make(chan error, 1)
	b := c.start(Settings{}, runtime.Route{
		Name: "r", Queue: q, Handler: entered.then(func(ctx context.Context, _ runtime.Delivery) error {
			runtime.DeliveryFrom(ctx).OnSettled(func(_ runtime.Settlement, err error) { settled <- err })
			<-release
			return nil
		}),
	})
	c.publish(b, toQueue(q), "1")
	c.next(entered)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(c, b.Shutdown(ctx), context.Canceled)
	close(release)
	select {
	case err := <-settled:
		require.ErrorContains(c, err, "isn't settled and comes again")
	case <-time.After(patience):
		require.Fail(c, "OnSettled's function wasn't called")
	}
	c.start(Settings{}, runtime.Route{Name: "again", Queue: q, Handler: again.handler()})
	require.Equal(c, "1", c.body(again))
}

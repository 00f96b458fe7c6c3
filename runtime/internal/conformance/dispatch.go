package conformance

import (
	"context"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

var dispatchTests = []test{
	{"messages go to the case of their type, header or key", func(c *testCase) {
		x, got := c.exchange("x", runtime.Topic), make(chan string, 100)
		on := func(name string) runtime.Case {
			return runtime.On(name, runtime.Consume(func(ctx context.Context, body string) error {
				d := runtime.DeliveryFrom(ctx)
				got <- d.Route + " " + name + " " + d.Case + " " + body
				return nil
			}))
		}
		types, headers, keys := c.queue("types"), c.queue("headers"), c.queue("keys")
		b := c.start(Settings{},
			runtime.Route{Name: "types", Queue: types, Handler: runtime.Dispatch(on("a"), on("b"))},
			runtime.Route{Name: "headers", Queue: headers, Handler: runtime.DispatchByHeader("event", on("a"), on("b"))},
			runtime.Route{Name: "keys", Queue: keys, Exchange: x, RoutingKeys: []string{"#"}, Handler: runtime.DispatchByKey(on("a"), on("b"))},
		)
		for _, endpoint := range []runtime.Endpoint{
			{To: toQueue(types), Type: "b"},
			{To: toQueue(headers), Headers: map[string]any{"event": "b"}},
			{To: toExchange(x, "b")},
		} {
			require.NoError(c, runtime.NewPublisher[string](b, endpoint).Publish(c.ctx(), "body"))
			require.Regexp(c, `^(types|headers|keys) b b body$`, <-got)
		}
	}},
	{"a case is found again after a failure, by the key that the message came with", func(c *testCase) {
		x, q, attempts := c.exchange("x", runtime.Direct), c.queue("q"), make(chan int, 10)
		b := c.start(Settings{}, runtime.Route{
			Name: "r", Queue: q, Exchange: x, RoutingKeys: []string{"a"}, Failure: quickly(2),
			Handler: runtime.DispatchByKey(runtime.On("a", runtime.Consume(func(ctx context.Context, _ []byte) error {
				attempts <- runtime.DeliveryFrom(ctx).Attempt
				return errFailed
			}))),
		})
		c.publish(b, toExchange(x, "a"), "1")
		require.Equal(c, []int{1, 2}, []int{<-attempts, <-attempts})
	}},
	{"a message that no case takes is a dead letter, unless there is a case for it", func(c *testCase) {
		q, dead, in := c.queue("q"), c.deadLetters("q"), newInbox()
		known := runtime.On("a", newInbox().handler())
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Failure: &runtime.FailurePolicy{}, Handler: runtime.Dispatch(known)})
		c.publish(b, toQueue(q), "1")
		d := c.next(dead)
		require.Equal(c, "undecodable", deadHeader(d)["reason"])
		require.Contains(c, deadHeader(d)["error"], "no case takes the message")
		other := c.queue("other")
		c.start(Settings{}, runtime.Route{Name: "r", Queue: other, Handler: runtime.Dispatch(known, runtime.Otherwise(in.handler()))})
		c.publish(b, toQueue(other), "2")
		require.Equal(c, "2", c.body(in))
	}},
	{"a caller gets the reply of the case, or learns that there is none", func(c *testCase) {
		q := c.queue("q")
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: runtime.Dispatch(
			runtime.On("double", runtime.Respond(func(_ context.Context, n int) (int, error) { return 2 * n, nil })),
			runtime.On("shout", runtime.Respond(func(_ context.Context, s string) (string, error) { return s + "!", nil })),
		)})
		four, err := runtime.NewCaller[int, int](b, runtime.Endpoint{To: toQueue(q), Type: "double"}).Call(c.ctx(), 2)
		require.NoError(c, err)
		require.Equal(c, 4, four)
		hey, err := runtime.NewCaller[string, string](b, runtime.Endpoint{To: toQueue(q), Type: "shout"}).Call(c.ctx(), "hey")
		require.NoError(c, err)
		require.Equal(c, "hey!", hey)
		_, err = runtime.NewCaller[int, int](b, runtime.Endpoint{To: toQueue(q), Type: "halve"}).Call(c.ctx(), 2)
		require.ErrorContains(c, err, "no case takes the message")
	}},
}

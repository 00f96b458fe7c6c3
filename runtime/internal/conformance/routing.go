package conformance

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

var routingTests = []test{
	{"a direct exchange routes by equal keys", func(c *testCase) {
		x, in := c.exchange("x", runtime.Direct), newInbox()
		b := c.start(Settings{}, runtime.Route{
			Name: "r", Queue: c.queue("q"), Exchange: x, RoutingKeys: []string{"a.b"}, Handler: in.handler(),
		})
		c.publish(b, toExchange(x, "a.b"), "1")
		d := c.next(in)
		require.Equal(c, "1", string(d.Body))
		require.Equal(c, "r", d.Route)
		require.Equal(c, c.prefix+"q", d.Queue)
		require.Equal(c, x.Name, d.Exchange)
		require.Equal(c, "a.b", d.RoutingKey)
		require.False(c, d.Redelivered)
		for _, key := range []string{"", "a", "a.b.c", "A.B", "#"} {
			require.ErrorIs(c, b.Publish(c.ctx(), toExchange(x, key), text("2")), runtime.ErrUnroutable, "key %q", key)
		}
	}},
	{"a fanout exchange gives every queue the message", func(c *testCase) {
		x, in1, in2 := c.exchange("x", runtime.Fanout), newInbox(), newInbox()
		b := c.start(Settings{},
			runtime.Route{Name: "r1", Queue: c.queue("q1"), Exchange: x, Handler: in1.handler()},
			runtime.Route{Name: "r2", Queue: c.queue("q2"), Exchange: x, Handler: in2.handler()})
		c.publish(b, toExchange(x, "whatever"), "1")
		require.Equal(c, "1", c.body(in1))
		require.Equal(c, "1", c.body(in2))
	}},
	{"a topic exchange routes by patterns", topicPatterns},
	{"a headers exchange routes by all headers", func(c *testCase) {
		headersExchange(c, map[string]any{"x-match": "all", "kind": "order", "size": 3, "here": nil},
			[]map[string]any{
				{"kind": "order", "size": int64(3), "here": "x", "more": true},
				{"kind": "order", "size": uint8(3), "here": false},
			},
			[]map[string]any{
				nil,
				{"kind": "order", "size": int64(3)},
				{"kind": "order", "size": int64(4), "here": "x"},
				{"kind": "order", "size": "3", "here": "x"},
			})
	}},
	{"a headers exchange routes by any header", func(c *testCase) {
		headersExchange(c, map[string]any{"x-match": "any", "kind": "order", "size": 3},
			[]map[string]any{{"kind": "order"}, {"size": 3, "kind": "other"}},
			[]map[string]any{nil, {"kind": "other"}, {"other": "order"}})
	}},
	{"a headers exchange ignores arguments that begin with x-", func(c *testCase) {
		headersExchange(c, map[string]any{"x-kind": "order", "size": 3},
			[]map[string]any{{"size": 3}, {"size": 3, "x-kind": "other"}},
			[]map[string]any{{"x-kind": "order"}})
	}},
	{"a headers exchange compares integers of all sizes, floats of all sizes, and text with bytes", func(c *testCase) {
		headersExchange(c, map[string]any{"x-match": "any", "n": 3, "f": 3.5, "s": "text", "t": time.Unix(7, 0), "b": true},
			[]map[string]any{{"n": int8(3)}, {"n": uint16(3)}, {"f": float32(3.5)}, {"s": []byte("text")}, {"t": 7}, {"b": true}},
			[]map[string]any{{"n": 3.5}, {"n": "3"}, {"n": true}, {"s": "other"}, {"b": "true"}, {"b": 1}, {"s": nil}})
	}},
	{"an x-match that the server doesn't know is refused", func(c *testCase) {
		for _, mode := range []any{"nonsense", 1, true} {
			x := c.exchange("x", runtime.Headers)
			err := c.open(Settings{}).Start(c.ctx(), c.router(runtime.Route{
				Name: "r", Queue: c.queue("q"), Exchange: x, BindingArguments: map[string]any{"x-match": mode}, Handler: newInbox().handler(),
			}))
			require.ErrorContains(c, err, `to exchange "`+x.Name+`" for route "r"`, mode)
		}
	}},
	{"the default exchange routes by the queue's name", func(c *testCase) {
		q, in := c.queue("q"), newInbox()
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: in.handler()})
		c.publish(b, toQueue(q), "1")
		d := c.next(in)
		require.Equal(c, "", d.Exchange)
		require.Equal(c, q.Name, d.RoutingKey)
	}},
	{"each of several keys is bound, and a message comes once", func(c *testCase) {
		x, in := c.exchange("x", runtime.Topic), newInbox()
		b := c.start(Settings{}, runtime.Route{
			Name: "r", Queue: c.queue("q"), Exchange: x, RoutingKeys: []string{"a.*", "*.b", "c"}, Handler: in.handler(),
		})
		for _, key := range []string{"a.x", "x.b", "a.b", "c"} {
			c.publish(b, toExchange(x, key), key)
		}
		for _, key := range []string{"a.x", "x.b", "a.b", "c"} {
			require.Equal(c, key, c.body(in))
		}
	}},
	{"an alternate exchange takes what finds no queue", func(c *testCase) {
		rest, x := c.exchange("rest", runtime.Fanout), c.exchange("x", runtime.Direct)
		x.Arguments = map[string]any{"alternate-exchange": rest.Name}
		in, inRest := newInbox(), newInbox()
		b := c.start(Settings{},
			runtime.Route{Name: "r", Queue: c.queue("q"), Exchange: x, RoutingKeys: []string{"k"}, Handler: in.handler()},
			runtime.Route{Name: "rest", Queue: c.queue("rest"), Exchange: rest, Handler: inRest.handler()})
		c.publish(b, toExchange(x, "other"), "1")
		c.publish(b, toExchange(x, "k"), "2")
		c.publish(b, toExchange(x, "another"), "3")
		require.Equal(c, "1", c.body(inRest))
		require.Equal(c, "3", c.body(inRest))
		require.Equal(c, "2", c.body(in))
	}},
	{"a message without a queue is ErrUnroutable", func(c *testCase) {
		b := c.open(Settings{})
		err := b.Publish(c.ctx(), runtime.Address{RoutingKey: c.prefix + "unbound"}, text("1"))
		require.ErrorIs(c, err, runtime.ErrUnroutable)
		require.NotErrorIs(c, err, runtime.ErrNoExchange)
		require.ErrorContains(c, err, c.prefix+"unbound")
	}},
	{"AllowUnroutable makes it a success", func(c *testCase) {
		b := c.open(Settings{})
		require.NoError(c, b.Publish(c.ctx(), runtime.Address{RoutingKey: c.prefix + "unbound"},
			&runtime.Message{AllowUnroutable: true}))
	}},
	{"an exchange that doesn't exist fails the message and no other", func(c *testCase) {
		q, in := c.queue("q"), newInbox()
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: in.handler()})
		c.publish(b, toQueue(q), "1")
		missing := runtime.Address{Exchange: c.prefix + "missing", RoutingKey: "k"}
		for _, allow := range []bool{false, true} {
			err := b.Publish(c.ctx(), missing, &runtime.Message{AllowUnroutable: allow})
			require.ErrorIs(c, err, runtime.ErrNoExchange)
			require.ErrorIs(c, err, runtime.ErrUnroutable)
			require.NotErrorIs(c, err, runtime.ErrUnknown)
			require.ErrorContains(c, err, missing.Exchange)
		}
		c.publish(b, toQueue(q), "2")
		require.Equal(c, "1", c.body(in))
		require.Equal(c, "2", c.body(in))
	}},
	{"routes on one queue share its messages", func(c *testCase) {
		q, in1, in2 := c.queue("q"), newInbox(), newInbox()
		b := c.start(Settings{},
			runtime.Route{Name: "r1", Queue: q, Handler: in1.handler()},
			runtime.Route{Name: "r2", Queue: q, Handler: in2.handler()})
		for range 10 {
			c.publish(b, toQueue(q), "1")
		}
		for range 5 {
			require.Equal(c, "r1", c.next(in1).Route)
			require.Equal(c, "r2", c.next(in2).Route)
		}
	}},
}

// topicPatterns compares each pattern with keys that it takes and others.
func topicPatterns(c *testCase) {
	x, in := c.exchange("x", runtime.Topic), newInbox()
	patterns := []struct {
		pattern string
		takes   []string
		others  []string
	}{
		{"one.*", []string{"one.a", "one."}, []string{"one", "one.a.b", ""}},
		{"two.#", []string{"two", "two.a", "two.a.b"}, []string{"twos", "a.two"}},
		{"*.three.#.end", []string{"a.three.end", "a.three.b.c.end"}, []string{"three.end", "a.three", "a.b.three.end"}},
	}
	routes := make([]runtime.Route, len(patterns))
	for i, p := range patterns {
		routes[i] = runtime.Route{
			Name: p.pattern, Queue: c.queue(p.pattern), Exchange: x, RoutingKeys: []string{p.pattern}, Handler: in.handler(),
		}
	}
	b := c.start(Settings{}, routes...)
	for _, p := range patterns {
		for _, key := range p.takes {
			c.publish(b, toExchange(x, key), key)
			d := c.next(in)
			require.Equal(c, p.pattern, d.Route, "key %q", key)
			require.Equal(c, key, d.RoutingKey)
		}
		for _, key := range p.others {
			require.ErrorIs(c, b.Publish(c.ctx(), toExchange(x, key), text("")), runtime.ErrUnroutable, "key %q", key)
		}
	}
}

// headersExchange binds a queue with arguments and sends headers that match and
// others that don't.
func headersExchange(c *testCase, arguments map[string]any, matching, others []map[string]any) {
	x, in := c.exchange("x", runtime.Headers), newInbox()
	b := c.start(Settings{}, runtime.Route{
		Name: "r", Queue: c.queue("q"), Exchange: x, BindingArguments: arguments, Handler: in.handler(),
	})
	for _, headers := range matching {
		require.NoError(c, b.Publish(c.ctx(), toExchange(x, ""), &runtime.Message{Headers: headers}), "headers %v", headers)
		c.next(in)
	}
	for _, headers := range others {
		err := b.Publish(c.ctx(), toExchange(x, ""), &runtime.Message{Headers: headers})
		require.ErrorIs(c, err, runtime.ErrUnroutable, "headers %v", headers)
	}
}

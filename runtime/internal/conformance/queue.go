package conformance

import (
	"errors"
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

var queueTests = []test{
	{"CC and BCC reach further queues, and BCC isn't shown", func(c *testCase) {
		q, cc, bcc, in := c.queue("q"), c.queue("cc"), c.queue("bcc"), newInbox()
		b := c.start(Settings{},
			runtime.Route{Name: "q", Queue: q, Handler: in.handler()},
			runtime.Route{Name: "cc", Queue: cc, Handler: in.handler()},
			runtime.Route{Name: "bcc", Queue: bcc, Handler: in.handler()})
		require.NoError(c, b.Publish(c.ctx(), toQueue(q), &runtime.Message{Headers: map[string]any{
			"CC": []any{cc.Name, q.Name}, "BCC": []any{bcc.Name, 7},
		}}))
		var routes []string
		for range 3 {
			d := c.next(in)
			routes = append(routes, d.Route)
			require.Equal(c, map[string]any{"CC": []any{cc.Name, q.Name}}, d.Headers)
			require.Equal(c, q.Name, d.RoutingKey)
		}
		require.ElementsMatch(c, []string{"q", "cc", "bcc"}, routes)
		require.NoError(c, b.Publish(c.ctx(), runtime.Address{RoutingKey: c.prefix + "none"}, &runtime.Message{Headers: map[string]any{
			"BCC": []any{bcc.Name},
		}}), "one queue has it")
		require.Equal(c, "bcc", c.next(in).Route)
	}},
	{"a dead letter with a key of its own forgets those of CC", func(c *testCase) {
		cc, copies, dead := c.queue("cc"), newInbox(), c.deadLetters("q")
		q := c.queue("q", "x-dead-letter-exchange", "", "x-dead-letter-routing-key", c.prefix+"q.dead")
		c.start(Settings{}, runtime.Route{Name: "cc", Queue: cc, Handler: copies.handler()})
		b := c.declared(q)
		require.NoError(c, b.Publish(c.ctx(), toQueue(q), &runtime.Message{
			Body: []byte("1"), Expiration: time.Millisecond, Headers: map[string]any{"CC": []any{cc.Name}},
		}))
		d := c.next(dead)
		require.NotContains(c, d.Headers, "CC")
		require.Equal(c, []any{q.Name, cc.Name}, d.Headers["x-death"].([]any)[0].(map[string]any)["routing-keys"])
		c.publish(b, toQueue(cc), "2")
		require.Equal(c, []string{"1", "2"}, []string{c.body(copies), c.body(copies)})
	}},
	{"a message expires into the dead-letter exchange", func(c *testCase) {
		q, dead := c.deadLetterQueue()
		b := c.declared(q)
		require.NoError(c, b.Publish(c.ctx(), toQueue(q), &runtime.Message{Body: []byte("1"), Expiration: 30 * time.Millisecond}))
		d := c.next(dead)
		require.Equal(c, "1", string(d.Body))
		require.Zero(c, d.Expiration)
		death := d.Headers["x-death"].([]any)[0].(map[string]any)
		require.Equal(c, "expired", death["reason"])
		require.Equal(c, "30", death["original-expiration"])
	}},
	{"a time to live of zero delivers to a free consumer, and else expires at once", func(c *testCase) {
		dead, alive := c.deadLetters("q"), newInbox()
		arguments := []any{"x-dead-letter-exchange", "", "x-dead-letter-routing-key", c.prefix + "q.dead"}
		q, byMessage := c.queue("q", append(arguments, "x-message-ttl", 0)...), c.queue("m", arguments...)
		routes := []runtime.Route{
			{Name: "q", Queue: q, Handler: alive.handler()}, {Name: "m", Queue: byMessage, Handler: alive.handler()},
		}
		b := c.start(Settings{}, routes...)
		for range 5 {
			c.publish(b, toQueue(q), "1")
			require.Equal(c, "q", c.next(alive).Route)
			require.NoError(c, b.Publish(c.ctx(), toQueue(byMessage), &runtime.Message{Expiration: time.Microsecond}))
			require.Equal(c, "m", c.next(alive).Route)
		}
		c.shutdown(b)
		b = c.open(Settings{})
		c.publish(b, toQueue(q), "2")
		require.Equal(c, "2", c.body(dead))
		require.NoError(c, b.Publish(c.ctx(), toQueue(byMessage), &runtime.Message{Body: []byte("3"), Expiration: time.Microsecond}))
		require.Equal(c, "3", c.body(dead))
	}},
	{"a requeued message of a quorum queue with a delivery limit keeps its place", func(c *testCase) {
		q, in := c.queue("q", "x-queue-type", "quorum", "x-delivery-limit", 10), newInbox()
		sender := c.declared(q)
		for _, body := range []string{"1", "2", "3"} {
			c.publish(sender, toQueue(q), body)
		}
		c.start(Settings{Prefetch: 1}, runtime.Route{Name: "r", Queue: q, Handler: in.then(once(func() error { return errFailed }))})
		for _, body := range []string{"1", "1", "2", "2", "3", "3"} {
			require.Equal(c, body, c.body(in))
		}
	}},
	{"a message with the user id of the connection is taken, and another is refused", func(c *testCase) {
		q, in := c.queue("q"), newInbox()
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: in.handler()})
		err := b.Publish(c.ctx(), toQueue(q), &runtime.Message{UserID: "somebody else"})
		require.ErrorContains(c, err, "the user id isn't that of the connection")
		require.NotErrorIs(c, err, runtime.ErrUnknown)
		require.NoError(c, b.Publish(c.ctx(), toQueue(q), &runtime.Message{UserID: "guest"}))
		require.Equal(c, "guest", c.next(in).UserID)
	}},
	{"the exchange of the firehose is the server's own", func(c *testCase) {
		trace := runtime.Exchange{Name: "amq.rabbitmq.trace", Type: runtime.Topic, Durable: true}
		b := c.open(Settings{})
		err := b.Start(c.ctx(), c.router(runtime.Route{Name: "r", Queue: c.queue("q"), Exchange: &trace, Handler: newInbox().handler()}))
		require.ErrorContains(c, err, `declare exchange "amq.rabbitmq.trace" for route "r"`)
		require.ErrorContains(c, err, "internal")
		err = b.Publish(c.ctx(), runtime.Address{Exchange: trace.Name, RoutingKey: "k"}, text("1"))
		require.ErrorContains(c, err, "internal")
		require.NotErrorIs(c, err, runtime.ErrUnknown)
		require.NotErrorIs(c, err, runtime.ErrUnroutable)
	}},
	{"a queue's messages expire after its x-message-ttl", func(c *testCase) {
		q, dead := c.deadLetterQueue("x-message-ttl", 30)
		b := c.declared(q)
		c.publish(b, toQueue(q), "1")
		require.Equal(c, "1", c.body(dead))
	}},
	{"a queue over its x-max-length drops the oldest", func(c *testCase) {
		q, dead := c.deadLetterQueue("x-max-length", 2)
		b := c.declared(q)
		for _, body := range []string{"1", "2", "3", "4"} {
			c.publish(b, toQueue(q), body)
		}
		require.Equal(c, "1", c.body(dead))
		require.Equal(c, "2", c.body(dead))
		in := newInbox()
		c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: in.handler()})
		require.Equal(c, "3", c.body(in))
		require.Equal(c, "4", c.body(in))
	}},
	{"a queue without room has nothing wait", func(c *testCase) {
		for i, argument := range []string{"x-max-length", "x-max-length-bytes"} {
			name := fmt.Sprint("q", i)
			q, dead := c.queue(name, "x-dead-letter-exchange", "", "x-dead-letter-routing-key", c.prefix+name+".dead", argument, 0), c.deadLetters(name)
			b := c.declared(q)
			c.publish(b, toQueue(q), "1")
			require.Equal(c, "1", c.body(dead), argument)
		}
	}},
	{"a full queue with reject-publish is ErrNacked", func(c *testCase) {
		q := c.queue("q", "x-max-length", 1, "x-overflow", "reject-publish")
		b := c.declared(q)
		c.publish(b, toQueue(q), "1")
		require.Eventually(c, func() bool { // the real queue counts a moment later
			return b.Publish(c.ctx(), toQueue(q), text("2")) != nil
		}, patience, time.Millisecond)
		require.ErrorIs(c, b.Publish(c.ctx(), toQueue(q), text("3")), runtime.ErrNacked)
	}},
	{"higher priorities come first", func(c *testCase) {
		q, in := c.queue("q", "x-max-priority", 5), newInbox()
		b := c.declared(q)
		for body, priority := range map[string]uint8{"low": 1, "mid": 3, "high": 5} {
			require.NoError(c, b.Publish(c.ctx(), toQueue(q), &runtime.Message{Body: []byte(body), Priority: priority}))
		}
		c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: in.handler()})
		require.Equal(c, []string{"high", "mid", "low"}, []string{c.body(in), c.body(in), c.body(in)})
	}},
	{"an exclusive queue is its broker's own, and ends with it", func(c *testCase) {
		q, in := c.queue("q"), newInbox()
		q.Durable, q.Exclusive = false, true
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: in.handler()})
		other := c.open(Settings{})
		err := other.Start(c.ctx(), c.router(runtime.Route{Name: "other", Queue: q, Handler: in.handler()}))
		require.ErrorContains(c, err, q.Name)
		require.ErrorContains(c, err, "other")
		c.publish(other, toQueue(q), "1")
		require.Equal(c, "1", c.body(in))
		c.shutdown(b)
		c.gone(other, toQueue(q), runtime.ErrUnroutable)
	}},
	{"an auto-delete queue goes with its last consumer", func(c *testCase) {
		q, in := c.queue("q"), newInbox()
		q.AutoDelete = true
		first := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: in.handler()})
		second := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: in.handler()})
		sender := c.open(Settings{})
		c.shutdown(first)
		c.publish(sender, toQueue(q), "1")
		require.Equal(c, "1", c.body(in))
		c.shutdown(second)
		c.gone(sender, toQueue(q), runtime.ErrUnroutable)
	}},
	{"an auto-delete exchange goes with its last binding", func(c *testCase) {
		x, q := c.exchange("x", runtime.Fanout), c.queue("q")
		x.AutoDelete, q.AutoDelete = true, true
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Exchange: x, Handler: newInbox().handler()})
		sender := c.open(Settings{})
		c.publish(sender, toExchange(x, ""), "1")
		c.shutdown(b)
		c.gone(sender, toExchange(x, ""), runtime.ErrNoExchange)
	}},
	{"an auto-delete exchange goes with the exchange that it is bound to", func(c *testCase) {
		front, back, q := c.exchange("front", runtime.Fanout), c.exchange("back", runtime.Fanout), c.queue("q")
		front.AutoDelete, back.AutoDelete, q.AutoDelete = true, true, true
		router := c.router(runtime.Route{Name: "r", Queue: q, Exchange: back, Handler: newInbox().handler()})
		require.NoError(c, router.Declare(runtime.Topology{
			Exchanges:        []runtime.Exchange{*front},
			ExchangeBindings: []runtime.ExchangeBinding{{Source: front.Name, Destination: back.Name}},
		}))
		b := c.open(Settings{})
		require.NoError(c, b.Start(c.ctx(), router))
		sender := c.open(Settings{})
		c.publish(sender, toExchange(front, ""), "1")
		c.shutdown(b)
		c.gone(sender, toExchange(front, ""), runtime.ErrNoExchange)
	}},
	{"an auto-delete exchange that was never bound stays", func(c *testCase) {
		x, q := c.exchange("x", runtime.Fanout), c.queue("q")
		x.AutoDelete, q.AutoDelete = true, true
		router := c.router(runtime.Route{Name: "r", Queue: q, Handler: newInbox().handler()})
		require.NoError(c, router.Declare(runtime.Topology{Exchanges: []runtime.Exchange{*x}}))
		b := c.open(Settings{})
		require.NoError(c, b.Start(c.ctx(), router))
		sender := c.open(Settings{})
		c.shutdown(b)
		c.gone(sender, toQueue(q), runtime.ErrUnroutable)
		err := sender.Publish(c.ctx(), toExchange(x, ""), text("1"))
		require.ErrorIs(c, err, runtime.ErrUnroutable)
		require.NotErrorIs(c, err, runtime.ErrNoExchange)
	}},
	{"an exchange outlives its last binding", func(c *testCase) {
		x, q := c.exchange("x", runtime.Fanout), c.queue("q")
		q.AutoDelete = true
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Exchange: x, Handler: newInbox().handler()})
		sender := c.open(Settings{})
		c.shutdown(b)
		c.gone(sender, toQueue(q), runtime.ErrUnroutable)
		err := sender.Publish(c.ctx(), toExchange(x, ""), text("1"))
		require.ErrorIs(c, err, runtime.ErrUnroutable)
		require.NotErrorIs(c, err, runtime.ErrNoExchange)
	}},
}

// gone waits until sending to an address is answered by want. What is deleted goes
// a moment later on a real server, and refuses messages meanwhile.
func (c *testCase) gone(t runtime.Transport, to runtime.Address, want error) {
	c.Helper()
	require.Eventually(c, func() bool { return errors.Is(t.Publish(c.ctx(), to, text("2")), want) }, patience, time.Millisecond)
}

// declared returns a broker beside q, which exists and has no consumer.
func (c *testCase) declared(q runtime.Queue) runtime.Broker {
	c.Helper()
	b := c.start(Settings{}, runtime.Route{Name: "declare", Queue: q, Handler: newInbox().handler()})
	c.shutdown(b)
	return c.open(Settings{})
}

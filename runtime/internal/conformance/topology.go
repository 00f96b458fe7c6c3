package conformance

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

var topologyTests = []test{
	{"a queue gets what further exchanges bring", func(c *testCase) {
		in, first, second := newInbox(), c.exchange("first", runtime.Direct), c.exchange("second", runtime.Topic)
		b := c.start(Settings{}, runtime.Route{
			Name: "r", Queue: c.queue("q"), Exchange: first, RoutingKeys: []string{"a"}, Handler: in.handler(),
			Sources: []runtime.Source{{Exchange: *second, RoutingKeys: []string{"b.*", "c"}}},
		})
		for _, to := range []runtime.Address{toExchange(first, "a"), toExchange(second, "b.x"), toExchange(second, "c")} {
			c.publish(b, to, to.RoutingKey)
			require.Equal(c, to.RoutingKey, c.body(in))
		}
		require.ErrorIs(c, b.Publish(c.ctx(), toExchange(second, "a"), text("")), runtime.ErrUnroutable)
	}},
	{"what a router declares beside its routes is there", func(c *testCase) {
		in, audit := newInbox(), newInbox()
		front, back := c.exchange("front", runtime.Topic), c.exchange("back", runtime.Fanout)
		q, kept := c.queue("q"), c.queue("kept")
		router := c.router(runtime.Route{Name: "r", Queue: q, Exchange: back, Handler: in.handler()})
		require.NoError(c, router.Declare(runtime.Topology{
			Queues:           []runtime.Queue{kept},
			Exchanges:        []runtime.Exchange{*front},
			Bindings:         []runtime.Binding{{Exchange: front.Name, Queue: kept.Name, RoutingKey: "order.#"}},
			ExchangeBindings: []runtime.ExchangeBinding{{Source: front.Name, Destination: back.Name, RoutingKey: "order.created"}},
		}))
		b := c.open(Settings{})
		require.NoError(c, b.Start(c.ctx(), router))
		c.publish(b, toExchange(front, "order.created"), "1")
		require.Equal(c, "1", c.body(in))
		c.publish(b, toExchange(front, "order.gone"), "2")
		c.start(Settings{}, runtime.Route{Name: "audit", Queue: kept, Handler: audit.handler()})
		require.Equal(c, "1", c.body(audit))
		require.Equal(c, "2", c.body(audit))
		require.ErrorIs(c, b.Publish(c.ctx(), toExchange(front, "other"), text("")), runtime.ErrUnroutable)
		require.Empty(c, in)
	}},
	{"what a router declares is refused where it is there in another way", func(c *testCase) {
		x := c.exchange("x", runtime.Topic)
		declares := func(x runtime.Exchange) *runtime.Router {
			router := c.router()
			require.NoError(c, router.Declare(runtime.Topology{Exchanges: []runtime.Exchange{x}}))
			return router
		}
		require.NoError(c, c.open(Settings{}).Start(c.ctx(), declares(*x)))
		other := *x
		other.Type = runtime.Fanout
		require.ErrorContains(c, c.open(Settings{}).Start(c.ctx(), declares(other)), x.Name)
	}},
	{"a topology that is only verified has to be there", func(c *testCase) {
		in := newInbox()
		route := runtime.Route{Name: "r", Queue: c.queue("q"), Exchange: c.exchange("x", runtime.Direct), RoutingKeys: []string{"k"}, Handler: in.handler()}
		b := c.open(Settings{Topology: runtime.TopologyVerify})
		require.ErrorContains(c, b.Start(c.ctx(), c.router(route)), "look for exchange")
		c.shutdown(c.start(Settings{}, route))
		route.RoutingKeys = append(route.RoutingKeys, "never bound")
		require.NoError(c, b.Start(c.ctx(), c.router(route)))
		c.publish(b, toExchange(route.Exchange, "k"), "1")
		require.Equal(c, "1", c.body(in))
		require.ErrorIs(c, b.Publish(c.ctx(), toExchange(route.Exchange, "never bound"), text("")), runtime.ErrUnroutable)
	}},
	{"a topology that is left alone isn't declared", func(c *testCase) {
		in := newInbox()
		route := runtime.Route{Name: "r", Queue: c.queue("q"), Exchange: c.exchange("x", runtime.Direct), Handler: in.handler()}
		b := c.open(Settings{Topology: runtime.TopologyNone})
		require.ErrorContains(c, b.Start(c.ctx(), c.router(route)), route.Queue.Name)
		require.ErrorIs(c, b.Publish(c.ctx(), toExchange(route.Exchange, ""), text("")), runtime.ErrNoExchange)
		c.shutdown(c.start(Settings{}, route))
		require.NoError(c, b.Start(c.ctx(), c.router(route)))
		c.publish(b, toExchange(route.Exchange, ""), "1")
		require.Equal(c, "1", c.body(in))
	}},
	{"each instance has a queue of its own, which ends with it", func(c *testCase) {
		x := c.exchange("x", runtime.Fanout)
		route := func(in inbox) runtime.Route {
			return runtime.Route{Name: "r", Queue: runtime.Queue{Name: c.prefix + "own", PerInstance: true}, Exchange: x, Handler: in.handler()}
		}
		first, second := newInbox(), newInbox()
		one, two := c.start(Settings{}, route(first)), c.start(Settings{Topology: runtime.TopologyNone}, route(second))
		c.publish(one, toExchange(x, ""), "1")
		d := c.next(first)
		require.Equal(c, c.prefix+"own", d.Queue, "the name in the contract")
		other := c.next(second)
		require.Equal(c, "1", string(other.Body))
		require.NotEmpty(c, d.Instance)
		require.NotEmpty(c, other.Instance)
		require.NotEqual(c, d.Instance, other.Instance)
		c.shutdown(one)
		c.publish(two, toExchange(x, ""), "2")
		again := c.next(second)
		require.Equal(c, "2", string(again.Body))
		require.Equal(c, other.Instance, again.Instance)
		c.shutdown(two)
		sender := c.open(Settings{})
		require.Eventually(c, func() bool {
			err := sender.Publish(c.ctx(), toExchange(x, ""), text(""))
			return err != nil && strings.Contains(err.Error(), runtime.ErrUnroutable.Error())
		}, patience, time.Millisecond)
	}},
	{"the fields of a queue are its arguments", func(c *testCase) {
		full, dead := newInbox(), newInbox()
		x := c.exchange("dlx", runtime.Direct)
		c.start(Settings{}, runtime.Route{Name: "dead", Queue: c.queue("dead"), Exchange: x, RoutingKeys: []string{"late"}, Handler: dead.handler()})
		q, short := c.queue("q"), c.queue("short")
		q.Type, q.MaxLength, q.Overflow = runtime.Classic, 1, runtime.RejectPublish
		short.MessageTTL, short.DeadLetter = time.Millisecond, &runtime.Address{Exchange: x.Name, RoutingKey: "late"}
		router := c.router()
		require.NoError(c, router.Declare(runtime.Topology{Queues: []runtime.Queue{q, short}}))
		b := c.open(Settings{})
		require.NoError(c, b.Start(c.ctx(), router))
		c.publish(b, toQueue(q), "1")
		require.ErrorIs(c, b.Publish(c.ctx(), toQueue(q), text("2")), runtime.ErrNacked)
		c.publish(b, toQueue(short), "3")
		require.Equal(c, "3", c.body(dead))
		c.start(Settings{}, runtime.Route{Name: "full", Queue: q, Handler: full.handler()})
		require.Equal(c, "1", c.body(full))
	}},
	{"what was consumed makes room in a queue that is bounded in bytes", func(c *testCase) {
		q, in := c.queue("q"), newInbox()
		q.Type, q.MaxLengthBytes, q.Overflow = runtime.Classic, 4, runtime.RejectPublish
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: in.handler()})
		for range 3 {
			c.publish(b, toQueue(q), "four")
			require.Equal(c, "four", c.body(in))
		}
	}},
	{"a consumer of a higher priority comes first", func(c *testCase) {
		q, low, high := c.queue("q"), newInbox(), newInbox()
		release := make(chan struct{})
		b := c.start(Settings{}, runtime.Route{Name: "low", Queue: q, ConsumerPriority: -1, Handler: low.handler()})
		c.start(Settings{}, runtime.Route{
			Name: "high", Queue: q, Prefetch: 2, ConsumerPriority: 1,
			Handler: high.then(func(context.Context, runtime.Delivery) error {
				<-release
				return nil
			}),
		})
		for range 3 {
			c.publish(b, toQueue(q), "1")
		}
		c.next(low) // what the other has no room for
		c.next(high)
		close(release)
		c.next(high)
		require.Empty(c, low)
	}},
	{"a route that is bounded in bytes keeps the order of its queue", func(c *testCase) {
		q, in := c.queue("q"), newInbox()
		router := c.router()
		require.NoError(c, router.Declare(runtime.Topology{Queues: []runtime.Queue{q}}))
		b := c.open(Settings{})
		require.NoError(c, b.Start(c.ctx(), router))
		const messages = 1500
		large := map[int]int{500: 64 << 10, 900: 192 << 10} // the prefetch goes down, and up a window later
		for i := range messages {
			c.publish(b, toQueue(q), fmt.Sprintf("%06d", i)+strings.Repeat("x", large[i]))
		}
		c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Prefetch: 40, PrefetchBytes: 512 << 10, Handler: in.handler()})
		for i := range messages {
			require.Equal(c, fmt.Sprintf("%06d", i), c.body(in)[:6])
		}
	}},
	{"a route that is bounded in bytes gets all of its messages", func(c *testCase) {
		q, in := c.queue("q"), newInbox()
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Prefetch: 10, PrefetchBytes: 1000, Handler: in.handler()})
		for i, size := range []int{1, 10_000, 300, 0, 2000, 10} {
			c.publish(b, toQueue(q), strings.Repeat("x", size))
			require.Len(c, c.body(in), size, i)
		}
		for range 600 {
			c.publish(b, toQueue(q), "x")
		}
		for range 600 {
			c.next(in)
		}
	}},
}

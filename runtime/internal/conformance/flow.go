package conformance

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

var flowTests = []test{
	{"each publisher's messages come in their order", func(c *testCase) {
		const publishers, messages = 8, 50
		q, in := c.queue("q"), newInbox()
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: in.handler()})
		var sending sync.WaitGroup
		errs := make(chan error, publishers*messages)
		ctx := c.ctx()
		for p := range publishers {
			sending.Go(func() {
				for i := range messages {
					errs <- b.Publish(ctx, toQueue(q), &runtime.Message{Body: fmt.Append(nil, i), AppID: fmt.Sprint(p)})
				}
			})
		}
		sending.Wait()
		next := make(map[string]int)
		for range publishers * messages {
			require.NoError(c, <-errs)
			d := c.next(in)
			require.Equal(c, fmt.Sprint(next[d.AppID]), string(d.Body), "publisher %s", d.AppID)
			next[d.AppID]++
		}
	}},
	{"a route takes no more than its prefetch", func(c *testCase) {
		q, slow, other := c.queue("q"), newInbox(), newInbox()
		release := make(chan struct{})
		b := c.start(Settings{Concurrency: 10}, runtime.Route{
			Name: "slow", Queue: q, Prefetch: 3, Handler: slow.then(func(context.Context, runtime.Delivery) error {
				<-release
				return nil
			}),
		})
		for range 7 {
			c.publish(b, toQueue(q), "1")
		}
		for range 3 {
			c.next(slow)
		}
		c.start(Settings{}, runtime.Route{Name: "other", Queue: q, Handler: other.handler()})
		for range 4 {
			c.next(other)
		}
		require.Empty(c, slow)
		close(release)
	}},
	{"a route handles no more at a time than its concurrency", func(c *testCase) {
		q, in := c.queue("q"), newInbox()
		var running, most atomic.Int64
		pair := make(chan struct{})
		b := c.start(Settings{Concurrency: 2}, runtime.Route{
			Name: "r", Queue: q, Handler: in.then(func(context.Context, runtime.Delivery) error {
				most.Store(max(most.Load(), running.Add(1)))
				defer running.Add(-1)
				select { // two handlers meet here, or none gets on
				case pair <- struct{}{}:
				case <-pair:
				}
				return nil
			}),
		})
		for range 20 {
			c.publish(b, toQueue(q), "1")
		}
		for range 20 {
			c.next(in)
		}
		c.shutdown(b)
		require.EqualValues(c, 2, most.Load())
	}},
	{"one delivery is handled at a time by default", func(c *testCase) {
		q, in := c.queue("q"), newInbox()
		var running atomic.Int64
		b := c.start(Settings{}, runtime.Route{
			Name: "r", Queue: q, Handler: runtime.Consume(func(ctx context.Context, body []byte) error {
				d := runtime.Delivery{Message: runtime.Message{Body: body}, Redelivered: running.Add(1) > 1}
				defer running.Add(-1)
				in <- d
				return nil
			}),
		})
		for i := range 50 {
			c.publish(b, toQueue(q), fmt.Sprint(i))
		}
		for i := range 50 {
			d := c.next(in)
			require.Equal(c, fmt.Sprint(i), string(d.Body))
			require.False(c, d.Redelivered, "two handlers ran at a time")
		}
	}},
	{"middleware runs around each handler", func(c *testCase) {
		q := c.queue("q")
		steps := make(chan string, 10)
		step := func(name string) runtime.Middleware {
			return func(next runtime.HandlerFunc) runtime.HandlerFunc {
				return func(ctx context.Context, d *runtime.Delivery) (*runtime.Message, error) {
					steps <- name + " " + d.Route
					return next(ctx, d)
				}
			}
		}
		router := c.router(runtime.Route{Name: "r", Queue: q, Handler: runtime.Consume(func(context.Context, []byte) error {
			steps <- "handler"
			return nil
		})})
		router.Use(step("outer"), step("inner"))
		b := c.open(Settings{})
		require.NoError(c, b.Start(c.ctx(), router))
		c.publish(b, toQueue(q), "1")
		require.Equal(c, []string{"outer r", "inner r", "handler"}, []string{<-steps, <-steps, <-steps})
	}},
}

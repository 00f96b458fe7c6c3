package conformance

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

// batches gets the batches that a route handles.
type batches chan []string

func newBatches() batches { return make(batches, 1000) }

// handler puts each batch into bs, and goes on with handle.
func (bs batches) handler(size int, wait time.Duration, handle func(ctx context.Context, bodies []string) error) runtime.Handler {
	return runtime.ConsumeBatch(func(ctx context.Context, bodies []string) error {
		bs <- slices.Sorted(slices.Values(bodies))
		return handle(ctx, bodies)
	}, size, wait)
}

func (c *testCase) batch(bs batches) []string {
	c.Helper()
	select {
	case batch := <-bs:
		return batch
	case <-time.After(patience):
		require.FailNow(c, "no batch has come")
		return nil
	}
}

func noError(context.Context, []string) error { return nil }

var batchTests = []test{
	{"messages are handled in batches, which have as many handlers and deliveries as they need", func(c *testCase) {
		q, bs := c.queue("q"), newBatches()
		b := c.start(Settings{Prefetch: 1}, runtime.Route{Name: "r", Queue: q, Handler: bs.handler(3, patience, noError)})
		for i := range 6 {
			c.publish(b, toQueue(q), fmt.Sprintf(`"%d"`, i))
		}
		require.Equal(c, []string{"0", "1", "2"}, c.batch(bs))
		require.Equal(c, []string{"3", "4", "5"}, c.batch(bs))
	}},
	{"a batch is taken whole, however large its messages are", func(c *testCase) {
		q, bs := c.queue("q"), newBatches()
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, PrefetchBytes: 1, Handler: bs.handler(3, patience, noError)})
		for range 3 {
			c.publish(b, toQueue(q), `"large"`)
		}
		require.Len(c, c.batch(bs), 3)
	}},
	{"a batch that isn't full is handled when its first message has waited", func(c *testCase) {
		q, bs := c.queue("q"), newBatches()
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: bs.handler(100, 20*time.Millisecond, noError)})
		c.publish(b, toQueue(q), `"1"`)
		require.Equal(c, []string{"1"}, c.batch(bs))
	}},
	{"members fail on their own, each as the policy says", func(c *testCase) {
		q, bs, dead := c.queue("q"), newBatches(), c.deadLetters("q")
		b := c.start(Settings{}, runtime.Route{
			Name: "r", Queue: q, Failure: quickly(2), Handler: bs.handler(3, time.Second, func(ctx context.Context, bodies []string) error {
				failed := make(map[int]error)
				for i, d := range runtime.DeliveriesFrom(ctx) {
					switch {
					case bodies[i] == "rejected":
						failed[i] = runtime.Reject(errFailed)
					case bodies[i] == "once" && d.Attempt == 1:
						failed[i] = errFailed
					}
				}
				return &runtime.BatchError{Failed: failed}
			}),
		})
		for _, body := range []string{`"fine"`, `no JSON`, `"once"`, `"rejected"`} {
			c.publish(b, toQueue(q), body)
		}
		require.Equal(c, []string{"fine", "once", "rejected"}, c.batch(bs))
		require.Equal(c, []string{"once"}, c.batch(bs))
		require.ElementsMatch(c, []string{`no JSON`, `"rejected"`}, []string{c.body(dead), c.body(dead)})
		c.shutdown(b)
		require.Empty(c, bs)
		require.Empty(c, dead)
	}},
	{"all members fail by an error or a panic", func(c *testCase) {
		q, bs, dead := c.queue("q"), newBatches(), c.deadLetters("q")
		b := c.start(Settings{}, runtime.Route{
			Name: "r", Queue: q, Failure: quickly(1), Handler: bs.handler(2, patience, func(_ context.Context, bodies []string) error {
				if slices.Contains(bodies, "panics") {
					panic("no")
				}
				return errFailed
			}),
		})
		for _, body := range []string{`"fails"`, `"too"`} {
			c.publish(b, toQueue(q), body)
		}
		require.ElementsMatch(c, []string{`"fails"`, `"too"`}, []string{c.body(dead), c.body(dead)})
		for _, body := range []string{`"panics"`, `"too"`} {
			c.publish(b, toQueue(q), body)
		}
		require.ElementsMatch(c, []string{`"panics"`, `"too"`}, []string{c.body(dead), c.body(dead)})
	}},
	{"a shutdown hands over the batch that waits", func(c *testCase) {
		q, bs, met := c.queue("q"), newBatches(), make(chan struct{}, 10)
		learn := func(next runtime.HandlerFunc) runtime.HandlerFunc {
			return func(ctx context.Context, d *runtime.Delivery) (*runtime.Message, error) {
				met <- struct{}{}
				return next(ctx, d)
			}
		}
		handler := bs.handler(100, time.Hour/4, noError).With(learn)
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: handler})
		c.publish(b, toQueue(q), `"1"`)
		c.publish(b, toQueue(q), `"2"`)
		c.await("two wait", met)
		c.await("two wait", met)
		c.shutdown(b)
		handled := c.batch(bs)
		if len(handled) == 1 { // the other one hadn't joined it yet
			handled = append(handled, c.batch(bs)...)
		}
		require.ElementsMatch(c, []string{"1", "2"}, handled)
		rest := newInbox()
		c.publish(c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: rest.handler()}), toQueue(q), "3")
		require.Equal(c, "3", c.body(rest), "the others were acknowledged")
	}},
	{"a batch has the time of its first message", func(c *testCase) {
		q, bs, causes := c.queue("q"), newBatches(), make(chan error, 10)
		b := c.start(Settings{}, runtime.Route{
			Name: "r", Queue: q, Timeout: 50 * time.Millisecond, Failure: quickly(1),
			Handler: bs.handler(2, time.Millisecond, func(ctx context.Context, _ []string) error {
				<-ctx.Done()
				causes <- context.Cause(ctx)
				return ctx.Err()
			}),
		})
		c.publish(b, toQueue(q), `"1"`)
		require.ErrorIs(c, <-causes, runtime.ErrTimeout)
	}},
}

package conformance

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

var limitTests = []test{
	{"a route's limits come before the broker's", func(c *testCase) {
		q, in, release := c.queue("q"), newInbox(), make(chan struct{})
		b := c.start(Settings{Prefetch: 1, Concurrency: 1}, runtime.Route{
			Name: "r", Queue: q, Prefetch: 3, Concurrency: 2, Handler: in.then(func(context.Context, runtime.Delivery) error {
				<-release
				return nil
			}),
		})
		for range 5 {
			c.publish(b, toQueue(q), "1")
		}
		c.next(in)
		c.next(in)
		other := newInbox()
		c.start(Settings{Prefetch: 1}, runtime.Route{Name: "other", Queue: q, Handler: other.handler()})
		c.next(other)
		c.next(other)
		require.Empty(c, in, "two at a time")
		require.Empty(c, other, "the first route holds three")
		close(release)
		c.next(in)
	}},
	{"a handler's context ends after the route's timeout", func(c *testCase) {
		q, in, causes := c.queue("q"), newInbox(), make(chan error, 10)
		var log Log
		b := c.start(Settings{Logger: slog.New(slog.NewTextHandler(&log, nil))}, runtime.Route{
			Name: "r", Queue: q, Timeout: 50 * time.Millisecond, Handler: in.then(func(ctx context.Context, d runtime.Delivery) error {
				if d.Redelivered {
					return nil
				}
				<-ctx.Done()
				causes <- context.Cause(ctx)
				return ctx.Err()
			}),
		})
		c.publish(b, toQueue(q), "1")
		require.ErrorIs(c, <-causes, runtime.ErrTimeout)
		require.False(c, c.next(in).Redelivered)
		require.True(c, c.next(in).Redelivered)
		require.Contains(c, log.String(), "used up the route's Timeout of 50ms")
	}},
	{"a caller learns that the handler has used up its time", func(c *testCase) {
		q := c.queue("q")
		b := c.start(Settings{}, runtime.Route{
			Name: "r", Queue: q, Timeout: 50 * time.Millisecond, Handler: runtime.Respond(func(ctx context.Context, _ []byte) ([]byte, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			}),
		})
		_, err := runtime.NewCaller[[]byte, []byte](b, runtime.Endpoint{To: toQueue(q)}).Call(c.ctx(), nil)
		var failed *runtime.ReplyError
		require.ErrorAs(c, err, &failed)
		require.Equal(c, runtime.CodeTimeout, failed.Code)
	}},
	{"without a timeout a handler's context has no deadline", func(c *testCase) {
		q, limited := c.queue("q"), make(chan bool, 10)
		handler := runtime.Consume(func(ctx context.Context, _ []byte) error {
			_, has := ctx.Deadline()
			limited <- has
			return nil
		})
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Timeout: -1, Handler: handler})
		c.publish(b, toQueue(q), "1")
		require.False(c, <-limited)
		c.shutdown(b)
		c.publish(c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: handler}), toQueue(q), "1")
		require.True(c, <-limited, "there is one by default")
	}},
	{"a stuck handler keeps its place, and the others go on", stuckBesideOthers},
	{"stuck handlers of large messages leave the others their places", func(c *testCase) {
		stuckBesideAll(c, runtime.Route{PrefetchBytes: 1000, Concurrency: 4}, 3)
	}},
	{"a route whose handlers are all stuck gives back what it holds, and goes on when one returns", allStuck},
}

// hangs returns a handler that ignores its context for messages "hang", until
// release is closed.
func hangs(in inbox, release <-chan struct{}) runtime.Handler {
	return in.then(func(_ context.Context, d runtime.Delivery) error {
		if string(d.Body) == "hang" {
			<-release
		}
		return nil
	})
}

func stuckBesideOthers(c *testCase) {
	var log Log
	q, in, release := c.queue("q"), newInbox(), make(chan struct{})
	b := c.start(Settings{Logger: slog.New(slog.NewTextHandler(&log, nil))}, runtime.Route{
		Name: "r", Queue: q, Concurrency: 2, Timeout: 20 * time.Millisecond, Handler: hangs(in, release),
	})
	require.NoError(c, b.Publish(c.ctx(), toQueue(q), &runtime.Message{Body: []byte("hang"), MessageID: "the-id"}))
	require.Equal(c, "hang", c.body(in))
	require.Eventually(c, func() bool { return strings.Contains(log.String(), "stuck") }, patience, time.Millisecond)
	require.Contains(c, log.String(), "the-id")
	require.ErrorContains(c, ready(b), `route "r"`)
	require.ErrorContains(c, ready(b), "1 of 2 handlers are stuck")
	for range 20 {
		c.publish(b, toQueue(q), "fine")
		require.Equal(c, "fine", c.body(in))
	}
	close(release)
	require.Eventually(c, func() bool { return strings.Contains(log.String(), "has returned") }, patience, time.Millisecond)
	require.NoError(c, ready(b))
	c.shutdown(b)
	require.ErrorIs(c, ready(b), runtime.ErrClosed)
	require.Empty(c, in, "it was settled after all")
}

// stuckBesideAll has so many handlers of the route hang, of which each has a message of
// 2,000 bytes, and has the others handle what comes then.
func stuckBesideAll(c *testCase, route runtime.Route, hanging int) {
	in, release := newInbox(), make(chan struct{})
	defer close(release)
	route.Name, route.Queue, route.Timeout = "r", c.queue("q"), 20*time.Millisecond
	route.Handler = in.then(func(_ context.Context, d runtime.Delivery) error {
		if d.Type == "hang" {
			<-release
		}
		return nil
	})
	b := c.start(Settings{}, route)
	send := func(kind string) {
		require.NoError(c, b.Publish(c.ctx(), toQueue(route.Queue), &runtime.Message{Body: make([]byte, 2000), Type: kind}))
	}
	for range hanging {
		send("hang")
	}
	for range hanging {
		require.Equal(c, "hang", c.next(in).Type)
	}
	for range 20 {
		send("fine")
	}
	for range 20 {
		require.Equal(c, "fine", c.next(in).Type)
	}
	require.ErrorContains(c, ready(b), fmt.Sprintf("%d of %d handlers are stuck", hanging, route.Concurrency))
}

// ready asks a broker what is missing.
func ready(b runtime.Broker) error { return b.(interface{ Ready() error }).Ready() }

func allStuck(c *testCase) {
	q, in, release := c.queue("q"), newInbox(), make(chan struct{})
	b := c.start(Settings{}, runtime.Route{
		Name: "r", Queue: q, Prefetch: 10, Concurrency: 2, Timeout: 20 * time.Millisecond, Handler: hangs(in, release),
	})
	for _, body := range []string{"hang", "hang", "1", "2"} {
		c.publish(b, toQueue(q), body)
	}
	c.next(in)
	c.next(in)
	other := newInbox()
	second := c.start(Settings{}, runtime.Route{Name: "other", Queue: q, Handler: other.handler()})
	bodies := make(map[string]int)
	for range 4 {
		bodies[c.body(other)]++
	}
	require.Equal(c, map[string]int{"hang": 2, "1": 1, "2": 1}, bodies)
	c.shutdown(second)
	c.publish(b, toQueue(q), "waits")
	close(release)
	require.Equal(c, "waits", c.body(in))
}

package conformance

import (
	"context"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

var healthTests = []test{
	{"a reply that comes too late is an event of its caller", func(c *testCase) {
		q, late := c.queue("q"), make(chan runtime.Event, 1)
		release, entered := make(chan struct{}), make(chan struct{})
		c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: runtime.Respond(func(context.Context, []byte) ([]byte, error) {
			close(entered)
			<-release
			return nil, nil
		})})
		caller := c.open(Settings{Events: []runtime.Events{{LateReply: func(e runtime.Event) { late <- e }}}})
		require.NoError(c, caller.Publish(c.ctx(), toQueue(c.queue("other")), &runtime.Message{AllowUnroutable: true}))
		ctx, cancel := context.WithTimeout(c.ctx(), patience)
		go func() {
			<-entered
			cancel()
		}()
		_, err := caller.Call(ctx, toQueue(q), text("1"))
		require.ErrorIs(c, err, context.Canceled)
		close(release)
		select {
		case e := <-late:
			require.Equal(c, runtime.EventLateReply, e.Kind)
			require.False(c, e.Time.IsZero())
		case <-time.After(patience):
			require.FailNow(c, "no event has come")
		}
	}},
	{"a broker is live and ready while it consumes", func(c *testCase) {
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: c.queue("q"), Handler: newInbox().handler()})
		health := b.(runtime.HealthChecker)
		require.NoError(c, health.Live())
		require.NoError(c, health.Ready())
		c.shutdown(b)
		require.NoError(c, health.Live(), "its process ends by itself")
		require.ErrorIs(c, health.Ready(), runtime.ErrClosed)
	}},
	{"a broker whose start failed isn't ready until one succeeds", func(c *testCase) {
		q := c.queue("q")
		c.declared(q)
		b := c.open(Settings{})
		health := b.(runtime.HealthChecker)
		require.NoError(c, health.Ready(), "it may be there to send alone")
		other := q
		other.AutoDelete = true
		ended, end := context.WithCancel(c.ctx())
		end()
		good := c.router(runtime.Route{Name: "good", Queue: q, Handler: newInbox().handler()})
		for _, start := range []func() error{
			func() error { return b.Start(ended, good) },
			func() error {
				return b.Start(c.ctx(), c.router(runtime.Route{Name: "bad", Queue: other, Handler: newInbox().handler()}))
			},
		} {
			failure := start()
			require.Error(c, failure)
			var missing *runtime.NotReadyError
			require.ErrorAs(c, health.Ready(), &missing)
			require.Len(c, missing.Problems, 1)
			require.Equal(c, "consuming", missing.Problems[0].Connection)
			require.ErrorContains(c, missing, "the start failed")
			require.NoError(c, health.Live(), "a restart doesn't help")
		}
		require.NoError(c, b.Start(c.ctx(), good))
		require.NoError(c, health.Ready())
		require.Error(c, b.Start(c.ctx(), good))
		require.NoError(c, health.Ready(), "a second start is refused and changes nothing")
	}},
	{"a route whose handlers are all stuck isn't live", func(c *testCase) {
		q, in := c.queue("q"), newInbox()
		release := make(chan struct{})
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Concurrency: 2, Timeout: time.Millisecond, Handler: in.then(func(context.Context, runtime.Delivery) error {
			<-release
			return nil
		})})
		health := b.(runtime.HealthChecker)
		c.publish(b, toQueue(q), "1")
		c.next(in)
		require.Eventually(c, func() bool { return health.Ready() != nil }, patience, time.Millisecond)
		require.NoError(c, health.Live(), "another handler is left")
		var missing *runtime.NotReadyError
		require.ErrorAs(c, health.Ready(), &missing)
		require.Equal(c, "r", missing.Problems[0].Route)
		require.Equal(c, q.Name, missing.Problems[0].Queue)
		c.publish(b, toQueue(q), "2")
		require.Eventually(c, func() bool { return health.Live() != nil }, patience, time.Millisecond)
		close(release)
		require.Eventually(c, func() bool { return health.Live() == nil }, patience, time.Millisecond)
	}},
}

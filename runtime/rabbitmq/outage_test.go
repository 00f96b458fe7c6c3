package rabbitmq_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/rabbitnode"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/conformance"
	"github.com/warrenmq/warren/runtime/rabbitmq"
)

// TestOutage takes a node of its own, which it stops, kills and starves.
func TestOutage(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Minute)
	defer cancel()
	node, err := rabbitnode.Start(ctx)
	require.NoError(t, err)
	t.Cleanup(node.Stop)

	t.Run("no confirmed message is lost when the server is killed", func(t *testing.T) {
		keepsConfirmed(t, node, func() {
			node.Kill()
			require.NoError(t, node.Restart(ctx))
		})
	})
	t.Run("no confirmed message is lost when the server is stopped", func(t *testing.T) {
		keepsConfirmed(t, node, func() {
			require.NoError(t, node.Control(ctx, "stop_app"))
			require.NoError(t, node.Control(ctx, "start_app"))
		})
	})
	t.Run("no confirmed message is lost when connections are closed", func(t *testing.T) {
		keepsConfirmed(t, node, func() {
			require.NoError(t, node.Control(ctx, "close_all_connections", "by a test"))
		})
	})
	t.Run("a delivery of a lost connection is settled nowhere and comes again", func(t *testing.T) {
		settlesNowhere(t, ctx, node)
	})
	t.Run("a call whose connection is lost is ErrUnknown", func(t *testing.T) {
		q, entered := queue(t), make(chan struct{}, 1)
		start(t, open(t, node.URL()), runtime.Route{Name: "silent", Queue: q, Handler: runtime.Consume(func(context.Context, []byte) error {
			entered <- struct{}{}
			return nil
		})})
		caller, failed := open(t, node.URL()), make(chan error, 1)
		go func() {
			_, err := caller.Call(ctx, to(q), &runtime.Message{})
			failed <- err
		}()
		<-entered
		require.NoError(t, node.Control(ctx, "close_all_connections", "by a test"))
		require.ErrorIs(t, <-failed, runtime.ErrUnknown)
	})
	t.Run("a vhost that is deleted and comes back is consumed again", func(t *testing.T) { losesVhost(t, ctx, node) })
	t.Run("a vhost without room for a queue says what to do", func(t *testing.T) {
		vhost := queue(t).Name
		require.NoError(t, node.Control(ctx, "add_vhost", vhost))
		require.NoError(t, node.Control(ctx, "set_permissions", "-p", vhost, "guest", ".*", ".*", ".*"))
		require.NoError(t, node.Control(ctx, "set_vhost_limits", "-p", vhost, `{"max-queues": 0}`))
		err := open(t, node.URL()+vhost).Start(ctx, router(t, runtime.Route{Name: "r", Queue: queue(t), Handler: silent}))
		require.ErrorContains(t, err, "raise its max-queues")
		require.NotContains(t, err.Error(), "exists in another way")
	})
	t.Run("a handler that takes too long loses its delivery, and no other route does", func(t *testing.T) { exceedsTimeout(t, ctx, node) })
	t.Run("an exchange without permission disturbs no other message", func(t *testing.T) { lacksPermission(t, ctx, node) })
	t.Run("a server without memory is ErrBlocked, and consuming goes on", func(t *testing.T) { blocks(t, ctx, node) })
	t.Run("shutdown ends in time while the server takes no messages", func(t *testing.T) {
		q := queue(t)
		whenBlocked, hooks := untilBlocked(ctx)
		b := openWith(t, rabbitmq.Config{URL: node.URL(), Events: hooks})
		b.SetCloseTimeout(time.Hour)
		start(t, b, runtime.Route{Name: "r", Queue: q, Handler: silent})
		starve(t, ctx, node)
		// One without a body would still be taken (measured on RabbitMQ 3.10).
		require.ErrorIs(t, b.Publish(whenBlocked, to(q), &runtime.Message{Body: []byte("1")}), runtime.ErrBlocked)
		failed := make(chan error, 1)
		go func() { failed <- b.Publish(ctx, to(q), &runtime.Message{}) }()
		requireShutdown(t, b)
		require.ErrorIs(t, <-failed, runtime.ErrClosed)
	})
	t.Run("without a server a message waits, and its error says that it wasn't sent", func(t *testing.T) {
		node.Kill()
		limited, cancel := context.WithCancel(ctx)
		defer cancel()
		var log conformance.Log
		b, failed := openWith(t, rabbitmq.Config{URL: node.URL(), Logger: textLogger(&log)}), make(chan error, 1)
		go func() { failed <- b.Publish(limited, runtime.Address{RoutingKey: "q"}, &runtime.Message{}) }()
		require.Eventually(t, func() bool { return strings.Contains(log.String(), "can't connect") }, patience, time.Millisecond)
		cancel()
		err := <-failed
		require.ErrorIs(t, err, context.Canceled)
		require.NotErrorIs(t, err, runtime.ErrUnknown)
		require.ErrorContains(t, err, "connection refused")
	})
}

// settlesNowhere loses the connection under a running handler, whose success
// must not acknowledge another delivery.
func settlesNowhere(t *testing.T, ctx context.Context, node *rabbitnode.Node) {
	q := queue(t)
	type delivery struct {
		body        string
		redelivered bool
	}
	got, release := make(chan delivery, 10), make(chan struct{})
	start(t, open(t, node.URL()), runtime.Route{Name: "r", Queue: q, Handler: runtime.Consume(func(ctx context.Context, body []byte) error {
		got <- delivery{string(body), runtime.DeliveryFrom(ctx).Redelivered}
		<-release
		return nil
	})})
	b := open(t, node.URL())
	require.NoError(t, b.Publish(ctx, to(q), &runtime.Message{Body: []byte("1")}))
	require.NoError(t, b.Publish(ctx, to(q), &runtime.Message{Body: []byte("2")}))
	require.Equal(t, delivery{"1", false}, <-got)
	require.NoError(t, node.Control(ctx, "close_all_connections", "by a test"))
	awaitConsumers(t, node, q, 1)
	close(release)
	require.Equal(t, delivery{"1", true}, <-got)
	require.Equal(t, delivery{"2", true}, <-got)
}

// losesVhost deletes the vhost under a broker.
func losesVhost(t *testing.T, ctx context.Context, node *rabbitnode.Node) {
	q, handled := queue(t), make(chan string, 10)
	add := func() {
		require.NoError(t, node.Control(ctx, "add_vhost", q.Name))
		require.NoError(t, node.Control(ctx, "set_permissions", "-p", q.Name, "guest", ".*", ".*", ".*"))
	}
	add()
	b := start(t, open(t, node.URL()+q.Name), runtime.Route{Name: "r", Queue: q, Handler: runtime.Consume(func(_ context.Context, body []byte) error {
		handled <- string(body)
		return nil
	})})
	require.NoError(t, b.Publish(ctx, to(q), &runtime.Message{Body: []byte("before")}))
	require.Equal(t, "before", <-handled)
	require.NoError(t, node.Control(ctx, "delete_vhost", q.Name))
	require.Eventually(t, func() bool {
		limited, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
		defer cancel()
		err := b.Publish(limited, to(q), &runtime.Message{Body: []byte("never")})
		return err != nil && strings.Contains(err.Error(), "check user, vhost and permissions")
	}, patience, time.Millisecond)
	add()
	for { // the queue comes back with its consumer
		err := b.Publish(ctx, to(q), &runtime.Message{Body: []byte("after")})
		if err == nil {
			break
		}
		require.ErrorIs(t, err, runtime.ErrUnroutable)
	}
	require.Equal(t, "after", <-handled)
}

// lacksPermission sends to an exchange that the user may not write to, which the
// server answers by closing the channel.
func lacksPermission(t *testing.T, ctx context.Context, node *rabbitnode.Node) {
	const user, forbidden = "limited", "amq.fanout"
	require.NoError(t, node.Control(ctx, "add_user", user, user))
	require.NoError(t, node.Control(ctx, "set_permissions", user, ".*", `^amq\.(default|direct)$`, ".*"))
	b := open(t, strings.Replace(node.URL(), "guest:guest", user+":"+user, 1))
	send := func(exchange string) error {
		return b.Publish(ctx, runtime.Address{Exchange: exchange}, &runtime.Message{AllowUnroutable: true})
	}
	requireForbidden := func(err error) {
		t.Helper()
		require.ErrorContains(t, err, "permission to write")
		require.NotErrorIs(t, err, runtime.ErrUnknown)
	}
	requireForbidden(send(forbidden)) // the others can't be spared before it is known
	good, bad := make(chan error, 2000), make(chan error, 50)
	var publishing sync.WaitGroup
	for i := range 50 {
		publishing.Go(func() {
			for range 20 {
				good <- send("")
				good <- send("amq.direct")
			}
		})
		if i%10 == 0 {
			publishing.Go(func() {
				for range 10 {
					bad <- send(forbidden)
				}
			})
		}
	}
	publishing.Wait()
	for range 2000 {
		require.NoError(t, <-good)
	}
	for range 50 {
		requireForbidden(<-bad)
	}
	require.NoError(t, node.Control(ctx, "set_permissions", user, ".*", ".*", ".*"))
	require.Eventually(t, func() bool { return send(forbidden) == nil }, patience, 100*time.Millisecond)
}

// exceedsTimeout has a handler that takes longer than the server waits.
func exceedsTimeout(t *testing.T, ctx context.Context, node *rabbitnode.Node) {
	limit := func(milliseconds int) {
		require.NoError(t, node.Control(ctx, "eval", fmt.Sprintf(
			"application:set_env(rabbit, consumer_timeout, %d), application:set_env(rabbit, channel_tick_interval, 200).", milliseconds)))
	}
	limit(500)
	defer limit(1_800_000)
	var log conformance.Log
	slow, fast, got, release := queue(t), queue(t), make(chan runtime.Delivery, 10), make(chan struct{})
	b := start(t, openWith(t, rabbitmq.Config{URL: node.URL(), Logger: textLogger(&log)}),
		runtime.Route{Name: "slow", Queue: slow, Handler: runtime.Consume(func(ctx context.Context, _ []byte) error {
			got <- *runtime.DeliveryFrom(ctx)
			<-release
			return nil
		})},
		runtime.Route{Name: "fast", Queue: fast, Handler: silent})
	require.NoError(t, b.Publish(ctx, to(slow), &runtime.Message{}))
	require.False(t, (<-got).Redelivered)
	require.Eventually(t, func() bool { return strings.Contains(log.String(), "consuming interrupted") }, patience, 10*time.Millisecond)
	limit(1_800_000) // it would come again and again
	close(release)
	require.True(t, (<-got).Redelivered)
	require.NoError(t, b.Publish(ctx, to(fast), &runtime.Message{}))
	require.Contains(t, log.String(), "consumer_timeout")
	require.Contains(t, log.String(), "route=slow")
	require.NotContains(t, log.String(), `msg="consuming interrupted" route=fast`)
}

// blocks takes the server's memory.
func blocks(t *testing.T, ctx context.Context, node *rabbitnode.Node) {
	q, handled, release := queue(t), make(chan string, 10), make(chan struct{})
	whenBlocked, hooks := untilBlocked(ctx)
	b := start(t, openWith(t, rabbitmq.Config{URL: node.URL(), Events: hooks}), runtime.Route{Name: "r", Queue: q, Handler: runtime.Consume(func(_ context.Context, body []byte) error {
		<-release
		handled <- string(body)
		return nil
	})})
	for i := range 3 {
		require.NoError(t, b.Publish(ctx, to(q), &runtime.Message{Body: []byte(strconv.Itoa(i))}))
	}
	feed := starve(t, ctx, node)
	// The server says that it is blocked when it gets a message, which it keeps.
	first := b.Publish(whenBlocked, to(q), &runtime.Message{Body: []byte("3")})
	require.ErrorIs(t, first, runtime.ErrBlocked)
	require.ErrorIs(t, first, runtime.ErrUnknown)
	require.ErrorIs(t, first, context.Canceled)
	// What comes later isn't sent at all.
	again, cancelAgain := context.WithTimeout(ctx, 100*time.Millisecond)
	defer cancelAgain()
	second := b.Publish(again, to(q), &runtime.Message{Body: []byte("never")})
	require.ErrorIs(t, second, runtime.ErrBlocked)
	require.NotErrorIs(t, second, runtime.ErrUnknown)

	close(release)
	for i := range 3 {
		require.Equal(t, strconv.Itoa(i), <-handled)
	}
	feed()
	require.NoError(t, b.Publish(ctx, to(q), &runtime.Message{Body: []byte("4")}))
	require.Equal(t, "3", <-handled)
	require.Equal(t, "4", <-handled)
}

// untilBlocked returns a context that ends when the server says to a broker with the hooks
// that it takes no messages.
func untilBlocked(ctx context.Context) (context.Context, []runtime.Events) {
	limited, cancel := context.WithCancel(ctx)
	return limited, []runtime.Events{{Blocked: func(runtime.Event) { cancel() }}}
}

// starve raises the memory alarm until feed is called, or the test ends.
func starve(t *testing.T, ctx context.Context, node *rabbitnode.Node) (feed func()) {
	t.Helper()
	require.NoError(t, node.Control(ctx, "set_vm_memory_high_watermark", "absolute", "1"))
	feed = sync.OnceFunc(func() {
		require.NoError(t, node.Control(ctx, "set_vm_memory_high_watermark", "absolute", "512MB"))
	})
	t.Cleanup(feed)
	awaitBlocked(t, node)
	return feed
}

// awaitBlocked waits until the server takes no messages, of which it tells a
// connection that sends one.
func awaitBlocked(t *testing.T, node *rabbitnode.Node) {
	t.Helper()
	conn, err := amqp.Dial(node.URL())
	require.NoError(t, err)
	defer conn.CloseDeadline(time.Now())
	blocked := conn.NotifyBlocked(make(chan amqp.Blocking, 1))
	ch, err := conn.Channel()
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		return ch.Publish("", "unbound", false, false, amqp.Publishing{}) == nil && len(blocked) > 0
	}, patience, 10*time.Millisecond)
}

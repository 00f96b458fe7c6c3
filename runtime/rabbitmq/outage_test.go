package rabbitmq_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/rabbitnode"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/rabbitmq"
)

// TestOutage takes a node of its own, which it stops, kills and starves.
func TestOutage(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
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
	t.Run("a handler that takes too long loses its delivery, and no other route does", func(t *testing.T) { exceedsTimeout(t, ctx, node) })
	t.Run("a server without memory is ErrBlocked, and consuming goes on", func(t *testing.T) { blocks(t, ctx, node) })
	t.Run("shutdown ends in time while the server takes no messages", func(t *testing.T) {
		q := queue(t)
		b := start(t, open(t, node.URL()), runtime.Route{Name: "r", Queue: q, Handler: runtime.Consume(func(context.Context, []byte) error { return nil })})
		starve(t, ctx, node)
		limited, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
		defer cancel()
		// One without a body would still be taken (measured on RabbitMQ 3.10).
		require.ErrorIs(t, b.Publish(limited, to(q), &runtime.Message{Body: []byte("1")}), runtime.ErrBlocked)
		failed := make(chan error, 1)
		go func() { failed <- b.Publish(ctx, to(q), &runtime.Message{}) }()
		limited, cancel = context.WithTimeout(ctx, 300*time.Millisecond)
		defer cancel()
		require.NoError(t, b.Shutdown(limited))
		require.ErrorIs(t, <-failed, runtime.ErrClosed)
	})
	t.Run("without a server a message waits, and its error says that it wasn't sent", func(t *testing.T) {
		node.Kill()
		limited, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
		defer cancel()
		b := open(t, node.URL())
		err := b.Publish(limited, runtime.Address{RoutingKey: "q"}, &runtime.Message{})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NotErrorIs(t, err, runtime.ErrUnknown)
		require.ErrorContains(t, err, "connection refused")
	})
}

// keepsConfirmed publishes and consumes during an outage, and compares what was
// confirmed with what was handled.
func keepsConfirmed(t *testing.T, node *rabbitnode.Node, outage func()) {
	q, ledger := queue(t), newLedger()
	start(t, open(t, node.URL()), runtime.Route{Name: "r", Queue: q, Handler: runtime.Consume(ledger.handle)})
	b := open(t, node.URL())
	stop := make(chan struct{})
	var publishing sync.WaitGroup
	for range 100 {
		publishing.Go(func() { ledger.publish(b, to(q), stop) })
	}
	ledger.awaitConfirmed(t, 1000)
	outage()
	ledger.awaitConfirmed(t, ledger.confirmedCount()+1000)
	close(stop)
	publishing.Wait()
	require.EqualValues(t, ledger.next.Load(), len(ledger.confirmed)+len(ledger.unknown), "neither confirmed nor reported")
	require.Eventually(t, func() bool { return len(ledger.lost()) == 0 }, patience, 20*time.Millisecond,
		"confirmed and never handled: %v", ledger.lost())
	require.Empty(t, ledger.strange)
}

// A ledger knows which messages were confirmed and which were handled.
type ledger struct {
	next atomic.Int64

	mu        sync.Mutex
	confirmed map[string]bool
	unknown   map[string]bool
	handled   map[string]int
	strange   []error // errors of publishing that no outage explains
}

func newLedger() *ledger {
	return &ledger{confirmed: make(map[string]bool), unknown: make(map[string]bool), handled: make(map[string]int)}
}

func (l *ledger) handle(_ context.Context, body []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.handled[string(body)]++
	return nil
}

// publish sends numbers until stop is closed.
func (l *ledger) publish(b runtime.Broker, to runtime.Address, stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		id := strconv.FormatInt(l.next.Add(1), 10)
		err := b.Publish(ctx, to, &runtime.Message{Body: []byte(id)})
		cancel()
		l.note(id, err)
	}
}

func (l *ledger) note(id string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err == nil:
		l.confirmed[id] = true
	case errors.Is(err, runtime.ErrUnknown):
		l.unknown[id] = true
	default:
		l.strange = append(l.strange, err)
	}
}

func (l *ledger) confirmedCount() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.confirmed)
}

func (l *ledger) awaitConfirmed(t *testing.T, n int) {
	t.Helper()
	require.Eventually(t, func() bool { return l.confirmedCount() >= n }, patience, 5*time.Millisecond)
}

func (l *ledger) lost() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var lost []string
	for id := range l.confirmed {
		if l.handled[id] == 0 {
			lost = append(lost, id)
		}
	}
	return lost
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
	limited, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
	defer cancel()
	require.ErrorContains(t, b.Publish(limited, to(q), &runtime.Message{Body: []byte("never")}), "check user, vhost and permissions")
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

// exceedsTimeout has a handler that takes longer than the server waits.
func exceedsTimeout(t *testing.T, ctx context.Context, node *rabbitnode.Node) {
	limit := func(milliseconds int) {
		require.NoError(t, node.Control(ctx, "eval", fmt.Sprintf(
			"application:set_env(rabbit, consumer_timeout, %d), application:set_env(rabbit, channel_tick_interval, 200).", milliseconds)))
	}
	limit(500)
	defer limit(1_800_000)
	var log safeBuffer
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
	require.NotContains(t, log.String(), "route=fast")
}

// blocks takes the server's memory.
func blocks(t *testing.T, ctx context.Context, node *rabbitnode.Node) {
	q, handled, release := queue(t), make(chan string, 10), make(chan struct{})
	b := start(t, open(t, node.URL()), runtime.Route{Name: "r", Queue: q, Handler: runtime.Consume(func(_ context.Context, body []byte) error {
		<-release
		handled <- string(body)
		return nil
	})})
	for i := range 3 {
		require.NoError(t, b.Publish(ctx, to(q), &runtime.Message{Body: []byte(strconv.Itoa(i))}))
	}
	feed := starve(t, ctx, node)
	limited, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
	defer cancel()
	// The server says that it is blocked when it gets a message, which it keeps.
	first := b.Publish(limited, to(q), &runtime.Message{Body: []byte("3")})
	require.ErrorIs(t, first, runtime.ErrBlocked)
	require.ErrorIs(t, first, runtime.ErrUnknown)
	require.ErrorIs(t, first, context.DeadlineExceeded)
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
		return ch.Publish("", "nobody", false, false, amqp.Publishing{}) == nil && len(blocked) > 0
	}, patience, 10*time.Millisecond)
}

// open returns a broker that is shut down with the test.
func open(t *testing.T, url string) *rabbitmq.Broker {
	t.Helper()
	return openWith(t, rabbitmq.Config{URL: url})
}

func openWith(t *testing.T, config rabbitmq.Config) *rabbitmq.Broker {
	t.Helper()
	b, err := rabbitmq.New(config)
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		require.NoError(t, b.Shutdown(ctx))
	})
	return b
}

// start makes b consume the routes.
func start(t *testing.T, b *rabbitmq.Broker, routes ...runtime.Route) *rabbitmq.Broker {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	require.NoError(t, b.Start(ctx, router(t, routes...)))
	return b
}

func router(t *testing.T, routes ...runtime.Route) *runtime.Router {
	t.Helper()
	r := runtime.NewRouter()
	require.NoError(t, r.Register(routes...))
	return r
}

// queue returns a durable queue with a name of its own.
func queue(t *testing.T) runtime.Queue {
	t.Helper()
	return runtime.Queue{Name: fmt.Sprintf("warren-%s", rand.Text()[:10]), Durable: true}
}

func to(q runtime.Queue) runtime.Address { return runtime.Address{RoutingKey: q.Name} }

// awaitConsumers waits until the queue has n consumers.
func awaitConsumers(t *testing.T, node *rabbitnode.Node, q runtime.Queue, n int) {
	t.Helper()
	require.Eventually(t, func() bool {
		conn, err := amqp.Dial(node.URL())
		if err != nil {
			return false
		}
		defer conn.Close()
		ch, err := conn.Channel()
		if err != nil {
			return false
		}
		found, err := ch.QueueDeclarePassive(q.Name, q.Durable, q.AutoDelete, q.Exclusive, false, nil)
		return err == nil && found.Consumers == n
	}, patience, 20*time.Millisecond)
}

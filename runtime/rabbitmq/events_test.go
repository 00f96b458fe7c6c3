package rabbitmq_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/rabbitnode"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/rabbitmq"
)

// A record keeps the events of a broker.
type record struct {
	mu  sync.Mutex
	all []runtime.Event
}

func (r *record) hooks() []runtime.Events {
	note := func(e runtime.Event) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.all = append(r.all, e)
	}
	return []runtime.Events{{
		Connected: note, ConnectionLost: note, Blocked: note, Unblocked: note,
		ConsumerCancelled: note, ChannelLost: note, TopologyRefused: note, LateReply: note,
	}}
}

// lost returns how often the connection has been lost.
func (r *record) lost(connection string) (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.all {
		if e.Kind == runtime.EventConnectionLost && e.Connection == connection {
			n++
		}
	}
	return n
}

// await waits for an event of the kind, and returns the first.
func (r *record) await(t *testing.T, kind runtime.EventKind, connection string) (found runtime.Event) {
	t.Helper()
	require.Eventually(t, func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		at := slices.IndexFunc(r.all, func(e runtime.Event) bool { return e.Kind == kind && e.Connection == connection })
		if at >= 0 {
			found = r.all[at]
		}
		return at >= 0
	}, patience, time.Millisecond, "%s of %s", kind, connection)
	return found
}

func TestEvents_TellWhatHappensToConnectionsAndRoutes(t *testing.T) {
	p, channel := newProxy(t, node.URL()), amqpChannel(t)
	var events record
	route, got := bound(t, "r")
	b := openWith(t, rabbitmq.Config{URL: p.url, Events: events.hooks()})
	b.SetPeriods(10*time.Millisecond, time.Second)
	start(t, b, route)
	events.await(t, runtime.EventConnected, "consuming")
	require.NoError(t, b.Publish(t.Context(), to(route.Queue), &runtime.Message{Body: []byte("1")}))
	<-got
	events.await(t, runtime.EventConnected, "publishing")

	_, err := channel.QueueDelete(route.Queue.Name, false, false, false)
	require.NoError(t, err)
	cancelled := events.await(t, runtime.EventConsumerCancelled, "consuming")
	require.Equal(t, "r", cancelled.Route)
	require.Equal(t, route.Queue.Name, cancelled.Queue)
	require.ErrorContains(t, cancelled.Err, "deleted")
	require.Eventually(t, func() bool { // it is declared anew
		return b.Publish(t.Context(), to(route.Queue), &runtime.Message{Body: []byte("2")}) == nil
	}, patience, time.Millisecond)
	require.Equal(t, "2", <-got)

	require.Eventually(t, func() bool { // it may come back between the two
		channel := amqpChannel(t)
		return channel.ExchangeDelete(route.Exchange.Name, false, false) == nil &&
			channel.ExchangeDeclare(route.Exchange.Name, "fanout", false, false, false, false, nil) == nil
	}, patience, time.Millisecond)
	refused := events.await(t, runtime.EventTopologyRefused, "consuming")
	require.Equal(t, "r", refused.Route)
	require.ErrorContains(t, refused.Err, "exists in another way")

	p.each((*wire).end)
	require.Error(t, events.await(t, runtime.EventConnectionLost, "consuming").Err)
	require.Error(t, events.await(t, runtime.EventConnectionLost, "publishing").Err)
	require.Zero(t, b.EventsDropped())
}

func TestEvents_TellOfABlockedServer(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	own, err := rabbitnode.Start(ctx)
	require.NoError(t, err)
	t.Cleanup(own.Stop)
	var events record
	b := openWith(t, rabbitmq.Config{URL: own.URL(), Events: events.hooks()})
	send := func(ctx context.Context) error {
		return b.Publish(ctx, runtime.Address{RoutingKey: "q"}, &runtime.Message{AllowUnroutable: true})
	}
	require.NoError(t, send(ctx))
	require.NoError(t, own.Control(ctx, "set_vm_memory_high_watermark", "absolute", "1"))
	require.Eventually(t, func() bool { // the server says so at the next message
		short, stop := context.WithTimeout(ctx, 50*time.Millisecond)
		defer stop()
		return errors.Is(send(short), runtime.ErrBlocked)
	}, patience, time.Millisecond)
	require.ErrorContains(t, events.await(t, runtime.EventBlocked, "publishing").Err, "memory")
	require.NoError(t, own.Control(ctx, "set_vm_memory_high_watermark", "0.4"))
	events.await(t, runtime.EventUnblocked, "publishing")
}

func TestQueueDeletion_FailsReadinessWhereTheRouteSaysSo(t *testing.T) {
	channel := amqpChannel(t)
	route, got := bound(t, "r")
	other, gotOther := bound(t, "other")
	route.QueueDeletion = runtime.FailReadiness
	b := open(t, node.URL())
	b.SetPeriods(10*time.Millisecond, 20*time.Millisecond)
	start(t, b, route, other)
	require.NoError(t, b.Publish(t.Context(), to(route.Queue), &runtime.Message{Body: []byte("1")}))
	require.Equal(t, "1", <-got)
	_, err := channel.QueueDelete(route.Queue.Name, false, false, false)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		err := b.Ready()
		return err != nil && strings.Contains(err.Error(), "FailReadiness")
	}, patience, time.Millisecond)
	require.NotContains(t, b.Ready().Error(), `"other"`)
	require.NoError(t, b.Live())
	require.NoError(t, b.Publish(t.Context(), to(other.Queue), &runtime.Message{Body: []byte("2")}))
	require.Equal(t, "2", <-gotOther)
	require.ErrorIs(t, b.Publish(t.Context(), to(route.Queue), &runtime.Message{}), runtime.ErrUnroutable, "it stays deleted")
	_, err = channel.QueueDeclare(route.Queue.Name, true, false, false, false, nil)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return b.Ready() == nil }, patience, time.Millisecond)
	require.NoError(t, b.Publish(t.Context(), to(route.Queue), &runtime.Message{Body: []byte("3")}))
	require.Equal(t, "3", <-got)
}

func TestPerInstanceQueue_IsThereAgainAfterAReconnect(t *testing.T) {
	p := newProxy(t, node.URL())
	x := &runtime.Exchange{Name: queue(t).Name, Type: runtime.Fanout}
	t.Cleanup(func() { require.NoError(t, amqpChannel(t).ExchangeDelete(x.Name, false, false)) })
	got := make(chan string, 100)
	b := openWith(t, rabbitmq.Config{URL: p.url, Heartbeat: time.Second})
	start(t, b, runtime.Route{Name: "r", Queue: runtime.Queue{Name: "cache", PerInstance: true}, Exchange: x, Handler: runtime.Consume(func(_ context.Context, body []byte) error {
		got <- string(body)
		return nil
	})})
	sender := open(t, node.URL())
	send := func(body string) error {
		return sender.Publish(t.Context(), runtime.Address{Exchange: x.Name}, &runtime.Message{Body: []byte(body)})
	}
	require.NoError(t, send("1"))
	require.Equal(t, "1", <-got)
	p.freeze() // the server keeps the connection with the queue of the old name
	require.Eventually(t, func() bool { return b.Ready() != nil }, patience, time.Millisecond)
	require.Eventually(t, func() bool { return b.Ready() == nil && send("2") == nil && len(got) > 0 }, patience, 10*time.Millisecond)
	require.Equal(t, "2", <-got)
}

func TestStream_IsReadOnWhereItWas(t *testing.T) {
	p := newProxy(t, node.URL())
	q := queue(t)
	q.Type, q.MaxLengthBytes = runtime.Stream, 1_000_000
	t.Cleanup(func() {
		_, err := amqpChannel(t).QueueDelete(q.Name, false, false, false)
		require.NoError(t, err)
	})
	sender := open(t, node.URL())
	type seen struct {
		body string
		d    *runtime.Delivery
	}
	got := make(chan seen, 100)
	var failed atomic.Bool
	b := openWith(t, rabbitmq.Config{URL: p.url, RedeliveryDelay: time.Millisecond})
	start(t, b, runtime.Route{
		Name: "r", Queue: q, Failure: endless, ConsumerArguments: map[string]any{"x-stream-offset": "first"},
		Handler: runtime.Consume(func(ctx context.Context, body []byte) error {
			got <- seen{string(body), runtime.DeliveryFrom(ctx)}
			if string(body) == "4" && !failed.Swap(true) {
				return errors.New("once")
			}
			return nil
		}),
	})
	send := func(body string) {
		require.NoError(t, sender.Publish(t.Context(), to(q), &runtime.Message{Body: []byte(body)}))
	}
	for _, body := range []string{"1", "2"} {
		send(body)
		require.Equal(t, body, (<-got).body)
	}
	p.each((*wire).end)
	require.Eventually(t, func() bool { return b.Ready() != nil }, patience, time.Millisecond)
	send("3")
	next := (<-got).body
	if next == "2" { // its handler may not have been noted yet
		next = (<-got).body
	}
	require.Equal(t, "3", next, "it doesn't begin anew")
	send("4")
	require.Equal(t, "4", (<-got).body)
	require.Equal(t, "4", (<-got).body, "it comes again")
	require.Empty(t, got)
}

// A stream takes no refusal: the server would end the connection of all routes.
func TestStream_GoesOnAfterWhatCannotSucceed(t *testing.T) {
	q, got := queue(t), make(chan int, 10)
	q.Type, q.MaxLengthBytes = runtime.Stream, 1_000_000
	t.Cleanup(func() {
		_, err := amqpChannel(t).QueueDelete(q.Name, false, false, false)
		require.NoError(t, err)
	})
	var events record
	b := openWith(t, rabbitmq.Config{URL: node.URL(), Events: events.hooks()})
	start(t, b, runtime.Route{
		Name: "r", Queue: q, Failure: endless, ConsumerArguments: map[string]any{"x-stream-offset": "first"},
		Handler: runtime.Consume(func(_ context.Context, n int) error {
			got <- n
			if n == 1 {
				return runtime.Reject(errors.New("for good"))
			}
			return nil
		}),
	})
	for _, body := range []string{"no json", "1", "2"} {
		require.NoError(t, b.Publish(t.Context(), to(q), &runtime.Message{Body: []byte(body)}))
	}
	require.Equal(t, 1, receive(t, got))
	require.Equal(t, 2, receive(t, got))
	require.NoError(t, b.Shutdown(t.Context()))
	for _, e := range events.all {
		require.Equal(t, runtime.EventConnected, e.Kind)
	}
}

func TestPrefetchBytes_AsksForFewerWhereMessagesAreLarge(t *testing.T) {
	q, entered, release := queue(t), make(chan int, 1000), make(chan struct{})
	q.AutoDelete = false
	t.Cleanup(func() {
		_, err := amqpChannel(t).QueueDelete(q.Name, false, false, false)
		require.NoError(t, err)
	})
	b := open(t, node.URL())
	start(t, b, runtime.Route{Name: "r", Queue: q, Prefetch: 64, Concurrency: 64, PrefetchBytes: 64 << 10, Handler: runtime.Consume(func(_ context.Context, body []byte) error {
		entered <- len(body)
		<-release
		return nil
	})})
	body := make([]byte, 16<<10)
	for range 40 {
		require.NoError(t, b.Publish(t.Context(), to(q), &runtime.Message{Body: body}))
	}
	// The first message is one of 1 MiB, as far as is known: one at a time.
	require.Len(t, body, <-entered)
	unacknowledged := func() int {
		ready, err := amqpChannel(t).QueueDeclarePassive(q.Name, true, false, false, false, nil)
		require.NoError(t, err)
		return 40 - ready.Messages
	}
	require.Equal(t, 1, unacknowledged())
	close(release)
	for range 39 {
		<-entered
	}
}

// Of two stuck handlers one returns, again and again: each time all that the route
// holds comes again.
func TestOrder_ForgetsWhatComesAgainWhereHandlersAreStuck(t *testing.T) {
	const rounds, prefetch = 5, 10
	q, b := queue(t), open(t, node.URL())
	handled, release, forever := make(chan string, 1000), make(chan struct{}), make(chan struct{})
	t.Cleanup(func() {
		close(forever)
		close(release)
	})
	start(t, b, runtime.Route{
		Name: "r", Queue: q, Prefetch: prefetch, Concurrency: 2, Timeout: 10 * time.Millisecond,
		Order: runtime.PerKey(func(d *runtime.Delivery) string { return string(d.Body) }),
		Handler: runtime.Consume(func(_ context.Context, body []byte) error {
			handled <- string(body)
			if string(body) == "stuck" {
				<-forever
			} else {
				<-release
			}
			return nil
		}),
	})
	for _, body := range append([]string{"returns"}, slices.Repeat([]string{"stuck"}, prefetch-1)...) {
		require.NoError(t, b.Publish(t.Context(), to(q), &runtime.Message{Body: []byte(body)}))
	}
	require.ElementsMatch(t, []string{"returns", "stuck"}, []string{<-handled, <-handled})
	for range rounds {
		require.Eventually(t, func() bool { return b.Live() != nil }, patience, time.Millisecond)
		release <- struct{}{}
		require.Equal(t, "returns", <-handled)
	}
	require.LessOrEqual(t, b.Waiting(), prefetch+2)
}

// A queue is deleted while another consumer of a route takes over. The library's reader
// hands over both cancellations, and waits for nothing meanwhile.
func TestTakeOver_TakesTheCancellationOfBothConsumers(t *testing.T) {
	b, q, router := open(t, node.URL()), queue(t), runtime.NewRouter()
	handler := runtime.Consume(func(context.Context, []byte) error { return nil })
	require.NoError(t, router.Register(runtime.Route{Name: "r", Queue: q, Failure: &runtime.FailurePolicy{Endless: true}, Handler: handler}))
	cancelled, end, err := b.CancelledWhileTakingOver(t.Context(), router)
	require.NoError(t, err)
	defer end()
	deleteQueues(t, node.URL(), q.Name)
	require.Eventually(t, func() bool { return cancelled() == 2 }, patience, 10*time.Millisecond)
}

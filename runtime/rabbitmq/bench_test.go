package rabbitmq_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"net/url"
	"slices"
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

// payload is a JSON body of about 256 bytes.
type payload struct {
	ID   int    `json:"id"`
	Text string `json:"text"`
}

var onePayload = payload{ID: 7, Text: strings.Repeat("x", 230)}

// A way sends or handles n messages of a queue.
type way struct {
	name   string
	metric string // of its throughput, by that of the first way
	run    func(b *testing.B, q runtime.Queue, n int)
}

// publishers are ways to publish with confirms: a window that is written by hand
// on the client library, and as many goroutines that wait for theirs.
var publishers = []way{
	{"raw window of 100", "", publishRaw},
	{"100 goroutines", "x-raw", publishConcurrently},
}

func BenchmarkPublish(b *testing.B) {
	for _, way := range publishers {
		b.Run(way.name, func(b *testing.B) {
			q := benchQueue(b)
			b.ReportAllocs()
			b.ResetTimer()
			way.run(b, q, b.N)
		})
	}
}

func BenchmarkPublishRatio(b *testing.B) {
	takeTurns(b, publishers, func(q runtime.Queue, _ int) { benchPurge(b, q) })
}

// BenchmarkConsume compares a typed route with the client library and
// encoding/json, both with a prefetch of 100.
func BenchmarkConsume(b *testing.B) {
	for _, way := range consumers {
		b.Run(way.name, func(b *testing.B) {
			q := benchQueue(b)
			benchFill(b, q, b.N)
			b.ReportAllocs()
			b.ResetTimer()
			way.run(b, q, b.N)
		})
	}
}

func BenchmarkConsumeRatio(b *testing.B) {
	takeTurns(b, consumers, func(q runtime.Queue, n int) { benchFill(b, q, n) })
}

// takeTurns runs all ways in each round, so that the load of the machine is the
// same for them, and reports the throughput of each by that of the first, in
// their best rounds.
func takeTurns(b *testing.B, ways []way, prepare func(q runtime.Queue, n int)) {
	const rounds, messages = 5, 10_000
	q, took := benchQueue(b), slices.Repeat([]time.Duration{time.Hour}, len(ways))
	for b.Loop() {
		for turn := range rounds * len(ways) {
			i := (turn + turn/len(ways)) % len(ways)
			prepare(q, messages)
			began := time.Now()
			ways[i].run(b, q, messages)
			took[i] = min(took[i], time.Since(began))
		}
	}
	for i, way := range ways[1:] {
		b.ReportMetric(float64(took[0])/float64(took[i+1]), way.metric)
	}
	b.ReportMetric(0, "ns/op")
}

func publishRaw(b *testing.B, q runtime.Queue, n int) {
	body, err := json.Marshal(onePayload)
	require.NoError(b, err)
	channel := benchChannel(b)
	require.NoError(b, channel.Confirm(false))
	var pending []*amqp.DeferredConfirmation
	for range n {
		if len(pending) == 100 {
			if !pending[0].Wait() {
				b.Fatal("not confirmed")
			}
			pending = pending[1:]
		}
		confirm, err := channel.PublishWithDeferredConfirm("", q.Name, true, false,
			amqp.Publishing{Body: body, DeliveryMode: amqp.Persistent, ContentType: "application/json"})
		if err != nil {
			b.Fatal(err)
		}
		pending = append(pending, confirm)
	}
	for _, confirm := range pending {
		require.True(b, confirm.Wait())
	}
}

func publishConcurrently(b *testing.B, q runtime.Queue, n int) {
	body, err := json.Marshal(onePayload)
	require.NoError(b, err)
	broker := benchBroker(b)
	msg := &runtime.Message{Body: body, ContentType: "application/json"}
	var publishing sync.WaitGroup
	var left atomic.Int64
	left.Store(int64(n))
	for range 100 {
		publishing.Go(func() {
			for left.Add(-1) >= 0 {
				if err := broker.Publish(context.Background(), to(q), msg); err != nil {
					b.Error(err)
				}
			}
		})
	}
	publishing.Wait()
}

var consumers = []way{
	{"raw", "", consumeRaw},
	{"route", "x-raw", func(b *testing.B, q runtime.Queue, n int) { consumeRoute(b, q, n, 0) }},
	{"route, each ack on its own", "single-x-raw", func(b *testing.B, q runtime.Queue, n int) { consumeRoute(b, q, n, 1) }},
}

func consumeRaw(b *testing.B, q runtime.Queue, n int) {
	channel := benchChannel(b)
	require.NoError(b, channel.Qos(100, 0, false))
	deliveries, err := channel.Consume(q.Name, "orders", false, false, false, false, nil)
	require.NoError(b, err)
	for range n {
		d := <-deliveries
		var p payload
		if err := json.Unmarshal(d.Body, &p); err != nil {
			b.Fatal(err)
		}
		if err := d.Ack(false); err != nil {
			b.Fatal(err)
		}
	}
	require.NoError(b, channel.Close())
}

func consumeRoute(b *testing.B, q runtime.Queue, n, ackBatch int) {
	broker, err := rabbitmq.New(rabbitmq.Config{URL: node.URL(), AckBatch: ackBatch})
	require.NoError(b, err)
	done, left := make(chan struct{}), n
	router := runtime.NewRouter()
	require.NoError(b, router.Register(runtime.Route{Name: "orders", Queue: q, Handler: runtime.Consume(func(context.Context, payload) error {
		if left--; left == 0 {
			close(done)
		}
		return nil
	})}))
	require.NoError(b, broker.Start(context.Background(), router))
	<-done
	require.NoError(b, broker.Shutdown(context.Background()))
}

// BenchmarkRecovery kills a server under a broker, and reports the seconds from the
// moment in which its port is open again to the first confirm and to the first
// delivery, the longest of all rounds.
func BenchmarkRecovery(b *testing.B) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	node, err := rabbitnode.Start(ctx)
	require.NoError(b, err)
	defer node.Stop()
	broker, err := rabbitmq.New(rabbitmq.Config{URL: node.URL()})
	require.NoError(b, err)
	defer broker.Shutdown(ctx)
	q, delivered := runtime.Queue{Name: "recovery", Durable: true}, make(chan time.Time, 1)
	var round atomic.Int64
	router := runtime.NewRouter()
	require.NoError(b, router.Register(runtime.Route{Name: "r", Queue: q, Handler: runtime.Consume(func(_ context.Context, n int64) error {
		if round.CompareAndSwap(n, n+1) { // it may come twice
			delivered <- time.Now()
		}
		return nil
	})}))
	require.NoError(b, broker.Start(ctx, router))
	var confirm, delivery time.Duration
	for b.Loop() {
		body := strconv.AppendInt(nil, round.Load(), 10)
		node.Kill()
		confirmed, opened := make(chan time.Time, 1), make(chan time.Time, 1)
		go func() {
			for broker.Publish(ctx, to(q), &runtime.Message{Body: body}) != nil && ctx.Err() == nil {
			}
			confirmed <- time.Now()
		}()
		go func() { opened <- awaitPort(ctx, node) }()
		require.NoError(b, node.Restart(ctx))
		open := <-opened
		confirm = max(confirm, (<-confirmed).Sub(open))
		delivery = max(delivery, (<-delivered).Sub(open))
	}
	b.ReportMetric(confirm.Seconds(), "s-to-confirm")
	b.ReportMetric(delivery.Seconds(), "s-to-delivery")
	b.ReportMetric(0, "ns/op")
}

// awaitPort returns when the node accepts connections.
func awaitPort(ctx context.Context, node *rabbitnode.Node) time.Time {
	target, _ := url.Parse(node.URL())
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	for ctx.Err() == nil {
		conn, err := net.Dial("tcp", target.Host)
		if err == nil {
			conn.Close()
			break
		}
		<-ticker.C
	}
	return time.Now()
}

func benchBroker(b *testing.B) *rabbitmq.Broker {
	broker, err := rabbitmq.New(rabbitmq.Config{URL: node.URL()})
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, broker.Shutdown(context.Background())) })
	return broker
}

func benchChannel(b *testing.B) *amqp.Channel {
	conn, err := amqp.Dial(node.URL())
	require.NoError(b, err)
	b.Cleanup(func() { conn.Close() })
	channel, err := conn.Channel()
	require.NoError(b, err)
	return channel
}

func benchQueue(b *testing.B) runtime.Queue {
	q := runtime.Queue{Name: "warren-bench-" + strings.ReplaceAll(b.Name(), "/", "-"), Durable: true}
	channel := benchChannel(b)
	_, err := channel.QueueDeclare(q.Name, true, false, false, false, nil)
	require.NoError(b, err)
	b.Cleanup(func() { channel.QueueDelete(q.Name, false, false, false) })
	return q
}

// benchFill puts n messages into the queue.
func benchFill(b *testing.B, q runtime.Queue, n int) {
	b.StopTimer()
	defer b.StartTimer()
	body := new(bytes.Buffer)
	require.NoError(b, json.NewEncoder(body).Encode(onePayload))
	channel := benchChannel(b)
	require.NoError(b, channel.Confirm(false))
	var last *amqp.DeferredConfirmation
	for range n {
		var err error
		last, err = channel.PublishWithDeferredConfirm("", q.Name, false, false, amqp.Publishing{Body: body.Bytes()})
		require.NoError(b, err)
	}
	require.True(b, last.Wait())
}

func benchPurge(b *testing.B, q runtime.Queue) {
	_, err := benchChannel(b).QueuePurge(q.Name, false)
	require.NoError(b, err)
}

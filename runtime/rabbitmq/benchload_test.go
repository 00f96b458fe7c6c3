package rabbitmq_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	goruntime "runtime"
	"sync"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/rabbitmq"
)

// retries are ways to consume with the failure policy on: without failures, and with
// a tenth of the messages failing once.
var retries = []way{
	{"without failures", "", func(b *testing.B, q runtime.Queue, n int) { consumeFailing(b, q, n, n+1) }},
	{"a tenth fails once", "x-without-failures", func(b *testing.B, q runtime.Queue, n int) { consumeFailing(b, q, n, 10) }},
}

// BenchmarkRetryRatio waits as short as the server can, so that the work counts rather
// than the waiting.
func BenchmarkRetryRatio(b *testing.B) {
	takeTurns(b, retries, func(q runtime.Queue, n int) { benchFill(b, q, n) })
}

// consumeFailing handles n messages, of which each nth fails at its first attempt.
func consumeFailing(b *testing.B, q runtime.Queue, n, nth int) {
	broker, err := rabbitmq.New(rabbitmq.Config{URL: node.URL()})
	require.NoError(b, err)
	// One more message opens the connection for copies, which is no work of a retry.
	body, err := json.Marshal(onePayload)
	require.NoError(b, err)
	require.NoError(b, broker.Publish(context.Background(), to(q), &runtime.Message{Body: body}))
	done, left, first := make(chan struct{}), n+1, 0
	router := runtime.NewRouter()
	require.NoError(b, router.Register(runtime.Route{
		Name: "r", Queue: q, Failure: &runtime.FailurePolicy{Attempts: 2, Delay: time.Millisecond},
		Handler: runtime.Consume(func(ctx context.Context, _ payload) error {
			if runtime.DeliveryFrom(ctx).Attempt == 1 {
				if first++; first%nth == 0 {
					return errSoak
				}
			}
			if left--; left == 0 {
				close(done)
			}
			return nil
		}),
	}))
	require.NoError(b, broker.Start(context.Background(), router))
	<-done
	require.NoError(b, broker.Shutdown(context.Background()))
	benchDelete(b, q.Name+".retry.1ms", q.Name+".dead")
}

// BenchmarkIdleRoutes reports what a route takes that has nothing to do, and what the
// client library takes of it: a channel with a consumer that somebody reads.
func BenchmarkIdleRoutes(b *testing.B) {
	const routes = 1000
	name := func(i int) string { return fmt.Sprint("warren-idle-", i) }
	b.Run("amqp091", func(b *testing.B) {
		measureIdle(b, routes, func() (stop func()) {
			conn, err := amqp.Dial(node.URL())
			require.NoError(b, err)
			for i := range routes {
				channel, err := conn.Channel()
				require.NoError(b, err)
				_, err = channel.QueueDeclare(name(i), false, true, false, false, nil)
				require.NoError(b, err)
				deliveries, err := channel.Consume(name(i), "", false, false, false, false, nil)
				require.NoError(b, err)
				go func() { // ends with the connection
					for range deliveries {
					}
				}()
			}
			return func() { require.NoError(b, conn.Close()) }
		})
	})
	b.Run("route", func(b *testing.B) {
		router := runtime.NewRouter()
		for i := range routes {
			router.MustRegister(runtime.Route{
				Name: fmt.Sprint("route ", i), Queue: runtime.Queue{Name: name(i), AutoDelete: true},
				Handler: runtime.Consume(func(context.Context, payload) error { return nil }),
			})
		}
		measureIdle(b, routes, func() (stop func()) {
			broker, err := rabbitmq.New(rabbitmq.Config{URL: node.URL(), StartTimeout: 5 * time.Minute})
			require.NoError(b, err)
			require.NoError(b, broker.Start(context.Background(), router))
			return func() { require.NoError(b, broker.Shutdown(context.Background())) }
		})
	})
}

// measureIdle reports what is there between start and stop, for each of n.
func measureIdle(b *testing.B, n int, start func() (stop func())) {
	for b.Loop() {
		awaitIdle()
		goroutines, bytes := goruntime.NumGoroutine(), inUse()
		stop := start()
		awaitIdle()
		b.ReportMetric(float64(goruntime.NumGoroutine()-goroutines)/float64(n), "goroutines/route")
		b.ReportMetric(float64(inUse()-bytes)/float64(n)/1024, "KiB/route")
		stop()
	}
	b.ReportMetric(0, "ns/op")
}

// awaitIdle waits until no more goroutines begin or end.
func awaitIdle() {
	for before := -1; before != goruntime.NumGoroutine(); time.Sleep(500 * time.Millisecond) {
		before = goruntime.NumGoroutine()
	}
}

// BenchmarkCallsInFlight reports what 100,000 calls take that wait for their reply, and
// as many that wait for the server. The goroutines that wait count, of which "bare" is
// what they take with nothing to do.
func BenchmarkCallsInFlight(b *testing.B) {
	const calls = 100_000
	body := make([]byte, 1024)
	b.Run("bare", func(b *testing.B) {
		holdInFlight(b, calls, func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		}, func() bool { return true })
	})
	b.Run("awaiting replies", func(b *testing.B) {
		q := benchQueue(b)
		broker := benchBroker(b)
		holdInFlight(b, calls, func(ctx context.Context) error {
			_, err := broker.Call(ctx, to(q), &runtime.Message{Body: body})
			return err
		}, func() bool { return benchDepth(b, q) == calls })
		benchPurge(b, q)
	})
	b.Run("without a server", func(b *testing.B) {
		broker, err := rabbitmq.New(rabbitmq.Config{URL: "amqp://127.0.0.1:1"})
		require.NoError(b, err)
		defer broker.Shutdown(context.Background())
		holdInFlight(b, calls, func(ctx context.Context) error {
			_, err := broker.Call(ctx, runtime.Address{RoutingKey: "q"}, &runtime.Message{Body: body})
			return err
		}, func() bool { return true })
	})
}

// holdInFlight has n goroutines call, and measures when all have begun and settled
// reports true.
func holdInFlight(b *testing.B, n int, call func(context.Context) error, settled func() bool) {
	for b.Loop() {
		before := inUse()
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
		var calling, begun sync.WaitGroup
		begun.Add(n)
		for range n {
			calling.Go(func() {
				begun.Done()
				if err := call(ctx); !errors.Is(err, context.Canceled) {
					b.Error(err)
				}
			})
		}
		begun.Wait()
		for !settled() {
			time.Sleep(100 * time.Millisecond)
		}
		bytes := inUse() - before
		b.ReportMetric(float64(bytes)/(1<<20), "MiB")
		b.ReportMetric(float64(bytes)/1024/float64(n), "KiB/call")
		cancel()
		calling.Wait()
	}
	b.ReportMetric(0, "ns/op")
}

// inUse is the memory of the heap and of the stacks, in bytes.
func inUse() int64 {
	for range 4 { // each halves the stacks that are too large
		goruntime.GC()
	}
	var stats goruntime.MemStats
	goruntime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc + stats.StackInuse)
}

func benchDepth(b *testing.B, q runtime.Queue) int {
	conn, err := amqp.Dial(node.URL())
	require.NoError(b, err)
	defer conn.Close()
	channel, err := conn.Channel()
	require.NoError(b, err)
	found, err := channel.QueueDeclarePassive(q.Name, q.Durable, false, false, false, nil)
	require.NoError(b, err)
	return found.Messages
}

func benchDelete(b *testing.B, queues ...string) {
	channel := benchChannel(b)
	for _, q := range queues {
		_, err := channel.QueueDelete(q, false, false, false)
		require.NoError(b, err)
	}
}

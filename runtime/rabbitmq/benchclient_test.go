//go:build unix

package rabbitmq_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

// BenchmarkPublishClient compares what a generated client calls with the same call that
// is written by hand on amqp091-go, both by so many goroutines, each of which waits for
// its confirm. A window of 100 in one goroutine is beside them: as many in flight as 100
// goroutines have, and confirms that are waited for later.
func BenchmarkPublishClient(b *testing.B) {
	for _, goroutines := range []int{1, 10, 100} {
		for _, way := range []struct {
			name string
			make func(b *testing.B, q runtime.Queue, transient bool) func(context.Context) error
		}{{"raw", rawPublish}, {"client", clientPublish}} {
			b.Run(fmt.Sprintf("%s by %d", way.name, goroutines), func(b *testing.B) {
				publish := way.make(b, benchQueue(b), false)
				measureCPU(b, func() { publishBy(b, b.N, goroutines, publish) })
			})
		}
	}
	b.Run("raw window of 100", func(b *testing.B) {
		q := benchQueue(b)
		measureCPU(b, func() { publishRaw(b, q, b.N) })
	})
}

// BenchmarkPublishClientRatio has both take turns, so that the load of the machine is the
// same for them, and reports the median of the ratios of their processor times. The
// messages are transient, so that the process seldom sleeps.
func BenchmarkPublishClientRatio(b *testing.B) {
	const rounds, messages = 15, 1000
	for _, goroutines := range []int{1, 10, 100} {
		b.Run(fmt.Sprintf("by %d", goroutines), func(b *testing.B) {
			q := benchQueue(b)
			raw, client := rawPublish(b, q, true), clientPublish(b, q, true)
			var ratios []float64
			for b.Loop() {
				for range rounds {
					own := cpuOf(b, func() { publishBy(b, messages, goroutines, raw) })
					ratios = append(ratios, float64(cpuOf(b, func() { publishBy(b, messages, goroutines, client) }))/float64(own))
				}
			}
			slices.Sort(ratios)
			b.ReportMetric(ratios[len(ratios)/2], "x-raw-cpu")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// measureCPU reports the processor time of the process, and the allocations.
func measureCPU(b *testing.B, run func()) {
	b.ReportAllocs()
	b.ResetTimer()
	b.ReportMetric(float64(cpuOf(b, run))/float64(b.N), "cpu-ns/op")
}

func cpuOf(b *testing.B, run func()) time.Duration {
	began := usedCPU(b)
	run()
	return usedCPU(b) - began
}

func usedCPU(b *testing.B) time.Duration {
	var usage syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func publishBy(b *testing.B, messages, goroutines int, publish func(context.Context) error) {
	var publishing sync.WaitGroup
	var left atomic.Int64
	left.Store(int64(messages))
	for range goroutines {
		publishing.Go(func() {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			for left.Add(-1) >= 0 {
				if err := publish(ctx); err != nil {
					b.Error(err)
				}
			}
		})
	}
	publishing.Wait()
}

func rawPublish(b *testing.B, q runtime.Queue, transient bool) func(context.Context) error {
	channel := benchChannel(b)
	require.NoError(b, channel.Confirm(false))
	mode := uint8(amqp.Persistent)
	if transient {
		mode = amqp.Transient
	}
	return func(ctx context.Context) error {
		body, err := json.Marshal(&onePayload)
		if err != nil {
			return err
		}
		confirm, err := channel.PublishWithDeferredConfirmWithContext(ctx, "", q.Name, true, false,
			amqp.Publishing{Body: body, DeliveryMode: mode, ContentType: "application/json"})
		if err != nil {
			return err
		}
		_, err = confirm.WaitContext(ctx)
		return err
	}
}

func clientPublish(b *testing.B, q runtime.Queue, transient bool) func(context.Context) error {
	var options []runtime.ClientOption
	if transient {
		options = append(options, runtime.WithDefaults(runtime.WithTransient()))
	}
	publisher := runtime.NewPublisher[*payload](benchBroker(b), runtime.Endpoint{Route: "orders", To: to(q)}, options...)
	return func(ctx context.Context) error { return publisher.Publish(ctx, &onePayload) }
}

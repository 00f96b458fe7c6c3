package rabbitmq_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/rabbitmq"
)

// attempts is a logger's handler that keeps when brokers have failed to connect.
type attempts struct {
	slog.Handler
	mu    sync.Mutex
	times []time.Time
}

func (a *attempts) Enabled(context.Context, slog.Level) bool { return true }

func (a *attempts) WithAttrs([]slog.Attr) slog.Handler { return a }

func (a *attempts) Handle(_ context.Context, r slog.Record) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if r.Message == "can't connect, trying again" {
		a.times = append(a.times, time.Now())
	}
	return nil
}

// between counts those that were made from one time of the outage to another.
func (a *attempts) between(began time.Time, from, to time.Duration) (n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, at := range a.times {
		if d := at.Sub(began); d >= from && d < to {
			n++
		}
	}
	return n
}

// The time is virtual: it goes on while no broker has a connection.
func TestOutageOfMinutes_IsMetByFewAttemptsAndEndsSoon(t *testing.T) {
	const brokers, outage, most = 40, 5 * time.Minute, 10 * time.Second
	p := newProxy(t, node.URL())
	synctest.Test(t, func(t *testing.T) {
		var log attempts
		connected := make(chan *rabbitmq.Broker, 4*brokers)
		for i := range brokers {
			var b *rabbitmq.Broker
			b, err := rabbitmq.New(rabbitmq.Config{
				URL: p.url, Logger: slog.New(&log),
				Events: []runtime.Events{{Connected: func(runtime.Event) { connected <- b }}},
			})
			require.NoError(t, err)
			router := runtime.NewRouter()
			router.MustRegister(runtime.Route{
				Name: "r", Queue: runtime.Queue{Name: fmt.Sprint("warren-storm-", i), AutoDelete: true},
				Handler: runtime.Consume(func(context.Context, []byte) error { return nil }),
			})
			require.NoError(t, b.Start(t.Context(), router))
		}
		for range brokers {
			<-connected
		}
		p.refuse()
		p.each((*wire).end)
		began := time.Now()
		time.Sleep(outage)
		steady := log.between(began, time.Minute, outage)
		require.InEpsilon(t, brokers*float64(outage-time.Minute)/float64(most/2), steady, 0.2, "each waits for five seconds on average")
		for second := time.Minute; second < outage; second += time.Second {
			require.Less(t, log.between(began, second, second+time.Second), brokers, "they don't dial at the same time")
		}
		p.heal()
		for range brokers {
			b := <-connected
			require.NoError(t, b.Shutdown(t.Context())) // for what reads from a socket stops the virtual time
		}
		require.Less(t, time.Since(began), outage+most)
	})
}

func TestPublish_OutlastsAnOutageOfMinutes(t *testing.T) {
	const outage = 5 * time.Minute
	p, q := newProxy(t, node.URL()), declared(t)
	p.refuse()
	synctest.Test(t, func(t *testing.T) {
		b, err := rabbitmq.New(rabbitmq.Config{URL: p.url})
		require.NoError(t, err)
		sent := make(chan error, 1)
		began := time.Now()
		go func() { sent <- b.Publish(t.Context(), to(q), &runtime.Message{}) }()
		time.Sleep(outage)
		require.Empty(t, sent)
		p.heal()
		require.NoError(t, <-sent)
		require.GreaterOrEqual(t, time.Since(began), outage)
		require.NoError(t, b.Shutdown(t.Context()))
	})
}

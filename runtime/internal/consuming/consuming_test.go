package consuming_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/consuming"
)

func TestLimits_HaveDefaults(t *testing.T) {
	defaults := consuming.Limits{Prefetch: 100, PrefetchBytes: 64 << 20, Concurrency: 1, Timeout: 30 * time.Minute, RedeliveryDelay: time.Second}
	require.Equal(t, defaults, consuming.Limits{}.WithDefaults())
	require.Equal(t, consuming.Limits{Prefetch: 100, Concurrency: 1}, consuming.Limits{-1, -1, -1, -1, -1}.WithDefaults())
	given := consuming.Limits{7, 7, 7, 7, 7}
	require.Equal(t, given, given.WithDefaults())
	require.Equal(t, 65535, consuming.Limits{Prefetch: 65536}.WithDefaults().Prefetch, "AMQP has 16 bits for it")
}

func TestLimits_OfARouteComeBeforeTheBrokers(t *testing.T) {
	broker := consuming.Limits{7, 7, 7, 7, 7}
	require.Equal(t, broker, broker.Of(&runtime.Route{}))
	require.Equal(t, consuming.Limits{7, 0, 7, 0, 7}, broker.Of(&runtime.Route{Prefetch: -1, PrefetchBytes: -1, Concurrency: -1, Timeout: -1}))
	require.Equal(t, consuming.Limits{9, 11, 8, 10, 7}, broker.Of(&runtime.Route{Prefetch: 9, PrefetchBytes: 11, Concurrency: 8, Timeout: 10}))
	require.Equal(t, 65535, broker.Of(&runtime.Route{Prefetch: 1 << 20}).Prefetch)
	single := runtime.Queue{Arguments: map[string]any{"x-single-active-consumer": true}}
	require.Zero(t, broker.Of(&runtime.Route{Queue: single}).PrefetchBytes, "its consumer can't be replaced")
	require.Zero(t, broker.Of(&runtime.Route{Order: runtime.Strict()}).PrefetchBytes, "nor can that of an order")
}

func TestLimits_GiveTheConcurrencyThatWasAskedFor(t *testing.T) {
	pair := func(l consuming.Limits) [2]int { return [2]int{l.Prefetch, l.Concurrency} }
	require.Equal(t, 200, consuming.Limits{Concurrency: 200}.WithDefaults().Prefetch, "the default follows")
	broker := consuming.Limits{Prefetch: 10, Concurrency: 5}
	require.Equal(t, [2]int{200, 200}, pair(broker.Of(&runtime.Route{Concurrency: 200})), "the route's own word comes first")
	require.Equal(t, [2]int{3, 3}, pair(broker.Of(&runtime.Route{Prefetch: 3})), "it holds no more")
	require.Equal(t, [2]int{1, 1}, pair(broker.Of(&runtime.Route{Prefetch: 1})), "one at a time")
	require.Equal(t, [2]int{65535, 65535}, pair(broker.Of(&runtime.Route{Concurrency: 70_000})))
	require.Equal(t, [2]int{10, 1}, pair(broker.Of(&runtime.Route{Order: runtime.Strict()})))
	batch := runtime.ConsumeBatch(func(context.Context, [][]byte) error { return nil }, 30, time.Second)
	require.Equal(t, [2]int{60, 30}, pair(broker.Of(&runtime.Route{Handler: batch})))
	require.Equal(t, [2]int{120, 90}, pair(broker.Of(&runtime.Route{Handler: batch, Concurrency: 90, Prefetch: 120})))
}

func TestLogger_IsNeverNil(t *testing.T) {
	require.NotNil(t, consuming.Logger(nil))
	require.Same(t, slog.Default(), consuming.Logger(slog.Default()))
}

package consuming_test

import (
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
	require.Equal(t, consuming.Limits{8, 11, 9, 10, 7}, broker.Of(&runtime.Route{Prefetch: 8, PrefetchBytes: 11, Concurrency: 9, Timeout: 10}))
	require.Equal(t, 65535, broker.Of(&runtime.Route{Prefetch: 1 << 20}).Prefetch)
	single := runtime.Queue{Arguments: map[string]any{"x-single-active-consumer": true}}
	require.Zero(t, broker.Of(&runtime.Route{Queue: single}).PrefetchBytes, "its consumer can't be replaced")
	require.Zero(t, broker.Of(&runtime.Route{Order: runtime.Strict()}).PrefetchBytes, "nor can that of an order")
}

func TestLogger_IsNeverNil(t *testing.T) {
	require.NotNil(t, consuming.Logger(nil))
	require.Same(t, slog.Default(), consuming.Logger(slog.Default()))
}

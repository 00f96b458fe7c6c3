package consuming_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime/internal/consuming"
)

func TestDefaults(t *testing.T) {
	for _, n := range []int{0, -1} {
		require.Equal(t, 100, consuming.Prefetch(n))
		require.Equal(t, 1, consuming.Concurrency(n))
	}
	require.Equal(t, 7, consuming.Prefetch(7))
	require.Equal(t, 7, consuming.Concurrency(7))
	require.Equal(t, time.Second, consuming.RedeliveryDelay(0))
	require.Equal(t, time.Minute, consuming.RedeliveryDelay(time.Minute))
	require.Zero(t, consuming.RedeliveryDelay(-1))
	require.NotNil(t, consuming.Logger(nil))
	require.Same(t, slog.Default(), consuming.Logger(slog.Default()))
}

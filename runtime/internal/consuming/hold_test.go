package consuming_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime/internal/consuming"
)

func TestHold_ReleasesInOrderAfterTheDelayAndNoMoreThanThePrefetchInIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const prefetch, n = 10, 35
		h := consuming.NewHold(consuming.Limits{Prefetch: prefetch, RedeliveryDelay: time.Second})
		released := make(chan time.Duration, n)
		began := time.Now()
		for range n {
			h.Add(func() { released <- time.Since(began) })
		}
		require.Equal(t, n, h.Len())
		time.Sleep(time.Second - 1)
		synctest.Wait()
		require.Empty(t, released)
		for second := range n/prefetch + 1 {
			time.Sleep(time.Second)
			synctest.Wait()
			require.Len(t, released, min(n, (second+1)*prefetch))
		}
		for last := time.Duration(0); len(released) > 0; {
			at := <-released
			require.Greater(t, at, last)
			last = at
		}
		require.Zero(t, h.Len())

		began = time.Now()
		h.Add(func() { released <- time.Since(began) })
		require.Equal(t, time.Second, <-released, "one that comes later is held for no longer")
	})
}

func TestHold_ReleasesAllWhenItIsClosed(t *testing.T) {
	h, released := consuming.NewHold(consuming.Limits{Prefetch: 1, RedeliveryDelay: time.Hour}), 0
	for range 3 {
		h.Add(func() { released++ })
	}
	h.Close()
	require.Equal(t, 3, released)
	h.Add(func() { released++ })
	require.Equal(t, 4, released)
	require.Zero(t, h.Len())
}

func TestHold_HoldsNothingWithoutADelay(t *testing.T) {
	released := false
	consuming.NewHold(consuming.Limits{Prefetch: 1}).Add(func() { released = true })
	require.True(t, released)
}

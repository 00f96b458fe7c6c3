package consuming_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime/internal/consuming"
)

func TestSizer_GoesByTheLargestOfTheLastMessages(t *testing.T) {
	s := consuming.NewSizer(consuming.Limits{Prefetch: 100, PrefetchBytes: 8 << 20}, 0)
	require.Equal(t, 8, s.Prefetch(), "before one has come")
	note := func(n, size int) (resized bool) {
		for range n {
			s.Note(size)
		}
		select {
		case <-s.Resize:
			return true
		default:
			return false
		}
	}
	require.False(t, note(255, 1000), "a window isn't over")
	require.True(t, note(1, 1000))
	require.Equal(t, 100, s.Prefetch(), "the most")
	require.True(t, note(1, 3<<20), "fewer at once")
	require.Equal(t, 2, s.Prefetch())
	require.True(t, note(1, 30<<20))
	require.Equal(t, 1, s.Prefetch(), "one is always taken")
	require.False(t, note(254, 1000), "it doesn't forget the large one before the next window is over")
	require.True(t, note(256, 1000))
	require.Equal(t, 100, s.Prefetch())
	require.Nil(t, consuming.NewSizer(consuming.Limits{Prefetch: 100}, 0))
}

func TestSizer_TakesTheMostWhereItJustFits(t *testing.T) {
	for size, want := range map[int]int{1000: 100, 1001: 64, 2000: 32, 100_000: 1, 100_001: 1} {
		s := consuming.NewSizer(consuming.Limits{Prefetch: 100, PrefetchBytes: 100_000}, 0)
		for range 512 {
			s.Note(size)
		}
		require.Equal(t, want, s.Prefetch(), size)
	}
}

// Who resizes asks for the prefetch, which is that of all messages until then.
func TestSizer_ResizesOnceForSeveralMessages(t *testing.T) {
	s := consuming.NewSizer(consuming.Limits{Prefetch: 100, PrefetchBytes: 8 << 20}, 0)
	s.Note(2 << 20)
	s.Note(4 << 20)
	require.Len(t, s.Resize, 1)
	require.Equal(t, 2, s.Prefetch())
}

func TestSizer_LeavesRoomForABatch(t *testing.T) {
	s := consuming.NewSizer(consuming.Limits{Prefetch: 100, PrefetchBytes: 1000}, 30)
	require.Equal(t, 30, s.Prefetch())
	s.Note(100_000)
	require.Equal(t, 30, s.Prefetch())
}

func TestSizer_AllocatesNothing(t *testing.T) {
	s := consuming.NewSizer(consuming.Limits{Prefetch: 100, PrefetchBytes: 8 << 20}, 0)
	require.Zero(t, testing.AllocsPerRun(1000, func() { s.Note(1000) }))
}

package exportqueue

import (
	"testing"

	"github.com/stretchr/testify/require"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// of returns so many spans of so many bytes each.
func of(n, bytes int) []Sized {
	spans := make([]Sized, n)
	for i := range spans {
		spans[i].Bytes = bytes
	}
	return spans
}

func TestBuffer_IsDueWithABatchOrHalfOfWhatItHolds(t *testing.T) {
	for name, test := range map[string]struct {
		capacity, room int
		spans, bytes   int // that aren't due; one more span is
	}{
		"half of the spans":    {10, 1000, 4, 1},
		"half of an odd count": {11, 1000, 5, 1},
		"a batch":              {10_000, 100_000, 511, 1},
		"half of the bytes":    {1000, 100, 4, 10},
	} {
		b := &buffer{capacity: test.capacity, room: test.room}
		ok, due := b.push(of(test.spans, test.bytes))
		require.True(t, ok, name)
		require.False(t, due, name)
		ok, due = b.push(of(1, test.bytes))
		require.True(t, ok, name)
		require.True(t, due, name)
	}
}

func TestBuffer_RefusesWhatHasNoRoom(t *testing.T) {
	for name, test := range map[string]struct{ spans, bytes int }{"spans": {10, 1}, "bytes": {5, 20}} {
		b := &buffer{capacity: 10, room: 100}
		for range 2 {
			ok, _ := b.push(of(test.spans, test.bytes))
			require.True(t, ok, name)
			before := b.dropped.Load()
			ok, due := b.push(of(1, 1))
			require.False(t, ok, name)
			require.True(t, due, name)
			require.Equal(t, before+1, b.dropped.Load(), name)
			require.Equal(t, test.spans, b.drop(), "all have room again: %s", name)
		}
		b.close()
		ok, _ := b.push(of(1, 1))
		require.False(t, ok, name)
	}
}

func TestBuffer_GivesABatchAtATime(t *testing.T) {
	b := &buffer{capacity: 1000, room: 1000}
	ok, _ := b.push(of(1000, 1))
	require.True(t, ok)
	batch := b.pop(make([]sdktrace.ReadOnlySpan, 12))
	require.Len(t, batch, 512)
	require.Equal(t, 500, b.length())
	ok, _ = b.push(of(501, 1))
	require.False(t, ok)
	ok, _ = b.push(of(500, 1))
	require.True(t, ok, "what was taken makes room")
	require.Len(t, b.pop(nil), 512)
	require.Len(t, b.pop(nil), 488)
	require.Empty(t, b.pop(nil))
	require.Nil(t, b.spans)
}

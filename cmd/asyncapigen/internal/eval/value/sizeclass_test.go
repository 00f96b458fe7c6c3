package value

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// The memory for a slice is as large as that which the running Go gives.
func TestRoundedUp_IsWhatTheRuntimeGives(t *testing.T) {
	var sizes []int
	for _, class := range append(sizeClasses, 1<<16) {
		sizes = append(sizes, class-8, class, class+8)
	}
	for _, size := range sizes[1:] {
		require.Equal(t, cap(slices.Grow([]byte(nil), size)), RoundedUp(size, false), size)
		require.Equal(t, 8*cap(slices.Grow([]*int(nil), size/8)), RoundedUp(size, true), size)
	}
	pages := 5*8192 + 1 // a byte more than whole pages
	require.Equal(t, cap(slices.Grow([]byte(nil), pages)), RoundedUp(pages, false))
}

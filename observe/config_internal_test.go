package observe

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Numbers that can't be meant are ignored, as OpenTelemetry's specification asks, and those
// beyond what Go can count are the most that it can.
func TestComplete_TakesNumbersOfTheEnvironment(t *testing.T) {
	for _, test := range []struct {
		value string
		size  int64
		delay time.Duration
	}{
		{"", 2048, 5 * time.Second},
		{"7", 7, 7 * time.Millisecond},
		{"0", 2048, 5 * time.Second},
		{"-1", 2048, 5 * time.Second},
		{"x", 2048, 5 * time.Second},
		{"9223372036854", 9223372036854, 9223372036854 * time.Millisecond},
		{"9223372036855", 9223372036855, 9223372036854 * time.Millisecond},
		{"9223372036854775807", math.MaxInt64, 9223372036854 * time.Millisecond},
		{"9223372036854775808", 2048, 5 * time.Second},
	} {
		if test.size > math.MaxInt { // no number of a system of 32 bits
			test.size, test.delay = 2048, 5*time.Second
		}
		t.Setenv("OTEL_BSP_MAX_QUEUE_SIZE", test.value)
		t.Setenv("OTEL_BSP_SCHEDULE_DELAY", test.value)
		s, err := Config{}.complete()
		require.NoError(t, err)
		require.EqualValues(t, test.size, s.QueueSize, test.value)
		require.Equal(t, test.delay, s.ExportInterval, test.value)
	}
	_, err := Config{ErrorQueueSize: -1}.complete()
	require.ErrorContains(t, err, "is negative")
	s, err := Config{}.complete()
	require.NoError(t, err)
	require.Equal(t, []int{32768, 128 << 20, 100}, []int{s.ErrorQueueSize, s.SpanBytes, s.ErrorTraceRate})
	require.Equal(t, 30*time.Second, s.ExportTimeout)
}

func TestLevelCritical_IsAboveError(t *testing.T) { require.EqualValues(t, 12, LevelCritical) }

package slo_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/observe/slo"
)

// The bound of a latency belongs to what meets it.
func TestRecord_CountsBySuccessAndLatency(t *testing.T) {
	fast := newTracker(t, 0.9, slo.WithLatency(time.Second))
	plain := newTracker(t, 0.9)
	for _, tracker := range []*slo.Tracker{fast, plain} {
		tracker.Record(time.Second, "")
		tracker.Record(time.Second+1, "")
		tracker.Record(0, "timeout")
		tracker.Record(time.Hour, "timeout")
		require.EqualValues(t, 4, tracker.Report().Total)
	}
	require.Equal(t, map[string]uint64{"slow": 1, "timeout": 2}, fast.Report().Errors)
	require.Equal(t, map[string]uint64{"timeout": 2}, plain.Report().Errors)
	require.Equal(t, time.Second, fast.Latency())
	require.Zero(t, plain.Latency())
}

func TestNew_RefusesALatencyThatCantBe(t *testing.T) {
	for _, options := range [][]slo.Option{
		{slo.WithLatency(-1)},
		{slo.WithHistogram("request_duration_seconds", nil)},
		{slo.WithLatency(1), slo.WithHistogram("no name", nil)},
		{slo.WithLatency(1), slo.WithHistogram("", nil)},
	} {
		_, err := slo.New("orders", 0.9, options...)
		require.ErrorContains(t, err, `make the SLO tracker "orders"`)
	}
}

// Without a service the histogram is selected by its labels alone, or by nothing.
func TestRules_SelectTheHistogram(t *testing.T) {
	for want, labels := range map[string]map[string]string{
		`d_bucket{le="0.1"}[5m]`: nil, `d_bucket{b="1",a="x\"y",le="0.1"}[5m]`: {"b": "1", "a": `x"y`},
	} {
		tracker := newTracker(t, 0.9, slo.WithLatency(100*time.Millisecond), slo.WithHistogram("d", labels))
		if labels != nil {
			want = `d_bucket{a="x\"y",b="1",le="0.1"}[5m]`
		}
		require.Contains(t, string(tracker.Rules()), want)
	}
}

// Groups of several trackers are one file, in their order.
func TestRules_OfSeveralTrackersAreOneFile(t *testing.T) {
	first, second := newTracker(t, 0.9), newTracker(t, 0.99, slo.WithService("shop"))
	text := string(slo.Rules(first, second))
	require.Equal(t, 1, strings.Count(text, "groups:\n"))
	require.Equal(t, string(first.Rules())+strings.TrimPrefix(string(second.Rules()), "groups:\n"), text)
	require.Equal(t, "groups:\n", string(slo.Rules()))
}

// A hundred types of errors have their names, and no more.
func TestRecordFailure_NamesAHundredTypes(t *testing.T) {
	tracker := newTracker(t, 0.9)
	for i := range 102 {
		tracker.RecordFailure(fmt.Sprint("e", i))
	}
	errors := tracker.Report().Errors
	require.Len(t, errors, 101)
	require.EqualValues(t, 1, errors["e99"])
	require.EqualValues(t, 2, errors["_other"])
}

// An event is in the window of an hour for an hour, but for the part of a bucket of 10 s that
// it came in; and the whole window is never more than it was.
func TestWindows_EndWhereTheyShould(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tracker := newTracker(t, 0.9, slo.Hour)
		hour := func() slo.WindowReport { return tracker.Report().Windows[slo.Hour] }
		time.Sleep(5 * time.Second)
		record(tracker, 99, 1)
		require.Equal(t, 5*time.Second, hour().ObservedFor)
		time.Sleep(time.Hour - 5*time.Second)
		require.EqualValues(t, 100, hour().Total, "of the bucket nothing has left the window")
		require.EqualValues(t, 1, hour().Failures)
		require.Equal(t, time.Hour, hour().ObservedFor)
		time.Sleep(5 * time.Second)
		require.EqualValues(t, 50, hour().Total, "half of the bucket has")
		time.Sleep(5 * time.Second)
		require.Zero(t, hour().Total)
		require.Equal(t, time.Hour, hour().ObservedFor)
	})
}

// After a pause as long as the window, or a bucket less, what was before is gone, or left in
// part.
func TestWindows_SurviveAPauseOfTheirLength(t *testing.T) {
	for pause, want := range map[time.Duration]uint64{
		time.Hour - 10*time.Second: 100, time.Hour: 100, time.Hour + 10*time.Second: 0, 30 * time.Hour: 0,
	} {
		synctest.Test(t, func(t *testing.T) {
			tracker := newTracker(t, 0.9, slo.Hour)
			record(tracker, 100, 0)
			time.Sleep(pause)
			require.Equal(t, want, tracker.Report().Windows[slo.Hour].Total, "%v", pause)
			record(tracker, 1, 0)
			require.Equal(t, want+1, tracker.Report().Windows[slo.Hour].Total, "%v", pause)
		})
	}
}

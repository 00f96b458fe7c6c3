package slo_test

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/observe/slo"
)

// FuzzRestore: a snapshot, broken or not, never panics. One that is taken makes
// a tracker whose figures can be, however long it was away, and whose own
// snapshot makes the same tracker again.
func FuzzRestore(f *testing.F) {
	tracker := newTracker(f, 0.99, slo.Hour)
	record(tracker, 3, 2)
	good, err := json.Marshal(tracker.Snapshot())
	require.NoError(f, err)
	f.Add(good, int64(0), 0.99)
	f.Add(good, int64(time.Hour), 1.0)
	f.Add([]byte(`{"name":"orders","age":-1}`), int64(1), 0.5)
	f.Add([]byte(`{"name":"orders","age":3000000000000000000,"total":4,"taken":"1000-01-01T00:00:00Z"}`), int64(1<<50), 0.9999999999999)
	f.Add([]byte(`{"name":"orders","age":95000000000,"total":9,"failed":1,"failures":{"a":1},"taken":"2040-01-01T00:00:00Z"}`), int64(-5), 0.999)
	f.Fuzz(func(t *testing.T, text []byte, away int64, objective float64) {
		var snapshot slo.Snapshot
		if json.Unmarshal(text, &snapshot) != nil {
			return
		}
		restored, err := slo.New("orders", objective)
		if err != nil || restored.Restore(snapshot) != nil {
			return
		}
		requirePossible(t, restored.Report(), snapshot)
		for range 3 {
			later := restored.Snapshot()
			if later.Age > 90*365*24*time.Hour {
				return // it may have become too old
			}
			later.Taken = later.Taken.Add(-time.Duration(away))
			again, err := slo.New("orders", objective)
			require.NoError(t, err)
			require.NoError(t, again.Restore(later))
			again.RecordSuccess()
			snapshot.Total++
			requirePossible(t, again.Report(), snapshot)
			if away <= 0 {
				sameCounts(t, restored, again, 1)
			}
			restored = again
		}
	})
}

// sameCounts compares what two trackers have counted, of which one has counted
// more successes. A tick may end in between, once.
func sameCounts(t *testing.T, before, after *slo.Tracker, more uint64) {
	t.Helper()
	var was, is slo.Snapshot
	for range 3 {
		was, is = before.Snapshot(), after.Snapshot()
		was.Total += more
		for w, bucket := range was.Windows {
			bucket.Total[len(bucket.Total)-1] += more
			was.Windows[w] = bucket
		}
		was.Taken, was.Age, is.Taken, is.Age = time.Time{}, 0, time.Time{}, 0
		if reflect.DeepEqual(was, is) {
			return
		}
	}
	require.Equal(t, was, is)
}

// requirePossible holds a report to what no history can break.
func requirePossible(t *testing.T, report slo.Report, all slo.Snapshot) {
	t.Helper()
	_, err := json.Marshal(report)
	require.NoError(t, err, "no NaN and no infinity")
	failures := uint64(0)
	for _, n := range report.Errors {
		failures += n
	}
	require.Equal(t, all.Failed, failures)
	for window, w := range report.Windows {
		require.True(t, w.SLI >= 0 && w.SLI <= 1, "%v: %+v", window, w)
		require.True(t, w.BudgetRemaining >= 0 && w.BudgetRemaining <= 1, "%v: %+v", window, w)
		require.True(t, w.BudgetConsumed >= 0 && !math.IsInf(w.BudgetConsumed, 0), "%v: %+v", window, w)
		require.True(t, w.BurnRate >= 0 && w.ObservedFor >= 0 && w.ObservedFor <= window.Duration(), "%v: %+v", window, w)
		require.True(t, w.Failures <= w.Total && float64(w.Total) <= float64(all.Total) && w.Failures <= all.Failed, "%v: %+v", window, w)
	}
}

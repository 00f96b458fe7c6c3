package slo_test

import (
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/observe/slo"
)

func TestRestore_GoesOnAfterARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		before := newTracker(t, 0.99)
		record(before, 90, 10)
		time.Sleep(50 * time.Minute)
		record(before, 10, 0)
		text, err := json.Marshal(before.Snapshot())
		require.NoError(t, err)
		time.Sleep(30 * time.Minute)

		var snapshot slo.Snapshot
		require.NoError(t, json.Unmarshal(text, &snapshot))
		after := newTracker(t, 0.99)
		require.NoError(t, after.Restore(snapshot))
		want, got := before.Report(), after.Report()
		require.Equal(t, want, got)
		require.EqualValues(t, 10, got.Windows[slo.Hour].Total)
		require.EqualValues(t, 110, got.Windows[slo.Day].Total)

		require.ErrorContains(t, after.Restore(snapshot), "has counted already")
	})
}

// The wall clock says how long the tracker was away, and is asked only then.
func TestRestore_FollowsTheWallClock(t *testing.T) {
	for _, test := range []struct {
		name            string
		taken           time.Duration // from now
		hour, day, week uint64
	}{
		{"just now", 0, 10, 10, 10},
		{"two hours ago", -2 * time.Hour, 0, 10, 10},
		{"in the future: the clock was set back", 3 * time.Hour, 10, 10, 10},
		{"in a far future", 1 << 62, 10, 10, 10},
		{"long ago: the clock was set forward", -150 * 365 * 24 * time.Hour, 0, 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				before := newTracker(t, 0.99)
				record(before, 8, 2)
				snapshot := before.Snapshot()
				snapshot.Taken = time.Now().Add(test.taken)
				after := newTracker(t, 0.99)
				require.NoError(t, after.Restore(snapshot))
				windows := after.Report().Windows
				require.Equal(t, []uint64{test.hour, test.day, test.week},
					[]uint64{windows[slo.Hour].Total, windows[slo.Day].Total, windows[slo.Week].Total})
				require.NoError(t, newTracker(t, 0.99).Restore(after.Snapshot()), "its own snapshot is good again")
			})
		})
	}
}

func TestRestore_RefusesWhatCantBe(t *testing.T) {
	good := newTracker(t, 0.99)
	record(good, 3, 2)
	for name, breakIt := range map[string]func(*slo.Snapshot){
		"a sum that runs over": func(s *slo.Snapshot) {
			s.Total, s.Windows[slo.Hour].Total[0] = 1<<62, 0
			for i := range 4 {
				s.Windows[slo.Hour].Total[i] = 1 << 62
			}
		},
		"more failures by type": func(s *slo.Snapshot) { s.Failures["other"] = 1 },
		"fewer by type":         func(s *slo.Snapshot) { s.Failures = nil },
		"an age of 101 years":   func(s *slo.Snapshot) { s.Age = 101 * 365 * 24 * time.Hour },
		"another name":          func(s *slo.Snapshot) { s.Name = "other" },
		"a negative age":        func(s *slo.Snapshot) { s.Age = -1 },
		"too many failures":     func(s *slo.Snapshot) { s.Failed = 100 },
		"a short window":        func(s *slo.Snapshot) { s.Windows[slo.Hour] = slo.Buckets{} },
		"a window without a total": func(s *slo.Snapshot) {
			b := s.Windows[slo.Hour]
			b.Total = b.Total[1:]
			s.Windows[slo.Hour] = b
		},
		"a window without a failure": func(s *slo.Snapshot) {
			b := s.Windows[slo.Hour]
			b.Failed = b.Failed[1:]
			s.Windows[slo.Hour] = b
		},
		"a window of before the tracker": func(s *slo.Snapshot) { open(s, -1) },
		"a window of the future":         func(s *slo.Snapshot) { open(s, s.Age+1) },
		"more than all":                  func(s *slo.Snapshot) { s.Windows[slo.Hour].Total[0] = 4 },
		"a bucket of failure":            func(s *slo.Snapshot) { s.Windows[slo.Hour].Failed[0] = 1 },
		"an unknown window":              func(s *slo.Snapshot) { s.Windows[7] = s.Windows[slo.Hour] },
	} {
		t.Run(name, func(t *testing.T) {
			snapshot := good.Snapshot()
			breakIt(&snapshot)
			require.Error(t, newTracker(t, 0.99).Restore(snapshot))
		})
	}
}

// open has the snapshot say that the last bucket of its first window began then.
func open(s *slo.Snapshot, began time.Duration) {
	b := s.Windows[slo.Hour]
	b.Opened = began
	s.Windows[slo.Hour] = b
}

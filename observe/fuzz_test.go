package observe_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/observe"
)

// FuzzRestore: a snapshot, broken or not, never panics, and what it restores
// reports ratios.
func FuzzRestore(f *testing.F) {
	tracker := newSLO(f, 0.99, observe.Hour)
	record(tracker, 3, 2)
	good, err := json.Marshal(tracker.Snapshot())
	require.NoError(f, err)
	f.Add(good)
	f.Add([]byte(`{"name":"orders","age":-1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var snapshot observe.SLOSnapshot
		if json.Unmarshal(text, &snapshot) != nil {
			return
		}
		restored := newSLO(t, 0.99)
		if restored.Restore(snapshot) != nil {
			return
		}
		for window, w := range restored.Report().Windows {
			require.False(t, math.IsNaN(w.SLI) || w.SLI < 0 || w.SLI > 1, "%v: %v", window, w)
			require.False(t, w.BudgetRemaining < 0 || w.BudgetRemaining > 1, "%v: %v", window, w)
		}
	})
}

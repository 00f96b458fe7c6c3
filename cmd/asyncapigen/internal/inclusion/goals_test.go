package inclusion

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What rests on a goal that fails in the end isn't proved, whatever was proved meanwhile.
func TestGoals_ForgetWhatRestsOnAFailure(t *testing.T) {
	g := newGoals[string]()
	holds := func() bool { return true }
	require.False(t, g.holds("a", func() bool {
		require.True(t, g.holds("b", func() bool {
			return g.holds("a", nil) && g.holds("c", holds)
		}))
		require.True(t, g.holds("e", func() bool {
			return g.holds("f", func() bool { return g.holds("a", nil) })
		}))
		require.True(t, g.holds("d", func() bool { return g.holds("b", nil) && g.holds("c", nil) }))
		return false
	}))
	require.False(t, g.holds("a", nil))
	require.True(t, g.holds("c", nil), "it rests on nothing")
	for _, key := range []string{"b", "d", "e", "f"} {
		require.False(t, g.holds(key, func() bool { return false }), key)
	}
}

// What is proved around a failure says nothing of what rested on it.
func TestGoals_ForgetAFailureWithinAProof(t *testing.T) {
	g := newGoals[string]()
	require.True(t, g.holds("around", func() bool {
		require.False(t, g.holds("a", func() bool {
			require.True(t, g.holds("b", func() bool { return g.holds("a", nil) }))
			return false
		}))
		return true
	}))
	require.False(t, g.holds("b", func() bool { return false }))
}

func TestGoals_KeepWhatRestsOnAProof(t *testing.T) {
	g := newGoals[string]()
	require.True(t, g.holds("a", func() bool {
		return g.holds("b", func() bool { return g.holds("c", func() bool { return g.holds("a", nil) }) && g.holds("b", nil) })
	}))
	for _, key := range []string{"a", "b", "c"} {
		require.True(t, g.holds(key, nil), key)
	}
}

package headermatch_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/headermatch"
)

func TestMode_IsWhatXMatchSays(t *testing.T) {
	for _, c := range []struct {
		match              any
		isAny, comparesToo bool // arguments that begin with "x-"
	}{
		{match: nil},
		{match: "all"},
		{match: 1},
		{match: "any", isAny: true},
		{match: "all-with-x", comparesToo: true},
		{match: "any-with-x", isAny: true, comparesToo: true},
	} {
		arguments := map[string]any{"kind": "order"}
		if c.match != nil {
			arguments["x-match"] = c.match
		}
		mode := headermatch.Of(arguments)
		require.Equal(t, c.isAny, mode.IsAny, "%v", c.match)
		require.Equal(t, c.comparesToo, mode.Compares("x-kind"), "%v", c.match)
		require.True(t, mode.Compares("kind"))
		require.False(t, mode.Compares("x-match"))
	}
}

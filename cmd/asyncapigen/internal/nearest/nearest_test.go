package nearest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNearest(t *testing.T) {
	names := []string{"generate", "check", "list", "explain", "topology", "o", "v"}
	for word, want := range map[string]string{
		"chek": "check", "cehck": "check", "checks": "check", "gen": "generate", "ls": "", "lst": "list", "topo": "topology",
		"explian": "explain", "orders": "", "past": "", "x": "", "shop": "", "": "", "oo": "",
	} {
		require.Equal(t, want, Of(word, names), word)
	}
	for word, want := range map[string]string{"abcdefxyz": "abcdefghi", "abcdewxyz": "", "abcdefghi": "abcdefghi"} {
		require.Equal(t, want, Of(word, []string{"abcdefghi"}), "three of nine letters: %s", word)
	}
	require.Empty(t, Of("ab", []string{"abcdef"}), "the beginning has three letters at least")
	require.Equal(t, "abcdef", Of("abc", []string{"abcdef"}))
	require.Equal(t, "list", Of("lost", []string{"list", "last"}), "the first of two that are as near")
}

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "ab", 2}, {"ab", "ba", 1}, {"check", "chek", 1}, {"list", "lost", 1}, {"kitten", "sitting", 3}} {
		require.Equal(t, test.want, distance(test.a, test.b), "%s %s", test.a, test.b)
		require.Equal(t, test.want, distance(test.b, test.a), "%s %s", test.b, test.a)
	}
}

package eval

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// The rules are those of "go help embed", as package embed's documentation has them.
func TestEmbeds_LeavesOutHiddenNamesOfFolders(t *testing.T) {
	for pattern, want := range map[string]string{
		"conf":           "conf/a.txt conf/sub/b.txt",
		"all:conf":       "conf/a.txt conf/.dot conf/_under conf/sub/b.txt conf/sub/.git/c",
		"conf/*":         "conf/a.txt conf/.dot conf/_under conf/sub/b.txt",
		"conf/*.txt":     "conf/a.txt",
		"conf/_under":    "conf/_under",
		"conf/sub/.git":  "conf/sub/.git/c",
		"*":              "conf/a.txt conf/sub/b.txt top.txt",
		"con":            "",
		"conf/[a-b].txt": "conf/a.txt",
	} {
		var got []string
		for _, name := range []string{"conf/a.txt", "conf/.dot", "conf/_under", "conf/sub/b.txt", "conf/sub/.git/c", "top.txt"} {
			if embeds(pattern, name) {
				got = append(got, name)
			}
		}
		require.Equal(t, want, strings.Join(got, " "), pattern)
	}
}

func TestEmbedPatterns_MayBeQuoted(t *testing.T) {
	require.Equal(t, []string{"a", "b c", "d e", "all:f"}, embedPatterns("//go:embed a \"b c\"\t`d e` all:f "))
}

func TestEmbeddedText_IsBounded(t *testing.T) {
	folder := t.TempDir()
	for name, n := range map[string]int{"fits": value.MaxText, "long": value.MaxText + 1} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), make([]byte, n), 0o600))
	}
	text, ok := embeddedText(folder, "fits")
	require.True(t, ok)
	require.Len(t, text, value.MaxText)
	_, ok = embeddedText(folder, "long")
	require.False(t, ok)
	_, ok = embeddedText(folder, "missing")
	require.False(t, ok)
}

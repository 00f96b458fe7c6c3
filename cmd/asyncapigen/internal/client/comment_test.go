package client

import (
	"go/build/constraint"
	"go/format"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// gofmt lays doc comments out, in one go, and nothing in them is an instruction.
func TestComment_HoldsAnyText(t *testing.T) {
	for _, text := range []string{
		"One line.",
		"- a\n- b",
		"Before:\n- a\n- b\nafter",
		"1. one\n2. two\n\ntext\n* star",
		"# Heading\n\ntext",
		"    code\n\ttabs",
		"[x]: https://example.com\n\nsee [x]",
		"//go:build ignore\n\n// +build ignore",
		"/* open", "close */", "`", "\\", "\"",
		"\x00\x01\ufeff\u202e\xff visible",
		"1 - 2\n- \n-\n*",
		strings.Repeat("word ", 100),
		"- " + strings.Repeat("word ", 40) + "\n2. " + strings.Repeat("word ", 40),
		"3 + 4 = " + strings.Repeat("x", 60) + " - 5 # 6 1. 7",
		"Deprecated: use another.",
	} {
		t.Run(text, func(t *testing.T) {
			lines := commentLines(text)
			source := "package p\n\n// X is first.\n//\n" + strings.Join(lines, "\n") + "\nconst X = 1\n"
			formatted, err := format.Source([]byte(source))
			require.NoError(t, err)
			again, err := format.Source(formatted)
			require.NoError(t, err)
			require.Equal(t, string(formatted), string(again))
			require.Equal(t, len(strings.Fields(source)), len(strings.Fields(string(formatted))), "no word is lost:\n%s", formatted)
			for _, line := range lines {
				require.True(t, line == "//" || strings.HasPrefix(line, "// "), line)
				require.False(t, constraint.IsGoBuild(line) || constraint.IsPlusBuild(line), line)
			}
		})
	}
}

func TestComment_IsWrapped(t *testing.T) {
	for _, line := range commentLines(strings.Repeat("word ", 100), "- "+strings.Repeat("ключ ", 100)) {
		require.LessOrEqual(t, len([]rune(line)), lineWidth)
	}
	require.Equal(t, []string{"// " + strings.Repeat("x", 200)}, commentLines(strings.Repeat("x", 200)), "words stay whole")
}

func TestComment_OfNoText(t *testing.T) {
	require.Empty(t, commentLines("", " \n\t", "\ufeff"))
}

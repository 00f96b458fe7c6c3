package modtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

// A snippet is a Go file of the guide: its first line is a comment with the path.
var (
	snippet = regexp.MustCompile("(?ms)^```go\n// (\\S+\\.go)\n(.*?)^```$")
	goBlock = regexp.MustCompile("(?m)^```go$")
)

// GuidePages returns the paths of the guide and of its chapters.
func GuidePages(t testing.TB) []string {
	t.Helper()
	docs := filepath.Join(Root(t), "docs")
	chapters, err := filepath.Glob(filepath.Join(docs, "guide", "*.md"))
	require.NoError(t, err)
	require.NotEmpty(t, chapters)
	return append([]string{filepath.Join(docs, "guide.md")}, chapters...)
}

// WriteGuide lays out the module that the guide and its chapters are, with the tests
// that docs/testdata/guide adds to it, and returns its folder. Commands in it need
// [GuideEnvironment].
func WriteGuide(t testing.TB) string {
	t.Helper()
	archive := new(txtar.Archive)
	for _, name := range GuidePages(t) {
		page, err := os.ReadFile(name)
		require.NoError(t, err)
		snippets := snippet.FindAllSubmatch(page, -1)
		require.Len(t, goBlock.FindAll(page, -1), len(snippets), "each Go block of %s begins with the path of a file", name)
		for _, s := range snippets {
			archive.Files = append(archive.Files, txtar.File{Name: string(s[1]), Data: s[2]})
		}
	}
	added := filepath.Join(Root(t), "docs", "testdata", "guide")
	tests, err := filepath.Glob(filepath.Join(added, "*", "*_test.go"))
	require.NoError(t, err)
	for _, name := range tests {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		within, err := filepath.Rel(added, name)
		require.NoError(t, err)
		archive.Files = append(archive.Files, txtar.File{Name: filepath.ToSlash(within), Data: text})
	}
	seen := make(map[string]bool)
	for _, file := range archive.Files {
		require.False(t, seen[file.Name], "two files are called %s", file.Name)
		seen[file.Name] = true
		require.False(t, strings.Contains(file.Name, ".."), file.Name)
	}
	return Write(t, archive)
}

// GuideEnvironment returns the variables with which the guide's module requires what
// warren requires, in the same version.
func GuideEnvironment() []string { return []string{"GOFLAGS=-mod=mod", "GOWORK=off"} }

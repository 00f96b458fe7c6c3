// Package docs holds the documentation of warren. Its tests hold the
// documentation to the code: each test that a page names exists, each link
// leads somewhere, and the guide's code compiles and does what the guide says.
package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/modtest"
)

// A row is a line of a table, without the table's head.
type row []string

// tableRows returns the rows of all tables of a page whose first cell matches.
func tableRows(page string, first *regexp.Regexp) []row {
	var rows []row
	for line := range strings.Lines(page) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) < 3 || cells[0] != "" {
			continue
		}
		r := row{}
		for _, cell := range cells[1 : len(cells)-1] {
			r = append(r, strings.TrimSpace(cell))
		}
		if first.MatchString(r[0]) {
			rows = append(rows, r)
		}
	}
	return rows
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(text)
}

// goFiles calls visit with the path and the content of each Go file of the
// repository, with slashes, as seen from its root.
func goFiles(t *testing.T, suffix string, visit func(path, text string)) {
	t.Helper()
	root := modtest.Root(t)
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "node_modules" || entry.Name() == "bin" || entry.Name() == ".git"):
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(path, suffix):
			return nil
		}
		within, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		visit(filepath.ToSlash(within), read(t, path))
		return nil
	})
	require.NoError(t, err)
}

var link = regexp.MustCompile(`\]\(([^)#:\s]+)(?:#[^)]*)?\)`)

// pages returns the paths of the repository's pages.
func pages(t *testing.T) []string {
	t.Helper()
	root := modtest.Root(t)
	var pages []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		require.NoError(t, err)
		pages = append(pages, found...)
	}
	require.Contains(t, pages, filepath.Join(root, "README.md"))
	return pages
}

func TestLinks_LeadSomewhere(t *testing.T) {
	for _, page := range pages(t) {
		for _, match := range link.FindAllStringSubmatch(read(t, page), -1) {
			_, err := os.Stat(filepath.Join(filepath.Dir(page), filepath.FromSlash(match[1])))
			require.NoError(t, err, "link in %s", page)
		}
	}
}

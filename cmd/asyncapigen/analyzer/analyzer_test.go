package analyzer_test

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/cmd/asyncapigen/analyzer"
	"github.com/warrenmq/warren/internal/modtest"
)

// Each golden is a module, whose files say by comments what is reported, and those
// that end with .golden what is left after the suggested fixes.
func TestAnalyzer_Goldens(t *testing.T) {
	goldens, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, goldens)
	for _, golden := range goldens {
		t.Run(filepath.Base(golden), func(t *testing.T) {
			archive, err := txtar.ParseFile(golden)
			require.NoError(t, err)
			results := analysistest.RunWithSuggestedFixes(t, modtest.Write(t, archive), analyzer.Analyzer, "./...")
			var wanted []string
			for _, file := range archive.Files {
				if name, ok := strings.CutSuffix(filepath.Base(file.Name), ".golden"); ok {
					wanted = append(wanted, filepath.Join(filepath.Dir(file.Name), name))
				}
			}
			require.ElementsMatch(t, wanted, slices.Collect(maps.Keys(edits(results))), "files with a .golden, and those with a suggested fix")
			for _, file := range archive.Files {
				if fixes := edits(results)[file.Name]; fixes != nil {
					requireFixed(t, archive, file, fixes)
				}
			}
		})
	}
}

// An edit is one of a suggested fix, at offsets of its file.
type edit struct {
	start, end int
	text       []byte
}

// edits returns those of the suggested fixes, by file.
func edits(results []*analysistest.Result) map[string][]edit {
	all := make(map[string][]edit)
	for _, result := range results {
		for _, diagnostic := range result.Diagnostics {
			for _, fix := range diagnostic.SuggestedFixes {
				for _, e := range fix.TextEdits {
					in := result.Pass.Fset.File(e.Pos)
					name := filepath.Base(filepath.Dir(in.Name())) + "/" + filepath.Base(in.Name())
					all[name] = append(all[name], edit{in.Offset(e.Pos), in.Offset(e.End), e.NewText})
				}
			}
		}
	}
	return all
}

// requireFixed makes the edits and formats the file, and no more: analysistest removes imports
// besides, which editors may not do.
func requireFixed(t *testing.T, archive *txtar.Archive, file txtar.File, edits []edit) {
	t.Helper()
	text := slices.Clone(file.Data)
	slices.SortFunc(edits, func(a, b edit) int { return b.start - a.start })
	for _, e := range edits {
		text = slices.Replace(text, e.start, e.end, e.text...)
	}
	text, err := format.Source(text)
	require.NoError(t, err)
	i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == file.Name+".golden" })
	require.Equal(t, string(archive.Files[i].Data), string(text), file.Name)
}

// module writes a module of one file of the services, without its wants.
func module(t *testing.T, file string) (dir string) {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/services.txtar")
	require.NoError(t, err)
	archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return f.Name != file })
	require.Len(t, archive.Files, 1)
	archive.Files[0].Data = regexp.MustCompile("// want .*").ReplaceAll(archive.Files[0].Data, nil)
	return modtest.Write(t, archive)
}

// reported runs the analyzer on a file, as an editor does that shows a text of it.
func reported(t *testing.T, name string, readFile func(string) ([]byte, error)) ([]string, error) {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, nil, parser.ParseComments)
	require.NoError(t, err)
	var found []string
	_, err = analyzer.Analyzer.Run(&analysis.Pass{
		Fset: files, Files: []*ast.File{file}, ReadFile: readFile,
		Report: func(d analysis.Diagnostic) {
			at := files.Position(d.Pos)
			found = append(found, fmt.Sprintf("%d:%d: %s", at.Line, at.Column, d.Category))
		},
	})
	return found, err
}

func TestAnalyzer_ReportsLinesAndColumns(t *testing.T) {
	found, err := reported(t, filepath.Join(module(t, "directives/main.go"), "directives", "main.go"), os.ReadFile)
	require.NoError(t, err)
	require.Equal(t, []string{"15:1: bad-directive", "20:3: bad-directive", "27:1: bad-directive"}, found)
}

// A name of the file may be another than that which asyncapigen says.
func TestAnalyzer_ReportsInAFileOfAnotherName(t *testing.T) {
	dir := module(t, "tags/main.go")
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(dir, link))
	for _, name := range []string{filepath.Join(link, "tags", "main.go"), dir + "/./tags/main.go", dir + "/tags/./main.go"} {
		found, err := reported(t, name, os.ReadFile)
		require.NoError(t, err)
		require.Equal(t, []string{"16:35: repeated-tag"}, found, name)
	}
}

func TestAnalyzer_WaitsUntilFilesAreSaved(t *testing.T) {
	name := filepath.Join(module(t, "tags/main.go"), "tags", "main.go")
	found, err := reported(t, name, func(string) ([]byte, error) { return []byte("package main\n"), nil })
	require.NoError(t, err)
	require.Empty(t, found)
	_, err = reported(t, name, func(string) ([]byte, error) { return nil, os.ErrPermission })
	require.ErrorIs(t, err, os.ErrPermission)
}

func TestAnalyzer_LeavesWarningsOut(t *testing.T) {
	require.NoError(t, analyzer.Analyzer.Flags.Set("warnings", "false"))
	t.Cleanup(func() { _ = analyzer.Analyzer.Flags.Set("warnings", "true") })
	analysistest.Run(t, module(t, "tags/main.go"), analyzer.Analyzer, "./...")
}

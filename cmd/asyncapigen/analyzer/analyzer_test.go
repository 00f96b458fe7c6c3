package analyzer_test

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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
			require.ElementsMatch(t, wanted, fixed(results), "files with a .golden, and those with a suggested fix")
		})
	}
}

// fixed returns the files that suggested fixes change, each once.
func fixed(results []*analysistest.Result) []string {
	files := make(map[string]bool)
	for _, result := range results {
		for _, diagnostic := range result.Diagnostics {
			for _, fix := range diagnostic.SuggestedFixes {
				for _, edit := range fix.TextEdits {
					name := result.Pass.Fset.File(edit.Pos).Name()
					files[filepath.Join(filepath.Base(filepath.Dir(name)), filepath.Base(name))] = true
				}
			}
		}
	}
	return slices.Collect(maps.Keys(files))
}

func TestAnalyzer_LeavesWarningsOut(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/services.txtar")
	require.NoError(t, err)
	archive.Files = slices.DeleteFunc(archive.Files, func(file txtar.File) bool { return file.Name != "tags/main.go" })
	require.Len(t, archive.Files, 1)
	comment := regexp.MustCompile("// want .*")
	archive.Files[0].Data = comment.ReplaceAll(archive.Files[0].Data, nil)
	require.NoError(t, analyzer.Analyzer.Flags.Set("warnings", "false"))
	t.Cleanup(func() { _ = analyzer.Analyzer.Flags.Set("warnings", "true") })
	analysistest.Run(t, modtest.Write(t, archive), analyzer.Analyzer, "./...")
}

package analyzer_test

import (
	"path/filepath"
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
			analysistest.RunWithSuggestedFixes(t, modtest.Write(t, archive), analyzer.Analyzer, "./...")
		})
	}
}

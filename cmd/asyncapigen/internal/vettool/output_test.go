package vettool

import (
	"archive/zip"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"
)

// A fix that changes what another one has changed is left for the next run; one that
// changes the same in the same way is the same.
func TestWriteFixes_AppliesWhatDoesNotClash(t *testing.T) {
	const source = "package p\n\nvar a, b, c = 1, 2, 3\n"
	for name, c := range map[string]struct {
		edits [][]edit
		want  string
	}{
		"one":                 {[][]edit{{{start: 25, end: 26, text: []byte("7")}}}, "var a, b, c = 7, 2, 3"},
		"none":                {[][]edit{nil}, "var a, b, c = 1, 2, 3"},
		"the same twice":      {[][]edit{{{start: 25, end: 26, text: []byte("7")}}, {{start: 25, end: 26, text: []byte("7")}, {start: 28, end: 29, text: []byte("8")}}}, "var a, b, c = 7, 8, 3"},
		"another text":        {[][]edit{{{start: 25, end: 26, text: []byte("7")}}, {{start: 25, end: 26, text: []byte("9")}, {start: 28, end: 29, text: []byte("8")}}}, "var a, b, c = 7, 2, 3"},
		"another end":         {[][]edit{{{start: 25, end: 26, text: []byte("7")}}, {{start: 25, end: 29, text: []byte("7")}}}, "var a, b, c = 7, 2, 3"},
		"another beginning":   {[][]edit{{{start: 25, end: 29, text: []byte("7, 8")}}, {{start: 28, end: 29, text: []byte("7, 8")}}}, "var a, b, c = 7, 8, 3"},
		"one that is within":  {[][]edit{{{start: 25, end: 32, text: []byte("7, 8, 9")}}, {{start: 28, end: 29, text: []byte("1")}}}, "var a, b, c = 7, 8, 9"},
		"side by side":        {[][]edit{{{start: 25, end: 26, text: []byte("7")}}, {{start: 26, end: 29, text: []byte(", 8")}}}, "var a, b, c = 7, 8, 3"},
		"side by side before": {[][]edit{{{start: 26, end: 29, text: []byte(", 8")}}, {{start: 25, end: 26, text: []byte("7")}}}, "var a, b, c = 7, 8, 3"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "p.go")
			require.NoError(t, os.WriteFile(file, []byte(source), 0o600))
			fset := token.NewFileSet()
			at := fset.AddFile(file, -1, len(source))
			var found []analysis.Diagnostic
			for _, edits := range c.edits {
				var fix analysis.SuggestedFix
				for _, e := range edits {
					fix.TextEdits = append(fix.TextEdits, analysis.TextEdit{Pos: at.Pos(e.start), End: at.Pos(e.end), NewText: e.text})
				}
				found = append(found, analysis.Diagnostic{SuggestedFixes: []analysis.SuggestedFix{fix}})
			}
			found = append(found, analysis.Diagnostic{})
			require.NoError(t, writeFixes(filepath.Join(dir, "fixes"), fset, found))
			archive, err := zip.OpenReader(filepath.Join(dir, "fixes"))
			require.NoError(t, err)
			defer archive.Close()
			if len(c.edits[0]) == 0 {
				require.Empty(t, archive.File)
				return
			}
			require.Len(t, archive.File, 1)
			fixed, err := archive.File[0].Open()
			require.NoError(t, err)
			text, err := io.ReadAll(fixed)
			require.NoError(t, err)
			require.Equal(t, "package p\n\n"+c.want+"\n", string(text))
		})
	}
}

func TestWriteFixes_SaysWhatItCannotReadOrWrite(t *testing.T) {
	fset := token.NewFileSet()
	at := fset.AddFile(filepath.Join(t.TempDir(), "gone.go"), -1, 10)
	found := []analysis.Diagnostic{{SuggestedFixes: []analysis.SuggestedFix{{TextEdits: []analysis.TextEdit{{Pos: at.Pos(1), End: at.Pos(2)}}}}}}
	require.ErrorContains(t, writeFixes(filepath.Join(t.TempDir(), "fixes"), fset, found), "gone.go")
	require.ErrorContains(t, writeFixes(filepath.Join(t.TempDir(), "none", "fixes"), fset, nil), "write the fixes")
}

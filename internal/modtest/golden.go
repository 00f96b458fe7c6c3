package modtest

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

// Goldens runs a subtest for each archive of the folder testdata: what describe says
// of the archive is its file "want". With update that file is rewritten.
func Goldens(t *testing.T, update bool, describe func(*testing.T, *txtar.Archive) string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			require.NoError(t, err)
			got := describe(t, archive)
			want := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == "want" })
			if update {
				if want < 0 {
					archive.Files = append(archive.Files, txtar.File{})
					want = len(archive.Files) - 1
				}
				archive.Files[want] = txtar.File{Name: "want", Data: []byte(got)}
				require.NoError(t, os.WriteFile(file, txtar.Format(archive), 0o644))
				return
			}
			require.GreaterOrEqual(t, want, 0, "the archive has no file called want")
			require.Equal(t, string(archive.Files[want].Data), got)
		})
	}
}

// Programs returns the paths of the archives of testdata/golden, programs with what the
// command says of them.
func Programs(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(Root(t), "testdata", "golden", "*.txtar"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}

// DocumentSums is the file that a golden's script compares with its file want.sum, for
// tests that don't run its programs: it has the [DocumentSum] of each document that was
// compared with what a running program shows.
const DocumentSums = "documents.sum"

// DocumentSum returns the line of a document in [DocumentSums].
func DocumentSum(name, text string) string {
	return fmt.Sprintf("%.16x  %s\n", sha256.Sum256([]byte(text)), name)
}

package scan_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/scan"
	"github.com/warrenmq/warren/internal/modtest"
)

var update = flag.Bool("update", false, "rewrite the want files of testdata")

// Each archive of testdata is a module of programs on amqp091-go, or one with a client of
// its own in the folder vendor. Its file "want" is what is printed of them. Services on
// all clients are in testdata/consumers of the repository, and held against a broker.
func TestFind(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			require.NoError(t, err)
			got := printed(t, archive)
			i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == "want" })
			if *update {
				if i < 0 {
					archive.Files = append(archive.Files, txtar.File{Name: "want"})
					i = len(archive.Files) - 1
				}
				archive.Files[i].Data = []byte(got)
				require.NoError(t, os.WriteFile(file, txtar.Format(archive), 0o644))
				return
			}
			require.GreaterOrEqual(t, i, 0, "the archive has no file called want")
			require.Equal(t, string(archive.Files[i].Data), got)
		})
	}
}

// goMod is that of the archives without one.
const goMod = "module example.com/shop\n\ngo 1.26.0\n\nrequire github.com/rabbitmq/amqp091-go v1.16.0\n"

func printed(t *testing.T, archive *txtar.Archive) string {
	t.Helper()
	files, mode := archive.Files, "-mod=vendor"
	if !slices.ContainsFunc(files, func(f txtar.File) bool { return f.Name == "go.mod" }) {
		files, mode = append(files, txtar.File{Name: "go.mod", Data: []byte(goMod)}), "-mod=mod"
	}
	t.Setenv("GOFLAGS", mode)
	dir := modtest.Write(t, &txtar.Archive{Files: files})
	program, err := load.Packages(t.Context(), load.Config{Dir: dir, Patterns: []string{"./..."}, Clients: scan.Clients})
	require.NoError(t, err)
	for _, pkg := range program.Checked() {
		require.Empty(t, pkg.Errors)
	}
	result := scan.Find(t.Context(), program)
	var out strings.Builder
	result.Print(&out)
	for _, p := range result.Problems {
		fmt.Fprintln(&out, p)
	}
	return out.String()
}

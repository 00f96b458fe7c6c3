package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/internal/modtest"
)

// A snippet is a Go file of the guide: its first line is a comment with the path.
var (
	snippet   = regexp.MustCompile("(?ms)^```go\n// (\\S+\\.go)\n(.*?)^```$")
	goBlock   = regexp.MustCompile("(?m)^```go$")
	console   = regexp.MustCompile("(?ms)^```console\n\\$ go tool asyncapigen (.*?)\n(.*?)^```$")
	directive = regexp.MustCompile(`(?m)^//go:generate go tool asyncapigen (.*)$`)
)

// The Go files of the guide and of its chapters are one module. It is generated,
// compiled and tested, and what the guide shows of the command's output is its output.
func TestGuide_IsTrue(t *testing.T) {
	page := read(t, "guide.md")
	chapters, err := filepath.Glob("guide/*.md")
	require.NoError(t, err)
	for _, chapter := range chapters {
		page += read(t, chapter)
	}
	snippets := snippet.FindAllStringSubmatch(page, -1)
	require.Len(t, goBlock.FindAllString(page, -1), len(snippets), "each Go block begins with the path of a file")
	archive := new(txtar.Archive)
	service, flags := "", ""
	for _, s := range snippets {
		archive.Files = append(archive.Files, txtar.File{Name: s[1], Data: []byte(s[2])})
		if line := directive.FindStringSubmatch(s[2]); line != nil {
			service, flags = filepath.Dir(s[1]), line[1]
		}
	}
	require.NotEmpty(t, service, "a file with a go:generate directive")
	archive.Files = append(archive.Files, txtar.File{
		Name: "server/observed_test.go", Data: []byte(read(t, filepath.Join("testdata", "guide", "server", "observed_test.go"))),
	})
	dir := modtest.Write(t, archive)
	sums := read(t, filepath.Join(modtest.Root(t), "go.sum"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), []byte(sums), 0o644))
	user := []string{"GOFLAGS=-mod=mod", "GOWORK=off"} // requires what warren requires, in the same version
	asyncapigen := filepath.Join(t.TempDir(), "asyncapigen")
	run(t, nil, ".", "go", "build", "-o", asyncapigen, "github.com/warrenmq/warren/cmd/asyncapigen")

	require.Empty(t, run(t, user, filepath.Join(dir, service), asyncapigen, strings.Fields(flags)...))
	require.Empty(t, run(t, user, dir, "gofmt", "-l", "."))
	run(t, user, dir, "go", "vet", "./...")
	run(t, user, dir, "go", "test", "./...")
	outputs := console.FindAllStringSubmatch(page, -1)
	require.NotEmpty(t, outputs)
	for _, shown := range outputs {
		require.Equal(t, shown[2], run(t, user, filepath.Join(dir, service), asyncapigen, strings.Fields(shown[1])...))
	}
	require.Contains(t, page, "go tool asyncapigen check ./...\n")
	run(t, user, dir, asyncapigen, "check", "./...")
}

// run runs a command, which has to succeed, and returns what it printed.
func run(t *testing.T, environment []string, dir, command string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), environment...)
	output, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s %s\n%s", command, strings.Join(args, " "), output)
	return string(output)
}

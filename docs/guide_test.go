package docs

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/modtest"
)

// A snippet is a Go file of the guide: its first line is a comment with the path.
var (
	snippet   = regexp.MustCompile("(?ms)^```go\n// (\\S+\\.go)\n(.*?)^```$")
	console   = regexp.MustCompile("(?ms)^```console\n(?:\\$ cd (\\S+)\n)?\\$ go tool asyncapigen (.*?)\n(.*?)^```$")
	directive = regexp.MustCompile(`(?m)^//go:generate go tool asyncapigen (.*)$`)
)

// first is the folder of the service that the guide begins with, where its commands are
// run unless they say cd.
const first = "orders"

// The Go files of the guide and of its chapters are one module. It is generated,
// compiled and tested, and what the guide shows of the command's output is its output.
func TestGuide_IsTrue(t *testing.T) {
	page := ""
	for _, name := range modtest.GuidePages(t) {
		page += read(t, name)
	}
	services := make(map[string]string) // the flags of the directives, by folder
	for _, s := range snippet.FindAllStringSubmatch(page, -1) {
		if line := directive.FindStringSubmatch(s[2]); line != nil {
			services[filepath.Dir(s[1])] = line[1]
		}
	}
	require.Contains(t, services, first)
	dir, user := modtest.WriteGuide(t), modtest.GuideEnvironment()
	asyncapigen := filepath.Join(t.TempDir(), "asyncapigen")
	run(t, nil, ".", "go", "build", "-o", asyncapigen, "github.com/warrenmq/warren/cmd/asyncapigen")

	for service, flags := range services {
		require.Empty(t, run(t, user, filepath.Join(dir, service), asyncapigen, strings.Fields(flags)...))
	}
	require.Empty(t, run(t, user, dir, "gofmt", "-l", "."))
	run(t, user, dir, "go", "vet", "./...")
	run(t, user, dir, "go", "test", "./...")
	outputs := console.FindAllStringSubmatch(page, -1)
	require.NotEmpty(t, outputs)
	for _, shown := range outputs {
		require.Equal(t, shown[3], run(t, user, filepath.Join(dir, cmp.Or(shown[1], first)), asyncapigen, strings.Fields(shown[2])...))
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

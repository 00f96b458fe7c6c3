package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/modtest"
	"golang.org/x/tools/txtar"
)

var (
	documentProgram    = regexp.MustCompile("(?ms)^```go\n// main.go\n(.*?)^```$")
	documentTranscript = regexp.MustCompile("(?ms)^```console\n\\$ go tool asyncapigen (.*?)\n(.*?)^```$")
	documentExcerpt    = regexp.MustCompile("(?ms)^```yaml\n# (\\S+)\n(.*?)^```$")
)

// The program of the page is analysed, and the page shows what is printed and written.
func TestDocumentPage_IsTrue(t *testing.T) {
	page := read(t, "document.md")
	program := documentProgram.FindStringSubmatch(page)
	require.NotNil(t, program)
	dir := modtest.Write(t, &txtar.Archive{Files: []txtar.File{{Name: "main.go", Data: []byte(program[1])}}})
	asyncapigen := filepath.Join(t.TempDir(), "asyncapigen")
	run(t, nil, ".", "go", "build", "-o", asyncapigen, "github.com/warrenmq/warren/cmd/asyncapigen")
	shown := documentTranscript.FindAllStringSubmatch(page, -1)
	require.NotEmpty(t, shown)
	for _, s := range shown {
		require.Equal(t, run(t, nil, dir, asyncapigen, strings.Fields(s[1])...), s[2])
	}
	excerpts := documentExcerpt.FindAllStringSubmatch(page, -1)
	require.NotEmpty(t, excerpts)
	for _, e := range excerpts {
		text, err := os.ReadFile(filepath.Join(dir, e[1]))
		require.NoError(t, err)
		require.Contains(t, string(text), e[2])
	}
}

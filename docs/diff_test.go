package docs

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the transcripts")

var (
	contractBlock  = regexp.MustCompile("(?ms)^```yaml\n# (\\S+\\.yaml)\n(.*?)^```$")
	diffTranscript = regexp.MustCompile("(?ms)^```console\n\\$ go tool asyncapigen (diff .*?)\n(.*?)^```$")
)

// The contracts of the page are compared, and the page shows what is printed.
func TestDiffPage_IsTrue(t *testing.T) {
	page := read(t, "diff.md")
	dir := t.TempDir()
	for _, block := range contractBlock.FindAllStringSubmatch(page, -1) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, block[1]), []byte("# "+block[1]+"\n"+block[2]), 0o644))
	}
	asyncapigen := filepath.Join(t.TempDir(), "asyncapigen")
	run(t, nil, ".", "go", "build", "-o", asyncapigen, "github.com/warrenmq/warren/cmd/asyncapigen")
	shown := diffTranscript.FindAllStringSubmatch(page, -1)
	require.NotEmpty(t, shown)
	for _, s := range shown {
		printed := run(t, nil, dir, asyncapigen, strings.Fields(s[1])...)
		if *update {
			page = strings.Replace(page, s[0], "```console\n$ go tool asyncapigen "+s[1]+"\n"+printed+"```", 1)
			continue
		}
		require.Equal(t, printed, s[2])
	}
	if *update {
		require.NoError(t, os.WriteFile("diff.md", []byte(page), 0o644))
	}
}

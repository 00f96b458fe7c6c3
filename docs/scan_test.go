package docs

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/modtest"
)

var textBlock = regexp.MustCompile("(?ms)^```text\n(.*?)^```$")

// The page shows a part of what scan prints of a service, by which that is held:
// see testdata/consumers.
func TestScanPage_ShowsWhatIsPrinted(t *testing.T) {
	printed := read(t, filepath.Join(modtest.Root(t), "testdata", "consumers", "options", "want.txt"))
	shown := textBlock.FindStringSubmatch(read(t, "scan.md"))
	require.NotNil(t, shown)
	for paragraph := range strings.SplitSeq(shown[1], "\n\n") {
		require.Contains(t, printed, strings.TrimSuffix(paragraph, "\n")+"\n")
	}
}

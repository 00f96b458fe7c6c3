package docs

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

// The transcript is what the script of five services prints.
func TestMapPage_IsTrue(t *testing.T) {
	script, err := txtar.ParseFile(filepath.Join("..", "cmd", "asyncapigen", "testdata", "script", "map.txtar"))
	require.NoError(t, err)
	for _, file := range script.Files {
		if file.Name == "want.txt" {
			_, shown, _ := strings.Cut(read(t, "map.md"), "$ go tool asyncapigen map -o map.html")
			_, shown, _ = strings.Cut(shown, "\n")
			shown, _, _ = strings.Cut(shown, "```")
			require.Equal(t, string(file.Data), shown)
			return
		}
	}
	t.Fatal("the script has no want.txt")
}

package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// A path on the page, from the root of the repository.
var pathOnPage = regexp.MustCompile("`((?:cmd|runtime|internal|mgmt|observe|docs|examples)/[a-zA-Z0-9_./]*)`")

func TestArchitecture_NamesFilesThatExist(t *testing.T) {
	paths := pathOnPage.FindAllStringSubmatch(read(t, "architecture.md"), -1)
	require.Greater(t, len(paths), 30)
	for _, match := range paths {
		_, err := os.Stat(filepath.Join("..", filepath.FromSlash(match[1])))
		require.NoError(t, err)
	}
}

package output_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/output"
	"github.com/warrenmq/warren/internal/docpage"
)

func TestWrite_OverwritesPagesOfItsOwn(t *testing.T) {
	page := []byte("<!doctype html>\n" + docpage.Generated + "\nnew")
	for old, mine := range map[string]bool{
		"": true, "\n": true, "<!doctype html>\r\n" + docpage.Generated: true, "\ufeff<!doctype html>\n" + docpage.Generated + "\nold": true,
		"<!doctype html>\n<p>" + docpage.Generated: false, "text": false, "\n\n" + docpage.Generated: false,
	} {
		name := filepath.Join(t.TempDir(), "page.html")
		require.NoError(t, os.WriteFile(name, []byte(old), 0o666))
		_, err := output.Write(output.File{Path: name, Content: page, Kind: output.Page})
		after, readErr := os.ReadFile(name)
		require.NoError(t, readErr)
		if mine {
			require.NoError(t, err, "%q", old)
			require.Equal(t, page, after)
		} else {
			require.ErrorIs(t, err, output.ErrNotGenerated, "%q", old)
			require.Equal(t, old, string(after))
		}
	}
}

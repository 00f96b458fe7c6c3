package load

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/internal/modtest"
)

const starting = `-- main.go --
package main

import (
	_ "example.com/shop/busy"
	_ "example.com/shop/fixed"
	_ "example.com/shop/idle"
	_ "example.com/shop/waits"
)

func main() {}
-- idle/idle.go --
package idle

import _ "unsafe"

var Default = []string{"a"}
-- fixed/fixed.go --
//go:build fixed

package fixed
-- fixed/other.go --
//go:build !fixed

package fixed

func init() { println() }
-- busy/busy.go --
package busy

var Default = "a"
var Queue = Default
-- waits/waits.go --
package waits

import _ "example.com/shop/busy"
`

// What the compiler has made is compiled anew where it isn't in the place of the export data.
func TestFindIdle_OfExportDataWithoutCode(t *testing.T) {
	want := map[string]bool{
		"example.com/shop": false, "example.com/shop/idle": true, "example.com/shop/fixed": true,
		"example.com/shop/busy": false, "example.com/shop/waits": false, "unsafe": true,
	}
	cfg := Config{Dir: modtest.Write(t, txtar.Parse([]byte(starting))), Patterns: []string{"."}, Tags: "fixed"}
	listing, err := List(t.Context(), cfg)
	require.NoError(t, err)
	_, err = listing.Program(t.Context(), cfg)
	require.NoError(t, err)
	require.Equal(t, want, listing.shared.idle)

	dropCode(t, listing)
	clear(listing.shared.idle)
	_, err = listing.Program(t.Context(), cfg)
	require.NoError(t, err)
	require.Equal(t, want, listing.shared.idle)
}

// Without its code, nothing is taken of a package.
func TestFindIdle_OfWhatCannotBeCompiled(t *testing.T) {
	cfg := Config{Dir: modtest.Write(t, txtar.Parse([]byte(starting))), Patterns: []string{"."}}
	listing, err := List(t.Context(), cfg)
	require.NoError(t, err)
	dropCode(t, listing)
	require.NoError(t, os.WriteFile(filepath.Join(cfg.Dir, "busy", "busy.go"), []byte("package busy\n\nvar Queue = Default\n"), 0o600))
	_, err = listing.Program(t.Context(), cfg)
	require.ErrorContains(t, err, "find out whether package example.com/shop/busy has anything to initialise: busy/busy.go:3:13: undefined: Default")
	require.NotContains(t, err.Error(), "\n")
}

// dropCode leaves the export data alone of what was compiled.
func dropCode(t *testing.T, listing *Listing) {
	dir := t.TempDir()
	packages.Visit(listing.listed, nil, func(pkg *packages.Package) {
		if pkg.ExportFile == "" {
			return
		}
		archive, err := os.ReadFile(pkg.ExportFile)
		require.NoError(t, err)
		data, _, isArchive := bytes.Cut(archive, []byte(object))
		require.True(t, isArchive, pkg.PkgPath)
		pkg.ExportFile = filepath.Join(dir, pkg.Name+".a")
		require.NoError(t, os.WriteFile(pkg.ExportFile, data, 0o600))
	})
}

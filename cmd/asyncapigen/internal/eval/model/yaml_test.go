package model

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"
)

// What isn't exported isn't decoded.
func TestLendsItsType_LooksForMapsOfAnyWhoseTypeIsAnother(t *testing.T) {
	for source, want := range map[string]bool{
		"map[string]any":                                     false,
		"map[string]map[string]any":                          false,
		"*[]struct{ N int; Any any; m named; At time.Time }": false,
		"text":                 false,
		"map[string]named":     true,
		"*[]struct{ M named }": true,
		"[2]map[name]any":      true,
		"map[string]own":       true,
	} {
		t.Run(source, func(t *testing.T) {
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, "a.go", `package a; import "time"; type named map[string]any; type name string; type own map[string]interface{ any }
				type text struct{ Next *text }; type at = time.Time; var v `+source, 0)
			require.NoError(t, err)
			pkg, err := (&types.Config{Importer: importer.Default()}).Check("a", fset, []*ast.File{file}, nil)
			require.NoError(t, err)
			require.Equal(t, want, lendsItsType(pkg.Scope().Lookup("v").Type(), map[types.Type]bool{}))
		})
	}
}

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
	for want, sources := range map[bool][]string{
		false: {"map[string]any", "map[string]map[string]any", "*[]struct{ N int; Any any; m named; At time.Time }", "text"},
		true:  {"map[string]named", "*[]struct{ M named }", "[2]map[name]any", "map[string]own"},
	} {
		for _, source := range sources {
			t.Run(source, func(t *testing.T) {
				require.Equal(t, want, lendsItsType(typeOfSource(t, source), map[types.Type]bool{}))
			})
		}
	}
}

func typeOfSource(t *testing.T, source string) types.Type {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "a.go", `package a; import "time"; type named map[string]any; type name string; type own map[string]interface{ any }
		type text struct{ Next *text }; type at = time.Time; var v `+source, 0)
	require.NoError(t, err)
	pkg, err := (&types.Config{Importer: importer.Default()}).Check("a", fset, []*ast.File{file}, nil)
	require.NoError(t, err)
	return pkg.Scope().Lookup("v").Type()
}

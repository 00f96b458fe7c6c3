package registered_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
)

func TestIsDescribable(t *testing.T) {
	const src = `package p

import "encoding/json"

type MapTree map[string]MapTree
type ListTree []ListTree
type Mixed map[string][]Mixed
type Loose map[string][]any
type RawMessage []byte
var Bytes []byte
var Number json.Number
var Fault error
var Raw json.RawMessage
var Raws []json.RawMessage
var Lists map[string][]int
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, 0)
	require.NoError(t, err)
	config := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	pkg, err := config.Check("p", fset, []*ast.File{file}, nil)
	require.NoError(t, err)
	for name, want := range map[string]bool{
		"MapTree": true, "RawMessage": true, "ListTree": true, "Mixed": true, "Lists": true,
		"Loose": false, "Bytes": false, "Raw": false, "Raws": false,
	} {
		require.Equal(t, want, registered.IsDescribable(pkg.Scope().Lookup(name).Type()), name)
	}
	for name, want := range map[string]bool{"Raw": true, "RawMessage": false, "Bytes": false, "Raws": false, "Number": false, "Fault": false} {
		require.Equal(t, want, registered.IsRawMessage(pkg.Scope().Lookup(name).Type()), name)
	}
}

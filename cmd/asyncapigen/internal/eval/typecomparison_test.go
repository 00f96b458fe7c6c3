package eval

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// A package that is read late has types of its own, which go/types takes for others: values are
// compared by value.SameType, value.Implements and value.MissingMethod. Only predeclared types are
// the same everywhere, and what is made of them.
func TestTypes_AreComparedByWhatTheySay(t *testing.T) {
	everywhere := []string{"types.Typ[", "types.Universe.", "bytesType", "errorType", "isBoolFlag", "ofAny"}
	defined := []string{"value/sametype.go", "value/types.go"}
	for _, dir := range []string{".", "model", "value", "../discover"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		require.NoError(t, err)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") || slices.Contains(defined, file) {
				continue
			}
			for _, call := range comparisonsOfGoTypes(t, file) {
				if !slices.ContainsFunc(everywhere, func(text string) bool { return strings.Contains(call, text) }) {
					t.Errorf("%s: %s compares types that may have been read twice", file, call)
				}
			}
		}
	}
}

// comparisonsOfGoTypes returns the calls in a file of functions of go/types that compare types.
func comparisonsOfGoTypes(t *testing.T, file string) (calls []string) {
	source, err := os.ReadFile(file)
	require.NoError(t, err)
	parsed, err := parser.ParseFile(token.NewFileSet(), file, source, parser.SkipObjectResolution)
	require.NoError(t, err)
	ast.Inspect(parsed, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch value.Source(call.Fun) {
		case "types.Identical", "types.IdenticalIgnoreTags", "types.Implements", "types.Satisfies", "types.MissingMethod", "types.AssignableTo", "types.ConvertibleTo":
			calls = append(calls, string(source[call.Pos()-1:call.End()-1]))
		}
		return true
	})
	return calls
}

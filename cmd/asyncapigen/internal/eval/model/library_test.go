package model

import (
	"go/importer"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A name that the library doesn't have would never be looked up.
func TestFunctions_NameFunctionsThatExist(t *testing.T) {
	imports := importer.ForCompiler(token.NewFileSet(), "source", nil)
	for name := range functions {
		if !exists(t, imports, name) {
			t.Errorf("the standard library has no function %s", name)
		}
	}
}

// exists finds a function by its full name: pkg/path.Func, (pkg/path.Type).Method
// or (*pkg/path.Type).Method.
func exists(t *testing.T, imports types.Importer, name string) bool {
	t.Helper()
	qualified, method, isMethod := strings.Cut(strings.TrimLeft(name, "(*"), ").")
	dot := strings.LastIndexByte(qualified, '.')
	pkg, err := imports.Import(qualified[:dot])
	require.NoError(t, err, name)
	obj := pkg.Scope().Lookup(qualified[dot+1:])
	if obj == nil || !isMethod {
		return obj != nil
	}
	found, _, _ := types.LookupFieldOrMethod(types.NewPointer(obj.Type()), true, pkg, method)
	if types.IsInterface(obj.Type()) {
		found, _, _ = types.LookupFieldOrMethod(obj.Type(), true, pkg, method)
	}
	fn, ok := found.(*types.Func)
	return ok && fn.FullName() == name
}

func TestReadsOnly_IsFalseForWhatWritesOrCalls(t *testing.T) {
	imports := importer.ForCompiler(token.NewFileSet(), "source", nil)
	for name, want := range map[string]bool{
		"fmt.Println": true, "fmt.Sscanf": false, "errors.Is": true, "errors.As": false,
		"strings.ToUpper": true, "time.AfterFunc": false, "encoding/json.Unmarshal": false,
	} {
		dot := strings.LastIndexByte(name, '.')
		pkg, err := imports.Import(name[:dot])
		require.NoError(t, err)
		require.Equal(t, want, ReadsOnly(pkg.Scope().Lookup(name[dot+1:]).(*types.Func)), name)
	}
}

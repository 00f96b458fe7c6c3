package model

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
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

// versioned has modules of a version.
type versioned struct {
	machine
	version string
}

func (v versioned) VersionOf(string) string { return v.version }

// Versions before 3.0.1 decode in ways of their own.
func TestYAML_IsFollowedFromAVersionOn(t *testing.T) {
	for version, follows := range map[string]bool{"v3.0.0": false, "v3.0.0-20210107192922-496545a6307b": false, "v3.0.1": true, "v3.0.5": true} {
		for _, name := range []string{"NewDecoder", "Unmarshal"} {
			c := testCall(versioned{version: version})
			results := types.NewTuple(types.NewParam(0, nil, "", types.NewPointer(typeOfSource(t, "text"))))
			c.Fn.Obj = types.NewFunc(0, types.NewPackage(yamlPackage, "yaml"), name, types.NewSignatureType(nil, nil, nil, nil, results, false))
			n := value.NewCell(integer(0))
			c.Args = []value.Value{text("1"), value.Pointer{Type: types.NewPointer(intType), To: n}}
			_, ok := yamlFunctions[yamlPackage+"."+name](c)
			require.Equal(t, follows, ok, version+" "+name)
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

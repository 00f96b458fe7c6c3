package load

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// What the parser finds in files is found without parsing them whole.
func TestInterfaceMethods_IncludeThoseOfTheParser(t *testing.T) {
	seen := 0
	for _, path := range []string{"crypto/tls", "encoding/json", "errors", "go/types", "io", "net/http", "reflect", "testing"} {
		names, err := filepath.Glob(filepath.Join(build.Default.GOROOT, "src", path, "*.go"))
		require.NoError(t, err)
		found, err := interfaceMethods(names)
		require.NoError(t, err)
		for i := range found {
			found[i].generic = false // of which the expressions of the parser tell nothing
		}
		var parsed []methodShape
		for _, name := range names {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			ast.Inspect(file, func(node ast.Node) bool {
				if expr, ok := node.(*ast.InterfaceType); ok {
					parsed = appendMethods(parsed, expr, false)
				}
				return true
			})
		}
		require.Subset(t, found, parsed, path) // comments show some more
		seen += len(parsed)
	}
	require.Greater(t, seen, 150)
}

func TestInterfaceMethods_OfAnyForm(t *testing.T) {
	for text, want := range map[string][]methodShape{
		"type I interface { F(a, b int, c ...string) (n int, err error) }":    {{"F", 3, 2, false}},
		"var _ = v.(interface{F()}) // interface { no type here":              {{"F", 0, 0, false}},
		"/* interface */ type I interface /* of */ {\n// }\nF(int) error\n}":  {{"F", 1, 1, false}},
		"type I[T any] interface { F(T); G(int) T; H(b.T) b.T; J() }":         {{"F", 1, 0, true}, {"G", 1, 1, true}, {"H", 1, 1, false}, {"J", 0, 0, false}},
		"type L []int\ntype I interface { F(L) }":                             {{"F", 1, 0, false}},
		"func f[T any](int) {}\nfunc g(interface { F(T) }) {}":                {{"F", 1, 0, false}},
		"func f[T any](interface { F(func(a T)) }) {}":                        {{"F", 1, 0, true}},
		"func f[T interface{ ~int | string; F(struct{ A, B int }) }](T) {}":   {{"F", 1, 0, false}},
		"type I interface { F() interface{ G(I) } ; f(); io.Reader }":         {{"F", 0, 1, false}, {"G", 1, 0, false}},
		"type interfaces struct{}; const s = `interface{ F(` + \"interface\"": nil,
		"type I = interface{}": nil,
		"interface":            nil,
		"interface{ F()":       nil,
		"interface {} { G() }": nil,
	} {
		require.Equal(t, want, appendInterfaceMethods(nil, []byte(text)), text)
	}
}

// A method that is taken by its name is called whatever it has for parameters.
func TestInterfaceMethods_TakenByName(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.go")
	require.NoError(t, os.WriteFile(name, []byte("package a\n\nvar m = v.MethodByName(\"Setup\")\n\ntype I interface{ F() }\n"), 0o600))
	found, err := interfaceMethods([]string{name})
	require.NoError(t, err)
	require.Equal(t, []methodShape{{"F", 0, 0, false}, anyShape("Setup")}, found)
}

func TestInterfaceMethods_OfAFileThatIsGone(t *testing.T) {
	_, err := interfaceMethods([]string{filepath.Join(t.TempDir(), "gone.go")})
	require.Error(t, err)
}

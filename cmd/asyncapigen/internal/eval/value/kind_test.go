package value

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

type generic[T any] struct{ Field T }

func TestKindOf_IsWhatReflectSays(t *testing.T) {
	fset := token.NewFileSet()
	for source, want := range map[string]reflect.Type{
		"bool": reflect.TypeFor[bool](), "string": reflect.TypeFor[string](), "uintptr": reflect.TypeFor[uintptr](),
		"int": reflect.TypeFor[int](), "int8": reflect.TypeFor[int8](), "int16": reflect.TypeFor[int16](), "rune": reflect.TypeFor[rune](), "int64": reflect.TypeFor[int64](),
		"uint": reflect.TypeFor[uint](), "byte": reflect.TypeFor[byte](), "uint16": reflect.TypeFor[uint16](), "uint32": reflect.TypeFor[uint32](), "uint64": reflect.TypeFor[uint64](),
		"float32": reflect.TypeFor[float32](), "float64": reflect.TypeFor[float64](), "complex64": reflect.TypeFor[complex64](), "complex128": reflect.TypeFor[complex128](),
		"[2]int": reflect.TypeFor[[2]int](), "chan int": reflect.TypeFor[chan int](), "func()": reflect.TypeFor[func()](), "error": reflect.TypeFor[error](),
		"map[string]int": reflect.TypeFor[map[string]int](), "*int": reflect.TypeFor[*int](), "[]int": reflect.TypeFor[[]int](), "struct{}": reflect.TypeFor[struct{}](),
		"Named": reflect.TypeFor[[]int](), "Alias": reflect.TypeFor[[]int](), "Generic[int]": reflect.TypeFor[generic[int]](), "unsafe.Pointer": reflect.TypeFor[unsafe.Pointer](),
	} {
		file, err := parser.ParseFile(fset, "p.go", "package p\nimport \"unsafe\"\nvar _ unsafe.Pointer\ntype Named []int\ntype Alias = Named\ntype Generic[T any] struct{ Field T }\nvar V "+source, 0)
		require.NoError(t, err)
		config := types.Config{Importer: importer.Default()}
		pkg, err := config.Check("p", fset, []*ast.File{file}, nil)
		require.NoError(t, err)
		require.Equal(t, want.Kind(), KindOf(pkg.Scope().Lookup("V").Type()), source)
		parameter := pkg.Scope().Lookup("Generic").Type().(*types.Named).TypeParams().At(0)
		require.Equal(t, reflect.Invalid, KindOf(parameter))
		require.Equal(t, reflect.Invalid, KindOf(types.Typ[types.UntypedInt]))
	}
}

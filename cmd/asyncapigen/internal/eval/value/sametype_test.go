package value

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"
)

const differentTypes = `package shop

import "unsafe"

type order struct{}

type page[T any] struct{ all []T }

type pair[K, V any] struct{ k K; v V }

type a struct{}

type au struct{}

type pageu[T any] struct{ all []T }

type both[T int | string] interface{ ~int | ~string }

func f() {
	type order struct{}
	type bill struct{}
	var _ order
}

func g[T, U any]() {
	type bill struct{}
	var (
		_ int
		_ byte
		_ uint8
		_ rune
		_ string
		_ error
		_ any
		_ unsafe.Pointer
		_ order
		_ bill
		_ *order
		_ **order
		_ []int
		_ []string
		_ [2]int
		_ [3]int
		_ [2]string
		_ chan int
		_ <-chan int
		_ chan<- int
		_ chan string
		_ map[int]int
		_ map[int]string
		_ map[string]int
		_ func()
		_ func(int)
		_ func(string)
		_ func(int, int)
		_ func() int
		_ func(int) int
		_ func([]int)
		_ func(...int)
		_ struct{}
		_ struct{ A int }
		_ struct{ B int }
		_ struct{ a int }
		_ struct{ A string }
		_ struct{ A int "json:\"a\"" }
		_ struct{ A, B int }
		_ struct{ order }
		_ struct{ order order }
		_ interface{ A() }
		_ interface{ B() }
		_ interface{ A(int) }
		_ interface{ A(); B() }
		_ page[int]
		_ page[string]
		_ page[page[int]]
		_ pair[int, string]
		_ pair[string, int]
		_ map[int]page[int]
		_ []func(map[string]*order) <-chan page[int]
		_ page[uint]
		_ pageu[int]
		_ map[a]uint
		_ map[au]int
		_ map[*map[int]int]int
		_ *map[int]map[int]int
		_ func(a, uint)
		_ func(au, int)
		_ func(func(int)) int
		_ func(func(), int)
		_ T
		_ U
		_ map[T][]U
		_ map[U][]T
		_ interface{ ~int }
		_ interface{ ~string }
	)
}
`

// Two types have one key if they are identical, in a package that was read again too,
// but for those that functions declare.
func TestTypeKey_IsThatOfIdenticalTypes(t *testing.T) {
	read := func(of string) (all []types.Type) {
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, "shop.go", of, 0)
		require.NoError(t, err)
		info := &types.Info{Defs: map[*ast.Ident]types.Object{}}
		config := types.Config{Error: func(error) {}} // of variables that aren't used
		_, _ = config.Check("example.com/shop", files, []*ast.File{file}, info)
		for _, d := range file.Decls {
			ast.Inspect(d, func(n ast.Node) bool {
				if v, ok := n.(*ast.ValueSpec); ok {
					all = append(all, info.Defs[v.Names[0]].Type())
				}
				return true
			})
		}
		return all
	}
	first, again := read(differentTypes), read(differentTypes)
	require.Greater(t, len(first), 50)
	for i, a := range first {
		require.Equal(t, TypeKey(a), TypeKey(again[i]))
		for _, b := range first {
			require.Equal(t, types.Identical(a, b), TypeKey(a) == TypeKey(b), "%v and %v", a, b)
			require.Equal(t, types.Identical(a, b), SameType(a, b), "%v and %v", a, b)
		}
	}
	require.True(t, SameType(nil, nil))
	require.False(t, SameType(first[0], nil))
}

// A key reads like the type, to who debugs.
func TestTypeKey_ReadsLikeTheType(t *testing.T) {
	field := types.NewField(0, nil, "A", types.Typ[types.Int], false)
	list := types.NewTuple(types.NewParam(0, nil, "", types.Typ[types.Int]), types.NewParam(0, nil, "", types.Typ[types.String]))
	method := types.NewFunc(0, nil, "M", types.NewSignatureType(nil, nil, nil, nil, nil, false))
	text, err := types.Instantiate(nil, typesIn(t, someTypes)["list"], []types.Type{types.Typ[types.String]}, false)
	require.NoError(t, err)
	for want, of := range map[string]types.Type{
		`struct{A false int "tag";}`:      types.NewStruct([]*types.Var{field}, []string{"tag"}),
		"interface{Mfuncfalse()();}":      types.NewInterfaceType([]*types.Func{method}, nil),
		"funcfalse(int,string,)(string,)": types.NewSignatureType(nil, nil, nil, list, types.NewTuple(list.At(1)), false),
		"[]example.com/shop.list[string]": types.NewSlice(text),
		"map[int][2]*string":              types.NewMap(types.Typ[types.Int], types.NewArray(types.NewPointer(types.Typ[types.String]), 2)),
	} {
		require.Equal(t, want, TypeKey(of))
	}
}

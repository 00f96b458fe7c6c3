package gotype_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/gotype"
	"github.com/warrenmq/warren/internal/schema"
)

// check type-checks source that needs no compiling, errors and all.
func check(t *testing.T, path, source string) (*types.Package, *token.FileSet) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "shop.go", source, 0)
	require.NoError(t, err)
	config := types.Config{Importer: importer.Default(), Error: func(error) {}}
	pkg, _ := config.Check(path, fset, []*ast.File{file}, nil)
	return pkg, fset
}

func TestTypes_NameTypesOfCommands(t *testing.T) {
	pkg, fset := check(t, "example.com/cmd/shop", "package main\ntype Order struct{}")
	order := gotype.New(nil, fset.Position).Of(pkg.Scope().Lookup("Order").Type())
	require.Equal(t, schema.Name{PkgPath: "main", Pkg: "main", Ident: "Order"}, order.Name())
	require.Equal(t, "shop.go:2:6", order.Position().String())
}

func TestTypes_ReportUnresolved(t *testing.T) {
	pkg, fset := check(t, "example.com/shop", `package shop
		type Order struct {
			Missing Nothing
		}
		type Generic[T any] struct{ Value T }
	`)
	ts := gotype.New(nil, fset.Position)
	for _, name := range []string{"Order", "Generic"} {
		set := schema.Build([]schema.Type{ts.Of(pkg.Scope().Lookup(name).Type())})
		require.Len(t, set.Problems, 1, name)
		require.Equal(t, "the type isn't known", set.Problems[0].What)
	}
}

func TestTypes_EndEndlessGenerics(t *testing.T) {
	pkg, fset := check(t, "example.com/shop", `package shop
		type Endless[T any] struct{ Next *Endless[[]T] }
		type Order struct{ E Endless[int] }
	`)
	set := schema.Build([]schema.Type{gotype.New(nil, fset.Position).Of(pkg.Scope().Lookup("Order").Type())})
	require.Len(t, set.Problems, 1)
	require.Contains(t, set.Problems[0].What, "expands into ever new instances")
}

func TestTypes_EndInvalidRecursion(t *testing.T) {
	pkg, fset := check(t, "example.com/shop", `package shop
		type Order struct{ Self Order; In map[string]Order }
	`)
	set := schema.Build([]schema.Type{gotype.New(nil, fset.Position).Of(pkg.Scope().Lookup("Order").Type())})
	require.Len(t, set.Payloads, 1)
}

func TestTypes_TakeNil(t *testing.T) {
	require.Nil(t, gotype.New(nil, nil).Of(nil))
}

func TestTypes_KnowEveryBasicKind(t *testing.T) {
	ts := gotype.New(nil, nil)
	for kind := types.Bool; kind <= types.Complex128; kind++ {
		require.Equal(t, types.Typ[kind].Name(), ts.Of(types.Typ[kind]).Kind().String())
	}
	require.Equal(t, reflect.UnsafePointer, ts.Of(types.Typ[types.UnsafePointer]).Kind())
	require.Equal(t, reflect.Invalid, ts.Of(types.Typ[types.UntypedNil]).Kind())
}

func TestTypes_DistinguishUnexportedFieldsByPackage(t *testing.T) {
	const source = "package shop\nvar V struct{ a int; B bool }"
	one, _ := check(t, "example.com/one", source)
	two, _ := check(t, "example.com/two", source)
	ts := gotype.New(nil, nil)
	require.NotEqual(t, ts.Of(one.Scope().Lookup("V").Type()).ID(), ts.Of(two.Scope().Lookup("V").Type()).ID())
}

func TestTypes_OfExportedFieldsAreOneInAllPackages(t *testing.T) {
	const source = "package shop\nvar V struct{ A int; B bool }"
	one, _ := check(t, "example.com/one", source)
	two, _ := check(t, "example.com/two", source)
	ts := gotype.New(nil, nil)
	require.Equal(t, ts.Of(one.Scope().Lookup("V").Type()).ID(), ts.Of(two.Scope().Lookup("V").Type()).ID())
}

func TestTypes_KnowMessagesOfProtobufByTheirMethod(t *testing.T) {
	reflection, _ := check(t, schema.ProtoReflectPath, "package protoreflect\ntype Message interface{ IsValid() bool }")
	message := types.NewParam(token.NoPos, nil, "", reflection.Scope().Lookup("Message").Type())
	number := types.NewParam(token.NoPos, nil, "", types.Typ[types.Int])
	for _, c := range []struct {
		name            string
		params, results []*types.Var
		want            schema.Receiver
	}{
		{"a message", nil, []*types.Var{message}, schema.ValueReceiver},
		{"a message of an argument", []*types.Var{number}, []*types.Var{message}, schema.NoReceiver},
		{"another result", nil, []*types.Var{number}, schema.NoReceiver},
		{"two results", nil, []*types.Var{message, number}, schema.NoReceiver},
		{"no result", nil, nil, schema.NoReceiver},
	} {
		pkg := types.NewPackage("example.com/shop", "shop")
		order := types.NewNamed(types.NewTypeName(token.NoPos, pkg, "Order", nil), types.NewStruct(nil, nil), nil)
		recv := types.NewParam(token.NoPos, pkg, "", order)
		order.AddMethod(types.NewFunc(token.NoPos, pkg, "ProtoReflect", types.NewSignatureType(recv, nil, nil, types.NewTuple(c.params...), types.NewTuple(c.results...), false)))
		require.Equal(t, c.want, gotype.New(nil, nil).Of(order).Method(schema.ProtoReflect), c.name)
	}
}

func TestTypes_DistinguishLocalTypesWithoutPositions(t *testing.T) {
	pkg, _ := check(t, "example.com/shop", `package shop
		var A = func() any { type Local struct{}; var l Local; return l }
		var B = func() any { type Local struct{}; var l Local; return l }
		type Local struct{}
	`)
	ts := gotype.New(nil, nil)
	ids := map[any]bool{ts.Of(pkg.Scope().Lookup("Local").Type()).ID(): true}
	for file := range pkg.Scope().Children() {
		for function := range file.Children() {
			ids[ts.Of(function.Lookup("Local").Type()).ID()] = true
		}
	}
	require.Len(t, ids, 3)
}

func TestTypes_OfOtherPartsAreOthers(t *testing.T) {
	const source = `package shop
		type Pair[A, B any] struct{ A A; B B }
		type Local = Pair[int, string]
		var V struct {
			A int; B int8; C string; D *int; E *string; F []int; G []string; H [2]int; I [3]int; J [2]string
			K map[int]int; L map[int]string; M map[string]int; N chan int; O chan string; P <-chan int
			Q struct{}; R struct{ A int }; S struct{ B int }; T struct{ A string }
			U struct{ A int ` + "`json:\"a\"`" + ` }; V struct{ A int ` + "`json:\"b\"`" + ` }; W struct{ A, B int }
			X struct{ Local Local }; Y struct{ Local }
			Z Pair[int, int]; AA Pair[int, string]; AB Pair[string, int]; AC Pair[Pair[int, int], int]; AD Pair[int, Pair[int, int]]
			AE func(); AF func(int); AG any; AH interface{ M() }; AI error
		}
	`
	one, _ := check(t, "example.com/shop", source)
	two, _ := check(t, "example.com/shop", source)
	ts, ids := gotype.New(nil, nil), make(map[any]string)
	of := func(pkg *types.Package) []schema.Field {
		return ts.Of(pkg.Scope().Lookup("V").Type()).Fields()
	}
	for i, field := range of(one) {
		id := field.Type.ID()
		require.Empty(t, ids[id], "%s is %v", field.Name, id)
		ids[id] = field.Name
		require.Equal(t, id, of(two)[i].Type.ID(), field.Name)
	}
}

package value

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"
)

const someTypes = `package shop

type (
	order  struct{ n int }
	alias  = order
	ref    = *order
	named  *order
	list[T any]   struct{ all []T }
	of[T any]     = list[T]
	wrapper       struct{ list[int] }
	generic[T any] struct{ order }
	methods  interface{ All() []order; Add(order) }
	fewer    interface{ All() []order }
	others   interface{ All() []int }
	number   interface{ ~int | ~string; All() []order }
	shelf    struct{}
)

func (list[T]) Len() int { return 0 }
func (order) Len() int { return 0 }
func (shelf) All() []order { return nil }
func (shelf) Add(order) {}

func f[T any]() {
	var (
		plain      list[order]
		param      T
		inPointer  *T
		inSlice    []T
		inArray    [2]T
		inChan     chan T
		inKey      map[string]T
		inValue    map[list[T]]int
		inArgs     list[T]
		inAlias    of[T]
		inStruct   struct{ a int; b T }
		inParams   func(int, T) int
		inResults  func(int) (int, T)
		none       func(int, map[string]*order) (list[int], struct{ a []chan [2]int })
	)
}
`

// typesIn returns the types that a source declares, and those of its variables.
func typesIn(t *testing.T, source string) map[string]types.Type {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "shop.go", source, 0)
	require.NoError(t, err)
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}}
	config := types.Config{Error: func(error) {}} // of variables that aren't used
	_, _ = config.Check("example.com/shop", files, []*ast.File{file}, info)
	all := make(map[string]types.Type)
	for name, obj := range info.Defs {
		if v, ok := obj.(*types.Var); obj != nil && !(ok && v.IsField()) {
			all[name.Name] = obj.Type()
		}
	}
	return all
}

func TestNamedOf_IsTheTypeBehindPointersAndAliases(t *testing.T) {
	all := typesIn(t, someTypes)
	order := all["order"].(*types.Named)
	for _, of := range []types.Type{order, types.NewPointer(order), all["alias"], all["ref"], types.NewPointer(all["alias"])} {
		require.Same(t, order, NamedOf(of), of)
	}
	require.Equal(t, all["named"], types.Type(NamedOf(all["named"])))
	require.Nil(t, NamedOf(types.NewPointer(types.NewPointer(order))))
	require.Nil(t, NamedOf(typeOfInt))
}

func TestTypes_OfParts(t *testing.T) {
	channel := types.NewChan(types.SendRecv, typeOfText)
	invalid := types.Type(types.Typ[types.Invalid])
	require.Equal(t, types.Type(typeOfText), ChannelElem(channel))
	require.Equal(t, invalid, ChannelElem(typeOfInt))
	require.Equal(t, types.Type(typeOfText), SliceElem(types.NewSlice(typeOfText)))
	require.Equal(t, invalid, SliceElem(channel))
	require.Equal(t, invalid, SliceElem(nil))

	s := structWith(typeOfInt, typeOfText)
	require.Equal(t, types.Type(typeOfText), FieldType(s, 1))
	require.Nil(t, FieldType(s, 2))
	require.Nil(t, FieldType(typeOfInt, 0))
	require.Equal(t, 1, FieldIndex(s, "FB"))
	require.Equal(t, -1, FieldIndex(s, "FC"))

	array := arrayOf(typeOfText, 2)
	require.Same(t, array, ArrayOf(array))
	require.Same(t, array, ArrayOf(types.NewPointer(array)))
	require.Nil(t, ArrayOf(typeOfInt))
	require.Equal(t, types.Type(typeOfText), partType(structOf(s), 1))
	require.Equal(t, types.Type(typeOfText), partType(&Array{Type: array}, 1))
	require.Nil(t, partType(&Array{Type: typeOfInt}, 1))
	require.Nil(t, partType(&Array{}, 1))
	require.Nil(t, partType(&Struct{}, 1))
	require.Nil(t, partType(number(1), 1))
}

// A type implements an interface of a package that was read again.
func TestImplements_ComparesWhatMethodsSay(t *testing.T) {
	first, again := typesIn(t, someTypes), typesIn(t, someTypes)
	iface := func(name string) *types.Interface { return again[name].Underlying().(*types.Interface) }
	shelf := first["shelf"]
	require.False(t, types.Implements(shelf, iface("methods")))
	require.True(t, Implements(shelf, iface("methods")))
	require.True(t, Implements(types.NewPointer(shelf), iface("fewer")))
	require.False(t, Implements(shelf, iface("others")))
	require.False(t, Implements(first["order"], iface("fewer")))
	require.False(t, Implements(shelf, iface("number")), "a constraint that it doesn't meet")
	require.True(t, Implements(shelf, first["fewer"].Underlying().(*types.Interface)))
}

func TestHasTypeParam_WhereverItIs(t *testing.T) {
	all := typesIn(t, someTypes)
	for _, name := range []string{"param", "inPointer", "inSlice", "inArray", "inChan", "inKey", "inValue", "inArgs", "inAlias", "inStruct", "inParams", "inResults"} {
		require.True(t, HasTypeParam(all[name]), name)
	}
	for _, name := range []string{"plain", "order", "none", "shelf", "named", "alias"} {
		require.False(t, HasTypeParam(all[name]), name)
	}
	require.False(t, HasTypeParam(nil))
}

func TestReceiverArgs_AreThoseOfTheMethodsOwnType(t *testing.T) {
	all := typesIn(t, someTypes)
	instance := func(of string, arg types.Type) types.Type {
		made, err := types.Instantiate(nil, all[of], []types.Type{arg}, true)
		require.NoError(t, err)
		return made
	}
	method := func(of types.Type) *types.Func {
		return types.NewMethodSet(of).Lookup(nil, "Len").Obj().(*types.Func)
	}
	texts := instance("list", typeOfText)
	unknown := UnknownAt(0, "x")
	for _, test := range []struct {
		name   string
		recv   Value
		static types.Type
		method *types.Func
		want   []types.Type
	}{
		{"of a value", structOf(texts), nil, method(texts), []types.Type{typeOfText}},
		{"of a pointer", Pointer{types.NewPointer(texts), NewCell(nil)}, nil, method(texts), []types.Type{typeOfText}},
		{"of a value that isn't known", unknown, texts, method(texts), []types.Type{typeOfText}},
		{"whatever its static type is", structOf(texts), all["wrapper"], method(texts), []types.Type{typeOfText}},
		{"of an embedded field", structOf(all["wrapper"]), nil, method(all["wrapper"]), []types.Type{typeOfInt}},
		{"of an embedded field of a struct without a name", structOf(all["wrapper"].Underlying()), nil, method(all["wrapper"]), []types.Type{typeOfInt}},
		{"of a type without parameters", structOf(all["order"]), nil, method(all["order"]), nil},
		{"of such a field in a generic type", structOf(instance("generic", typeOfText)), nil, method(instance("generic", typeOfText)), nil},
	} {
		t.Run(test.name, func(t *testing.T) { require.Equal(t, test.want, ReceiverArgs(test.recv, test.static, test.method)) })
	}
}

func TestRetyped_IsOfTheType(t *testing.T) {
	named := func(of types.Type) types.Type {
		return types.NewNamed(types.NewTypeName(0, nil, "named", nil), of, nil)
	}
	signature := types.NewSignatureType(nil, nil, nil, nil, nil, false)
	numbers, keyed, channel := types.NewSlice(typeOfInt), types.NewMap(typeOfAny, typeOfInt), types.NewChan(types.SendRecv, typeOfInt)
	for _, v := range []Value{
		number(1),
		Nil{numbers},
		structOf(pair(), number(1), number(2)), &Array{Type: arrayOf(typeOfInt, 0)}, &Slice{Type: numbers}, NewMap(keyed),
		Pointer{typeOfPointer, NewCell(nil)},
		UnsafePointer{types.Typ[types.UnsafePointer], Pointer{}},
		NewChannel(channel, nil, 0, 0),
		&Func{Type: signature},
		Number{1, types.Typ[types.Float64]},
	} {
		to := named(TypeOf(v).Underlying())
		require.Equal(t, to, TypeOf(Retyped(v, to)), "%T", v)
		require.Equal(t, v, Retyped(Retyped(v, to), TypeOf(v)), "%T", v)
		require.Equal(t, v, Retyped(v, typeOfAny), "interfaces keep the type")
		require.Equal(t, v, Retyped(v, nil))
	}
}

package model

import (
	"errors"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// What is far too long isn't made: it would fill the memory of the tool.
func TestBounded_GiveUpResultsThatAreFarTooLong(t *testing.T) {
	const most = 16 * value.MaxText
	text := strings.Repeat("x", most/4)
	for name, f := range map[string]func(over int){
		"within":           func(over int) { within(most + over) },
		"Repeat":           func(over int) { boundedRepeat("ab", value.MaxText/2+over) },
		"ReplaceAll":       func(over int) { boundedReplaceAll(strings.Repeat("a", 4+over), "a", text) },
		"Replace":          func(over int) { boundedReplace(strings.Repeat("a", 4+over), "a", text, 1) },
		"ToValidUTF8":      func(over int) { boundedToValidUTF8(strings.Repeat("a", 4+over), text) },
		"Join":             func(over int) { boundedJoin([]string{text, text, text, strings.Repeat("x", over)}, text[:most/16]) },
		"FormatFloat":      func(over int) { boundedFormatFloat(0.5, 'f', most+over, 64) },
		"Replacer":         func(over int) { newReplacer("b", "c", "a", text).Replace(strings.Repeat("c", 3+over)) },
		"ReplaceAllString": func(over int) { boundedReplaceAllString(regexp.MustCompile("b"), strings.Repeat("a", 3+over), text) },
		"ReplaceAllLiteral": func(over int) {
			boundedReplaceAllLiteralString(regexp.MustCompile("b"), strings.Repeat("a", 3+over), text)
		},
		"ReplaceAllFunc": func(over int) {
			boundedReplaceAllStringFunc(regexp.MustCompile("a"), strings.Repeat("a", 4+over), func(string) string { return text })
		},
		"Expand":             func(over int) { boundedExpand(strings.Repeat("$a ", 4+over), func(string) string { return text }) },
		"MakeNoZero":         func(over int) { makeNoZero(most + over) },
		"ReplaceAll shorter": func(over int) { boundedReplaceAll(strings.Repeat("a", 4*over), "a", text+text) },
	} {
		require.NotPanics(t, func() { f(0) }, name)
		require.PanicsWithValue(t, tooLong{}, func() { f(1) }, name)
	}
}

func TestBoundedRepeat_LetsTheLibraryRefuse(t *testing.T) {
	require.PanicsWithValue(t, tooLong{}, func() { boundedRepeat("a", value.MaxText+1) })
	require.PanicsWithValue(t, tooLong{}, func() { boundedRepeat("ab", math.MaxInt/2) })
	require.PanicsWithValue(t, "strings: Repeat output length overflow", func() { boundedRepeat("ab", math.MaxInt/2+1) })
	require.Empty(t, boundedRepeat("", math.MaxInt))
}

func TestMakeNoZero_MakesWhatTheRuntimeDoes(t *testing.T) {
	require.NotNil(t, makeNoZero(0))
	require.Len(t, makeNoZero(1), 1)
	require.Equal(t, 8, cap(makeNoZero(1)))
	require.Equal(t, 48, cap(makeNoZero(33)))
	require.Panics(t, func() { makeNoZero(-1) })
}

func TestBoundedReplaceAll_ReplacesEach(t *testing.T) {
	require.Equal(t, strings.Repeat("b", 9), boundedReplaceAll(strings.Repeat("a", 9), "a", "b"))
}

// thrown keeps what is panicked with.
type thrown struct {
	machine
	with value.Value
}

func (m *thrown) Panic(_ ast.Node, v value.Value) { m.with = v; panic(failed{}) }

func testCall(m Machine) *Call {
	return &Call{State: &value.State{Work: func(int) {}}, Machine: m, At: ast.NewIdent("f"), Fn: &value.Func{}}
}

func TestPure_PanicsWithWhatTheFunctionDoes(t *testing.T) {
	m := new(thrown)
	require.Panics(t, func() { _, _ = pure(func() { panic("text") })(testCall(m)) })
	require.Equal(t, text("text"), m.with)
	require.Panics(t, func() { _, _ = pure(func() { panic(errors.New("broken")) })(testCall(m)) })
	require.Equal(t, "broken", m.with.(*value.Unknown).Reason)
	require.True(t, m.with.(*value.Unknown).NonNil)
}

// Each function that one of the library gets returns one value: the program's is called for it.
func TestPure_CallsFunctionsOfOneResult(t *testing.T) {
	for name, f := range functions {
		r := reflect.TypeOf(f)
		if _, isModel := f.(Function); isModel || r == reflect.TypeFor[func(*Call) (value.Value, bool)]() {
			continue
		}
		for in := range r.Ins() {
			if in.Kind() == reflect.Func {
				require.Equal(t, 1, in.NumOut(), name)
			}
		}
	}
}

func TestIsBasicKind_IsForNumbersBooleansAndTexts(t *testing.T) {
	for _, v := range []any{true, 1, uint8(1), uintptr(1), float32(1), 1i, complex64(1), ""} {
		require.True(t, isBasicKind(reflect.TypeOf(v).Kind()), "%T", v)
	}
	for _, v := range []any{[]int{}, [1]int{}, map[int]int{}, struct{}{}, new(int), func() {}, make(chan int)} {
		require.False(t, isBasicKind(reflect.TypeOf(v).Kind()), "%T", v)
	}
}

func TestHosted_IsOfTheTypeThatIsAskedFor(t *testing.T) {
	c := testCall(machine{})
	zone := time.FixedZone("x", 1)
	for _, test := range []struct {
		v    any
		want reflect.Type
		ok   bool
	}{
		{time.Time{}, reflect.TypeFor[time.Time](), true},
		{zone, reflect.TypeFor[*time.Location](), true},
		{regexp.MustCompile("a"), reflect.TypeFor[time.Time](), false},
		{zone, reflect.TypeFor[*regexp.Regexp](), false},
		{time.Time{}, reflect.TypeFor[*regexp.Regexp](), false},
		{"text", reflect.TypeFor[time.Time](), false},
	} {
		r, unknown := c.hostedToGo(&hosted{v: test.v}, test.want)
		require.Equal(t, test.ok, unknown == nil, test)
		if test.ok {
			require.Equal(t, test.v, r.Interface())
		}
	}
}

func TestIsZero_IsForZeroNumbersAndNils(t *testing.T) {
	structOf := func(fields ...value.Value) *value.Struct {
		s := new(value.Struct)
		for _, v := range fields {
			s.Fields = append(s.Fields, value.NewCell(v))
		}
		return s
	}
	require.True(t, isZero(structOf(integer(0), value.Nil{}, integer(0))))
	for _, v := range []value.Value{integer(1), text(""), boolean(false), value.NewConst(constant.MakeFloat64(0.5), types.Typ[types.Float64]), new(value.Unknown), new(value.Struct)} {
		require.False(t, isZero(structOf(integer(0), v)), v)
	}
}

func TestSliceFromGo_KeepsTheCapacityWithinBounds(t *testing.T) {
	c := testCall(machine{})
	worked := 0
	c.Work = func(n int) { worked += n }
	s := c.sliceFromGo(reflect.ValueOf(append(make([]int, 0, 5), 1, 2)), types.NewSlice(intType)).(*value.Slice)
	require.Len(t, s.Elems, 2)
	require.Equal(t, 5, cap(s.Elems))
	require.Equal(t, 5, worked)
	bytesOf := func(n int) value.Value { return c.sliceFromGo(reflect.ValueOf(make([]byte, 1, n)), bytesType) }
	require.IsType(t, s, bytesOf(value.MaxElements))
	require.IsType(t, new(value.Unknown), bytesOf(value.MaxElements+1))
	worked = 0
	_, unknown := c.toGo(s, reflect.TypeFor[[]int]())
	require.Nil(t, unknown)
	require.Equal(t, 2, worked)
	c.fromGo(reflect.ValueOf("text"), stringType)
	require.Equal(t, 6, worked)
}

func TestNewLibraryType_IsAsIfItWereDeclared(t *testing.T) {
	typ := newLibraryType("a/b/pkg", "thing", []field{{"first", intType}, {"second", stringType}}, method{"Do", []types.Type{intType}, []types.Type{errorType}})
	require.Equal(t, "pkg", typ.named.Obj().Pkg().Name())
	require.Equal(t, "a/b/pkg", typ.named.Obj().Pkg().Path())
	require.Equal(t, "fmt", formatState.named.Obj().Pkg().Name())
	require.Equal(t, "*a/b/pkg.thing", typ.pointer.String())
	s := typ.named.Underlying().(*types.Struct)
	require.Equal(t, "second", s.Field(1).Name())
	require.False(t, s.Field(0).Embedded())
	do, _, _ := types.LookupFieldOrMethod(typ.pointer, false, nil, "Do")
	require.Equal(t, "func (*a/b/pkg.thing).Do(int) error", types.ObjectString(do, nil))
	require.Equal(t, 0, lastSlash("/x"))
	require.Equal(t, 1, lastSlash("x/"))
	require.Equal(t, -1, lastSlash("x"))
	require.Equal(t, "x", newLibraryType("/x", "t", nil).named.Obj().Pkg().Name())
}

func TestAtomics_HaveEachFunction(t *testing.T) {
	all := atomics()
	for _, typ := range []string{"Int32", "Int64", "Uint32", "Uint64", "Uintptr"} {
		for _, name := range []string{"Load", "Store", "Swap", "CompareAndSwap", "Add", "And", "Or"} {
			require.NotNil(t, all["(*sync/atomic."+typ+")."+name], name)
			require.NotNil(t, all["sync/atomic."+name+typ], name)
		}
	}
	for _, typ := range []string{"Bool", "Pointer[T]", "Value"} {
		for _, name := range []string{"Load", "Store", "Swap", "CompareAndSwap"} {
			require.NotNil(t, all["(*sync/atomic."+typ+")."+name], name)
		}
	}
	require.Len(t, all, 5*7*2+3*4)
	require.Equal(t, reflect.ValueOf(atomicLoad).Pointer(), reflect.ValueOf(all["(*sync/atomic.Value).Load"]).Pointer(), "a Value loads what it holds, of whichever type")
}

// typesOf returns the types that a package of one file declares.
func typesOf(t *testing.T, path, source string) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, 0)
	require.NoError(t, err)
	pkg, err := (&types.Config{Importer: library}).Check(path, fset, []*ast.File{file}, nil)
	require.NoError(t, err)
	return pkg
}

func isNone(types.Type) bool { return false }

func TestMirrorType_HasThePartsOfTheType(t *testing.T) {
	type whole struct {
		A int
		B [3]int16
		C struct {
			X bool
			Y []int
			Z any
		}
		D func()
		E uintptr
	}
	pkg := typesOf(t, "p", `package p
import ("time"; "unsafe")
type whole struct { A int; b [3]int16; c struct { x bool; y []int; z error }; d func(); e uintptr }
type most [1 << 16]byte
type tooLong [1<<16 + 1]byte
type hidesMost struct { A int; b [1 << 16]byte }
type hidesTooLong struct { A int; b [1<<16 + 1]byte }
type hidesWithin struct { A int; b struct { c int; d [1<<16 + 1]byte } }
type hidesInArray struct { A int; b [2][1<<16 + 1]byte }
type channels [2]chan int
type blank struct { _ int }
type base struct { A int }
type embeds struct { *base }
type pointer struct { p unsafe.Pointer }
type at struct { T time.Time; D time.Duration }
type before struct { X int; time.Duration }
type err struct { E error }
`)
	of := func(name string) reflect.Type {
		m := mirroring{methods: decoding, isLibrary: isNone}
		return m.of(pkg.Scope().Lookup(name).Type())
	}
	r := of("whole")
	require.NotNil(t, r)
	require.Equal(t, reflect.TypeFor[whole]().Size(), r.Size())
	for i := range r.NumField() {
		require.Equal(t, reflect.TypeFor[whole]().Field(i).Offset, r.Field(i).Offset, i)
	}
	for _, name := range []string{"most", "hidesMost", "pointer", "at"} {
		require.NotNil(t, of(name), name)
	}
	for _, name := range []string{"tooLong", "hidesTooLong", "hidesWithin", "hidesInArray", "channels", "blank", "embeds", "before", "err"} {
		require.Nil(t, of(name), name)
	}
	printed := mirroring{methods: anyMethod, isLibrary: isNone}
	require.Nil(t, printed.of(pkg.Scope().Lookup("whole").Type()), "what prints shows what isn't exported")
}

func TestReflecting_WorksForEachPart(t *testing.T) {
	c := testCall(machine{})
	worked := 0
	c.Work = func(n int) { worked += n }
	_, unknown := c.reflecting(encoding).mirrored(newSlice(types.NewSlice(intType), integer(1), integer(2)))
	require.Nil(t, unknown)
	require.Equal(t, 3, worked)
	var deep value.Value = value.Nil{Type: anyType}
	for range maxMirrored / 2 { // each slice is a level, and each of its elements
		deep = newSlice(types.NewSlice(anyType), deep)
	}
	_, unknown = c.reflecting(encoding).mirrored(deep)
	require.Nil(t, unknown)
	_, unknown = c.reflecting(encoding).mirrored(newSlice(types.NewSlice(types.NewSlice(anyType)), deep))
	require.NotNil(t, unknown)
}

package value

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	typeOfDouble = types.Typ[types.Float64]
	typeOfFloat  = types.Typ[types.Float32]
	typeOfBytes  = types.NewSlice(types.Typ[types.Byte])
	typeOfRunes  = types.NewSlice(types.Typ[types.Rune])
	nowhere      = ast.NewIdent("x")
)

func boolean(b bool) Const { return NewConst(constant.MakeBool(b), types.Typ[types.Bool]) }

func TestConstants_SayWhatTheyAre(t *testing.T) {
	for _, test := range []struct {
		name  string
		of    Value
		want  int
		known bool
	}{
		{"a number", number(7), 7, true},
		{"a fraction without a rest", NewConst(constant.MakeFloat64(7), typeOfDouble), 7, true},
		{"a fraction", NewConst(constant.MakeFloat64(7.5), typeOfDouble), 0, false},
		{"a text", someText("7"), 0, false},
		{"a boolean", boolean(true), 0, false},
		{"an unknown", &Unknown{}, 0, false},
	} {
		n, known := IntOf(test.of)
		require.Equal(t, test.want, n, test.name)
		require.Equal(t, test.known, known, test.name)
	}
	for _, v := range []Value{number(1), &Unknown{}} {
		holds, known := Truth(v)
		require.False(t, holds || known)
		_, known = TextOf(v)
		require.False(t, known)
	}
	for _, b := range []bool{true, false} {
		holds, known := Truth(boolean(b))
		require.True(t, known)
		require.Equal(t, b, holds)
	}
	text, known := TextOf(someText("a"))
	require.True(t, known)
	require.Equal(t, "a", text)
	text, known = TextOf(Nil{typeOfBytes})
	require.True(t, known)
	require.Empty(t, text)
}

// A slice made of a text may have the capacity of an array that fits, of one as the runtime
// gives it, or of a buffer for 32 elements. What is behind its elements is zero.
func TestBytesOrRunes_HaveACapacityOfTheCompilers(t *testing.T) {
	for _, test := range []struct {
		name string
		of   *types.Slice
		text string
		len  int
		caps []int
	}{
		{"bytes", typeOfBytes, "aé", 3, []int{3, 8, 32}},
		{"runes", typeOfRunes, "aé", 2, []int{2, 2, 32}},
		{"three runes", typeOfRunes, "abc", 3, []int{3, 4, 32}},
		{"as many as the buffer has", typeOfBytes, strings.Repeat("a", 32), 32, []int{32, 32, 32}},
		{"more", typeOfBytes, strings.Repeat("a", 33), 33, []int{33, 48}},
		{"as many as one that is scanned needs more for", typeOfBytes, strings.Repeat("a", 636), 636, []int{636, 640}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := BytesOrRunes(test.of, test.of, test.text).(*Slice)
			require.Equal(t, test.caps, s.Caps)
			require.Len(t, s.Elems, test.len)
			for _, cell := range s.Elems[test.len:cap(s.Elems)] {
				require.Equal(t, Value(NewConst(constant.MakeInt64(0), test.of.Elem())), cell.v)
			}
			require.Equal(t, Value(NewConst(constant.MakeString(test.text), typeOfText)), StringOf(nowhere, s, typeOfText))
		})
	}
	unknown := &Slice{Type: typeOfBytes, Elems: []*Cell{NewCell(number('a')), NewCell(UnknownAt(1, "x"))}}
	require.Equal(t, "x", StringOf(nowhere, unknown, typeOfText).(*Unknown).Reason)
}

func TestConvert_AsTheMachineDoes(t *testing.T) {
	float := func(f float64) Value { return NewConst(constant.MakeFloat64(f), typeOfDouble) }
	whole := func(n int64, of types.BasicKind) Value { return NewConst(constant.MakeInt64(n), types.Typ[of]) }
	text := func(s string) Value { return NewConst(constant.MakeString(s), typeOfText) }
	huge := func(low uint64) Value {
		return NewConst(constant.BinaryOp(constant.Shift(constant.MakeInt64(1), token.SHL, 64), token.ADD, constant.MakeUint64(low)), types.Typ[types.UntypedInt])
	}
	third := constant.BinaryOp(constant.MakeInt64(1), token.QUO, constant.MakeInt64(3))
	aboveHalf := constant.BinaryOp(constant.MakeFloat64(1+math.Ldexp(1, -24)), token.ADD, constant.MakeFloat64(math.Ldexp(1, -60))) // which a float64 isn't
	precise := constant.MakeInt64(1<<60 + 1)
	for _, test := range []struct {
		name string
		v    Value
		to   types.BasicKind
		want Value // nil where it isn't known
	}{
		{"a letter", number('a'), types.String, text("a")},
		{"the last letter", number(0x10ffff), types.String, text("\U0010ffff")},
		{"no letter", number(1<<32 + 'a'), types.String, text("\ufffd")},
		{"a number that is too large for one", huge('a'), types.String, text("\ufffd")},
		{"a float", float(0.1), types.Float64, float(0.1)},
		{"a single one", float(0.1), types.Float32, NewConst(constant.ToFloat(constant.MakeFloat64(float64(float32(0.1)))), typeOfFloat)},
		{"a single one that is rounded once", NewConst(aboveHalf, typeOfInt), types.Float32, NewConst(constant.ToFloat(constant.MakeFloat64(1+math.Ldexp(1, -23))), typeOfFloat)},
		{"an exact one", NewConst(third, typeOfInt), types.UntypedFloat, NewConst(third, types.Typ[types.UntypedFloat])},
		{"a number for a machine's", NewConst(third, typeOfInt), types.Float64, float(1. / 3)},
		{"an exact complex one", NewConst(precise, typeOfInt), types.UntypedComplex, NewConst(constant.ToComplex(precise), types.Typ[types.UntypedComplex])},
		{"a complex one", number(2), types.Complex128, NewComplex(2, types.Typ[types.Complex128])},
		{"a small integer", float(127.9), types.Int8, whole(127, types.Int8)},
		{"one that is too large", float(128), types.Int8, nil},
		{"the least", float(-128.9), types.Int8, whole(-128, types.Int8)},
		{"one that is too small", float(-129), types.Int8, nil},
		{"a small unsigned one", float(255.9), types.Uint8, whole(255, types.Uint8)},
		{"an unsigned one that is too large", float(256), types.Uint8, nil},
		{"an unsigned one of zero", float(-0.5), types.Uint8, whole(0, types.Uint8)},
		{"an unsigned one that is too small", float(-1), types.Uint8, nil},
		{"one of 16 bits", number(40000), types.Int16, whole(40000-1<<16, types.Int16)},
		{"an unsigned one of 16 bits", number(1<<16 + 2), types.Uint16, whole(2, types.Uint16)},
		{"one of 32 bits", number(1<<32 + 3), types.Int32, whole(3, types.Int32)},
		{"one of 64 bits", NewConst(constant.MakeUint64(1<<63), types.Typ[types.Uint64]), types.Int64, whole(math.MinInt64, types.Int64)},
		{"a float that is written as an integer", NewConst(constant.MakeInt64(300), typeOfDouble), types.Int8, nil},
		{"a fraction without a type", NewConst(constant.MakeFloat64(1.5), types.Typ[types.UntypedFloat]), types.Int, whole(1, types.Int)},
		{"an infinity", NewFloat(math.Inf(1), typeOfDouble), types.Float32, NewFloat(math.Inf(1), typeOfFloat)},
		{"the integer of an infinity", NewFloat(math.Inf(1), typeOfDouble), types.Int, nil},
		{"the integer of a negative zero", NewFloat(math.Copysign(0, -1), typeOfDouble), types.Int, number(0)},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := Convert(nowhere, test.v, types.Typ[test.to])
			if test.want == nil {
				require.True(t, IsUnknown(got), got)
				return
			}
			require.True(t, same(test.want, got), "%v, want %v", got, test.want)
		})
	}
	require.Equal(t, Value(number(1)), Convert(nowhere, number(1), typeOfAny))
	infinity := NewFloat(math.Inf(1), typeOfDouble)
	require.Equal(t, infinity, Convert(nowhere, infinity, typeOfAny))
	require.Equal(t, Value(Nil{typeOfPointer}), Convert(nowhere, Nil{typeOfAny}, typeOfPointer))
}

func TestNumbers_AreAsLargeAsTheirTypes(t *testing.T) {
	single := float64(float32(0.1))
	f, known := FloatOf(NewFloat(0.1, typeOfFloat))
	require.True(t, known)
	require.InDelta(t, single, f, 0)
	f, _ = FloatOf(NewFloat(0.1, typeOfDouble))
	require.InDelta(t, 0.1, f, 0)
	z, known := ComplexOf(NewComplex(0.1, types.Typ[types.Complex64]))
	require.True(t, known)
	require.InDelta(t, single, real(z), 0)
	z, _ = ComplexOf(NewComplex(0.1, types.Typ[types.Complex128]))
	require.InDelta(t, 0.1, real(z), 0)
	for _, z := range []complex128{complex(math.Inf(1), 0), complex(0, math.Inf(1))} {
		require.Equal(t, Value(Number{z, types.Typ[types.Complex128]}), NewComplex(z, types.Typ[types.Complex128]))
	}
	for _, v := range []Value{NewComplex(1, types.Typ[types.Complex128]), someText("a"), &Unknown{}} {
		_, known = FloatOf(v)
		require.False(t, known)
	}
}

func TestGoValue_IsOfThisProgram(t *testing.T) {
	basic := func(v constant.Value, of types.BasicKind) Value { return NewConst(v, types.Typ[of]) }
	one := constant.MakeInt64(1)
	for _, test := range []struct {
		of   Value
		want any
	}{
		{number(1), 1},
		{basic(one, types.UntypedInt), 1},
		{basic(one, types.Uint8), uint8(1)},
		{basic(one, types.Float32), float32(1)},
		{basic(one, types.Complex64), complex64(1)},
		{someText("a"), "a"},
		{boolean(true), true},
		{NewFloat(math.Inf(1), typeOfDouble), math.Inf(1)},
		{NewFloat(math.Inf(1), typeOfFloat), float32(math.Inf(1))},
		{NewComplex(complex(math.Inf(1), 1), types.Typ[types.Complex64]), complex64(complex(math.Inf(1), 1))},
		{&Unknown{}, nil},
		{&Unknown{Type: typeOfInt}, nil},
		{Nil{typeOfPointer}, nil},
		{Nil{types.Typ[types.UnsafePointer]}, nil},
	} {
		got, known := GoValue(test.of)
		require.Equal(t, test.want, got)
		require.Equal(t, test.want != nil, known, "%T", test.of)
	}
}

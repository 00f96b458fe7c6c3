package value

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"
	"unicode"
)

// IntOf returns what an integer constant says.
func IntOf(v Value) (int, bool) {
	c, ok := v.(Const)
	if !ok {
		return 0, false
	}
	n, exact := constant.Int64Val(constant.ToInt(c.Value))
	return int(n), exact
}

// TextOf returns what a string constant says; nil is an empty buffer.
func TextOf(v Value) (string, bool) {
	switch v := v.(type) {
	case Nil:
		return "", true
	case Const:
		if v.Value.Kind() == constant.String {
			return constant.StringVal(v.Value), true
		}
	}
	return "", false
}

// Truth returns what a boolean constant says.
func Truth(v Value) (holds, known bool) {
	c, ok := v.(Const)
	if !ok || c.Value.Kind() != constant.Bool {
		return false, false
	}
	return constant.BoolVal(c.Value), true
}

// NewConst returns a constant that comes from nowhere yet.
func NewConst(v constant.Value, t types.Type) Const { return Const{Value: v, Type: t} }

// Represented returns a constant of the source as one of type t: rounded, as the language
// represents it. Of an operand whose type is a type parameter, or decided by an interface
// that it meets, go/types has the exact value.
func Represented(v constant.Value, t types.Type) Const {
	basic, ok := t.Underlying().(*types.Basic)
	if !ok {
		return NewConst(v, t)
	}
	switch basic.Kind() {
	case types.Float32, types.Float64:
		v = rounded(v, basic.Kind() == types.Float32)
	case types.Complex64, types.Complex128:
		single := basic.Kind() == types.Complex64
		z := constant.ToComplex(v)
		v = constant.BinaryOp(rounded(constant.Real(z), single), token.ADD, constant.MakeImag(rounded(constant.Imag(z), single)))
	}
	return NewConst(v, t)
}

// rounded rounds a constant to one of a floating-point type, none of which is a negative
// zero.
func rounded(v constant.Value, single bool) constant.Value {
	exact := constant.ToFloat(v)
	if exact.Kind() != constant.Float {
		return exact
	}
	f, _ := constant.Float64Val(exact)
	if single {
		half, _ := constant.Float32Val(exact)
		f = float64(half)
	}
	return constant.ToFloat(constant.MakeFloat64(f))
}

// MaxText bounds the strings that are followed, in bytes.
const MaxText = 1 << 16

// BytesOrRunes returns text as a value of the type t, whose underlying type slice
// is one of bytes or runes.
func BytesOrRunes(t types.Type, slice *types.Slice, text string) Value {
	s := &Slice{Type: t}
	add := func(n int64) {
		s.Elems = append(s.Elems, NewCell(NewConst(constant.MakeInt64(n), slice.Elem())))
	}
	size := 1
	if basic, ok := slice.Elem().Underlying().(*types.Basic); ok && basic.Kind() == types.Int32 {
		size = 4
		for _, r := range text {
			add(int64(r))
		}
	} else {
		for i := range len(text) {
			add(int64(text[i]))
		}
	}
	// The compiler may give it a buffer on the stack, or an array that fits.
	const buffer = 32
	n := len(s.Elems)
	s.Caps = []int{n, RoundedUp(n*size, false) / size}
	if n <= buffer {
		s.Caps = append(s.Caps, buffer)
	}
	room := slices.Max(s.Caps)
	for range room - n {
		add(0)
	}
	s.Elems = s.Elems[:n:room]
	return s
}

// StringOf returns a slice of bytes or runes as a string constant of type t, or an
// Unknown where an element isn't known.
func StringOf(call ast.Expr, from *Slice, t types.Type) Value {
	var text []byte
	elem := types.Typ[types.Byte]
	if slice, ok := from.Type.Underlying().(*types.Slice); ok {
		if basic, ok := slice.Elem().Underlying().(*types.Basic); ok {
			elem = basic
		}
	}
	for _, cell := range from.Elems {
		n, known := IntOf(cell.Load())
		if !known {
			return Because(call, cell.Load())
		}
		if elem.Kind() == types.Int32 {
			text = append(text, string(rune(n))...)
		} else {
			text = append(text, byte(n))
		}
	}
	return NewConst(constant.MakeString(string(text)), t)
}

// Convert makes a constant one of type t, as the conversion t(v) does.
func Convert(at ast.Node, v Value, t types.Type) Value {
	basic, isBasic := t.Underlying().(*types.Basic)
	if n, ok := v.(Number); ok && isBasic {
		return convertNumber(at, n, t, basic)
	}
	c, ok := v.(Const)
	if !ok || !isBasic {
		return Retyped(v, t)
	}
	switch info := basic.Info(); {
	case info&types.IsString != 0 && c.Value.Kind() == constant.Int:
		n, exact := constant.Int64Val(c.Value)
		if !exact || n < 0 || n > unicode.MaxRune {
			n = -1
		}
		return NewConst(constant.MakeString(string(rune(n))), t)
	case info&types.IsInteger != 0:
		return convertInteger(at, c, t, basic)
	case info&types.IsFloat != 0:
		return floating(at, c.Value, t, basic.Kind() == types.Float32)
	case info&types.IsComplex != 0:
		if z, known := ComplexOf(c); known && !IsUntyped(t) {
			return NewComplex(z, t)
		}
		return NewConst(constant.ToComplex(c.Value), t)
	default:
		return NewConst(c.Value, t)
	}
}

// convertNumber converts a number that constants don't have. What an integer is of
// an infinity or a NaN is the machine's own.
func convertNumber(at ast.Node, n Number, t types.Type, basic *types.Basic) Value {
	switch {
	case basic.Info()&types.IsFloat != 0:
		return NewFloat(real(n.Complex), t)
	case basic.Info()&types.IsComplex != 0:
		return NewComplex(n.Complex, t)
	case basic.Info()&types.IsInteger != 0 && n.Complex == 0:
		return NewConst(constant.MakeInt64(0), t)
	default:
		return UnknownAt(at.Pos(), "the integer of an infinity or of NaN")
	}
}

// floating rounds a number to the size of a type.
func floating(at ast.Node, number constant.Value, t types.Type, single bool) Value {
	exact := constant.ToFloat(number)
	if exact.Kind() == constant.Unknown {
		return Because(at)
	}
	if IsUntyped(t) {
		return NewConst(exact, t)
	}
	f, _ := constant.Float64Val(exact)
	if single {
		half, _ := constant.Float32Val(exact)
		f = float64(half)
	}
	if f == 0 && constant.Sign(exact) < 0 {
		f = math.Copysign(0, -1)
	}
	return NewFloat(f, t)
}

// truncated returns a number without its fraction, if it is one of an integer type:
// of others, the integer is the machine's own.
func truncated(number constant.Value, basic *types.Basic) (n constant.Value, ok bool) {
	f, _ := constant.Float64Val(number)
	n = constant.ToInt(constant.MakeFloat64(math.Trunc(f)))
	low, high := math.Ldexp(-1, sizeOf(basic)-1), math.Ldexp(1, sizeOf(basic)-1)
	if basic.Info()&types.IsUnsigned != 0 {
		low, high = 0, math.Ldexp(1, sizeOf(basic))
	}
	return n, n.Kind() == constant.Int && math.Trunc(f) >= low && f < high
}

// sizeOf returns the size of an integer type in bits.
func sizeOf(basic *types.Basic) int {
	switch basic.Kind() {
	case types.Int8, types.Uint8:
		return 8
	case types.Int16, types.Uint16:
		return 16
	case types.Int32, types.Uint32:
		return 32
	default:
		return 64
	}
}

// convertInteger cuts to the type's size, as the machine does.
func convertInteger(at ast.Node, c Const, t types.Type, basic *types.Basic) Value {
	value := c.Value
	if (value.Kind() == constant.Float || IsFloat(c.Type)) && !IsUntyped(t) {
		var exact bool
		if value, exact = truncated(value, basic); !exact {
			return UnknownAt(at.Pos(), "a number that is too large for an integer")
		}
	}
	if value.Kind() != constant.Int {
		return Because(at)
	}
	if basic.Info()&types.IsUntyped != 0 {
		return NewConst(value, t)
	}
	bits := uint(sizeOf(basic))
	modulus := constant.Shift(constant.MakeInt64(1), token.SHL, bits)
	value = constant.BinaryOp(value, token.AND, constant.BinaryOp(modulus, token.SUB, constant.MakeInt64(1)))
	half := constant.Shift(constant.MakeInt64(1), token.SHL, bits-1)
	if basic.Info()&types.IsUnsigned == 0 && constant.Compare(value, token.GEQ, half) {
		value = constant.BinaryOp(value, token.SUB, modulus)
	}
	return NewConst(value, t)
}

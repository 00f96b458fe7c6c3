package value

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"
)

// Number is a number of a floating-point or complex type that constants don't have: an
// infinity, a NaN, a negative zero, or one with such a part.
type Number struct {
	Complex complex128 // of a floating-point type, its real part is the number
	Type    types.Type
}

// DynamicType implements [Atom].
func (n Number) DynamicType() types.Type { return n.Type }

// Retyped implements [Retypable].
func (n Number) Retyped(t types.Type) Value { return Number{n.Complex, t} }

// NewFloat returns a number as a value of the floating-point type t.
func NewFloat(f float64, t types.Type) Value {
	if basic, ok := t.Underlying().(*types.Basic); ok && basic.Kind() == types.Float32 {
		f = float64(float32(f))
	}
	if !isConstant(f) {
		return Number{complex(f, 0), t}
	}
	return NewConst(constant.ToFloat(constant.MakeFloat64(f)), t)
}

// NewComplex returns a number as a value of the complex type t.
func NewComplex(z complex128, t types.Type) Value {
	if basic, ok := t.Underlying().(*types.Basic); ok && basic.Kind() == types.Complex64 {
		z = complex128(complex64(z))
	}
	if !isConstant(real(z)) || !isConstant(imag(z)) {
		return Number{z, t}
	}
	imaginary := constant.MakeImag(constant.MakeFloat64(imag(z)))
	return NewConst(constant.BinaryOp(constant.MakeFloat64(real(z)), token.ADD, imaginary), t)
}

// isConstant reports whether a constant can be f.
func isConstant(f float64) bool {
	return !math.IsInf(f, 0) && !math.IsNaN(f) && (f != 0 || !math.Signbit(f))
}

// FloatOf returns what a value of a floating-point type says.
func FloatOf(v Value) (f float64, known bool) {
	z, known := ComplexOf(v)
	if !known || IsComplex(TypeOf(v)) {
		return 0, false
	}
	return real(z), true
}

// ComplexOf returns what a value of a numeric type says.
func ComplexOf(v Value) (z complex128, known bool) {
	switch v := v.(type) {
	case Number:
		return v.Complex, true
	case Const:
		if number := constant.ToComplex(v.Value); number.Kind() == constant.Complex {
			re, _ := constant.Float64Val(constant.Real(number))
			im, _ := constant.Float64Val(constant.Imag(number))
			return complex(re, im), true
		}
	}
	return 0, false
}

// IsFloat reports whether t is a floating-point type.
func IsFloat(t types.Type) bool { return IsBasic(t, types.IsFloat) && !IsUntyped(t) }

// IsComplex reports whether t is a complex type.
func IsComplex(t types.Type) bool { return IsBasic(t, types.IsComplex) }

// IsBasic reports whether t is a basic type of a kind.
func IsBasic(t types.Type, info types.BasicInfo) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&info != 0
}

package value

import (
	"go/constant"
	"go/types"
	"math"
)

// Number is a number of a floating-point type that constants don't have: an
// infinity, a NaN or a negative zero.
type Number struct {
	Float float64
	Type  types.Type
}

// DynamicType implements [Atom].
func (n Number) DynamicType() types.Type { return n.Type }

// Retyped implements [Retypable].
func (n Number) Retyped(t types.Type) Value { return Number{n.Float, t} }

// NewFloat returns a number as a value of the floating-point type t.
func NewFloat(f float64, t types.Type) Value {
	if basic, ok := t.Underlying().(*types.Basic); ok && basic.Kind() == types.Float32 {
		f = float64(float32(f))
	}
	if math.IsInf(f, 0) || math.IsNaN(f) || f == 0 && math.Signbit(f) {
		return Number{f, t}
	}
	return NewConst(constant.ToFloat(constant.MakeFloat64(f)), t)
}

// FloatOf returns what a value of a floating-point type says.
func FloatOf(v Value) (f float64, known bool) {
	switch v := v.(type) {
	case Number:
		return v.Float, true
	case Const:
		if number := constant.ToFloat(v.Value); number.Kind() == constant.Float {
			f, _ = constant.Float64Val(number)
			return f, true
		}
	}
	return 0, false
}

// IsFloat reports whether t is a floating-point type.
func IsFloat(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsFloat != 0 && !IsUntyped(t)
}

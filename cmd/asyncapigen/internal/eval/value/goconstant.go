package value

import (
	"go/constant"
	"go/types"
	"reflect"
)

// GoValue returns a constant or a number as a value of this program, of the basic
// type that its type is made of.
func GoValue(v Value) (any, bool) {
	t := TypeOf(v)
	if t == nil {
		return nil, false
	}
	basic, ok := t.Underlying().(*types.Basic)
	if !ok {
		return nil, false
	}
	of, ok := GoTypes[types.Default(basic).(*types.Basic).Kind()]
	if !ok {
		return nil, false
	}
	switch v := v.(type) {
	case Const:
		return GoValueOf(v, of).Interface(), true
	case Number:
		return v.GoValueOf(of).Interface(), true
	default:
		return nil, false
	}
}

// GoValueOf returns the constant as a value of this program, of the basic type t.
func GoValueOf(c Const, t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.String:
		v.SetString(constant.StringVal(c.Value))
	case reflect.Bool:
		v.SetBool(constant.BoolVal(c.Value))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n, _ := constant.Int64Val(constant.ToInt(c.Value))
		v.SetInt(n)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		n, _ := constant.Uint64Val(constant.ToInt(c.Value))
		v.SetUint(n)
	case reflect.Float32, reflect.Float64:
		f, _ := constant.Float64Val(constant.ToFloat(c.Value))
		v.SetFloat(f)
	case reflect.Complex64, reflect.Complex128:
		z, _ := ComplexOf(c)
		v.SetComplex(z)
	}
	return v
}

// GoValueOf returns the number as a value of this program, of the floating-point or
// complex type t.
func (n Number) GoValueOf(t reflect.Type) reflect.Value {
	if t.Kind() == reflect.Complex64 || t.Kind() == reflect.Complex128 {
		return reflect.ValueOf(n.Complex).Convert(t)
	}
	return reflect.ValueOf(real(n.Complex)).Convert(t)
}

var GoTypes = map[types.BasicKind]reflect.Type{
	types.Complex64: reflect.TypeFor[complex64](), types.Complex128: reflect.TypeFor[complex128](),
	types.Bool: reflect.TypeFor[bool](), types.String: reflect.TypeFor[string](),
	types.Int: reflect.TypeFor[int](), types.Int8: reflect.TypeFor[int8](), types.Int16: reflect.TypeFor[int16](),
	types.Int32: reflect.TypeFor[int32](), types.Int64: reflect.TypeFor[int64](),
	types.Uint: reflect.TypeFor[uint](), types.Uint8: reflect.TypeFor[uint8](), types.Uint16: reflect.TypeFor[uint16](),
	types.Uint32: reflect.TypeFor[uint32](), types.Uint64: reflect.TypeFor[uint64](),
	types.Uintptr: reflect.TypeFor[uintptr](),
	types.Float32: reflect.TypeFor[float32](), types.Float64: reflect.TypeFor[float64](),
}

package value

import (
	"go/types"
	"reflect"
)

// KindOf returns the kind that reflection would give to values of t, Invalid for
// types that have no values: type parameters, and what failed to type-check.
func KindOf(t types.Type) reflect.Kind {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return reflect.Invalid // its underlying type is an interface
	}
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return basicKind(t.Kind())
	case *types.Array:
		return reflect.Array
	case *types.Chan:
		return reflect.Chan
	case *types.Interface:
		return reflect.Interface
	case *types.Map:
		return reflect.Map
	case *types.Pointer:
		return reflect.Pointer
	case *types.Signature:
		return reflect.Func
	case *types.Slice:
		return reflect.Slice
	case *types.Struct:
		return reflect.Struct
	default:
		return reflect.Invalid
	}
}

func basicKind(kind types.BasicKind) reflect.Kind {
	switch kind {
	case types.Bool:
		return reflect.Bool
	case types.Int:
		return reflect.Int
	case types.Int8:
		return reflect.Int8
	case types.Int16:
		return reflect.Int16
	case types.Int32:
		return reflect.Int32
	case types.Int64:
		return reflect.Int64
	case types.Uint:
		return reflect.Uint
	case types.Uint8:
		return reflect.Uint8
	case types.Uint16:
		return reflect.Uint16
	case types.Uint32:
		return reflect.Uint32
	case types.Uint64:
		return reflect.Uint64
	case types.Uintptr:
		return reflect.Uintptr
	case types.Float32:
		return reflect.Float32
	case types.Float64:
		return reflect.Float64
	case types.Complex64:
		return reflect.Complex64
	case types.Complex128:
		return reflect.Complex128
	case types.String:
		return reflect.String
	case types.UnsafePointer:
		return reflect.UnsafePointer
	default: // invalid, and the types of untyped constants
		return reflect.Invalid
	}
}

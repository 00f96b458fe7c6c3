package registered

import (
	"go/types"
	"slices"
)

// IsBytes reports whether t is []byte or json.RawMessage.
func IsBytes(t types.Type) bool {
	slice, ok := types.Unalias(t).Underlying().(*types.Slice)
	if !ok || !types.Identical(slice.Elem(), types.Typ[types.Byte]) {
		return false
	}
	named, isNamed := types.Unalias(t).(*types.Named)
	return !isNamed || isRawMessage(named.Obj())
}

func isRawMessage(obj *types.TypeName) bool {
	return obj.Name() == "RawMessage" && obj.Pkg() != nil && obj.Pkg().Path() == "encoding/json"
}

// IsRawMessage reports whether t is json.RawMessage, which decoding copies JSON into.
// It decodes base64 into []byte.
func IsRawMessage(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && isRawMessage(named.Obj())
}

// IsDescribable reports whether a schema of t, which has no type parameters, would say
// something. A type that is made of itself, such as a map of such maps, is one of which
// it does.
func IsDescribable(t types.Type) bool { return isDescribable(t, nil) }

// isDescribable is IsDescribable of a type that the given ones are made of.
func isDescribable(t types.Type, around []types.Type) bool {
	if slices.ContainsFunc(around, func(outer types.Type) bool { return types.Identical(outer, t) }) {
		return true
	}
	around = append(around, t)
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return false
	case *types.Map:
		return isDescribable(u.Elem(), around)
	case *types.Slice:
		return !IsBytes(t) && isDescribable(u.Elem(), around)
	}
	return true
}

package registered

import "go/types"

// IsBytes reports whether t is []byte or json.RawMessage.
func IsBytes(t types.Type) bool {
	slice, ok := types.Unalias(t).Underlying().(*types.Slice)
	if !ok || !types.Identical(slice.Elem(), types.Typ[types.Byte]) {
		return false
	}
	named, isNamed := types.Unalias(t).(*types.Named)
	return !isNamed || named.Obj().Name() == "RawMessage"
}

// IsDescribable reports whether a schema of t, which has no type parameters, would say
// something.
func IsDescribable(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return false
	case *types.Map:
		return IsDescribable(u.Elem())
	case *types.Slice:
		return !IsBytes(t) && IsDescribable(u.Elem())
	}
	return true
}

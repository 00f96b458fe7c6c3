package value

import "go/types"

// NamedOf returns the defined type behind t or the pointer t.
func NamedOf(t types.Type) *types.Named {
	t = types.Unalias(t)
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		if _, isNamed := t.(*types.Named); !isNamed {
			t = types.Unalias(pointer.Elem())
		}
	}
	named, _ := t.(*types.Named)
	return named
}

// Pointee returns what a pointer type points to, nil where t is none.
func Pointee(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		return pointer.Elem()
	}
	return nil
}

// SliceElem returns the type of a slice's elements, an invalid one where t is no
// slice.
func SliceElem(t types.Type) types.Type {
	if slice, ok := orInvalid(t).Underlying().(*types.Slice); ok {
		return slice.Elem()
	}
	return types.Typ[types.Invalid]
}

// ChannelElem returns the element type of a channel type, an invalid type for another one.
func ChannelElem(t types.Type) types.Type {
	if channel, ok := t.Underlying().(*types.Chan); ok {
		return channel.Elem()
	}
	return types.Typ[types.Invalid]
}

// FieldType returns the type of field i, nil where t is no struct that has one.
func FieldType(t types.Type, i int) types.Type {
	if s, ok := t.Underlying().(*types.Struct); ok && i < s.NumFields() {
		return s.Field(i).Type()
	}
	return nil
}

// FieldIndex returns the index of the field with a name, -1 where there is none.
func FieldIndex(u *types.Struct, name string) int {
	for i := range u.NumFields() {
		if u.Field(i).Name() == name {
			return i
		}
	}
	return -1
}

// Implements reports whether t has the methods of iface. A type may have been
// read twice, from export data and from source, so signatures are compared by
// what they say.
func Implements(t types.Type, iface *types.Interface) bool {
	if types.Implements(t, iface) {
		return true
	}
	return iface.IsMethodSet() && MissingMethod(t, iface) == nil
}

// MissingMethod returns the first method of iface that t doesn't have, nil for none.
func MissingMethod(t types.Type, iface *types.Interface) *types.Func {
	methods := types.NewMethodSet(t)
	for want := range iface.Methods() {
		have := methods.Lookup(want.Pkg(), want.Name())
		if have == nil || !SameType(have.Obj().Type(), want.Type()) {
			return want
		}
	}
	return nil
}

// IsTypeParam reports whether t is a type parameter.
func IsTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// HasTypeParam reports whether a type parameter is left in typ.
func HasTypeParam(typ types.Type) bool {
	var visit func(types.Type) bool
	visit = func(typ types.Type) bool {
		switch typ := types.Unalias(typ).(type) {
		case *types.TypeParam:
			return true
		case *types.Named:
			for i := range typ.TypeArgs().Len() {
				if visit(typ.TypeArgs().At(i)) {
					return true
				}
			}
		case *types.Map:
			return visit(typ.Key()) || visit(typ.Elem())
		case *types.Struct:
			for field := range typ.Fields() {
				if visit(field.Type()) {
					return true
				}
			}
		case interface{ Elem() types.Type }:
			return visit(typ.Elem())
		case *types.Signature:
			return visit(typ.Params()) || visit(typ.Results())
		case *types.Tuple:
			for v := range typ.Variables() {
				if visit(v.Type()) {
					return true
				}
			}
		}
		return false
	}
	return visit(typ)
}

// IsErrorType reports whether t is the predeclared type error.
func IsErrorType(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}

// IsUntyped reports whether t is the type of an untyped constant or of nil.
func IsUntyped(t types.Type) bool {
	basic, ok := t.(*types.Basic)
	return ok && basic.Info()&types.IsUntyped != 0
}

// IsInteger reports whether the values of t are integers.
func IsInteger(t types.Type) bool { return IsBasic(t, types.IsInteger) }

// ArrayOf returns the array type that t is or points to, nil for others.
func ArrayOf(t types.Type) *types.Array {
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		t = pointer.Elem()
	}
	array, _ := t.Underlying().(*types.Array)
	return array
}

// ReceiverArgs returns the type arguments of the receiver's type.
func ReceiverArgs(recv Value, static types.Type, method *types.Func) []types.Type {
	if method.Origin().Signature().RecvTypeParams().Len() == 0 {
		return nil
	}
	t := TypeOf(recv)
	if t == nil {
		t = static
	}
	named := NamedOf(t)
	if named == nil || named.TypeArgs().Len() == 0 {
		// Promoted from an embedded field: the method's own receiver tells.
		named = NamedOf(method.Signature().Recv().Type())
	}
	if named == nil {
		return nil
	}
	var args []types.Type
	for i := range named.TypeArgs().Len() {
		args = append(args, named.TypeArgs().At(i))
	}
	return args
}

// keptOtherwise are the packages of the standard library of whose structs the evaluator
// doesn't have what the fields of the running program's hold: whether a mutex is locked,
// or what a sync.Map has, isn't there or is kept in another way.
var keptOtherwise = map[string]bool{"flag": true, "internal/sync": true, "sync": true, "text/template": true}

// IsKeptOtherwise reports whether the fields of a struct aren't those of the running
// program's, so that they are neither compared nor printed.
func IsKeptOtherwise(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && keptOtherwise[named.Obj().Pkg().Path()]
}

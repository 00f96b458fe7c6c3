package value

import (
	"go/types"
	"slices"
)

// targets returns the references that one of the values may be, each once. A value of
// a type with methods, which code may call, counts as one: as an unknown of the type.
func targets(values ...Value) []Value {
	if len(values) == 1 {
		if u, ok := values[0].(*Unknown); ok && u.Pointee == nil {
			return slices.Clip(u.Targets)
		}
	}
	var all []Value
	seen := make(map[any]bool)
	add := func(v Value) {
		if to := targetOf(v); !seen[to] {
			seen[to] = true
			all = append(all, v)
		}
	}
	for _, v := range values {
		switch v := v.(type) {
		case Pointer, *Slice, *Map, *Func, Channel:
			add(v)
		case *Struct:
			addMethods(v, add)
			for _, cell := range v.Fields {
				each(targets(cell.v), add)
			}
		case Tuple:
			each(targets(v...), add)
		case Const, Number, Nil:
			addMethods(v, add)
		case *Array:
			addMethods(v, add)
			if !hasBasicElems(v.Type) { // a large one isn't searched in vain
				for _, cell := range v.Elems {
					each(targets(cell.v), add)
				}
			}
		case *Unknown:
			for _, target := range v.Targets {
				add(target)
			}
			if v.Pointee != nil {
				add(Pointer{To: v.Pointee})
			}
		}
	}
	return all
}

// addMethods adds an unknown of the value's type, if that has methods.
func addMethods(v Value, add func(Value)) {
	if t := TypeOf(v); hasMethods(t) {
		add(&Unknown{Reason: "a value of the type " + types.TypeString(t, (*types.Package).Name), NonNil: true, Type: t})
	}
}

// hasMethods reports whether values of a type may have methods.
func hasMethods(t types.Type) bool {
	if t == nil || types.IsInterface(t) {
		return false
	}
	named := NamedOf(t)
	if named == nil || named.NumMethods() > 0 {
		return named != nil
	}
	s, ok := named.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for field := range s.Fields() {
		if field.Embedded() {
			return true
		}
	}
	return false
}

// hasBasicElems reports whether the elements of an array lead to nothing, and have no methods.
func hasBasicElems(array types.Type) bool {
	of := ArrayOf(array)
	return of != nil && isBasic(of.Elem()) && !hasMethods(of.Elem())
}

func each(values []Value, do func(Value)) {
	for _, v := range values {
		do(v)
	}
}

func isBasic(t types.Type) bool {
	_, ok := t.Underlying().(*types.Basic)
	return ok
}

// targetOf returns what tells a reference from others.
func targetOf(v Value) any {
	switch v := v.(type) {
	case Pointer:
		return v.To
	case *Map:
		return v.vague
	case *Slice:
		return part{v.Type, v.first(), len(v.Elems), cap(v.Elems)}
	case *Unknown: // of a type that has methods
		return TypeKey(v.Type)
	default:
		return v
	}
}

// part is what a slice is of its array: each evaluation of an expression makes another.
type part struct {
	t           types.Type
	first       *Cell
	length, cap int
}

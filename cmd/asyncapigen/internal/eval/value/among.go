package value

import (
	"go/types"
	"slices"
)

// Of a value that one of several branches has left it may be known which values it is
// one of. What follows for all of them is known then.

// maxAmong bounds the values of which it is looked at what follows for each.
const maxAmong = 8

// among returns the values of which one of a and b is surely one, nil where they
// aren't all known, or are too many.
func among(a, b Value) []Value {
	isHeld := areHeld(a, b)
	some, others := options(a, isHeld), options(b, isHeld)
	if some == nil || others == nil {
		return nil
	}
	all := some[:len(some):len(some)]
	for _, v := range others {
		if !hasSame(all, v) {
			all = append(all, v)
		}
	}
	if len(all) > maxAmong {
		return nil
	}
	return all
}

// options returns the values of which v is surely one. Those that consist of variables may
// change, and aren't among any, unless an interface holds them.
func options(v Value, isHeld bool) []Value {
	switch v := v.(type) {
	case Const, Number, Nil, Pointer, *Slice, *Map, *Func, Channel:
		return []Value{v}
	case *Struct, *Array:
		if isHeld {
			return []Value{v}
		}
	case *Unknown:
		return v.Among
	}
	return nil
}

// areHeld reports whether two values surely are what an interface holds: no other variable can
// have values of two defined types.
func areHeld(a, b Value) bool {
	others := definedTypes(b)
	return slices.ContainsFunc(definedTypes(a), func(t types.Type) bool {
		return slices.ContainsFunc(others, func(other types.Type) bool { return !SameType(t, other) })
	})
}

// definedTypes returns those of the values of which v is surely one.
func definedTypes(v Value) (all []types.Type) {
	for _, v := range options(v, true) {
		if t, ok := types.Unalias(TypeOf(v)).(*types.Named); ok {
			all = append(all, t)
		}
	}
	return all
}

func hasSame(list []Value, v Value) bool {
	for _, other := range list {
		if same(other, v) {
			return true
		}
	}
	return false
}

func sameAmong(a, b []Value) bool {
	if len(a) != len(b) {
		return false
	}
	for _, v := range a {
		if !hasSame(b, v) {
			return false
		}
	}
	return true
}

// Only returns what a value is that is one of those for which holds: a known one where
// there is one of them. It is nil where there is none.
func (u *Unknown) Only(holds func(Value) bool) Value {
	if u.Among == nil {
		return u
	}
	var left []Value
	for _, v := range u.Among {
		if holds(v) {
			left = append(left, v)
		}
	}
	switch len(left) {
	case 0, len(u.Among):
		return u
	case 1:
		return left[0]
	}
	fewer := *u
	fewer.Among = left
	return &fewer
}

// retypedAmong returns the values as ones of type t.
func retypedAmong(all []Value, t types.Type) []Value {
	if all == nil {
		return nil
	}
	retyped := make([]Value, len(all))
	for i, v := range all {
		retyped[i] = Retyped(v, t)
	}
	return retyped
}

// maxCombinations bounds what is computed for the values of several operands.
const maxCombinations = 16

// Combinations returns the operands that are known, for each of the values that the
// others are one of: nil where an operand isn't known to be one of any, or all are
// known.
func Combinations(operands []Value) [][]Value {
	all, several := [][]Value{nil}, false
	for _, v := range operands {
		values := []Value{v}
		if u, ok := v.(*Unknown); ok {
			values, several = u.Among, true
		}
		if len(values)*len(all) > maxCombinations {
			return nil
		}
		var longer [][]Value
		for _, begun := range all {
			for _, v := range values {
				longer = append(longer, append(begun[:len(begun):len(begun)], v))
			}
		}
		all = longer
	}
	if !several {
		return nil
	}
	return all
}

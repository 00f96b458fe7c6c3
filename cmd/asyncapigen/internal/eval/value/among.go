package value

import "go/types"

// Of a value that one of several branches has left it may be known which values it is
// one of. What follows for all of them is known then.

// maxAmong bounds the values of which it is looked at what follows for each.
const maxAmong = 8

// among returns the values of which one of a and b is surely one, nil where they
// aren't all known, or are too many.
func among(a, b Value) []Value {
	some, others := options(a), options(b)
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

// options returns the values of which v is surely one. Those that consist of variables
// may change, and aren't among any.
func options(v Value) []Value {
	switch v := v.(type) {
	case Const, Number, Nil, Pointer, *Slice, *Map, *Func, Channel:
		return []Value{v}
	case *Unknown:
		return v.Among
	default:
		return nil
	}
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

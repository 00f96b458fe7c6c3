package value

import (
	"go/constant"
	"go/token"
	"go/types"
)

// Answer is what can be said of a question about a value.
type Answer int

const (
	No Answer = iota
	Perhaps
	Yes
)

// EqualNils reports whether nil values are equal: an interface that holds a nil
// pointer isn't nil itself.
func EqualNils(a, b types.Type) bool {
	return a == nil || b == nil || IsUntyped(a) || IsUntyped(b) || types.IsInterface(a) == types.IsInterface(b)
}

// Compare reports whether two values are equal. Values nested deeper than any
// table may be.
func Compare(x, y Value) Answer { return compareWithin(maxNesting, x, y) }

func compareWithin(levels int, x, y Value) Answer {
	if levels < 0 || IsUnknown(x) || IsUnknown(y) || isAbsent(x) || isAbsent(y) {
		return Perhaps
	}
	if !comparableTypes(TypeOf(x), TypeOf(y)) {
		return No
	}
	switch x := x.(type) {
	case Const:
		if y, ok := y.(Const); ok {
			return answerOf(constant.Compare(x.Value, token.EQL, y.Value))
		}
	case Pointer:
		if y, ok := y.(Pointer); ok {
			return answerOf(x.To == y.To)
		}
	case Nil:
		return answerOf(IsNil(y))
	case *Struct:
		if y, ok := y.(*Struct); ok {
			return compareCells(levels-1, x.Fields, y.Fields)
		}
	case *Array:
		if y, ok := y.(*Array); ok {
			return compareCells(levels-1, x.Elems, y.Elems)
		}
	}
	if IsNil(y) {
		return No
	}
	return Perhaps
}

// comparableTypes reports whether values of these dynamic types can be equal.
func comparableTypes(a, b types.Type) bool {
	return a == nil || b == nil || IsUntyped(a) || IsUntyped(b) || types.IsInterface(a) || types.IsInterface(b) || sameType(a, b)
}

func answerOf(holds bool) Answer {
	if holds {
		return Yes
	}
	return No
}

func compareCells(levels int, a, b []*Cell) Answer {
	if len(a) != len(b) {
		return No
	}
	result := Yes
	for i := range a {
		result = min(result, compareWithin(levels, a[i].v, b[i].v))
	}
	return result
}

// HasType reports whether the dynamic type of v is t, or implements it.
func HasType(v Value, t types.Type) Answer {
	if IsUnknown(v) {
		return Perhaps
	}
	dynamic := TypeOf(v)
	if IsNil(v) && (dynamic == nil || types.IsInterface(dynamic) || types.Identical(dynamic, types.Typ[types.UntypedNil])) {
		if types.Identical(t, types.Typ[types.UntypedNil]) {
			return Yes
		}
		return No
	}
	if dynamic == nil {
		return Perhaps
	}
	if iface, ok := t.Underlying().(*types.Interface); ok {
		if Implements(dynamic, iface) {
			return Yes
		}
		return No
	}
	if sameType(dynamic, t) {
		return Yes
	}
	return No
}

// IsNil reports whether v is surely nil.
func IsNil(v Value) bool {
	_, ok := v.(Nil)
	return ok
}

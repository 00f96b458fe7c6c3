package discover

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// assert evaluates x.(T) and says whether it succeeds.
func (in *interp) assert(expr *ast.TypeAssertExpr) (Value, answer) {
	v := in.eval(expr.X)
	if expr.Type == nil {
		return v, yes
	}
	t := in.typeOf(expr)
	if tuple, ok := t.(*types.Tuple); ok {
		t = tuple.At(0).Type()
	}
	switch a := in.hasType(v, t); a {
	case yes:
		return v, yes
	case no:
		return in.zero(t), no
	default:
		return in.because(expr, v), perhaps
	}
}

// answer is what can be said of a question about a value.
type answer int

const (
	no answer = iota
	perhaps
	yes
)

// hasType reports whether the dynamic type of v is t, or implements it.
func (in *interp) hasType(v Value, t types.Type) answer {
	if isUnknown(v) {
		return perhaps
	}
	dynamic := typeOf(v)
	if isNil(v) && (dynamic == nil || types.IsInterface(dynamic) || types.Identical(dynamic, types.Typ[types.UntypedNil])) {
		if types.Identical(t, types.Typ[types.UntypedNil]) {
			return yes
		}
		return no
	}
	if dynamic == nil {
		return perhaps
	}
	if iface, ok := t.Underlying().(*types.Interface); ok {
		if implements(dynamic, iface) {
			return yes
		}
		return no
	}
	if sameType(dynamic, t) {
		return yes
	}
	return no
}

func isNil(v Value) bool {
	_, ok := v.(Nil)
	return ok
}

func isErrorType(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}

// equal compares. An error that isn't known is taken to be nil: the contract
// describes the service that has started.
func (in *interp) equal(at ast.Node, op token.Token, x, y Value) Value {
	boolean := func(equal bool) Value {
		return constOf(constant.MakeBool(equal == (op == token.EQL)), types.Typ[types.Bool])
	}
	if isNil(y) {
		x, y = y, x
	}
	if isNil(x) {
		switch y := y.(type) {
		case Nil:
			return boolean(equalNils(x.(Nil).Type, y.Type))
		case *Unknown:
			if y.NonNil {
				return boolean(false)
			}
			if in.comparesErrors(at) {
				return boolean(true)
			}
			return y
		default:
			return boolean(false)
		}
	}
	switch compare(maxNesting, x, y) {
	case yes:
		return boolean(true)
	case no:
		return boolean(false)
	default:
		return in.notKnown(at, x, y)
	}
}

// equalNils reports whether nil values are equal: an interface that holds a nil
// pointer isn't nil itself.
func equalNils(a, b types.Type) bool {
	return a == nil || b == nil || isUntyped(a) || isUntyped(b) || types.IsInterface(a) == types.IsInterface(b)
}

// compare reports whether two values are equal.
func compare(levels int, x, y Value) answer {
	if levels < 0 || isUnknown(x) || isUnknown(y) || isAbsent(x) || isAbsent(y) {
		return perhaps
	}
	if !comparableTypes(typeOf(x), typeOf(y)) {
		return no
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
		return answerOf(isNil(y))
	case *Struct:
		if y, ok := y.(*Struct); ok {
			return compareCells(levels-1, x.Fields, y.Fields)
		}
	case *Array:
		if y, ok := y.(*Array); ok {
			return compareCells(levels-1, x.Elems, y.Elems)
		}
	}
	if isNil(y) {
		return no
	}
	return perhaps
}

// comparableTypes reports whether values of these dynamic types can be equal.
func comparableTypes(a, b types.Type) bool {
	return a == nil || b == nil || isUntyped(a) || isUntyped(b) || types.IsInterface(a) || types.IsInterface(b) || sameType(a, b)
}

func answerOf(holds bool) answer {
	if holds {
		return yes
	}
	return no
}

func compareCells(levels int, a, b []*Cell) answer {
	if len(a) != len(b) {
		return no
	}
	result := yes
	for i := range a {
		result = min(result, compare(levels, a[i].v, b[i].v))
	}
	return result
}

// comparesErrors reports whether at compares an error with nil.
func (in *interp) comparesErrors(at ast.Node) bool {
	expr, ok := at.(*ast.BinaryExpr)
	return ok && (isErrorType(in.typeOf(expr.X)) || isErrorType(in.typeOf(expr.Y)))
}

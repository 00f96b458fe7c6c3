package eval

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// assert evaluates x.(T), where x is v, and says whether it succeeds.
func (ev *Evaluator) assert(expr *ast.TypeAssertExpr, v value.Value) (value.Value, value.Answer) {
	if expr.Type == nil {
		return v, value.Yes
	}
	t := ev.typeOf(expr)
	if tuple, ok := t.(*types.Tuple); ok {
		t = tuple.At(0).Type()
	}
	switch a := ev.hasType(v, t); a {
	case value.Yes:
		return value.Unboxed(v, t), value.Yes
	case value.No:
		return ev.Zero(t), value.No
	default:
		return value.Because(expr, v), value.Perhaps
	}
}

// failAssertion is the run-time panic of x.(T) where x has no such value.
func (ev *Evaluator) failAssertion(expr *ast.TypeAssertExpr, v value.Value) {
	dynamic := value.TypeOf(v)
	if value.IsNilInterface(v) {
		dynamic = nil
	}
	ev.Panic(expr, model.NewAssertionError(ev.typeOf(expr.X), dynamic, ev.typeOf(expr.Type)))
}

// operand is an operand of a comparison, with its static type.
type operand struct {
	value  value.Value
	static types.Type
}

// equal compares two values.
func (ev *Evaluator) equal(at ast.Node, op token.Token, x, y operand) value.Value {
	boolean := func(equal bool) value.Value {
		return value.NewConst(constant.MakeBool(equal == (op == token.EQL)), types.Typ[types.Bool])
	}
	if v, ok := ev.forEach(at, []value.Value{x.value, y.value}, func(v []value.Value) value.Value {
		return ev.equal(at, op, operand{v[0], x.static}, operand{v[1], y.static})
	}); ok {
		return v
	}
	for _, pair := range [][2]operand{{x, y}, {y, x}} {
		if u, ok := pair[0].value.(*value.Unknown); ok && value.IsNilInterface(pair[1].value) {
			if u.NonNil || types.IsInterface(pair[1].static) && !types.IsInterface(pair[0].static) {
				return boolean(false)
			}
			return u.Bare() // what holds for the operand doesn't for the result
		}
		if u, ok := pair[0].value.(*value.Unknown); ok && u.Library && ev.IsOwnError(pair[1].value) {
			return boolean(false)
		}
		if pair[1].isLiteralNil() {
			return boolean(pair[0].isNil())
		}
		if equal, ok := ev.equalsWord(pair[0], pair[1]); ok {
			return boolean(equal)
		}
		if equal, ok := ev.compareCount(token.EQL, pair[0].value, pair[1].value); ok {
			return boolean(equal)
		}
	}
	if y.value = y.comparedWith(x); value.IsUnknown(x.value) {
		x.value = x.comparedWith(y)
	}
	switch v := x.value.(type) {
	case *value.Array, *value.Struct:
		size, _ := memorySize(value.TypeOf(v))
		ev.work(int(size >> 6))
	}
	answer, uncomparable := value.Compare(x.value, y.value)
	if uncomparable != nil {
		ev.Panic(at, model.NewComparisonError(uncomparable))
	}
	switch answer {
	case value.Yes:
		return boolean(true)
	case value.No:
		return boolean(false)
	default:
		if value.MayBeUncomparable(x.value, x.static) && value.MayBeUncomparable(y.value, y.static) {
			ev.risk(at, x.value, y.value)
		}
		return value.Because(at, x.value, y.value)
	}
}

// isLiteralNil reports whether the operand is the predeclared nil.
func (x operand) isLiteralNil() bool {
	return value.IsNil(x.value) && value.IsUntyped(x.static)
}

// isNil reports whether the operand, which is known, equals nil: an interface that
// holds a nil pointer doesn't.
func (x operand) isNil() bool {
	if types.IsInterface(x.static) {
		return value.IsNilInterface(x.value)
	}
	return value.IsNil(x.value)
}

// comparedWith returns the operand's value as the comparison sees it: one that
// isn't in an interface as one of the type of the other that isn't either.
func (x operand) comparedWith(other operand) value.Value {
	if types.IsInterface(x.static) {
		return x.value
	}
	if u, ok := x.value.(*value.Unknown); ok {
		if types.IsInterface(other.static) && !value.IsUntyped(x.static) {
			return u.InInterface(x.static)
		}
		return value.Unboxed(u, x.static)
	}
	if !types.IsInterface(other.static) && !value.IsUntyped(other.static) {
		return value.Retyped(x.value, other.static)
	}
	return value.Retyped(x.value, types.Default(x.static))
}

// RequireHashable fails where the key of a map of some type can't be compared.
func (ev *Evaluator) RequireHashable(at ast.Node, key value.Value, of types.Type) {
	if value.Uncomparable(key) != nil {
		ev.Panic(at, model.NewHashError())
	}
	if m, ok := of.Underlying().(*types.Map); ok && value.MayBeUncomparable(key, m.Key()) {
		ev.risk(at, key)
	}
}

package eval

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// assert evaluates x.(T) and says whether it succeeds.
func (ev *Evaluator) assert(expr *ast.TypeAssertExpr) (value.Value, value.Answer) {
	v := ev.eval(expr.X)
	if expr.Type == nil {
		return v, value.Yes
	}
	t := ev.typeOf(expr)
	if tuple, ok := t.(*types.Tuple); ok {
		t = tuple.At(0).Type()
	}
	switch a := value.HasType(v, t); a {
	case value.Yes:
		return v, value.Yes
	case value.No:
		return ev.Zero(t), value.No
	default:
		return value.Because(expr, v), value.Perhaps
	}
}

// equal compares two values.
func (ev *Evaluator) equal(at ast.Node, op token.Token, x, y value.Value) value.Value {
	boolean := func(equal bool) value.Value {
		return value.NewConst(constant.MakeBool(equal == (op == token.EQL)), types.Typ[types.Bool])
	}
	if value.IsNil(y) {
		x, y = y, x
	}
	if value.IsNil(x) {
		switch y := y.(type) {
		case value.Nil:
			return boolean(value.EqualNils(x.(value.Nil).Type, y.Type))
		case *value.Unknown:
			if y.NonNil {
				return boolean(false)
			}
			return y
		default:
			return boolean(false)
		}
	}
	switch value.Compare(x, y) {
	case value.Yes:
		return boolean(true)
	case value.No:
		return boolean(false)
	default:
		return value.Because(at, x, y)
	}
}

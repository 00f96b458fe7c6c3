package eval

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

func (ev *Evaluator) unary(expr *ast.UnaryExpr) value.Value {
	switch expr.Op {
	case token.AND:
		return ev.address(expr)
	case token.ARROW:
		ev.eval(expr.X)
		received := value.UnknownAt(expr.Pos(), "a value received from the channel "+value.Source(expr.X))
		if _, ok := ev.frame.pkg.Info.TypeOf(expr).(*types.Tuple); ok {
			return value.Tuple{received, received}
		}
		return received
	}
	x := ev.eval(expr.X)
	c, ok := x.(value.Const)
	if !ok {
		return value.Because(expr, x)
	}
	return value.Convert(expr, value.NewConst(constant.UnaryOp(expr.Op, c.Value, precision(c.Type)), c.Type), ev.typeOf(expr))
}

// precision is the size in bits that ^x of an unsigned x needs.
func precision(t types.Type) uint {
	basic, ok := t.Underlying().(*types.Basic)
	if !ok || basic.Info()&types.IsUnsigned == 0 {
		return 0
	}
	switch basic.Kind() {
	case types.Uint8:
		return 8
	case types.Uint16:
		return 16
	case types.Uint32:
		return 32
	default:
		return 64
	}
}

// binaryExpr evaluates x op y; the right side of && and || only where it is.
func (ev *Evaluator) binaryExpr(expr *ast.BinaryExpr) value.Value {
	x := ev.eval(expr.X)
	if expr.Op == token.LAND || expr.Op == token.LOR {
		holds, known := value.Truth(x)
		switch {
		case known && holds == (expr.Op == token.LOR):
			return x
		case known:
			return ev.eval(expr.Y)
		}
		var y value.Value
		right := func() control { y = ev.eval(expr.Y); return control{} }
		short := func() control { return control{} }
		if expr.Op == token.LAND {
			right, short = ev.holding(expr.X, right), ev.failing(expr.X, short)
		} else {
			right, short = ev.failing(expr.X, right), ev.holding(expr.X, short)
		}
		ev.forkWithin(ev.conditionOn(expr.X, x), right, short)
		if holds, known := value.Truth(y); known && holds == (expr.Op == token.LOR) {
			return y
		}
		return x
	}
	return ev.binary(expr, expr.Op, x, ev.eval(expr.Y), ev.typeOf(expr))
}

// binary computes x op y as a value of type t.
func (ev *Evaluator) binary(at ast.Node, op token.Token, x, y value.Value, t types.Type) value.Value {
	if op == token.EQL || op == token.NEQ {
		return ev.equal(at, op, x, y)
	}
	a, ok1 := x.(value.Const)
	b, ok2 := y.(value.Const)
	if !ok1 || !ok2 {
		if (op == token.QUO || op == token.REM) && value.IsInteger(t) {
			ev.mayPanic(at, y)
		}
		return value.Because(at, x, y)
	}
	switch op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		return value.NewConst(constant.MakeBool(constant.Compare(a.Value, op, b.Value)), types.Typ[types.Bool])
	case token.SHL, token.SHR:
		return ev.shift(at, op, a, b, t)
	case token.ADD:
		if a.Value.Kind() == constant.String {
			return ev.concatenate(at, a, b, t)
		}
	case token.QUO, token.REM:
		if constant.Sign(b.Value) == 0 {
			if !value.IsInteger(t) {
				return value.Because(at)
			}
			ev.Fail(at, "division by zero")
		}
		if op == token.QUO && value.IsInteger(t) {
			op = token.QUO_ASSIGN // integer division, in the terms of go/constant
		}
	}
	return value.Convert(at, value.NewConst(constant.BinaryOp(a.Value, op, b.Value), t), t)
}

// shift computes x << n and x >> n. A shift by more than the type has bits is
// one by all of them.
func (ev *Evaluator) shift(at ast.Node, op token.Token, x, n value.Const, t types.Type) value.Value {
	const most = 512
	if constant.Sign(n.Value) < 0 {
		ev.Fail(at, "a negative shift amount")
	}
	count, exact := constant.Uint64Val(constant.ToInt(n.Value))
	if !exact || count > most {
		count = most
	}
	return value.Convert(at, value.NewConst(constant.Shift(constant.ToInt(x.Value), op, uint(count)), t), t)
}

func (ev *Evaluator) concatenate(at ast.Node, x, y value.Const, t types.Type) value.Value {
	text := constant.StringVal(x.Value) + constant.StringVal(y.Value)
	if len(text) > value.MaxText {
		return value.UnknownAt(at.Pos(), "a string longer than those that are looked at")
	}
	ev.work(len(text) >> 3)
	return value.NewConst(constant.MakeString(text), t)
}

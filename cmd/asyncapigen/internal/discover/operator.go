package discover

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

func (in *interp) unary(expr *ast.UnaryExpr) Value {
	switch expr.Op {
	case token.AND:
		return in.address(expr)
	case token.ARROW:
		in.eval(expr.X)
		received := in.unknown(expr.Pos(), "a value received from the channel "+source(expr.X))
		if _, ok := in.frame.pkg.Info.TypeOf(expr).(*types.Tuple); ok {
			return Tuple{received, received}
		}
		return received
	}
	x := in.eval(expr.X)
	c, ok := x.(Const)
	if !ok {
		return in.because(expr, x)
	}
	return in.convert(expr, constOf(constant.UnaryOp(expr.Op, c.Value, precision(c.Type)), c.Type), in.typeOf(expr))
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
func (in *interp) binaryExpr(expr *ast.BinaryExpr) Value {
	x := in.eval(expr.X)
	if expr.Op == token.LAND || expr.Op == token.LOR {
		holds, known := truth(x)
		switch {
		case known && holds == (expr.Op == token.LOR):
			return x
		case known:
			return in.eval(expr.Y)
		}
		var y Value
		in.fork(in.condition(expr.X, x), func() control { y = in.eval(expr.Y); return control{} }, func() control { return control{} })
		if holds, known := truth(y); known && holds == (expr.Op == token.LOR) {
			return y
		}
		return x
	}
	return in.binary(expr, expr.Op, x, in.eval(expr.Y), in.typeOf(expr))
}

// binary computes x op y as a value of type t.
func (in *interp) binary(at ast.Node, op token.Token, x, y Value, t types.Type) Value {
	if op == token.EQL || op == token.NEQ {
		return in.equal(at, op, x, y)
	}
	a, ok1 := x.(Const)
	b, ok2 := y.(Const)
	if !ok1 || !ok2 {
		return in.notKnown(at, x, y)
	}
	switch op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		return constOf(constant.MakeBool(constant.Compare(a.Value, op, b.Value)), types.Typ[types.Bool])
	case token.SHL, token.SHR:
		return in.shift(at, op, a, b, t)
	case token.ADD:
		if a.Value.Kind() == constant.String {
			return in.concatenate(at, a, b, t)
		}
	case token.QUO, token.REM:
		if constant.Sign(b.Value) == 0 {
			if !isInteger(t) {
				return in.notKnown(at)
			}
			in.fail(at, "division by zero")
		}
		if op == token.QUO && isInteger(t) {
			op = token.QUO_ASSIGN // integer division, in the terms of go/constant
		}
	}
	return in.convert(at, constOf(constant.BinaryOp(a.Value, op, b.Value), t), t)
}

// shift computes x << n and x >> n. A shift by more than the type has bits is
// one by all of them.
func (in *interp) shift(at ast.Node, op token.Token, x, n Const, t types.Type) Value {
	const most = 512
	if constant.Sign(n.Value) < 0 {
		in.fail(at, "a negative shift amount")
	}
	count, exact := constant.Uint64Val(constant.ToInt(n.Value))
	if !exact || count > most {
		count = most
	}
	return in.convert(at, constOf(constant.Shift(constant.ToInt(x.Value), op, uint(count)), t), t)
}

// maxText bounds the strings that are followed, in bytes.
const maxText = 1 << 16

func (in *interp) concatenate(at ast.Node, x, y Const, t types.Type) Value {
	text := constant.StringVal(x.Value) + constant.StringVal(y.Value)
	if len(text) > maxText {
		return in.unknown(at.Pos(), "a string longer than those that are looked at")
	}
	in.work(len(text) >> 3)
	return constOf(constant.MakeString(text), t)
}

func isInteger(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsInteger != 0
}

func (in *interp) notKnown(at ast.Node, values ...Value) *Unknown {
	if expr, ok := at.(ast.Expr); ok {
		return in.because(expr, values...)
	}
	for _, v := range values {
		if u, ok := v.(*Unknown); ok {
			return u
		}
	}
	return in.unknown(at.Pos(), "a value that isn't followed")
}

func isUntyped(t types.Type) bool {
	basic, ok := t.(*types.Basic)
	return ok && basic.Info()&types.IsUntyped != 0
}

// convert makes a constant one of type t, as the conversion t(v) does.
func (in *interp) convert(at ast.Node, v Value, t types.Type) Value {
	c, ok := v.(Const)
	basic, isBasic := t.Underlying().(*types.Basic)
	if !ok || !isBasic {
		return retyped(v, t)
	}
	switch info := basic.Info(); {
	case info&types.IsString != 0 && c.Value.Kind() == constant.Int:
		n, exact := constant.Int64Val(c.Value)
		if !exact {
			n = -1
		}
		return constOf(constant.MakeString(string(rune(n))), t)
	case info&types.IsInteger != 0:
		return in.convertInteger(at, c, t, basic)
	case info&types.IsFloat != 0:
		value := constant.ToFloat(c.Value)
		if basic.Kind() == types.Float32 {
			f, _ := constant.Float32Val(value)
			value = constant.MakeFloat64(float64(f))
		} else if basic.Kind() == types.Float64 {
			f, _ := constant.Float64Val(value)
			value = constant.MakeFloat64(f)
		}
		if value.Kind() == constant.Unknown {
			return in.notKnown(at)
		}
		return constOf(value, t)
	default:
		return constOf(c.Value, t)
	}
}

// convertInteger cuts to the type's size, as the machine does.
func (in *interp) convertInteger(at ast.Node, c Const, t types.Type, basic *types.Basic) Value {
	value := c.Value
	if value.Kind() == constant.Float && !isUntyped(t) {
		f, _ := constant.Float64Val(value)
		value = constant.MakeInt64(int64(f))
	}
	value = constant.ToInt(value)
	if value.Kind() != constant.Int {
		return in.notKnown(at)
	}
	if basic.Info()&types.IsUntyped != 0 {
		return constOf(value, t)
	}
	bits := uint(64)
	switch basic.Kind() {
	case types.Int8, types.Uint8:
		bits = 8
	case types.Int16, types.Uint16:
		bits = 16
	case types.Int32, types.Uint32:
		bits = 32
	}
	modulus := constant.Shift(constant.MakeInt64(1), token.SHL, bits)
	value = constant.BinaryOp(value, token.AND, constant.BinaryOp(modulus, token.SUB, constant.MakeInt64(1)))
	half := constant.Shift(constant.MakeInt64(1), token.SHL, bits-1)
	if basic.Info()&types.IsUnsigned == 0 && constant.Compare(value, token.GEQ, half) {
		value = constant.BinaryOp(value, token.SUB, modulus)
	}
	return constOf(value, t)
}

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
		return ev.turn(expr, func() value.Value { return ev.receiveExpr(expr) })
	}
	x := ev.eval(expr.X)
	t := ev.typeOf(expr)
	if v, ok := ev.forEach(expr, []value.Value{x}, func(v []value.Value) value.Value { return ev.unaryOf(expr, v[0], t) }); ok {
		return v
	}
	return ev.unaryOf(expr, x, t)
}

// unaryOf evaluates op x, which is no receive operation or address.
func (ev *Evaluator) unaryOf(expr *ast.UnaryExpr, x value.Value, t types.Type) value.Value {
	if z, known := value.ComplexOf(x); known && (value.IsFloat(t) || value.IsComplex(t)) {
		return negatedOrSame(expr.Op, z, t)
	}
	c, ok := x.(value.Const)
	if !ok {
		return value.Because(expr, x)
	}
	if value.IsInteger(t) {
		c.Value = constant.ToInt(c.Value)
	}
	return value.Convert(expr, value.NewConst(constant.UnaryOp(expr.Op, c.Value, precision(c.Type)), c.Type), t)
}

// negatedOrSame is -z or +z, of a floating-point or complex type.
func negatedOrSame(op token.Token, z complex128, t types.Type) value.Value {
	if op == token.SUB {
		z = -z
	}
	if value.IsComplex(t) {
		return value.NewComplex(z, t)
	}
	return value.NewFloat(real(z), t)
}

// receiveExpr evaluates <-ch. A select statement has evaluated the channel before.
func (ev *Evaluator) receiveExpr(expr *ast.UnaryExpr) value.Value {
	var channel value.Value
	selected := ev.frame.selected
	waits := selected.receive != expr
	if waits {
		channel = ev.eval(expr.X)
	} else {
		channel, ev.frame.selected = selected.channel, communication{}
	}
	elem := types.Type(types.Typ[types.Invalid])
	if t, ok := ev.typeOf(expr.X).Underlying().(*types.Chan); ok {
		elem = t.Elem()
	}
	v, ok := ev.receive(expr.X, channel, elem)
	if waits && value.IsUnknown(ok) {
		ev.hasWaited(expr.X, channel)
	}
	if _, both := ev.frame.pkg.Info.TypeOf(expr).(*types.Tuple); both {
		return value.Tuple{v, ok}
	}
	return v
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

// binaryExpr evaluates x op y.
func (ev *Evaluator) binaryExpr(expr *ast.BinaryExpr) value.Value {
	switch expr.Op {
	case token.LAND, token.LOR:
		v := ev.turn(expr, func() value.Value { return ev.logical(expr) })
		if c, isKnown := v.(value.Const); isKnown {
			return value.Retyped(c, ev.typeOf(expr)) // of the operand that isn't untyped
		}
		return v
	case token.EQL, token.NEQ:
		x, y := ev.binaryOperands(expr)
		return ev.equal(expr, expr.Op, operand{x, ev.typeOf(expr.X)}, operand{y, ev.typeOf(expr.Y)})
	default:
		x, y := ev.binaryOperands(expr)
		return ev.binary(expr, expr.Op, x, y, ev.typeOf(expr))
	}
}

// logical evaluates x && y or x || y, the right side only where it is.
func (ev *Evaluator) logical(expr *ast.BinaryExpr) value.Value {
	x := ev.eval(expr.X)
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

// binaryOperands evaluates x and y of x op y.
func (ev *Evaluator) binaryOperands(expr *ast.BinaryExpr) (x, y value.Value) {
	if !ev.hasTurn(expr.Y) {
		return ev.eval(expr.X), ev.eval(expr.Y)
	}
	exprs := []ast.Expr{expr.X, expr.Y}
	var operands [2]value.Value
	ev.inOrder(exprs, func(i int) { operands[i] = ev.eval(exprs[i]) })
	return operands[0], operands[1]
}

// binary computes x op y, which is no comparison by == or !=, as a value of type t.
func (ev *Evaluator) binary(at ast.Node, op token.Token, x, y value.Value, t types.Type) value.Value {
	a, ok1 := x.(value.Const)
	b, ok2 := y.(value.Const)
	if !ok1 || !ok2 {
		if v := floatOperation(op, x, y, t); v != nil {
			return v
		}
		if v := complexOperation(op, x, y, t); v != nil {
			return v
		}
		if holds, known := ev.compareCount(op, x, y); known {
			return value.NewConst(constant.MakeBool(holds), types.Typ[types.Bool])
		}
		if holds, known := ev.compareCount(mirrored(op), y, x); known {
			return value.NewConst(constant.MakeBool(holds), types.Typ[types.Bool])
		}
		if v, ok := ev.forEach(at, []value.Value{x, y}, func(v []value.Value) value.Value { return ev.binary(at, op, v[0], v[1], t) }); ok {
			return v
		}
		ev.riskOfOperator(at, op, x, y, t)
		if v := absorbed(op, x, y, t); v != nil {
			return v
		}
		why := value.Because(at, x, y)
		if isString(t) {
			return value.Concatenated(why, x, y)
		}
		return why
	}
	switch op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		return value.NewConst(constant.MakeBool(constant.Compare(a.Value, op, b.Value)), types.Typ[types.Bool])
	case token.SHL, token.SHR:
		return ev.shift(at, op, a, b, t)
	}
	if a.Value.Kind() == constant.String {
		return ev.concatenate(at, a, b, t)
	}
	return ev.arithmetic(at, op, a.Value, b.Value, t)
}

// floatOperation computes x op y of floating-point numbers as the machine does, as a
// value of type t. It is nil where they aren't such.
func floatOperation(op token.Token, x, y value.Value, t types.Type) value.Value {
	a, ok1 := value.FloatOf(x)
	b, ok2 := value.FloatOf(y)
	if !ok1 || !ok2 {
		return nil
	}
	boolean := func(holds bool) value.Value { return value.NewConst(constant.MakeBool(holds), types.Typ[types.Bool]) }
	switch op { // of single precision, a rounding after the one of double precision changes nothing
	case token.LSS:
		return boolean(a < b)
	case token.LEQ:
		return boolean(a <= b)
	case token.GTR:
		return boolean(a > b)
	case token.GEQ:
		return boolean(a >= b)
	case token.ADD:
		return value.NewFloat(a+b, t)
	case token.SUB:
		return value.NewFloat(a-b, t)
	case token.MUL:
		return value.NewFloat(a*b, t)
	case token.QUO:
		return value.NewFloat(a/b, t)
	default:
		return nil
	}
}

// absorbed returns x op y where one operand, an integer, decides it alone, nil where
// it doesn't: 0*y, x&0, x|-1, 0<<y, x%1.
func absorbed(op token.Token, x, y value.Value, t types.Type) value.Value {
	if !value.IsInteger(t) {
		return nil
	}
	isX := func(n int64) bool { return isInteger(x, n) }
	isY := func(n int64) bool { return isInteger(y, n) }
	switch op {
	case token.MUL, token.AND:
		if isX(0) || isY(0) {
			return value.NewConst(constant.MakeInt64(0), t)
		}
	case token.QUO, token.SHL, token.SHR, token.AND_NOT:
		if isX(0) {
			return value.NewConst(constant.MakeInt64(0), t)
		}
	case token.REM:
		if isX(0) || isY(1) || isY(-1) {
			return value.NewConst(constant.MakeInt64(0), t)
		}
	case token.OR:
		if isX(-1) || isY(-1) {
			return value.NewConst(constant.MakeInt64(-1), t)
		}
	}
	return nil
}

// isInteger reports whether v is surely the number n.
func isInteger(v value.Value, n int64) bool {
	c, ok := v.(value.Const)
	if !ok {
		return false
	}
	number, exact := constant.Int64Val(constant.ToInt(c.Value))
	return exact && number == n
}

// riskOfOperator fails where x op y does whatever the operand is that isn't known,
// and notes where it may.
func (ev *Evaluator) riskOfOperator(at ast.Node, op token.Token, x, y value.Value, t types.Type) {
	operand, known := y.(value.Const)
	switch {
	case (op == token.QUO || op == token.REM) && value.IsInteger(t):
		if known && constant.Sign(operand.Value) == 0 {
			ev.Fail(at, "integer divide by zero")
		}
	case op == token.SHL || op == token.SHR:
		if known && constant.Sign(operand.Value) < 0 {
			ev.Fail(at, "negative shift amount")
		}
		known = known || isUnsigned(ev.typeOf(rightOperand(at)))
	default:
		return
	}
	if !known {
		ev.risk(at, x, y)
	}
}

// rightOperand returns y of x op y and x op= y.
func rightOperand(at ast.Node) ast.Expr {
	if assignment, ok := at.(*ast.AssignStmt); ok {
		return assignment.Rhs[0]
	}
	return at.(*ast.BinaryExpr).Y
}

func isUnsigned(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsUnsigned != 0
}

// arithmetic computes x op y for numbers.
func (ev *Evaluator) arithmetic(at ast.Node, op token.Token, x, y constant.Value, t types.Type) value.Value {
	basic, ok := t.Underlying().(*types.Basic)
	switch {
	case !ok:
		return value.Because(at)
	case basic.Info()&types.IsComplex != 0:
		return complexOperation(op, value.NewConst(x, t), value.NewConst(y, t), t)
	case value.IsInteger(t):
		x, y = constant.ToInt(x), constant.ToInt(y)
		if (op == token.QUO || op == token.REM) && constant.Sign(y) == 0 {
			ev.Fail(at, "integer divide by zero")
		}
		if op == token.QUO {
			op = token.QUO_ASSIGN // integer division, in the terms of go/constant
		}
	case value.IsFloat(t):
		return floatOperation(op, value.NewConst(x, t), value.NewConst(y, t), t)
	}
	if x.Kind() == constant.Unknown || y.Kind() == constant.Unknown {
		return value.Because(at)
	}
	return value.Convert(at, value.NewConst(constant.BinaryOp(x, op, y), t), t)
}

// shift computes x << n and x >> n. A shift by more than the type has bits is
// one by all of them.
func (ev *Evaluator) shift(at ast.Node, op token.Token, x, n value.Const, t types.Type) value.Value {
	const most = 512
	if constant.ToInt(n.Value).Kind() != constant.Int || constant.ToInt(x.Value).Kind() != constant.Int {
		return value.Because(at)
	}
	if constant.Sign(n.Value) < 0 {
		ev.Fail(at, "negative shift amount")
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

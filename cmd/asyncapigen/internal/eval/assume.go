package eval

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// A branch under a condition that isn't known runs where the condition holds, or
// where it doesn't. What follows from that for a variable is known in it: unless what
// was evaluated since, then, may have changed the variable.

// assumeHolds makes known what follows from cond being true.
func (ev *Evaluator) assumeHolds(cond ast.Expr, then []ast.Expr) {
	switch cond := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		if cond.Op == token.NOT {
			ev.assumeFails(cond.X, then)
		}
	case *ast.BinaryExpr:
		switch cond.Op {
		case token.LAND:
			ev.assumeHolds(cond.X, append(then, cond.Y))
			ev.assumeHolds(cond.Y, then)
		case token.EQL:
			ev.assumeEqual(cond.X, cond.Y, then)
		case token.NEQ:
			ev.assumeDifferent(cond.X, cond.Y, then)
		}
	case *ast.CallExpr:
		ev.assumeMatches(cond, then)
		ev.assumeYielded(cond, true, then)
	default:
		ev.assumeBool(cond, true, then)
	}
}

// assumeMatches notes that an error isn't nil of which errors.Is or As is true.
func (ev *Evaluator) assumeMatches(call *ast.CallExpr, then []ast.Expr) {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) != 2 {
		return
	}
	fn, ok := ev.frame.pkg.Info.Uses[selector.Sel].(*types.Func)
	if !ok {
		return
	}
	switch fn.FullName() {
	case "errors.As":
	case "errors.Is":
		if target := call.Args[1]; ev.hasCall(target) || !value.IsNonNil(ev.eval(target)) {
			return // nil is nil
		}
	default:
		return
	}
	if p, ok := ev.unknownVariable(call.Args[0], append(then, call)); ok { // it calls methods of the error
		ev.noteNonNil(p)
	}
}

// noteNonNil notes that an unknown variable isn't nil.
func (ev *Evaluator) noteNonNil(p value.Variable) {
	isNil := value.IsNil
	if p.Type == nil || types.IsInterface(p.Type) {
		isNil = value.IsNilInterface
	}
	v := p.Cell.Load().(*value.Unknown).Only(func(v value.Value) bool { return !isNil(v) })
	if u, ok := v.(*value.Unknown); ok {
		refined := *u
		refined.NonNil = true
		v = &refined
	}
	ev.Set(p.Cell, v)
}

// assumeFails makes known what follows from cond being false.
func (ev *Evaluator) assumeFails(cond ast.Expr, then []ast.Expr) {
	switch cond := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		if cond.Op == token.NOT {
			ev.assumeHolds(cond.X, then)
		}
	case *ast.BinaryExpr:
		switch cond.Op {
		case token.LOR:
			ev.assumeFails(cond.X, append(then, cond.Y))
			ev.assumeFails(cond.Y, then)
		case token.EQL:
			ev.assumeDifferent(cond.X, cond.Y, then)
		case token.NEQ:
			ev.assumeEqual(cond.X, cond.Y, then)
		}
	case *ast.CallExpr:
		ev.assumeYielded(cond, false, then)
	default:
		ev.assumeBool(cond, false, then)
	}
}

// assumeBool makes an unknown boolean variable what it must be.
func (ev *Evaluator) assumeBool(expr ast.Expr, holds bool, then []ast.Expr) {
	if p, ok := ev.unknownVariable(expr, then); ok {
		if t := ev.typeOf(expr); types.Identical(t.Underlying(), types.Typ[types.Bool]) {
			ev.Set(p.Cell, value.NewConst(constant.MakeBool(holds), t))
		}
	}
}

// assumeEqual makes an unknown variable nil, or the constant that it equals.
func (ev *Evaluator) assumeEqual(x, y ast.Expr, then []ast.Expr) {
	if ev.isConstant(x) {
		x, y = y, x
	}
	p, ok := ev.unknownVariable(x, then)
	if !ok || !ev.isConstant(y) {
		return
	}
	t := ev.typeOf(x)
	v := ev.eval(y)
	before := p.Cell.Load().(*value.Unknown)
	if types.IsInterface(t) && !value.IsNil(v) {
		return // the type isn't known
	}
	if value.IsFloat(t) || value.IsComplex(t) {
		return // zero and minus zero
	}
	ev.assumeVariable(before, value.Retyped(v, types.Typ[types.String]))
	ev.Set(p.Cell, value.Retyped(v, t))
}

// assumeDifferent notes that an unknown variable isn't nil, or another constant.
func (ev *Evaluator) assumeDifferent(x, y ast.Expr, then []ast.Expr) {
	if ev.isConstant(x) {
		x, y = y, x
	}
	p, ok := ev.unknownVariable(x, then)
	if !ok || !ev.isConstant(y) {
		return
	}
	c := ev.eval(y)
	before := p.Cell.Load().(*value.Unknown)
	if value.IsNil(c) {
		if value.IsErrorType(ev.typeOf(x)) {
			ev.assumeFailed(before)
		}
		ev.noteNonNil(p)
		return
	}
	now := before
	if text, isText := value.TextOf(c); isText && !types.IsInterface(ev.typeOf(x)) {
		now = before.Except(text)
		ev.assumeVariable(before, now)
	}
	if v := now.Only(func(v value.Value) bool { return !equals(v, c) }); v != value.Value(before) {
		ev.Set(p.Cell, v)
	}
}

// equals reports whether two values are surely equal.
func equals(a, b value.Value) bool {
	answer, _ := value.Compare(a, b)
	return answer == value.Yes
}

// isConstant reports whether an expression is a constant or nil: nothing in it is evaluated
// when the program runs, not even a call within unsafe.Sizeof.
func (ev *Evaluator) isConstant(expr ast.Expr) bool {
	tv := ev.frame.pkg.Info.Types[expr]
	return tv.Value != nil || tv.IsNil()
}

// unknownVariable returns the variable or field that expr names, if it is one
// whose value isn't known, and what was evaluated then can't have changed it.
func (ev *Evaluator) unknownVariable(expr ast.Expr, then []ast.Expr) (value.Variable, bool) {
	if slices.ContainsFunc(then, ev.hasCall) && !ev.isOfThisFunction(expr) {
		return value.Variable{}, false
	}
	if cell := ev.askedVariable(expr); cell != nil && value.IsUnknown(cell.Load()) {
		return ev.variableAt(cell, types.Typ[types.String]), true
	}
	if !isName(expr) {
		return value.Variable{}, false
	}
	p, ok := ev.place(expr).(value.Variable)
	if !ok || !value.IsUnknown(p.Cell.Load()) {
		return value.Variable{}, false
	}
	return p, true
}

// isName reports whether expr is a name, or a field of one.
func isName(expr ast.Expr) bool {
	switch expr := ast.Unparen(expr).(type) {
	case *ast.Ident:
		return expr.Name != "_"
	case *ast.SelectorExpr:
		return isName(expr.X)
	default:
		return false
	}
}

// isOfThisFunction reports whether expr names a variable of the running function, or a
// field of one, that no other function can change: its address isn't taken, and no
// function literal uses it.
func (ev *Evaluator) isOfThisFunction(expr ast.Expr) bool {
	switch expr := ast.Unparen(expr).(type) {
	case *ast.SelectorExpr:
		field := ev.frame.pkg.Info.Selections[expr]
		return field != nil && !field.Indirect() && ev.isOfThisFunction(expr.X)
	case *ast.Ident:
		v, ok := ev.frame.pkg.Info.Uses[expr].(*types.Var)
		return ok && ev.declares(v) && !isLent(ev.frame.pkg, ev.frame.body, v)
	default:
		return false
	}
}

// declares reports whether a variable is declared in the running function.
func (ev *Evaluator) declares(v *types.Var) bool {
	if body := ev.frame.body; body == nil || body.Pos() <= v.Pos() && v.Pos() < body.End() {
		return body != nil
	}
	return ev.frame.sig != nil && slices.Contains(slices.Collect(ev.frame.sig.Params().Variables()), v)
}

// isLent reports whether code takes the address of a variable, or uses it in a function
// literal.
func isLent(pkg *load.Package, code ast.Node, v *types.Var) bool {
	names := func(expr ast.Expr) bool { root := rootOf(expr); return root != nil && pkg.Info.Uses[root] == v }
	lent := false
	ast.Inspect(code, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncLit:
			ast.Inspect(node, func(node ast.Node) bool {
				name, ok := node.(*ast.Ident)
				lent = lent || ok && pkg.Info.Uses[name] == v
				return !lent
			})
		case *ast.UnaryExpr:
			lent = lent || node.Op == token.AND && names(node.X)
		case *ast.SelectorExpr:
			method := pkg.Info.Selections[node]
			lent = lent || method != nil && method.Kind() == types.MethodVal && names(node.X)
		}
		return !lent
	})
	return lent
}

// holding is a branch that runs where cond holds.
func (ev *Evaluator) holding(cond ast.Expr, run branch) branch {
	return func() control {
		ev.assumeHolds(cond, nil)
		return run()
	}
}

// failing is a branch that runs where cond doesn't hold.
func (ev *Evaluator) failing(cond ast.Expr, run branch) branch {
	return func() control {
		ev.assumeFails(cond, nil)
		return run()
	}
}

// terminates reports whether a list of statements surely doesn't go on to what
// follows it in its function. Of a list that isn't seen to, it isn't known.
func terminates(list []ast.Stmt) bool { return slices.ContainsFunc(list, ends) }

// ends reports whether a statement surely doesn't go on to the next one.
func ends(stmt ast.Stmt) bool {
	switch stmt := stmt.(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BlockStmt:
		return terminates(stmt.List)
	case *ast.IfStmt:
		return stmt.Else != nil && ends(stmt.Body) && ends(stmt.Else)
	case *ast.ExprStmt:
		call, ok := stmt.X.(*ast.CallExpr)
		return ok && endsAll(call.Fun)
	default:
		return false
	}
}

// endsAll reports whether a function, by its name, is one that doesn't return.
func endsAll(fun ast.Expr) bool {
	return slices.Contains([]string{"panic", "Exit", "Fatal", "Fatalf", "Fatalln", "Panic", "Panicf", "Panicln"}, builtinName(fun))
}

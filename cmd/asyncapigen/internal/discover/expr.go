package discover

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strings"
)

// source renders an expression for a message, on one line and not too long.
func source(expr ast.Expr) string {
	const longest = 60
	text := strings.Join(strings.Fields(types.ExprString(expr)), " ")
	if runes := []rune(text); len(runes) > longest {
		text = string(runes[:longest]) + "..."
	}
	return text
}

// eval returns the value of an expression. A call with several results gives a
// Tuple.
func (in *interp) eval(expr ast.Expr) Value {
	if d := in.directiveAt(expr); d != nil {
		return in.given(d, expr)
	}
	if in.explain {
		return in.explained(expr)
	}
	return in.evaluate(expr)
}

func (in *interp) evaluate(expr ast.Expr) Value {
	if tv, ok := in.frame.pkg.Info.Types[expr]; ok && tv.Value != nil {
		return constOf(tv.Value, in.typeOf(expr))
	}
	switch expr := expr.(type) {
	case *ast.ParenExpr:
		return in.eval(expr.X)
	case *ast.Ident:
		return in.ident(expr)
	case *ast.FuncLit:
		return &Func{Type: in.typeOf(expr), Lit: expr, Pkg: in.frame.pkg, scope: in.frame.scope, targs: in.frame.targs}
	case *ast.CompositeLit:
		return in.composite(expr, in.typeOf(expr))
	case *ast.SelectorExpr:
		return in.selector(expr)
	case *ast.IndexExpr:
		return in.index1(expr)
	case *ast.IndexListExpr:
		return in.instance(expr.X)
	case *ast.SliceExpr:
		return in.slice(expr)
	case *ast.StarExpr:
		return in.deref(expr, in.eval(expr.X)).load()
	case *ast.UnaryExpr:
		return in.unary(expr)
	case *ast.BinaryExpr:
		return in.binaryExpr(expr)
	case *ast.CallExpr:
		return in.prepare(expr)()
	case *ast.TypeAssertExpr:
		v, _ := in.assert(expr)
		return v
	default:
		return in.unknown(expr.Pos(), "the expression "+source(expr))
	}
}

// evalAs evaluates what is assigned to a variable of type t.
func (in *interp) evalAs(expr ast.Expr, t types.Type) Value {
	v := in.eval(expr)
	if t == nil {
		return v
	}
	return retyped(v, in.frame.targs.subst(t))
}

// evalMulti evaluates the right side of an assignment to n places: a call, or
// one of the expressions that also say whether they succeeded.
func (in *interp) evalMulti(expr ast.Expr, n int) Value {
	boolean := func(a answer) Value {
		if a == perhaps {
			return in.unknown(expr.Pos(), "whether "+source(expr)+" succeeds")
		}
		return constOf(constant.MakeBool(a == yes), types.Typ[types.Bool])
	}
	switch e := ast.Unparen(expr).(type) {
	case *ast.TypeAssertExpr:
		v, ok := in.assert(e)
		return Tuple{v, boolean(ok)}
	case *ast.IndexExpr:
		x, key, t := in.eval(e.X), in.eval(e.Index), in.typeOf(e)
		if tuple, ok := t.(*types.Tuple); ok {
			t = tuple.At(0).Type()
		}
		switch x := x.(type) {
		case *Map:
			v, present := in.lookup(x, key, t)
			return Tuple{v, boolean(present)}
		case Nil:
			return Tuple{in.zero(t), boolean(no)}
		default:
			return Tuple{in.because(expr, x), boolean(perhaps)}
		}
	case *ast.CallExpr:
		return in.eval(e)
	}
	v := in.eval(expr)
	if n == 2 {
		if _, ok := v.(Tuple); !ok {
			return Tuple{v, in.unknown(expr.Pos(), "whether "+source(expr)+" succeeds")}
		}
	}
	return v
}

func (in *interp) ident(expr *ast.Ident) Value {
	switch obj := in.frame.pkg.Info.Uses[expr].(type) {
	case *types.Var:
		v := in.variable(obj).v
		if u, ok := v.(*Unknown); ok && !u.Pos.IsValid() {
			here := *u
			here.Pos = expr.Pos()
			return &here
		}
		return v
	case *types.Func:
		return in.instance(expr)
	case *types.Nil:
		return Nil{Type: in.typeOf(expr)}
	default:
		return in.unknown(expr.Pos(), "the name "+expr.Name)
	}
}

func (in *interp) variable(v *types.Var) *Cell {
	if cell := in.frame.scope.lookup(v); cell != nil {
		return cell
	}
	if v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
		return in.global(v)
	}
	// The variable's declaration was jumped over, or couldn't be read.
	return newCell(in.unknown(v.Pos(), "the variable "+v.Name()))
}

// instance returns the function that an identifier or a selector from a package
// names, with its type arguments.
func (in *interp) instance(expr ast.Expr) Value {
	expr = ast.Unparen(expr)
	switch e := expr.(type) {
	case *ast.IndexExpr:
		return in.instance(e.X)
	case *ast.IndexListExpr:
		return in.instance(e.X)
	case *ast.SelectorExpr:
		if _, ok := in.frame.pkg.Info.Selections[e]; ok {
			return in.selector(e)
		}
		return in.instance(e.Sel)
	case *ast.Ident:
		obj, ok := in.frame.pkg.Info.Uses[e].(*types.Func)
		if !ok {
			return in.eval(e)
		}
		fn := &Func{Type: in.frame.targs.subst(obj.Type()), Obj: obj}
		if inst, ok := in.frame.pkg.Info.Instances[e]; ok {
			fn.Type = in.frame.targs.subst(inst.Type)
			for i := range inst.TypeArgs.Len() {
				arg := inst.TypeArgs.At(i)
				fn.Generic = fn.Generic || in.generic(arg)
				fn.TArgs = append(fn.TArgs, in.frame.targs.subst(arg))
			}
		}
		return fn
	}
	return in.unknown(expr.Pos(), "the expression "+source(expr))
}

// selector evaluates x.f: a name of a package, a field, a method value or a
// method expression.
func (in *interp) selector(expr *ast.SelectorExpr) Value {
	selection, ok := in.frame.pkg.Info.Selections[expr]
	if !ok {
		return in.ident(expr.Sel)
	}
	switch selection.Kind() {
	case types.FieldVal:
		x := in.eval(expr.X)
		if u, ok := x.(*Unknown); ok && u.pointee == nil {
			return u
		}
		return in.field(expr, x, selection.Index()).load()
	case types.MethodExpr:
		return in.methodExpr(expr, selection)
	default:
		return in.methodValue(expr, selection, in.eval(expr.X))
	}
}

// intOf returns what an integer constant says.
func intOf(v Value) (int, bool) {
	c, ok := v.(Const)
	if !ok {
		return 0, false
	}
	n, exact := constant.Int64Val(constant.ToInt(c.Value))
	return int(n), exact
}

// index1 evaluates x[i]: an element, or an instance of a generic function.
func (in *interp) index1(expr *ast.IndexExpr) Value {
	if tv := in.frame.pkg.Info.Types[expr.Index]; tv.IsType() {
		return in.instance(expr.X)
	}
	x := in.eval(expr.X)
	if m, ok := x.(*Map); ok {
		v, _ := in.lookup(m, in.eval(expr.Index), in.typeOf(expr))
		return v
	}
	if _, isMap := in.typeOf(expr.X).Underlying().(*types.Map); isMap && isNil(x) {
		return in.zero(in.typeOf(expr))
	}
	return in.indexed(expr, x).load()
}

// slice evaluates x[low:high:max].
func (in *interp) slice(expr *ast.SliceExpr) Value {
	x := in.eval(expr.X)
	low, high, limit := 0, -1, -1
	for _, bound := range []struct {
		expr ast.Expr
		to   *int
	}{{expr.Low, &low}, {expr.High, &high}, {expr.Max, &limit}} {
		if bound.expr == nil {
			continue
		}
		v := in.eval(bound.expr)
		n, known := intOf(v)
		if !known {
			return in.because(expr, v)
		}
		*bound.to = n
	}
	if c, ok := x.(Const); ok && c.Value.Kind() == constant.String {
		text := constant.StringVal(c.Value)
		if high < 0 {
			high = len(text)
		}
		if low < 0 || low > high || high > len(text) {
			in.fail(expr, "the index is out of range")
		}
		return constOf(constant.MakeString(text[low:high]), in.typeOf(expr))
	}
	return in.sliceCells(expr, x, low, high, limit)
}

func (in *interp) sliceCells(expr *ast.SliceExpr, x Value, low, high, limit int) Value {
	var cells []*Cell
	switch x := x.(type) {
	case *Slice:
		cells = x.Elems
	case Pointer:
		if array, ok := x.To.v.(*Array); ok {
			cells = array.Elems
			break
		}
		return in.because(expr, x.To.v)
	case *Array:
		cells = x.Elems
	case Nil:
		return x
	default:
		return in.because(expr, x)
	}
	if high < 0 {
		high = len(cells)
	}
	if limit < 0 {
		limit = cap(cells)
	}
	if low < 0 || low > high || high > limit || limit > cap(cells) {
		in.fail(expr, "the index is out of range")
	}
	return &Slice{Type: in.typeOf(expr), Elems: cells[low:high:limit]}
}

// because returns the unknown that made an expression unknown.
func (in *interp) because(expr ast.Expr, values ...Value) *Unknown {
	for _, v := range values {
		if u, ok := v.(*Unknown); ok {
			return u
		}
	}
	return in.unknown(expr.Pos(), "the expression "+source(expr))
}

// fail is a run-time panic of the evaluated program.
func (in *interp) fail(at ast.Node, text string) {
	panic(&unwinding{value: &Unknown{Reason: text, Pos: at.Pos(), NonNil: true}, pos: at.Pos()})
}

// address evaluates &x.
func (in *interp) address(expr *ast.UnaryExpr) Value {
	t := in.typeOf(expr)
	if lit, ok := ast.Unparen(expr.X).(*ast.CompositeLit); ok {
		return Pointer{Type: t, To: newCell(in.composite(lit, in.typeOf(lit)))}
	}
	if p, ok := in.place(expr.X).(cellPlace); ok {
		return Pointer{Type: t, To: p.cell}
	}
	return &Unknown{Reason: "the address of " + source(expr.X), Pos: expr.Pos(), NonNil: true}
}

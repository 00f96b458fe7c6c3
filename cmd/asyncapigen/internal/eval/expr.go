package eval

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// eval returns the value of an expression. A call with several results gives a
// Tuple.
func (ev *Evaluator) eval(expr ast.Expr) value.Value {
	if replace := ev.replacement(expr); replace != nil {
		return replace(ev.evalReplaced(expr))
	}
	if ev.Explain {
		return ev.placed(expr, ev.explained(expr, func() value.Value { return ev.evaluate(expr) }))
	}
	return ev.placed(expr, ev.evaluate(expr))
}

func (ev *Evaluator) evaluate(expr ast.Expr) value.Value {
	if tv, ok := ev.frame.pkg.Info.Types[expr]; ok && tv.Value != nil {
		return value.Represented(tv.Value, ev.typeOf(expr))
	}
	switch expr := expr.(type) {
	case *ast.ParenExpr:
		return ev.eval(expr.X)
	case *ast.Ident:
		return ev.ident(expr)
	case *ast.FuncLit:
		ev.made[expr.Body] = ev.frame.pkg
		return &value.Func{Type: ev.typeOf(expr), Closure: &closure{lit: expr, pkg: ev.frame.pkg, scope: ev.frame.scope, targs: ev.frame.targs}}
	case *ast.CompositeLit:
		return ev.composite(expr, ev.typeOf(expr))
	case *ast.SelectorExpr:
		return ev.selector(expr)
	case *ast.IndexExpr:
		return ev.index1(expr)
	case *ast.IndexListExpr:
		return ev.instance(expr.X)
	case *ast.SliceExpr:
		return ev.turn(expr, func() value.Value { return ev.slice(expr) })
	case *ast.StarExpr:
		return ev.load(expr, func(v []value.Value) value.Value {
			at := ev.deref(expr, v[0])
			ev.lookInto(expr, at) // a copy of what a model keeps shares what is in it
			return at.Load()
		}, ev.eval(expr.X))
	case *ast.UnaryExpr:
		return ev.unary(expr)
	case *ast.BinaryExpr:
		return ev.binaryExpr(expr)
	case *ast.CallExpr:
		return ev.callExpr(expr)
	case *ast.TypeAssertExpr:
		if ev.isInTurn(expr) {
			return ev.turn(expr, func() value.Value { return ev.assertion(expr) })
		}
		return ev.assertion(expr)
	default:
		return value.UnknownAt(expr.Pos(), "the expression "+value.Source(expr))
	}
}

// assertion evaluates x.(T).
func (ev *Evaluator) assertion(expr *ast.TypeAssertExpr) value.Value {
	x := ev.eval(expr.X)
	v, holds := ev.assert(expr, x)
	switch holds {
	case value.No:
		ev.failAssertion(expr, x)
	case value.Perhaps:
		ev.risk(expr, x)
	}
	return v
}

// evalAs evaluates what is assigned to a variable of type t.
func (ev *Evaluator) evalAs(expr ast.Expr, t types.Type) value.Value {
	if t == nil {
		return ev.eval(expr)
	}
	v := ev.evalTo(expr, t)
	return ev.boxed(expr, value.Retyped(v, ev.frame.targs.subst(t)), t)
}

// boxed returns the value of expr as one of type t: an interface that holds a
// value of another type isn't nil, whatever that value is.
func (ev *Evaluator) boxed(expr ast.Expr, v value.Value, t types.Type) value.Value {
	return ev.boxedFrom(ev.typeOf(expr), v, t)
}

// boxedFrom is boxed for a value of the type from.
func (ev *Evaluator) boxedFrom(from types.Type, v value.Value, t types.Type) value.Value {
	u, ok := v.(*value.Unknown)
	if !ok || t == nil || !types.IsInterface(ev.frame.targs.subst(t)) {
		return v
	}
	if _, isTuple := from.(*types.Tuple); isTuple || types.IsInterface(from) || value.IsUntyped(from) || from == types.Typ[types.Invalid] {
		return v
	}
	return u.InInterface(from)
}

// boxedParts returns the n values of expr, which may be a call with as many results,
// each as one of the type that it is assigned to.
func (ev *Evaluator) boxedParts(expr ast.Expr, v value.Value, n int, to func(i int) types.Type) []value.Value {
	from := ev.typeOf(expr)
	tuple, isTuple := from.(*types.Tuple)
	parts := slices.Clone(spread(v, n))
	for i := range parts {
		if isTuple && i < tuple.Len() {
			from = tuple.At(i).Type()
		}
		parts[i] = ev.boxedFrom(from, parts[i], to(i))
	}
	return parts
}

// evalMulti evaluates the right side of an assignment to n places: a call, or
// one of the expressions that also say whether they succeeded.
func (ev *Evaluator) evalMulti(expr ast.Expr, n int) value.Value {
	boolean := func(a value.Answer, from ...value.Value) value.Value {
		if a == value.Perhaps {
			return unknownSuccess(expr, from...)
		}
		return value.NewConst(constant.MakeBool(a == value.Yes), types.Typ[types.Bool])
	}
	switch e := ast.Unparen(expr).(type) {
	case *ast.TypeAssertExpr:
		x := ev.eval(e.X)
		v, ok := ev.assert(e, x)
		return value.Tuple{v, boolean(ok, x)}
	case *ast.IndexExpr:
		x, key := ev.evalIndex(e, ev.eval)
		t := ev.typeOf(e)
		if tuple, ok := t.(*types.Tuple); ok {
			t = tuple.At(0).Type()
		}
		v, present := ev.mapEntry(e, x, key, t)
		return value.Tuple{v, boolean(present, v, x, key)}
	case *ast.CallExpr:
		return ev.eval(e)
	}
	v := ev.eval(expr)
	if n == 2 {
		if _, ok := v.(value.Tuple); !ok {
			return value.Tuple{v, unknownSuccess(expr, v)}
		}
	}
	return v
}

// unknownSuccess says that it isn't known whether an expression succeeds: because of the
// first of some values that isn't known.
func unknownSuccess(expr ast.Expr, from ...value.Value) *value.Unknown {
	u := value.UnknownAt(expr.Pos(), "whether "+value.Source(expr)+" succeeds")
	i := slices.IndexFunc(from, value.IsUnknown)
	if i < 0 {
		return u
	}
	why := from[i].(*value.Unknown)
	u.Reason = withOrigin(u.Reason, why)
	u.Unread, u.Computed, u.Origin = why.Unread, why.Computed, why.FirstPos()
	return u
}

func (ev *Evaluator) ident(expr *ast.Ident) value.Value {
	switch obj := ev.frame.pkg.Info.Uses[expr].(type) {
	case *types.Var:
		v := ev.variable(obj).Load()
		if u, ok := v.(*value.Unknown); ok && !u.Pos.IsValid() {
			here := *u
			here.Pos = expr.Pos()
			return &here
		}
		return v
	case *types.Func:
		return ev.instance(expr)
	case *types.Nil:
		return value.Nil{Type: ev.typeOf(expr)}
	default:
		return value.UnknownAt(expr.Pos(), "the name "+expr.Name)
	}
}

func (ev *Evaluator) variable(v *types.Var) *value.Cell {
	if cell := ev.frame.scope.lookup(v); cell != nil {
		return cell
	}
	if v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
		return ev.global(v)
	}
	// The variable's declaration was jumped over, or couldn't be read.
	return value.NewCell(value.UnknownAt(v.Pos(), "the variable "+v.Name()))
}

// instance returns the function that an identifier or a selector from a package
// names, with its type arguments.
func (ev *Evaluator) instance(expr ast.Expr) value.Value {
	switch e := expr.(type) {
	case *ast.IndexExpr:
		return ev.instance(e.X)
	case *ast.IndexListExpr:
		return ev.instance(e.X)
	case *ast.SelectorExpr:
		if _, ok := ev.frame.pkg.Info.Selections[e]; ok {
			return ev.selector(e)
		}
		return ev.instance(e.Sel)
	case *ast.Ident:
		obj, ok := ev.frame.pkg.Info.Uses[e].(*types.Func)
		if !ok {
			return ev.eval(e)
		}
		fn := &value.Func{Type: ev.frame.targs.subst(obj.Type()), Obj: obj}
		if inst, ok := ev.frame.pkg.Info.Instances[e]; ok {
			fn.Type = ev.frame.targs.subst(inst.Type)
			for i := range inst.TypeArgs.Len() {
				arg := inst.TypeArgs.At(i)
				fn.Generic = fn.Generic || ev.generic(arg)
				fn.TArgs = append(fn.TArgs, ev.frame.targs.subst(arg))
			}
		}
		return fn
	}
	return value.UnknownAt(expr.Pos(), "the expression "+value.Source(expr))
}

// selector evaluates x.f: a name of a package, a field, a method value or a
// method expression.
func (ev *Evaluator) selector(expr *ast.SelectorExpr) value.Value {
	selection, ok := ev.frame.pkg.Info.Selections[expr]
	if !ok {
		return ev.ident(expr.Sel)
	}
	switch selection.Kind() {
	case types.FieldVal:
		return ev.load(expr, func(v []value.Value) value.Value {
			if u, ok := v[0].(*value.Unknown); ok && u.Pointee == nil {
				ev.riskOfNil(expr, u, ev.typeOf(expr.X))
				return ev.leadingWithin(ev.fieldOf(u, selection.Obj().(*types.Var)), u, ev.typeOf(expr.X), selection.Index())
			}
			return ev.field(expr, v[0], selection.Index()).Load()
		}, ev.eval(expr.X))
	case types.MethodExpr:
		return ev.methodExpr(expr, selection)
	default:
		method := ev.methodValue(expr, selection, ev.receiverOf(expr.X, selection))
		ev.requireReceiver(expr, expr, method)
		return method
	}
}

// leadingWithin returns the field at an index of a reference that isn't known, of a type. It
// leads only to what the field holds of each thing that the reference may be.
func (ev *Evaluator) leadingWithin(field value.Value, u *value.Unknown, t types.Type, index []int) value.Value {
	part, ok := field.(*value.Unknown)
	if !ok || !u.IsReference() || len(index) > 1 {
		return field
	}
	if elem := value.Pointee(t); elem != nil {
		t = elem
	}
	held := value.Behind{State: ev.State, Of: u, Type: value.FieldType(t, index[0]), Parts: value.FieldOf(t, index[0])}.Load()
	return part.LeadingTo(held.(*value.Unknown))
}

// mapEntry returns the entry m[key] of type t, and whether there is one.
func (ev *Evaluator) mapEntry(at *ast.IndexExpr, m, key value.Value, t types.Type) (value.Value, value.Answer) {
	ev.RequireHashable(at, key, ev.typeOf(at.X))
	var answers []value.Answer
	if v, ok := ev.forEach(at, []value.Value{m, key}, func(v []value.Value) value.Value {
		held, present := ev.mapEntry(at, v[0], v[1], t)
		answers = append(answers, present)
		return held
	}); ok {
		if slices.Min(answers) != slices.Max(answers) {
			return v, value.Perhaps
		}
		return v, answers[0]
	}
	switch m := m.(type) {
	case *value.Map:
		if zero, ok := ev.entryOfWord(m, key, t); ok {
			return zero, value.No
		}
		return ev.Lookup(m, key, t)
	case value.Nil:
		return ev.Zero(t), value.No
	default:
		return value.Because(at, m), value.Perhaps
	}
}

// index1 evaluates x[i]: an element, or an instance of a generic function.
func (ev *Evaluator) index1(expr *ast.IndexExpr) value.Value {
	if tv := ev.frame.pkg.Info.Types[expr.Index]; tv.IsType() {
		return ev.instance(expr.X)
	}
	x, i := ev.evalIndex(expr, ev.eval)
	if _, isMap := ev.typeOf(expr.X).Underlying().(*types.Map); isMap {
		v, _ := ev.mapEntry(expr, x, i, ev.typeOf(expr))
		return v
	}
	return ev.load(expr, func(v []value.Value) value.Value { return ev.indexed(expr, v[0], v[1]).Load() }, x, i)
}

// load returns what a place holds that operands lead to.
func (ev *Evaluator) load(at ast.Expr, place func(operands []value.Value) value.Value, operands ...value.Value) value.Value {
	if v, ok := ev.forEach(at, operands, place); ok {
		return v
	}
	return place(operands)
}

// address evaluates &x.
func (ev *Evaluator) address(expr *ast.UnaryExpr) value.Value {
	t := ev.typeOf(expr)
	if lit, ok := ast.Unparen(expr.X).(*ast.CompositeLit); ok {
		return value.Pointer{Type: t, To: ev.Declared(ev.composite(lit, ev.typeOf(lit)))}
	}
	ev.noteAssigned(expr.X)
	switch p := ev.place(expr.X).(type) {
	case value.Variable:
		return value.Pointer{Type: t, To: p.Cell}
	case value.OneOf:
		return p.Address()
	case value.Behind:
		return p.Address()
	case wordPlace:
		p.Store(p.word) // by whoever has the address
	}
	why := value.UnknownAt(expr.Pos(), "the address of "+value.Source(expr.X))
	somewhere := value.Pointer{Type: t, To: value.NewCell(why)} // what is there may be assigned to without it, too
	return &value.Unknown{Reason: why.Reason, Pos: why.Pos, NonNil: true, Targets: []value.Value{somewhere}}
}

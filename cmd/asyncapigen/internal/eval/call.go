package eval

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// prepare evaluates what is called and its arguments, and returns the call:
// defer and go run it later, with the values of now.
func (ev *Evaluator) prepare(call *ast.CallExpr) func() value.Value {
	fun := ast.Unparen(call.Fun)
	tv := ev.frame.pkg.Info.Types[fun]
	switch {
	case tv.IsType():
		return func() value.Value { return ev.conversion(call) }
	case tv.IsBuiltin():
		args := ev.builtinArguments(call)
		return func() value.Value { return ev.builtin(call, fun, args) }
	}
	callee, args := ev.calleeAndArguments(call, fun)
	return func() value.Value { return ev.Call(call, callee, args) }
}

// calleeAndArguments evaluates what is called, and what it is called with. A
// function value or a receiver is that which the calls in the arguments leave.
func (ev *Evaluator) calleeAndArguments(call *ast.CallExpr, fun ast.Expr) (callee value.Value, args []value.Value) {
	if slices.ContainsFunc(call.Args, ev.hasCall) && ev.frame.calls == nil {
		ev.frame.calls = &calls{results: make(map[*ast.CallExpr]value.Value)}
		defer func(frame *frame) { frame.calls = nil }(ev.frame)
	}
	callee = ev.callee(fun)
	before := ev.Mark()
	args = ev.arguments(call, callee)
	fn, isFunc := callee.(*value.Func)
	if ev.Mark() != before && ev.frame.calls != nil && (!isFunc || fn.Bound || fn.Obj == nil) {
		ev.replay([]int{before}, func(int) { callee = ev.callee(fun) })
	}
	if method, ok := callee.(*value.Func); ok {
		if selector, ok := fun.(*ast.SelectorExpr); ok {
			ev.requireReceiver(call, selector, method)
		}
	}
	return callee, args
}

// callee evaluates what a call calls. A method of a nil interface fails when its
// arguments have been evaluated.
func (ev *Evaluator) callee(fun ast.Expr) value.Value {
	if selector, ok := fun.(*ast.SelectorExpr); ok {
		if selection := ev.frame.pkg.Info.Selections[selector]; selection != nil && selection.Kind() == types.MethodVal {
			return ev.methodValue(selector, selection, ev.eval(selector.X))
		}
	}
	return ev.eval(fun)
}

// arguments evaluates the arguments of a call, those of a variadic parameter as
// one slice.
func (ev *Evaluator) arguments(call *ast.CallExpr, callee value.Value) []value.Value {
	sig := ev.signature(call.Fun, callee)
	if sig == nil {
		args := make([]value.Value, len(call.Args))
		ev.inOrder(call.Args, func(i int) { args[i] = ev.eval(call.Args[i]) })
		return args
	}
	params := sig.Params()
	if len(call.Args) == 1 && (params.Len() > 1 || sig.Variadic()) {
		if tuple, ok := ev.typeOf(call.Args[0]).(*types.Tuple); ok {
			return ev.packVariadic(spread(ev.eval(call.Args[0]), tuple.Len()), sig)
		}
	}
	args := make([]value.Value, len(call.Args))
	ev.inOrder(call.Args, func(i int) {
		args[i] = ev.Copied(ev.evalAs(call.Args[i], paramType(sig, i, call.Ellipsis.IsValid())))
	})
	if call.Ellipsis.IsValid() {
		return args
	}
	return ev.packVariadic(args, sig)
}

func (ev *Evaluator) signature(fun ast.Expr, callee value.Value) *types.Signature {
	if fn, ok := callee.(*value.Func); ok && fn.Type != nil {
		if sig, ok := fn.Type.Underlying().(*types.Signature); ok {
			return sig
		}
	}
	sig, _ := ev.typeOf(fun).Underlying().(*types.Signature)
	return sig
}

// paramType returns the type of the parameter that takes argument i.
func paramType(sig *types.Signature, i int, spread bool) types.Type {
	last := sig.Params().Len() - 1
	if sig.Variadic() && i >= last && !spread {
		if slice, ok := sig.Params().At(last).Type().Underlying().(*types.Slice); ok {
			return slice.Elem()
		}
		return nil
	}
	if i > last {
		return nil
	}
	return sig.Params().At(i).Type()
}

func (ev *Evaluator) packVariadic(args []value.Value, sig *types.Signature) []value.Value {
	if !sig.Variadic() {
		return args
	}
	fixed := sig.Params().Len() - 1
	if len(args) < fixed {
		return args
	}
	t := sig.Params().At(fixed).Type()
	if len(args) == fixed {
		return append(args[:fixed:fixed], value.Nil{Type: t})
	}
	rest := &value.Slice{Type: t}
	for _, v := range args[fixed:] {
		rest.Elems = append(rest.Elems, value.NewCell(ev.Copied(v)))
	}
	rest.Elems = rest.Elems[:len(rest.Elems):len(rest.Elems)]
	return append(args[:fixed:fixed], rest)
}

// call calls a function value.
func (ev *Evaluator) Call(at ast.Expr, callee value.Value, args []value.Value) value.Value {
	ev.step(at.Pos())
	fn, ok := callee.(*value.Func)
	if !ok {
		if value.IsNil(callee) {
			ev.Fail(at, nilDereference)
		}
		return ev.opaque(at, nil, callee, args)
	}
	if fn.Native != nil {
		return fn.Native(args)
	}
	if c, ok := fn.Closure.(*closure); ok {
		sig, _ := c.pkg.Info.TypeOf(c.lit).(*types.Signature)
		return ev.invoke(function{
			pkg: c.pkg, sig: sig, typ: c.lit.Type, body: c.lit.Body, scope: c.scope, targs: c.targs,
		}, at, args)
	}
	return ev.CallFunction(at, fn, args)
}

// Calls runs f and returns the declared functions that it called.
func (ev *Evaluator) Calls(f func()) map[*types.Func]bool {
	around := ev.called
	ev.called = make(map[*types.Func]bool)
	defer func() { ev.called = around }()
	f()
	return ev.called
}

// CallFunction calls a declared function or, with a receiver, a method.
func (ev *Evaluator) CallFunction(at ast.Expr, fn *value.Func, args []value.Value) value.Value {
	ev.called[fn.Obj.Origin()] = true
	if fn.Bound && wantsValue(fn) {
		ev.Fail(at, nilDereference)
	}
	if v, ok := ev.modelled(at, fn, args); ok {
		return v
	}
	pkg, decl := ev.declaration(fn.Obj)
	if decl == nil || ev.foreign.refused[fn.Obj.Origin()] {
		return ev.opaque(at, fn, nil, args)
	}
	obj, _ := pkg.Info.Defs[decl.Name].(*types.Func)
	sig := obj.Signature()
	params := sig.TypeParams()
	if sig.RecvTypeParams().Len() > 0 {
		params = sig.RecvTypeParams()
	}
	f := function{
		pkg: pkg, sig: sig, typ: decl.Type, body: decl.Body,
		targs: typeArgs{locals: ev.locals}.with(params, fn.TArgs), obj: obj,
	}
	if decl.Recv != nil && fn.Bound {
		f.recv, f.recvValue = decl.Recv, fn.Recv
	}
	if ev.inOwn() && !ev.program.IsOwn(pkg.Path) {
		return ev.callForeign(at, fn, args, func() value.Value { return ev.invoke(f, at, args) })
	}
	return ev.invoke(f, at, args)
}

// modelled calls a function that is known without its source: one of the
// user's, or one of the library that has a model.
func (ev *Evaluator) modelled(at ast.Expr, fn *value.Func, args []value.Value) (value.Value, bool) {
	call := &model.Call{State: ev.State, Machine: ev, At: at, Fn: fn, Args: args}
	if e, ok := fn.Recv.(*model.RuntimeError); ok {
		return e.CallMethod(call), true
	}
	if v, ok := ev.user.Call(call); ok {
		return v, true
	}
	if model := model.Lookup(fn.Obj.Origin().FullName()); model != nil {
		return model(call)
	}
	return nil, false
}

// closure is a function literal and what is around it.
type closure struct {
	lit   *ast.FuncLit
	pkg   *load.Package
	scope *scope
	targs typeArgs
}

// function is what can be run.
type function struct {
	obj       *types.Func
	pkg       *load.Package
	sig       *types.Signature
	typ       *ast.FuncType
	body      *ast.BlockStmt
	recv      *ast.FieldList
	recvValue value.Value
	scope     *scope // around a literal
	targs     typeArgs
}

// invoke runs a function's body and returns its result.
func (ev *Evaluator) invoke(f function, at ast.Expr, args []value.Value) value.Value {
	if ev.depth >= maxDepth {
		ev.GiveUp(at) // nothing is known of what the deeper calls would write
	}
	if f.sig == nil || ev.recursive(f) {
		why := value.UnknownAt(at.Pos(), "the result of a recursion that is too deep to follow")
		ev.Havoc(why, append(args, f.recvValue)...)
		return ev.results(f.sig, why)
	}
	outer := ev.frame
	ev.entered[f.body] = true
	ev.depth++
	ev.frame = &frame{
		outer: outer, body: f.body,
		pkg: f.pkg, sig: f.sig, targs: f.targs, scope: &scope{parent: f.scope},
		mark: ev.Mark(), risks: ev.risks, conds: len(ev.conds),
	}
	defer func() {
		ev.conds = ev.conds[:ev.frame.conds]
		ev.depth--
		ev.frame = outer
	}()
	if len(f.pkg.Errors) > 0 {
		ev.tolerate(func() { ev.bind(f, args) })
	} else {
		ev.bind(f, args)
	}
	panicked := ev.runBody(f)
	deferred := len(ev.frame.defers) > 0
	panicked = ev.runDefers(panicked)
	if panicked != nil && !panicked.recovered {
		panic(panicked)
	}
	return ev.returned(f.sig, panicked != nil, deferred)
}

// recursive reports whether a function calls itself again and again under
// conditions that aren't known: nothing would ever end that.
func (ev *Evaluator) recursive(f function) bool {
	const most = 4
	n := 0
	for frame := ev.frame; frame != nil && len(ev.conds) > 0; frame = frame.outer {
		if frame.body == f.body && frame.conds > 0 {
			if n++; n == most {
				return true
			}
		}
	}
	return false
}

// bind declares the receiver, the parameters and the named results.
func (ev *Evaluator) bind(f function, args []value.Value) {
	if f.recv != nil {
		ev.bindFields(f.recv, []value.Value{f.recvValue})
	}
	ev.bindFields(f.typ.Params, args)
	if f.typ.Results == nil {
		return
	}
	for _, field := range f.typ.Results.List {
		for _, name := range field.Names {
			v, ok := ev.frame.pkg.Info.Defs[name].(*types.Var)
			if !ok {
				ev.frame.results = append(ev.frame.results, value.NewCell(ev.Zero(ev.typeOf(field.Type))))
				continue
			}
			cell := ev.frame.scope.declare(v, ev.Zero(ev.frame.targs.subst(v.Type())))
			ev.frame.results = append(ev.frame.results, cell)
		}
	}
}

func (ev *Evaluator) bindFields(fields *ast.FieldList, args []value.Value) {
	i := 0
	for _, field := range fields.List {
		for _, name := range field.Names {
			if i < len(args) {
				if v, ok := ev.frame.pkg.Info.Defs[name].(*types.Var); ok {
					ev.frame.scope.declare(v, ev.Copied(value.Retyped(args[i], ev.frame.targs.subst(v.Type()))))
				}
			}
			i++
		}
		if len(field.Names) == 0 {
			i++
		}
	}
}

// runBody runs the body, joins its early exits, and returns its panic.
func (ev *Evaluator) runBody(f function) (panicked *Panic) {
	frame := ev.frame
	var c control
	func() {
		depth := ev.depth
		defer func() {
			v := recover()
			if v == nil {
				return
			}
			u, ok := v.(*Panic)
			if !ok {
				panic(v)
			}
			panicked, ev.frame, ev.depth, frame.loops = u, frame, depth, nil
		}()
		c = ev.sequence(f.body.List)
	}()
	live := panicked == nil && c.kind != leaves
	exits := frame.pending
	if !live && len(exits) == 0 {
		exits = frame.failures
	}
	if len(exits) == 0 {
		if panicked == nil && !live {
			return &Panic{Final: true} // an endless loop
		}
		return panicked
	}
	ret := frame.ret
	ev.rejoin(frame.mark, exits, live)
	frame.ret = mergeResults(exits, ret, live)
	return nil
}

func mergeResults(exits []*exit, ret []value.Value, live bool) []value.Value {
	all := make([][]value.Value, 0, len(exits)+1)
	if live {
		all = append(all, ret)
	}
	for _, e := range exits {
		all = append(all, e.ret)
	}
	merged := make([]value.Value, len(all[0]))
	for i := range merged {
		values := make([]value.Value, 0, len(all))
		for _, ret := range all {
			if i < len(ret) {
				values = append(values, ret[i])
			}
		}
		merged[i] = value.Merge(exits[0].cond.unknown(), values)
	}
	return merged
}

// results returns u for each result of a function.
func (ev *Evaluator) results(sig *types.Signature, u *value.Unknown) value.Value {
	if sig == nil || sig.Results().Len() == 1 {
		return u
	}
	tuple := make(value.Tuple, sig.Results().Len())
	for i := range tuple {
		tuple[i] = u
	}
	return tuple
}

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
func (ev *Evaluator) prepare(call *ast.CallExpr) func() (value.Value, *failure) {
	fun := ast.Unparen(call.Fun)
	tv := ev.frame.pkg.Info.Types[fun]
	switch {
	case tv.IsType():
		return func() (value.Value, *failure) { return ev.conversion(call), nil }
	case tv.IsBuiltin():
		args := ev.builtinArguments(call)
		return func() (value.Value, *failure) { return ev.builtin(call, fun, args), nil }
	}
	callee, args, failed := ev.calleeAndArguments(call, fun)
	return func() (value.Value, *failure) {
		if failed != nil {
			return ev.callForBoth(call, callee, args, failed), nil
		}
		return ev.call(call, callee, args)
	}
}

// prepareLater is prepare for a call that runs when the statement is over: whether a
// call in its arguments has failed is no more of its own then. Inputs are what is
// called, and its arguments.
func (ev *Evaluator) prepareLater(call *ast.CallExpr) (run func() (value.Value, *failure), inputs []value.Value) {
	fun := ast.Unparen(call.Fun)
	if tv := ev.frame.pkg.Info.Types[fun]; tv.IsBuiltin() {
		args := ev.builtinArguments(call)
		return func() (value.Value, *failure) { return ev.builtin(call, fun, args), nil }, args
	}
	callee, args, failed := ev.calleeAndArguments(call, fun)
	if failed != nil {
		callee, args = ev.settleArguments(callee, args, failed)
	}
	return func() (value.Value, *failure) { return ev.call(call, callee, args) }, append([]value.Value{callee}, args...)
}

// settleArguments joins the failure of the call that gives the arguments with its
// normal end, and returns what is called and the arguments that hold for both.
func (ev *Evaluator) settleArguments(callee value.Value, args []value.Value, failed *failedArguments) (value.Value, []value.Value) {
	f := failed.failure
	if failed.panicked != nil {
		ev.crash(ev.Mark(), &exit{cond: f.cond, panicked: failed.panicked, recorded: f.recorded, defers: slices.Clone(ev.frame.defers)}, f.writes)
		return callee, args
	}
	merged := ev.settle(value.Tuple(append([]value.Value{callee}, args...)), &failure{
		cond: f.cond, writes: f.writes, recorded: f.recorded, until: f.until,
		result: value.Tuple(append([]value.Value{failed.callee}, failed.args...)),
	}).(value.Tuple)
	return merged[0], merged[1:]
}

// calleeAndArguments evaluates what is called, and what it is called with. A
// function value or a receiver is that which the calls in the arguments leave.
func (ev *Evaluator) calleeAndArguments(call *ast.CallExpr, fun ast.Expr) (callee value.Value, args []value.Value, failed *failedArguments) {
	isFirst := ev.isReceiverFirst(fun)
	find := func() {
		if callee = ev.callee(fun); isFirst {
			ev.requireCallee(call, fun, callee)
		}
	}
	arguments := func() { args, failed = ev.arguments(call) }
	ordered := slices.IndexFunc(call.Args, ev.isOrdered)
	if ordered >= 0 {
		defer ev.remembering()()
	}
	switch _, isName := fun.(*ast.Ident); {
	case ordered >= 0 && isFirst:
		ev.inOrder([]ast.Expr{fun, call.Args[ordered]}, func(i int) { []func(){find, arguments}[i]() })
	case ordered >= 0:
		held := ev.heldLocally(fun)
		ev.functionLast(find, arguments)
		if held != nil && isReplaced(held, ev.heldLocally(fun)) {
			callee = value.UnknownAt(fun.Pos(), changedBesides)
		}
	case isFirst || isName || !ev.recoverable():
		find()
		arguments()
	default:
		panicked := ev.operationPanics(find)
		arguments()
		if panicked != nil {
			panic(panicked)
		}
	}
	if failed != nil {
		failed.callee = callee
		if fn, isFunc := callee.(*value.Func); ordered >= 0 && (!isFunc || fn.Bound || fn.Obj == nil) {
			ev.calleeOfFailure(call, fun, failed)
		}
	}
	if !isFirst {
		ev.requireCallee(call, fun, callee)
	}
	return callee, args, failed
}

// functionLast finds the function that is called, and evaluates the arguments: the
// operations that give a function's value come after all others.
func (ev *Evaluator) functionLast(find, arguments func()) {
	var panicked *Panic
	var found int
	ev.postponingRisks(func() {
		panicked, found = ev.operationPanics(find), ev.Mark()
		arguments()
	})
	if panicked != nil || found != ev.Mark() {
		ev.replay(find)
	}
}

// heldLocally returns what a variable of the running function holds whose method is called
// through an interface, nil for another function. Where the compiler sees that it only ever
// holds values of one type, it calls that type's method, and the value is read first
// (cmd/compile/internal/devirtualize).
func (ev *Evaluator) heldLocally(fun ast.Expr) value.Value {
	selector, ok := fun.(*ast.SelectorExpr)
	if !ok || !types.IsInterface(ev.typeOf(selector.X)) || !ev.isLocal(selector.X) {
		return nil
	}
	return ev.eval(selector.X)
}

// isReplaced reports whether a variable of an interface type held a value that another one
// of its type has replaced. Of a pointer, the last one counts in any case.
func isReplaced(before, after value.Value) bool {
	t := value.TypeOf(before)
	return t != nil && !isPointerShaped(t) && !value.Same(before, after)
}

// isReceiverFirst reports whether what is called is a method whose receiver is evaluated
// as the first argument. That of an interface comes last, as any function's value does.
func (ev *Evaluator) isReceiverFirst(fun ast.Expr) bool {
	selector, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	selection := ev.frame.pkg.Info.Selections[selector]
	return selection != nil && selection.Kind() == types.MethodVal && !types.IsInterface(selection.Obj().(*types.Func).Signature().Recv().Type())
}

// requireCallee fails where a call is of a method of nothing. A deferred one of a type
// parameter fails when it runs.
func (ev *Evaluator) requireCallee(call *ast.CallExpr, fun ast.Expr, callee value.Value) {
	method, ok := callee.(*value.Func)
	selector, isSelector := fun.(*ast.SelectorExpr)
	switch {
	case !ok || !isSelector:
		return
	case method.Bound && value.IsTypeParam(ev.writtenType(selector.X)):
		method.NoWay = method.NoWay || value.IsNilInterface(method.Recv)
		method.Indirect, method.MayBeNil = method.Indirect || method.MayBeNil, false
	}
	ev.requireReceiver(call, selector, method)
}

// calleeOfFailure evaluates what is called where the argument's call has failed.
func (ev *Evaluator) calleeOfFailure(call *ast.CallExpr, fun ast.Expr, failed *failedArguments) {
	mark := ev.Mark()
	ev.Apply(failed.failure.writes)
	failed.panicked = ev.Caught(func() {
		ev.replay(func() { failed.callee = ev.callee(fun) })
		ev.requireCallee(call, fun, failed.callee)
	})
	ev.Undo(mark)
}

// callee evaluates what a call calls. A method of a nil interface fails when its
// arguments have been evaluated.
func (ev *Evaluator) callee(fun ast.Expr) value.Value {
	if selector, ok := fun.(*ast.SelectorExpr); ok {
		if selection := ev.frame.pkg.Info.Selections[selector]; selection != nil && selection.Kind() == types.MethodVal {
			recv := ev.receiverOf(selector.X, selection)
			if one := ev.oneOfMethods(selector, selection, recv); one != nil {
				return one
			}
			return ev.methodValue(selector, selection, recv)
		}
	}
	return ev.eval(fun)
}

// arguments evaluates the arguments of a call, those of a variadic parameter as
// one slice.
func (ev *Evaluator) arguments(call *ast.CallExpr) ([]value.Value, *failedArguments) {
	sig, _ := ev.typeOf(call.Fun).Underlying().(*types.Signature)
	if sig == nil {
		args := make([]value.Value, len(call.Args))
		ev.inOrder(call.Args, func(i int) { args[i] = ev.eval(call.Args[i]) })
		return args, nil
	}
	if len(call.Args) == 1 && !call.Ellipsis.IsValid() {
		return ev.onlyArgument(call, sig)
	}
	args := make([]value.Value, len(call.Args))
	ev.inOrder(call.Args, func(i int) {
		args[i] = ev.Copied(ev.evalAs(call.Args[i], paramType(sig, i, call.Ellipsis.IsValid())))
	})
	if call.Ellipsis.IsValid() {
		return args, nil
	}
	return ev.packVariadic(args, sig), nil
}

// failedArguments are the arguments of a call where the one that gives them has
// failed, as in must(load()).
type failedArguments struct {
	failure  *failure
	args     []value.Value
	callee   value.Value
	panicked *Panic // where there is no callee
}

// onlyArgument evaluates the one argument of a call, which may stand for several.
func (ev *Evaluator) onlyArgument(call *ast.CallExpr, sig *types.Signature) ([]value.Value, *failedArguments) {
	expr := call.Args[0]
	n := 1
	if tuple, ok := ev.typeOf(expr).(*types.Tuple); ok {
		n = tuple.Len()
	}
	arguments := func(v value.Value) []value.Value {
		args := ev.boxedParts(expr, v, n, func(i int) types.Type { return paramType(sig, i, false) })
		for i := range args {
			if t := paramType(sig, i, false); t != nil {
				args[i] = ev.Copied(value.Retyped(args[i], ev.frame.targs.subst(t)))
			}
		}
		return ev.packVariadic(args, sig)
	}
	v, failed := ev.evalKept(expr)
	args := arguments(v)
	if failed == nil {
		return args, nil
	}
	return args, &failedArguments{failure: failed, args: arguments(failed.result)}
}

// callForBoth calls a function with the result of a call that may have failed.
func (ev *Evaluator) callForBoth(at *ast.CallExpr, callee value.Value, args []value.Value, failed *failedArguments) value.Value {
	var results []value.Value
	call := func(callee value.Value, args []value.Value) branch {
		return func() control {
			results = append(results, ev.Call(at, callee, args))
			return control{}
		}
	}
	inFailure := call(failed.callee, failed.args)
	if failed.panicked != nil {
		inFailure = func() control { panic(failed.panicked) }
	}
	defer ev.notAtEnd()()
	ev.apart(failed.failure, inFailure, call(callee, args))
	if len(results) == 1 {
		return results[0]
	}
	return mergeValues(failed.failure.cond.unknown(), results[1], results[0])
}

// paramType returns the type of the parameter that takes argument i.
func paramType(sig *types.Signature, i int, spread bool) types.Type {
	last := sig.Params().Len() - 1
	if sig.Variadic() && i >= last && !spread {
		return value.SliceElem(sig.Params().At(last).Type())
	}
	return sig.Params().At(i).Type()
}

func (ev *Evaluator) packVariadic(args []value.Value, sig *types.Signature) []value.Value {
	if !sig.Variadic() {
		return args
	}
	fixed := sig.Params().Len() - 1
	t := sig.Params().At(fixed).Type()
	if len(args) == fixed {
		return append(args[:fixed:fixed], value.Nil{Type: t})
	}
	rest := &value.Slice{Type: t}
	for _, v := range args[fixed:] {
		rest.Elems = append(rest.Elems, ev.Declared(ev.Copied(v)))
	}
	rest.Elems = rest.Elems[:len(rest.Elems):len(rest.Elems)]
	return append(args[:fixed:fixed], rest)
}

// Call calls a function value.
func (ev *Evaluator) Call(at ast.Expr, callee value.Value, args []value.Value) value.Value {
	return ev.settle(ev.call(at, callee, args))
}

// call calls a function value, and returns apart how it may have failed.
func (ev *Evaluator) call(at ast.Expr, callee value.Value, args []value.Value) (value.Value, *failure) {
	ev.step(at.Pos())
	fn, ok := callee.(*value.Func)
	if !ok {
		if value.IsNil(callee) {
			ev.Fail(at, model.NilDereference)
		}
		if u := callee.(*value.Unknown); u.Among != nil {
			return ev.callOne(at, u, args), nil
		}
		return ev.opaque(at, nil, callee, args, nil), nil
	}
	if fn.Late != nil {
		fn = fn.Late()
	}
	if fn.Native != nil {
		around := ev.mayFail
		defer func() { ev.mayFail = around }()
		ev.mayFail = nil
		v := fn.Native(args)
		return v, ev.mayFail
	}
	if c, ok := fn.Closure.(*closure); ok {
		sig, _ := c.pkg.Info.TypeOf(c.lit).(*types.Signature)
		return ev.invoke(function{
			pkg: c.pkg, sig: sig, typ: c.lit.Type, body: c.lit.Body, scope: c.scope, targs: c.targs,
		}, at, args)
	}
	return ev.callDeclared(at, fn, args)
}

// Calls runs f and returns the declared functions that it called.
func (ev *Evaluator) Calls(f func()) map[*types.Func]bool {
	around := ev.called
	ev.called = make(map[*types.Func]bool)
	defer func() { ev.called = around }()
	f()
	return ev.called
}

// Enter calls a declared function or, with a receiver, a method, as an entry
// point of the program: where it may fail, the program doesn't start.
func (ev *Evaluator) Enter(at ast.Expr, fn *value.Func, args []value.Value) {
	around := ev.ended
	defer func() { ev.ended = around }()
	ev.callDeclared(at, fn, args)
}

// EnterMain calls the function main: the program ends when it returns.
func (ev *Evaluator) EnterMain(at ast.Expr, fn *value.Func) {
	ev.tail = at
	ev.callDeclared(at, fn, nil)
}

func (ev *Evaluator) callDeclared(at ast.Expr, fn *value.Func, args []value.Value) (value.Value, *failure) {
	ev.called[fn.Obj.Origin()] = true
	switch {
	case fn.NoWay:
		ev.Fail(at, model.NilDereference)
	case fn.Bound && wantsValue(fn): // whose text says more where the compiler doesn't know the type
		ev.Panic(at, &value.Unknown{Reason: "a panic of " + value.Source(at), Pos: at.Pos(), NonNil: true})
	}
	if fn.Indirect {
		ev.risk(CalledExpr(at), fn.Recv)
	}
	call := &model.Call{State: ev.State, Machine: ev, At: at, Fn: fn, Args: args}
	if v, failed, ok := ev.modelled(call); ok {
		return v, failed
	}
	pkg, decl := ev.declaration(fn.Obj)
	if decl == nil || ev.isGivenUp(fn) {
		return ev.opaque(at, fn, nil, args, call.Lacked), nil
	}
	obj, _ := pkg.Info.Defs[decl.Name].(*types.Func)
	sig := obj.Signature()
	params := sig.TypeParams()
	if sig.RecvTypeParams().Len() > 0 {
		params = sig.RecvTypeParams()
	}
	f := function{
		pkg: pkg, sig: sig, typ: decl.Type, body: decl.Body,
		targs: typeArgs{argumentsOf(params, fn.TArgs), ev.instances}, obj: obj,
	}
	if decl.Recv != nil && fn.Bound {
		f.recv, f.recvValue = decl.Recv, fn.Recv
	}
	if ev.inOwn() && !ev.program.IsOwn(pkg.Path) {
		return ev.callForeign(at, fn, args, func() (value.Value, *failure) { return ev.invoke(f, at, args) })
	}
	return ev.invoke(f, at, args)
}

// modelled calls a function that is known without its source: one of the
// user's, or one of the library that has a model. How it may have failed is apart.
func (ev *Evaluator) modelled(call *model.Call) (value.Value, *failure, bool) {
	at, fn, args := call.At, call.Fn, call.Args
	if e, ok := fn.Recv.(*model.RuntimeError); ok {
		return e.CallMethod(call), nil, true
	}
	around := ev.mayFail
	defer func() { ev.mayFail = around }()
	ev.mayFail = nil
	if v, ok := ev.user.Call(call); ok {
		return v, ev.mayFail, true
	}
	function := model.Lookup(fn.Obj.Origin().FullName())
	if function == nil || fn.Obj.Pkg() != nil && ev.program.IsReplaced(fn.Obj.Pkg().Path()) { // which may do anything
		return nil, nil, false
	}
	if err := model.WalkedError(fn, args); err != nil {
		return ev.eachWithin(at, CalledExpr(at), err, func(v value.Value) value.Value {
			return ev.Call(at, fn, append([]value.Value{v}, args[1:]...))
		}), nil, true
	}
	if ev.recoverable() && endsByLog[fn.Obj.FullName()] && !ev.writesCalmly(args) {
		ev.Lend(at, args, value.UnknownResult(at))
		ev.risk(CalledExpr(at), args...)
	}
	if demanded := model.Demanded(fn, args); slices.ContainsFunc(demanded, value.IsUnknown) {
		ev.risk(CalledExpr(at), demanded...)
	}
	var nilable []value.Value
	switch pkg := fn.Obj.Pkg(); {
	case !ev.recoverable() || pkg == nil:
	case ev.program.InStandardLibrary(pkg.Path()):
		nilable = model.Nilable(fn, args)
	default:
		nilable = model.NilableOfModules(fn, args)
	}
	for _, v := range args {
		ev.forModel(v)
	}
	if pkg := fn.Obj.Pkg(); pkg != nil {
		ev.callKept(at, pkg.Path())
	}
	ev.mayFail, ev.tail = nil, nil // it may call several functions
	exposed := ev.exposed
	v, ok := function(call)
	switch {
	case !ok: // the model hasn't panicked, but the function may
	case len(nilable) > 0:
		ev.risk(CalledExpr(at), nilable...)
	case ev.exposed > exposed && !model.EffectsOf(fn.Obj).Calm:
		ev.risk(CalledExpr(at), args...)
	}
	return v, ev.mayFail, ok
}

// forModel notes that what becomes of a function literal, or one in a field of a struct, is for a model to say.
func (ev *Evaluator) forModel(v value.Value) {
	switch v := v.(type) {
	case *value.Func:
		if c, isLiteral := v.Closure.(*closure); isLiteral {
			delete(ev.made, c.lit.Body)
		}
	case *value.Struct:
		for _, cell := range v.Fields {
			ev.forModel(cell.Load())
		}
	}
}

// synchronizing are the packages by whose functions goroutines wait for others.
var synchronizing = map[string]bool{"context": true, "sync": true, "sync/atomic": true, "time": true}

// callKept follows what a function with a model, of a package, may call of what was given to
// others before: a provider of settings its callback, a set of flags their values and the writer
// of its messages, a framework what its variables hold.
func (ev *Evaluator) callKept(at ast.Expr, path string) {
	isForeign := !ev.program.InStandardLibrary(path)
	if isForeign || path == "flag" || synchronizing[path] {
		ev.elsewhere(at)
	}
	if isForeign {
		ev.lendVariables(at, path)
	}
}

// closure is a function literal and what is around it.
type closure struct {
	lit   *ast.FuncLit
	pkg   *load.Package
	scope *scope
	targs typeArgs
}

// Literal returns the function literal that fn is, nil where it is none.
func Literal(fn *value.Func) (*load.Package, *ast.FuncLit) {
	if c, ok := fn.Closure.(*closure); ok {
		return c.pkg, c.lit
	}
	return nil, nil
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
func (ev *Evaluator) invoke(f function, at ast.Expr, args []value.Value) (value.Value, *failure) {
	if ev.depth >= maxDepth {
		ev.GiveUp(at) // nothing is known of what the deeper calls would write
	}
	if f.sig == nil || ev.recursive(f) {
		return ev.giveUpRecursion(f, at, args), nil
	}
	outer, tail, exposed := ev.frame, ev.tail != nil && ev.tail == at, ev.exposed
	if tail {
		ev.tail = nil
	}
	ev.entered[f.body] = true
	ev.depth++
	ev.frame = &frame{
		outer: outer, at: at.Pos(), call: at, body: f.body,
		pkg: f.pkg, sig: f.sig, targs: f.targs, scope: &scope{parent: f.scope},
		mark: ev.Mark(), conds: len(ev.conds), tail: tail, atEnd: tail,
	}
	defer func() {
		ev.conds = ev.conds[:ev.frame.conds]
		ev.depth--
		ev.frame, ev.exposed = outer, exposed
	}()
	ev.bind(f, args)
	return ev.conclude(ev.runBody(f.body.List))
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
				ev.frame.results = append(ev.frame.results, ev.Declared(ev.Zero(ev.typeOf(field.Type))))
				continue
			}
			cell := ev.frame.scope.declare(v, ev.Declared(ev.Zero(ev.frame.targs.subst(v.Type()))))
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
					ev.frame.scope.declare(v, ev.Declared(ev.Copied(value.Retyped(args[i], ev.frame.targs.subst(v.Type())))))
				}
			}
			i++
		}
		if len(field.Names) == 0 {
			i++
		}
	}
}

// runBody runs the statements of a body.
func (ev *Evaluator) runBody(list []ast.Stmt) (c control, panicked *Panic) {
	frame, depth, turns := ev.frame, ev.depth, ev.turns
	defer func() {
		if ev.exhausted {
			return
		}
		v := recover()
		if v == nil {
			return
		}
		u, ok := v.(*Panic)
		if !ok {
			panic(v)
		}
		panicked, ev.frame, ev.depth, ev.turns, frame.loops = u, frame, depth, turns, nil
	}()
	c = ev.sequence(list)
	ev.closeOpen()
	return c, nil
}

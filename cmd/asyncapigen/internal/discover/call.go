package discover

import (
	"go/ast"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// prepare evaluates what is called and its arguments, and returns the call:
// defer and go run it later, with the values of now.
func (in *interp) prepare(call *ast.CallExpr) func() Value {
	fun := ast.Unparen(call.Fun)
	tv := in.frame.pkg.Info.Types[fun]
	switch {
	case tv.IsType():
		return func() Value { return in.conversion(call) }
	case tv.IsBuiltin():
		return func() Value { return in.builtin(call, fun) }
	}
	callee := in.eval(fun)
	args := in.arguments(call, callee)
	return func() Value { return in.call(call, callee, args) }
}

// arguments evaluates the arguments of a call, those of a variadic parameter as
// one slice.
func (in *interp) arguments(call *ast.CallExpr, callee Value) []Value {
	sig := in.signature(call.Fun, callee)
	if sig == nil {
		var args []Value
		for _, expr := range call.Args {
			args = append(args, in.eval(expr))
		}
		return args
	}
	params := sig.Params()
	var args []Value
	if len(call.Args) == 1 && (params.Len() > 1 || sig.Variadic()) {
		if tuple, ok := in.typeOf(call.Args[0]).(*types.Tuple); ok {
			args = spread(in.eval(call.Args[0]), tuple.Len())
			return in.packVariadic(args, sig)
		}
	}
	for i, expr := range call.Args {
		args = append(args, in.copied(in.evalAs(expr, paramType(sig, i, call.Ellipsis.IsValid()))))
	}
	if call.Ellipsis.IsValid() {
		return args
	}
	return in.packVariadic(args, sig)
}

func (in *interp) signature(fun ast.Expr, callee Value) *types.Signature {
	if fn, ok := callee.(*Func); ok && fn.Type != nil {
		if sig, ok := fn.Type.Underlying().(*types.Signature); ok {
			return sig
		}
	}
	sig, _ := in.typeOf(fun).Underlying().(*types.Signature)
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

func (in *interp) packVariadic(args []Value, sig *types.Signature) []Value {
	if !sig.Variadic() {
		return args
	}
	fixed := sig.Params().Len() - 1
	if len(args) < fixed {
		return args
	}
	t := sig.Params().At(fixed).Type()
	if len(args) == fixed {
		return append(args[:fixed:fixed], Nil{Type: t})
	}
	rest := &Slice{Type: t}
	for _, v := range args[fixed:] {
		rest.Elems = append(rest.Elems, newCell(in.copied(v)))
	}
	rest.Elems = rest.Elems[:len(rest.Elems):len(rest.Elems)]
	return append(args[:fixed:fixed], rest)
}

// call calls a function value.
func (in *interp) call(at ast.Expr, callee Value, args []Value) Value {
	in.step(at.Pos())
	fn, ok := callee.(*Func)
	if !ok {
		if isNil(callee) {
			in.fail(at, "a nil function is called")
		}
		return in.opaque(at, nil, callee, args)
	}
	switch {
	case fn.Native != nil:
		return fn.Native(args)
	case fn.Lit != nil:
		sig, _ := fn.Pkg.Info.TypeOf(fn.Lit).(*types.Signature)
		return in.invoke(function{
			pkg: fn.Pkg, sig: sig, typ: fn.Lit.Type, body: fn.Lit.Body, scope: fn.scope, targs: fn.targs,
		}, at, args)
	default:
		return in.callDeclared(at, fn, args)
	}
}

func (in *interp) callDeclared(at ast.Expr, fn *Func, args []Value) Value {
	in.called[fn.Obj.Origin()] = true
	if v, ok := in.intrinsic(at, fn, args); ok {
		return v
	}
	if in.locals == nil {
		in.locals = make(localTypes)
	}
	pkg, decl := in.declaration(fn.Obj)
	if decl == nil || in.abroad.refused[fn.Obj.Origin()] {
		return in.opaque(at, fn, nil, args)
	}
	obj, _ := pkg.Info.Defs[decl.Name].(*types.Func)
	sig := obj.Signature()
	params := sig.TypeParams()
	if sig.RecvTypeParams().Len() > 0 {
		params = sig.RecvTypeParams()
	}
	f := function{
		pkg: pkg, sig: sig, typ: decl.Type, body: decl.Body,
		targs: typeArgs{locals: in.locals}.with(params, fn.TArgs), obj: obj,
	}
	if decl.Recv != nil && fn.Bound {
		f.recv, f.recvValue = decl.Recv, fn.Recv
	}
	if in.inOwn() && !in.program.IsOwn(pkg.Path) {
		return in.callAbroad(at, fn, args, func() Value { return in.invoke(f, at, args) })
	}
	return in.invoke(f, at, args)
}

// function is what can be run.
type function struct {
	obj       *types.Func
	pkg       *load.Package
	sig       *types.Signature
	typ       *ast.FuncType
	body      *ast.BlockStmt
	recv      *ast.FieldList
	recvValue Value
	scope     *scope // around a literal
	targs     typeArgs
}

// invoke runs a function's body and returns its result.
func (in *interp) invoke(f function, at ast.Expr, args []Value) Value {
	if in.depth >= maxDepth || f.sig == nil || in.recursive(f) {
		why := in.unknown(at.Pos(), "the result of a recursion that is too deep to follow")
		for _, v := range append(args, f.recvValue) {
			in.havoc(v, why, make(map[*Cell]bool))
		}
		return in.results(f.sig, why)
	}
	outer := in.frame
	in.entered[f.body] = true
	in.depth++
	in.frame = &frame{
		outer: outer, body: f.body,
		pkg: f.pkg, sig: f.sig, targs: f.targs, scope: &scope{parent: f.scope},
		mark: len(in.journal), conds: len(in.conds),
	}
	defer func() {
		in.conds = in.conds[:in.frame.conds]
		in.depth--
		in.frame = outer
	}()
	if len(f.pkg.Errors) > 0 {
		in.tolerate(func() { in.bind(f, args) })
	} else {
		in.bind(f, args)
	}
	panicked := in.runBody(f)
	deferred := len(in.frame.defers) > 0
	panicked = in.runDefers(panicked)
	if panicked != nil && !panicked.recovered {
		panic(panicked)
	}
	return in.returned(f.sig, panicked != nil, deferred)
}

// recursive reports whether a function calls itself again and again under
// conditions that aren't known: nothing would ever end that.
func (in *interp) recursive(f function) bool {
	const most = 4
	n := 0
	for frame := in.frame; frame != nil && len(in.conds) > 0; frame = frame.outer {
		if frame.body == f.body && frame.conds > 0 {
			if n++; n == most {
				return true
			}
		}
	}
	return false
}

// bind declares the receiver, the parameters and the named results.
func (in *interp) bind(f function, args []Value) {
	if f.recv != nil {
		in.bindFields(f.recv, []Value{f.recvValue})
	}
	in.bindFields(f.typ.Params, args)
	if f.typ.Results == nil {
		return
	}
	for _, field := range f.typ.Results.List {
		for _, name := range field.Names {
			v, ok := in.frame.pkg.Info.Defs[name].(*types.Var)
			if !ok {
				in.frame.results = append(in.frame.results, newCell(in.zero(in.typeOf(field.Type))))
				continue
			}
			cell := in.frame.scope.declare(v, in.zero(in.frame.targs.subst(v.Type())))
			in.frame.results = append(in.frame.results, cell)
		}
	}
}

func (in *interp) bindFields(fields *ast.FieldList, args []Value) {
	i := 0
	for _, field := range fields.List {
		for _, name := range field.Names {
			if i < len(args) {
				if v, ok := in.frame.pkg.Info.Defs[name].(*types.Var); ok {
					in.frame.scope.declare(v, in.copied(retyped(args[i], in.frame.targs.subst(v.Type()))))
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
func (in *interp) runBody(f function) (panicked *unwinding) {
	frame := in.frame
	var c control
	func() {
		depth := in.depth
		defer func() {
			v := recover()
			if v == nil {
				return
			}
			u, ok := v.(*unwinding)
			if !ok {
				panic(v)
			}
			panicked, in.frame, in.depth, frame.loops = u, frame, depth, nil
		}()
		c = in.sequence(f.body.List)
	}()
	live := panicked == nil && c.kind != leaves
	exits := frame.pending
	if !live && len(exits) == 0 {
		exits = frame.failures
	}
	if len(exits) == 0 {
		if panicked == nil && !live {
			return &unwinding{final: true} // an endless loop
		}
		return panicked
	}
	ret := frame.ret
	in.rejoin(frame.mark, exits, live)
	frame.ret = mergeResults(exits, ret, live)
	return nil
}

func mergeResults(exits []*exit, ret []Value, live bool) []Value {
	all := make([][]Value, 0, len(exits)+1)
	if live {
		all = append(all, ret)
	}
	for _, e := range exits {
		all = append(all, e.ret)
	}
	merged := make([]Value, len(all[0]))
	for i := range merged {
		values := make([]Value, 0, len(all))
		for _, ret := range all {
			if i < len(ret) {
				values = append(values, ret[i])
			}
		}
		merged[i] = merge(exits[0].cond, values)
	}
	return merged
}

// results returns u for each result of a function.
func (in *interp) results(sig *types.Signature, u *Unknown) Value {
	if sig == nil || sig.Results().Len() == 1 {
		return u
	}
	tuple := make(Tuple, sig.Results().Len())
	for i := range tuple {
		tuple[i] = u
	}
	return tuple
}

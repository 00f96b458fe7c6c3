package eval

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// deferral is a call that the running function has deferred.
type deferral struct {
	run      func()
	conds    []*Condition // that weren't known, innermost first
	recovers bool         // it may recover from a panic, or serve while there is one
	unseen   *Condition   // that it recovers, where it isn't followed; nil where it is, or can't
}

// deferred returns the deferral of a call with its inputs.
func (ev *Evaluator) deferred(call *ast.CallExpr, inputs []value.Value, run func()) *deferral {
	d := &deferral{run: run, recovers: ev.mayRecover(call, inputs)}
	if d.recovers {
		d.unseen = ev.unseenRecovery(call, inputs[0])
	}
	d.recovers = d.recovers || ev.mayServe(inputs)
	return d
}

// unseenRecovery returns the condition that a deferred function recovers which isn't followed, nil for others.
func (ev *Evaluator) unseenRecovery(call *ast.CallExpr, callee value.Value) *Condition {
	why := value.UnknownResult(call)
	switch fn := callee.(type) {
	case *value.Unknown:
		if why = fn; fn.Among != nil { // each is followed
			return nil
		}
	case *value.Func:
		_, body := ev.bodyOf(fn)
		if isFollowed := body != nil && !ev.isGivenUp(fn); isFollowed || fn.Obj == nil || fn.Obj.Pkg() == nil {
			return nil
		}
		if why.Unread = ev.readable(fn.Obj.Pkg().Path()); isAbstract(fn.Obj) {
			why = value.Because(call, fn.Recv)
		}
	}
	cond := ev.condition(call, "the deferred "+value.Source(call.Fun)+" recovers from a panic")
	cond.Why = why
	return cond
}

// recoversUnseen is a deferred call that isn't followed, which recovers.
func (ev *Evaluator) recoversUnseen(d *deferral) *deferral {
	return &deferral{recovers: true, run: func() {
		d.run()
		last := len(ev.panics) - 1
		if last < 0 || ev.panics[last].depth != ev.depth+1 { // tried without a panic
			return
		}
		if u := ev.panics[last].panicked; u != nil && !u.Final && !u.goexit && !u.recovered {
			u.recovered = true
			ev.Note(ev.recoveries, value.UnknownAt(d.unseen.Pos, "a panic that was recovered"))
		}
	}}
}

// deferUnder makes what was deferred after the first calls run under a condition. Where
// it was deferred by a way that has left the function, only that one has it.
func (f *frame) deferUnder(cond *Condition, from int, left bool) {
	if left {
		f.defers = f.defers[:from]
	}
	for i := from; i < len(f.defers); i++ {
		d := *f.defers[i]
		d.conds = append(slices.Clone(d.conds), cond)
		f.defers[i] = &d
	}
}

// runDeferred runs a deferred call.
func (ev *Evaluator) runDeferred(d *deferral) {
	run := d.run
	for _, cond := range d.conds {
		inner := run
		run = func() { ev.perhaps(cond, inner) }
	}
	run()
}

// deferring is a function whose deferred functions are running.
type deferring struct {
	panicked *Panic // nil unless it panics
	depth    int    // that of the deferred functions
	conds    int    // how many conditions they are under
}

// runDefers runs the deferred functions and returns the panic, which may be one
// of theirs by then.
func (ev *Evaluator) runDefers(panicked *Panic) *Panic {
	frame := ev.frame
	current := &deferring{panicked, ev.depth + 1, len(ev.conds)}
	exiting := panicked != nil && panicked.goexit
	ev.panics = append(ev.panics, current)
	recovers, ret := frame.recovers, frame.ret
	defer func() { ev.panics, frame.recovers, frame.ret = ev.panics[:len(ev.panics)-1], recovers, ret }()
	for len(frame.defers) > 0 && (current.panicked == nil || !current.panicked.Final) {
		last := len(frame.defers) - 1
		d := frame.defers[last]
		frame.defers = frame.defers[:last]
		frame.recovers = recovers && last > 0 // what the last one panics with is for the caller
		if u := ev.Caught(func() { ev.runDeferred(d) }); u != nil {
			current.panicked = u
			exiting = exiting || u.goexit
		}
	}
	if exiting && (current.panicked == nil || current.panicked.recovered) {
		return &Panic{goexit: true}
	}
	return current.panicked
}

// returned returns the function's result. After a recovered panic, and where
// deferred functions may have changed them, the named results count.
func (ev *Evaluator) returned(recovered, deferred bool) []value.Value {
	sig := ev.frame.sig
	ret := ev.frame.ret
	if len(ev.frame.results) > 0 && (recovered || deferred) {
		ret = nil
		for _, cell := range ev.frame.results {
			ret = append(ret, cell.Load())
		}
	}
	n := sig.Results().Len()
	if recovered && len(ev.frame.results) == 0 {
		ret = make([]value.Value, n)
		for i := range ret {
			ret[i] = ev.Zero(ev.frame.targs.subst(sig.Results().At(i).Type()))
		}
	}
	return ret
}

// mayRecover reports whether a deferred call may recover from a panic: a function
// of which it isn't known what it does may. The first of the inputs is what is called,
// but of a built-in function or a conversion.
func (ev *Evaluator) mayRecover(call *ast.CallExpr, inputs []value.Value) bool {
	if tv := ev.frame.pkg.Info.Types[ast.Unparen(call.Fun)]; tv.IsBuiltin() || tv.IsType() {
		return false
	}
	switch fn := inputs[0].(type) {
	case *value.Unknown:
		return !fn.Closure && ev.oneRecovers(fn)
	case *value.Func:
		return ev.functionRecovers(fn)
	default:
		return true
	}
}

// oneRecovers reports whether one of the functions may that a value which isn't known may be.
func (ev *Evaluator) oneRecovers(u *value.Unknown) bool {
	all := u.Among
	if all == nil && !u.Foreign {
		all = u.Targets
	}
	return len(all) == 0 || slices.ContainsFunc(all, func(v value.Value) bool {
		fn, ok := v.(*value.Func)
		return !ok || ev.functionRecovers(fn)
	})
}

// mayServe reports whether a function among values, or one that they lead to, can have the
// program begin to work: it does so while the program panics, too.
func (ev *Evaluator) mayServe(values []value.Value) bool {
	serves := false
	var r value.Reach
	r = value.Reach{Captured: ev.capturedBy, Visit: func(v value.Value) {
		fn, ok := v.(*value.Func)
		if !ok {
			return
		}
		pkg, body := ev.bodyOf(fn)
		if body == nil {
			serves = serves || fn.Obj != nil && fn.Obj.Pkg() != nil && load.IsLibrary(fn.Obj.Pkg().Path())
			return
		}
		serves = serves || ev.user.MayServe(pkg, body)
		for _, v := range ev.variablesUsed(pkg, body) {
			if cell := ev.knownGlobal(v); cell != nil {
				r.Add(cell)
			}
		}
	}}
	r.Values(values...)
	ev.work(len(r.Cells))
	return serves
}

// variablesUsed returns the variables of packages that a body refers to, and the declared
// functions that it refers to do.
func (ev *Evaluator) variablesUsed(pkg *load.Package, body *ast.BlockStmt) []*types.Var {
	used, ok := ev.packageVariables[body]
	if !ok {
		used = ev.variablesBehind(pkg, body, make(map[ast.Node]bool))
		ev.packageVariables[body] = used
	}
	return used
}

func (ev *Evaluator) variablesBehind(pkg *load.Package, code ast.Node, seen map[ast.Node]bool) (all []*types.Var) {
	if seen[code] {
		return nil
	}
	seen[code] = true
	for _, obj := range UsedObjects(pkg, code) {
		switch obj := obj.(type) {
		case *types.Var:
			all = append(all, obj)
		case *types.Func:
			if in, decl := ev.declaration(obj); decl != nil {
				all = append(all, ev.variablesBehind(in, decl, seen)...)
			}
		}
	}
	return all
}

// functionRecovers reports whether a function, or one that it is another name for, calls
// recover.
func (ev *Evaluator) functionRecovers(fn *value.Func) bool {
	_, isLiteral := fn.Closure.(*closure)
	switch {
	case isLiteral:
	case fn.Obj == nil: // a model's, or a method expression
		sig := signatureOf(fn)
		return sig == nil || sig.Params().Len() > 0
	case fn.Obj.Pkg() != nil && !isAbstract(fn.Obj) && ev.program.InStandardLibrary(fn.Obj.Pkg().Path()):
		return false // none of it recovers from its caller's panics
	}
	if pkg, body := ev.bodyOf(fn); body != nil {
		return ev.recovers(body, pkg)
	}
	if fn.Obj == nil {
		return true
	}
	path := ""
	if fn.Obj.Pkg() != nil && !isAbstract(fn.Obj) {
		path = fn.Obj.Pkg().Path()
	}
	return ev.program.MayRecover(path, fn.Obj.Name())
}

// recovers reports whether a body calls recover. Only a function that is called
// by defer itself can recover.
func (ev *Evaluator) recovers(body *ast.BlockStmt, pkg *load.Package) bool {
	found := false
	ast.Inspect(body, func(node ast.Node) bool {
		if name, ok := node.(*ast.Ident); ok && name.Name == "recover" {
			_, isBuiltin := pkg.Info.Uses[name].(*types.Builtin)
			found = found || isBuiltin
		}
		return !found
	})
	return found
}

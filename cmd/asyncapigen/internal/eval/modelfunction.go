package eval

import (
	"go/ast"
	"go/constant"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// A framework's function calls functions of the program that may fail, and ends by
// their errors: its model runs as a function of the program would, so that how it
// may have failed is kept apart (failure.go, ending.go).

// Function runs body as that of a function with results of a type.
func (ev *Evaluator) Function(at ast.Expr, results *types.Tuple, rescue func(panicked value.Value) []value.Value, body func() []value.Value) value.Value {
	outer, conds := ev.frame, len(ev.conds)
	ev.depth++
	f := &frame{
		outer: outer, at: at.Pos(), call: at, pkg: outer.pkg, scope: outer.scope, targs: outer.targs,
		sig: types.NewSignatureType(nil, nil, nil, nil, results, false), mark: ev.Mark(), conds: conds,
	}
	ev.frame = f
	defer func() {
		ev.conds = ev.conds[:conds]
		ev.depth--
		ev.frame = outer
	}()
	if rescue != nil {
		for v := range results.Variables() {
			f.results = append(f.results, value.NewCell(ev.Zero(f.targs.subst(v.Type()))))
		}
		f.recovers = true
		f.defers = []*deferral{{run: func() { ev.rescue(rescue) }}}
	}
	panicked := ev.Caught(func() { ev.finishModel(body()) })
	v, failed := ev.conclude(control{kind: returns}, panicked)
	ev.mayFail = failed
	return v
}

// rescue has the running function return what it returns after a panic.
func (ev *Evaluator) rescue(rescue func(value.Value) []value.Value) {
	u := ev.panics[len(ev.panics)-1].panicked
	if u == nil || u.recovered || u.Final {
		return
	}
	if ev.refuseGoexit(ev.frame.call, u); u.goexit {
		return
	}
	u.recovered = true
	ev.finishModel(rescue(u.Value))
}

// finishModel has the running function, which is a model, return values.
func (ev *Evaluator) finishModel(ret []value.Value) {
	for i, cell := range ev.frame.results {
		ev.Set(cell, ret[i])
	}
	ev.frame.ret = ret
}

// Try makes a call. Where it may have failed, the running model ends by otherwise
// as well.
func (ev *Evaluator) Try(at ast.Expr, call func() value.Value, otherwise func(err value.Value) []value.Value) (value.Value, bool) {
	around := ev.mayFail
	ev.mayFail = nil
	v := call()
	f := ev.mayFail
	ev.mayFail = around
	fail := func(result value.Value) {
		err := model.ErrorOf(result)
		ev.Lend(at, []value.Value{err}, value.UnknownResult(at)) // the framework prints it, or wraps it
		ev.finishModel(otherwise(err))
	}
	if f != nil {
		ev.returnFailure(f, fail)
	}
	err := model.ErrorOf(v)
	why, ok := err.(*value.Unknown)
	if !ok && !value.IsNilInterface(err) {
		ev.Lend(at, []value.Value{err}, value.UnknownResult(at))
	}
	ev.failure = err
	if !ok || why.NonNil {
		return v, value.IsNilInterface(err)
	}
	surely := *why
	surely.NonNil = true
	cond := ev.condition(at, value.Source(at)+" fails")
	cond.Why = why
	c := ev.fork(cond, func() control {
		ev.assumeFailed(why)
		fail(&surely)
		return control{kind: returns}
	}, func() control { return control{} })
	return model.WithoutError(v), c.kind == next
}

// Kept calls a function like Call, and notes as MayFail does how it may have failed.
func (ev *Evaluator) Kept(at ast.Expr, fn value.Value, args []value.Value) value.Value {
	v, failed := ev.call(at, fn, args)
	ev.mayFail = failed
	return v
}

// held is how a call may have failed whose caller is told of it later, by another
// call.
type held struct {
	*failure
	told *value.Cell // whether it was told, or the program has ended there
}

// DynamicType implements [value.Atom].
func (h *held) DynamicType() types.Type { return types.Typ[types.Invalid] }

// Hold takes how the call may have failed that was made last; nil for no way.
func (ev *Evaluator) Hold() value.Value {
	f := ev.mayFail
	ev.mayFail = nil
	if f == nil {
		return nil
	}
	h := &held{f, value.NewCell(truth(true))}
	ev.Set(h.told, truth(false))
	ev.held = append(ev.held, h)
	return h
}

// Tell notes that a call may have failed, as the one of which v was held. What
// that would have changed isn't known, after what has come since.
func (ev *Evaluator) Tell(v value.Value, result value.Value) {
	h := v.(*held)
	mark := ev.Mark()
	why := h.cond.unknown()
	why.Exact = false
	for cell, then := range h.writes.All() {
		ev.Set(cell, value.Merge(why, []value.Value{cell.Load(), then}))
	}
	ev.Set(h.told, truth(true))
	ev.mayFail = &failure{cond: h.cond, writes: ev.Undo(mark), result: result, recorded: h.recorded, until: h.until}
	ev.Set(h.told, truth(true))
}

// Excuse notes that the program ends here where the call has failed of which v was
// held. Where it has begun to work before, it has done so in that case as well.
func (ev *Evaluator) Excuse(v value.Value) {
	if !ev.user.Serves() {
		ev.Set(v.(*held).told, truth(true))
	}
}

// finishHeld ends an evaluation: what may have failed, and nothing was told of, is
// tolerated.
func (ev *Evaluator) finishHeld() {
	for _, h := range ev.held {
		if told, known := value.Truth(h.told.Load()); !told || !known {
			ev.tolerated(h.failure)
		}
	}
}

func truth(b bool) value.Value { return value.NewConst(constant.MakeBool(b), types.Typ[types.Bool]) }

// Failure implements [model.Machine].
func (ev *Evaluator) Failure() value.Value { return ev.failure }

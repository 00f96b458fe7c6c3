package eval

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// A call under unknown conditions may end in two ways: normally, or by an error
// that is surely not nil. Whether the program goes on after the error is for the
// caller to tell, so the two are kept apart until it has looked at the error:
// the evaluation goes on with the normal end, and the other one is a failure.
// The next statement that mentions the error is evaluated for both. Where that
// ends the program, or hands the error on to a caller who will, nothing depends
// on the condition; else the two are joined.

// failure is the other way in which a call may have ended.
type failure struct {
	cond     *Condition
	writes   value.Writes // turn the state after the call into that of the failure
	result   value.Value  // of the call
	recorded int          // what the user had recorded when the failure came
	until    int          // what it had when the call had ended, in the normal way

	err *types.Var // the variable that the error was assigned to, nil for none
}

// evalKept evaluates an expression like eval. Where it is a call that may have
// failed, the failure is returned apart.
func (ev *Evaluator) evalKept(expr ast.Expr) (value.Value, *failure) {
	call, ok := ast.Unparen(expr).(*ast.CallExpr)
	if !ok || ev.isConstant(call) || ev.replacement(expr) != nil {
		return ev.eval(expr), nil
	}
	around, turns := ev.operands, ev.turns
	defer func() { ev.operands = around }()
	var failed *failure
	v := ev.explained(call, func() (v value.Value) {
		if ev.isInTurn(call) {
			ev.turns++
		}
		v, failed = ev.prepare(call)()
		ev.turns = turns
		return v
	})
	return ev.placed(call, v), failed
}

// MayFail notes that the call of a function with a model may have failed: with
// result, after change.
func (ev *Evaluator) MayFail(at ast.Expr, result value.Value, change func()) {
	cond := ev.condition(at, value.Source(at)+" fails")
	if err, ok := lastOf(result).(*value.Unknown); ok && err.Pos != at.Pos() { // it isn't known for a reason of its own
		cond.Why = err
	}
	mark := ev.Mark()
	change()
	ev.mayFail = &failure{
		cond: cond, writes: ev.Undo(mark), result: result, recorded: ev.user.Mark(), until: ev.user.Mark(),
	}
}

// lastOf returns the last result of a call.
func lastOf(result value.Value) value.Value {
	if tuple, ok := result.(value.Tuple); ok {
		return tuple[len(tuple)-1]
	}
	return result
}

// settle joins a failure with the normal end, since nothing will tell the two
// apart any more, and returns the result that holds for both.
func (ev *Evaluator) settle(v value.Value, f *failure) value.Value {
	if f == nil {
		return v
	}
	ev.tolerated(f)
	why := f.cond.unknown()
	ev.Join(why, []value.Writes{{}, f.writes})
	return mergeValues(why, v, f.result)
}

// mergeValues merges the results of a call.
func mergeValues(why *value.Unknown, a, b value.Value) value.Value {
	left, isTuple := a.(value.Tuple)
	right, alsoTuple := b.(value.Tuple)
	if !isTuple || !alsoTuple || len(left) != len(right) {
		return value.Merge(why, []value.Value{a, b})
	}
	merged := make(value.Tuple, len(left))
	for i := range merged {
		merged[i] = value.Merge(why, []value.Value{left[i], right[i]})
	}
	return merged
}

// tolerated tells the user what is recorded in the normal end alone, when the
// program goes on after the failure.
func (ev *Evaluator) tolerated(f *failure) {
	if f.recorded < ev.user.Mark() {
		ev.needSource(f.cond.Why) // it may tell that there is no such end
		ev.user.Conditional(f.recorded, f.until, f.cond)
	}
}

// keep completes a statement for both ends of its call: assign stores a result.
func (ev *Evaluator) keep(f *failure, v value.Value, assign func(result value.Value)) {
	if f == nil {
		assign(v)
		return
	}
	mark := ev.Mark()
	ended := ev.Caught(func() { assign(v) })
	normal := ev.Undo(mark)
	ev.Apply(f.writes)
	panicked := ev.Caught(func() { assign(f.result) })
	f.writes = ev.Undo(mark)
	switch {
	case ended != nil && panicked != nil:
		ev.crashInFailure(mark, f, panicked)
		ev.Apply(normal)
		panic(ended)
	case ended != nil: // the failure is the one way on
		ev.crash(mark, &exit{cond: f.cond, panicked: ended, recorded: ev.recordedMark(), defers: slices.Clone(ev.frame.defers)}, normal)
		ev.Apply(f.writes)
		ev.closeOpen()
	case panicked != nil:
		ev.crashInFailure(mark, f, panicked)
		ev.Apply(normal)
		ev.closeOpen()
	default:
		ev.Apply(normal)
		f.writes = ev.Switch(mark, f.writes)
		ev.closeOpen()
		ev.frame.open = f
	}
}

// crashInFailure keeps a panic that comes where a call has failed.
func (ev *Evaluator) crashInFailure(mark int, f *failure, panicked *Panic) {
	ev.crash(mark, &exit{cond: f.cond, panicked: panicked, recorded: f.recorded, defers: slices.Clone(ev.frame.defers)}, f.writes)
}

// closeOpen joins a failure that is still open in the running function.
func (ev *Evaluator) closeOpen() {
	if f := ev.frame.open; f != nil {
		ev.frame.open = nil
		ev.settle(value.Nil{}, f)
	}
}

// apart runs what follows a call for both of its ends. Where the failure's ends
// the program or the function, by an error again, the other one is unconditional.
func (ev *Evaluator) apart(f *failure, inFailure, normal branch) control {
	return ev.forkAfter(f, f.cond, inFailure, normal)
}

// toleratedExit is tolerated for a way that has left a function.
func (ev *Evaluator) toleratedExit(e *exit) {
	f := &failure{cond: e.cond, recorded: e.recorded, until: ev.user.Mark()}
	if e.isSeveral {
		f.until = e.recorded
	}
	ev.tolerated(f)
}

// recordedMark is what the user has recorded for all ways that lead here.
func (ev *Evaluator) recordedMark() int {
	mark := ev.user.Mark()
	if ev.lost != nil {
		mark = min(mark, ev.lost.recorded)
	}
	return mark
}

// mentions reports whether a statement refers to a variable.
func (ev *Evaluator) mentions(stmt ast.Stmt, v *types.Var) bool {
	found := false
	ast.Inspect(stmt, func(node ast.Node) bool {
		if name, ok := node.(*ast.Ident); ok && v != nil {
			found = found || ev.frame.pkg.Info.ObjectOf(name) == v
		}
		return !found
	})
	return found
}

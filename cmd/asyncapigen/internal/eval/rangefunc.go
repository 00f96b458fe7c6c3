package eval

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// The states of a loop over an iterator function. In all but the first one, the
// function may not call yield.
const (
	ready    int = iota
	inBody       // or the body has panicked
	left         // the body has left the loop
	iterated     // the iterator function has returned
)

// misuse is what the program panics with where an iterator function calls yield in a
// state.
var misuse = map[int]string{
	inBody:   "range function continued iteration after loop body panic",
	left:     "range function continued iteration after function for loop body returned false",
	iterated: "range function continued iteration after whole loop exit",
}

// rangeFunc runs a loop over an iterator function: the body becomes the yield
// function. A return out of the body ends the iteration like a break, and then
// the function.
func (ev *Evaluator) rangeFunc(stmt *ast.RangeStmt, l *loop, fn *value.Func) control {
	var ended control
	var leaving *Condition // under which the body has left more than the loop, or may have
	state := value.NewCell(number(ready))
	frame, scope, conds := ev.frame, ev.frame.scope, len(ev.conds)
	var held value.Tuple // what the body leads to
	for _, cell := range ev.capturedIn(stmt.Body, frame.pkg, scope) {
		held = append(held, value.Pointer{To: cell})
	}
	yield := &value.Func{Bound: true, Recv: held, Native: func(args []value.Value) value.Value {
		switch at, known := value.IntOf(state.Load()); {
		case !known:
			ev.risk(stmt.X, state.Load())
		case misuse[at] != "":
			ev.Set(state, number(inBody))
			ev.Fail(stmt.X, misuse[at])
		}
		ev.Set(state, number(inBody))
		iterator, inner, outer := ev.frame, frame.scope, frame.iterator
		ev.frame, frame.scope = frame, scope
		if iterator != frame {
			frame.iterator = iterator
		}
		exits, perhaps, deferred := ev.exits(), len(ev.conds) > conds, len(frame.defers)
		goesOn := false
		if perhaps {
			cond := ev.conds[len(ev.conds)-1].Condition
			defer func() { frame.deferUnder(cond, deferred, !goesOn) }()
		}
		defer func() { ev.frame, frame.scope, frame.iterator = iterator, inner, outer }()
		args = append(args, nil, nil)
		c := ev.rangeRound(stmt, l, args[0], args[1])
		if len(ev.conds) > conds {
			leaving = ev.conds[len(ev.conds)-1].Condition
		}
		if c.kind != next {
			if goesOn = !perhaps || !ev.leaveIteration(l, leaving, c); !perhaps {
				ended = c
			}
			ev.Set(state, number(left))
			return truth(false)
		}
		goesOn = true
		ev.Set(state, number(ready))
		if ev.exits() > exits && len(ev.conds) > 0 { // it may have left the loop
			why := ev.conds[len(ev.conds)-1].unknown()
			ev.Set(state, value.Merge(why, []value.Value{number(ready), number(left)}))
			return why
		}
		return truth(true)
	}, Closure: yieldOf{state}}
	ev.Call(stmt.X, fn, []value.Value{yield})
	switch at, known := value.IntOf(state.Load()); {
	case !known && !isAmong(state.Load(), ready, left):
		ev.risk(stmt.X)
	case at == inBody:
		ev.Fail(stmt.X, "range function recovered a loop body panic and did not resume panicking")
	}
	ev.Set(state, number(iterated))
	if leaving != nil { // what follows the loop is without those who have left more than it
		ev.enterBranch(leaving)
	}
	return ended
}

// leaveIteration leaves more than a loop by its body, which may not have been called, and
// reports whether it does: the others go on after the loop.
func (ev *Evaluator) leaveIteration(l *loop, cond *Condition, c control) bool {
	switch c = ev.land(c); {
	case c.kind == leaves:
		return true
	case c.kind == breaks && l.owns(c):
		return false
	}
	o := outcome{control: c, ret: ev.frame.ret, recorded: ev.recordedMark(), defers: slices.Clone(ev.frame.defers)}
	o.fails = c.kind == returns && ev.frame.returnsError(ev.frame.ret)
	ev.leave(cond, ev.Mark(), o)
	return true
}

// yieldOf marks the yield function of a loop with its state.
type yieldOf struct{ state *value.Cell }

// assumeYielded notes what follows for a loop's state from the result of a call, where that
// is of its yield function: unless something is called then, which may be yield as well.
func (ev *Evaluator) assumeYielded(call *ast.CallExpr, holds bool, then []ast.Expr) {
	if _, isName := ast.Unparen(call.Fun).(*ast.Ident); !isName || slices.ContainsFunc(then, ev.hasCall) {
		return
	}
	fn, _ := ev.eval(call.Fun).(*value.Func)
	if fn == nil {
		return
	}
	if yield, ok := fn.Closure.(yieldOf); ok && isAmong(yield.state.Load(), ready, left) {
		after := map[bool]int{true: ready, false: left}
		ev.Set(yield.state, number(after[holds]))
	}
}

// isAmong reports whether a value is one of some states of a loop, and not known which.
func isAmong(v value.Value, states ...int) bool {
	u, ok := v.(*value.Unknown)
	return ok && u.Among != nil && !slices.ContainsFunc(u.Among, func(v value.Value) bool {
		at, known := value.IntOf(v)
		return !known || !slices.Contains(states, at)
	})
}

func number(n int) value.Value {
	return value.NewConst(constant.MakeInt64(int64(n)), types.Typ[types.Int])
}

package eval

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Panic is a panic of the evaluated program, or a place that it never gets
// beyond: os.Exit, an empty select.
type Panic struct {
	Value     value.Value
	Pos       token.Pos
	recovered bool
	Final     bool // no deferred function runs, nothing recovers
}

// survives runs f and reports whether it ended without a panic of the evaluated
// program.
func (ev *Evaluator) Survives(f func()) bool { return ev.Caught(f) == nil }

// caught runs f and returns the panic of the evaluated program that ended it.
func (ev *Evaluator) Caught(f func()) (u *Panic) {
	saved, depth, conds, panics := ev.frame, ev.depth, len(ev.conds), len(ev.panics)
	var loops int
	if saved != nil {
		loops = len(saved.loops)
	}
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		var isUnwinding bool
		if u, isUnwinding = v.(*Panic); !isUnwinding {
			panic(v)
		}
		ev.frame, ev.depth, ev.conds, ev.panics = saved, depth, ev.conds[:conds], ev.panics[:panics]
		if saved != nil {
			saved.loops = saved.loops[:loops]
		}
	}()
	f()
	return nil
}

// Recovered runs f and reports whether it ended without a panic, else the value
// of the panic. What ends the program isn't recovered.
func (ev *Evaluator) Recovered(f func()) (panicked value.Value, ended bool) {
	u := ev.Caught(f)
	if u == nil {
		return nil, true
	}
	if u.Final {
		panic(u)
	}
	return u.Value, false
}

// fail is a run-time panic of the evaluated program.
func (ev *Evaluator) Fail(at ast.Node, text string) {
	panic(&Panic{Value: &value.Unknown{Reason: text, Pos: at.Pos(), NonNil: true}, Pos: at.Pos()})
}

// Panic is panic(v) in the evaluated program.
func (ev *Evaluator) Panic(at ast.Node, v value.Value) { panic(&Panic{Value: v, Pos: at.Pos()}) }

// Exit ends the evaluated program: no deferred function runs.
func (ev *Evaluator) Exit() { panic(&Panic{Final: true}) }

func (ev *Evaluator) recover(call *ast.CallExpr) value.Value {
	if len(ev.panics) == 0 {
		return value.Nil{Type: ev.typeOf(call)}
	}
	deferring := ev.panics[len(ev.panics)-1]
	panicked := deferring.panicked
	if deferring.depth != ev.depth || panicked == nil || panicked.recovered || panicked.Final {
		return value.Nil{Type: ev.typeOf(call)}
	}
	panicked.recovered = true
	return panicked.Value
}

// mayPanic notes that an operation panics with some of the values that its unknown
// operands may have, where a deferred function may recover from that.
func (ev *Evaluator) mayPanic(at ast.Node, operands ...value.Value) {
	if !slices.ContainsFunc(operands, value.IsUnknown) || !ev.recoverable() {
		return
	}
	text := "a statement"
	if expr, ok := at.(ast.Expr); ok {
		text = value.Source(CalledExpr(expr))
	}
	why := value.Because(at, operands...)
	ev.crash(ev.Mark(), &exit{
		cond:     &Condition{Pos: at.Pos(), Text: text + " panics", Why: why},
		panicked: &Panic{Value: &value.Unknown{Reason: "a panic of " + text, Pos: at.Pos(), NonNil: true}, Pos: at.Pos()},
		recorded: ev.recordedMark(), defers: slices.Clone(ev.frame.defers),
	}, nil)
}

package eval

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Panic is a panic of the evaluated program, or a place that it never gets
// beyond: os.Exit, an empty select.
type Panic struct {
	Value     value.Value
	Pos       token.Pos
	recovered bool
	Raised    bool // by a call of panic
	Final     bool // no deferred function runs, nothing recovers; with a Value, a goroutine panics
	exits     bool // it is os.Exit
	waits     bool // for a channel that nobody is known to use
	goexit    bool // the goroutine ends: deferred functions run, nothing recovers
	turns     int  // those of the evaluator
}

// or returns the panic that is one of two.
func (p *Panic) or(other *Panic, why *value.Unknown) *Panic {
	one := &Panic{Pos: p.Pos, goexit: p.goexit, turns: max(p.turns, other.turns)}
	if !p.goexit {
		one.Value = value.Merge(why, []value.Value{p.Value, other.Value})
	}
	return one
}

// Waits reports whether it is a wait for a channel that nobody is known to use.
func (p *Panic) Waits() bool { return p.waits }

// Ends reports whether it is no panic: the program or the goroutine ends.
func (p *Panic) Ends() bool { return p.Final && p.Value == nil || p.goexit }

// ofAll reports whether it is the end of all goroutines, unless something recovers.
func (p *Panic) ofAll() bool { return p.exits || p.Value != nil }

// ofProgram is a panic by which a goroutine ends the program: nothing recovers
// from it.
func (p *Panic) ofProgram() *Panic { return &Panic{Value: p.Value, Pos: p.Pos, Final: true} }

// survives runs f and reports whether it ended without a panic of the evaluated
// program.
func (ev *Evaluator) Survives(f func()) bool { return ev.Caught(f) == nil }

// caught runs f and returns the panic of the evaluated program that ended it.
func (ev *Evaluator) Caught(f func()) (u *Panic) {
	saved, depth, conds, panics, turns := ev.frame, ev.depth, len(ev.conds), len(ev.panics), ev.turns
	var loops int
	var calls *calls
	if saved != nil {
		loops, calls = len(saved.loops), saved.calls
	}
	defer func() {
		if ev.exhausted {
			return
		}
		v := recover()
		if v == nil {
			return
		}
		var isUnwinding bool
		if u, isUnwinding = v.(*Panic); !isUnwinding {
			panic(v)
		}
		ev.frame, ev.depth, ev.conds, ev.panics, ev.turns = saved, depth, ev.conds[:conds], ev.panics[:panics], turns
		if saved != nil {
			saved.loops, saved.calls = saved.loops[:loops], calls
		}
	}()
	f()
	return nil
}

// Recovered implements [model.Machine].
func (ev *Evaluator) Recovered(f func()) (panicked value.Value, ended value.Answer) {
	var perhaps value.Tuple
	thrown, ended := ev.sheltered(f, func(e *exit) bool {
		if why := e.cond.Why; why != nil && why.Computed {
			ev.needSource(why) // it may tell that there is no panic
		}
		if e.panicked.Value != nil {
			perhaps = append(perhaps, e.panicked.Value)
		}
		return e.panicked.goexit
	})
	switch {
	case thrown != nil:
		return thrown.Value, ended
	case ended == value.Perhaps:
		return perhaps, ended
	}
	return nil, ended
}

// maySurvive runs what code that isn't the program's may call, by a condition within a
// statement: that may recover from its panics, or run it in a goroutine of its own.
func (ev *Evaluator) maySurvive(at ast.Expr, cond *Condition, f func()) {
	works := ev.serving.works.Load()
	over := ev.aside(func() {
		ev.perhaps(cond, func() {
			thrown, _ := ev.sheltered(f, func(e *exit) bool {
				ev.refuseGoexit(at, e.panicked)
				return true
			})
			if thrown != nil {
				ev.refuseGoexit(at, thrown)
				ev.crash(ev.Mark(), &exit{cond: cond, panicked: thrown, recorded: ev.recordedMark(), defers: slices.Clone(ev.frame.defers)}, nil)
			}
		})
	})
	if over.stays > ev.ended.stays { // who calls it may wait for it
		ev.ended = over
	}
	if ev.serving.works.Load() != works { // it may serve at each later call as well
		ev.Note(ev.serving.works, works)
	}
}

// refuseGoexit says that a function which other code calls ends its goroutine, if it does: it isn't
// known whose that is, and who waits for it.
func (ev *Evaluator) refuseGoexit(at ast.Expr, u *Panic) {
	if u.goexit {
		ev.Lost(at, value.UnknownAt(at.Pos(), "runtime.Goexit in a function that other code calls"), "return instead")
	}
}

// sheltered runs f like a function that recovers from its panics and stays when its
// goroutine ends: what f did before remains. It returns how f surely ended and reports
// whether it did without a panic. Those that pass may be the caller's, too.
// See docs/decisions/0096.
func (ev *Evaluator) sheltered(f func(), pass func(*exit) bool) (thrown *Panic, ended value.Answer) {
	outer, tail, lost := ev.frame, ev.tail, ev.lost
	shelter := &frame{
		outer: outer, at: outer.at, pkg: outer.pkg, scope: outer.scope, targs: outer.targs,
		sig: types.NewSignatureType(nil, nil, nil, nil, nil, false), mark: ev.Mark(), conds: len(ev.conds), recovers: true,
	}
	defer func() { ev.frame, ev.tail = outer, tail }()
	ev.frame, ev.tail, ev.lost = shelter, nil, nil
	thrown = ev.Caught(f)
	ev.lost = lost
	switch {
	case len(shelter.crashes) == 0 && thrown == nil:
		return nil, value.Yes
	case len(shelter.crashes) == 0 && thrown.Final:
		panic(thrown)
	case len(shelter.crashes) == 0:
		return thrown, value.No
	case thrown != nil && !thrown.Final:
		ev.crash(ev.Mark(), &exit{cond: shelter.crashes[0].cond, panicked: thrown, recorded: ev.user.Mark()}, nil)
	}
	ev.joinCrashes(thrown == nil, pass)
	return nil, value.Perhaps
}

// joinCrashes goes on after the panics of a frame's functions that aren't the end, and
// after their normal end where there is one. Those that pass may be the caller's, too.
func (ev *Evaluator) joinCrashes(live bool, pass func(*exit) bool) {
	var ways []value.Writes
	if left := ev.Undo(ev.frame.mark); live {
		ways = append(ways, left)
	}
	for _, e := range ev.frame.crashes {
		ways = append(ways, e.writes)
		ev.toleratedExit(e)
		if pass(e) {
			further := *e
			further.recorded = min(e.recorded, ev.recordedMark())
			ev.throwFurther(&further)
		}
	}
	ev.Join(ev.frame.crashes[0].cond.unknown(), ways)
}

// Fail is a run-time panic of the evaluated program; the text is what follows
// "runtime error: " in its message.
func (ev *Evaluator) Fail(at ast.Node, text string) {
	ev.Panic(at, model.NewRuntimeError(text))
}

// failIndex is the run-time panic of an index that is out of range.
func (ev *Evaluator) failIndex(at ast.Node, index, length int) {
	if index < 0 {
		ev.Fail(at, fmt.Sprintf("index out of range [%d]", index))
	}
	ev.Fail(at, fmt.Sprintf("index out of range [%d] with length %d", index, length))
}

// risk notes that the program may panic at an expression, of which it isn't known
// whether it does since operands aren't: a recover finds out.
func (ev *Evaluator) risk(at ast.Node, operands ...value.Value) {
	if !ev.recoverable() {
		return
	}
	if calls := ev.frame.calls; calls != nil && calls.before != nil && calls.before.turns == ev.turns {
		calls.before.risks = append(calls.before.risks, func() { ev.risk(at, operands...) })
		return
	}
	var why *value.Unknown
	unread := "" // reading it tells whether there is a panic
	if slices.ContainsFunc(operands, value.IsUnknown) {
		why = value.Because(at, operands...)
		unread = why.Unread
	}
	text := "the statement"
	if expr, ok := at.(ast.Expr); ok {
		text = value.Source(expr)
	}
	cond := ev.condition(at, text+" panics")
	cond.Why = why
	ev.crash(ev.Mark(), &exit{
		cond: cond,
		panicked: &Panic{
			Value: &value.Unknown{Reason: "a panic of " + text, Pos: at.Pos(), NonNil: true, Unread: unread}, Pos: at.Pos(),
		},
		recorded: ev.recordedMark(),
		defers:   slices.Clone(ev.frame.defers),
	}, nil)
}

// Risk notes that a call may panic.
func (ev *Evaluator) Risk(at ast.Expr) { ev.risk(CalledExpr(at)) }

// Panic is panic(v) in the evaluated program.
func (ev *Evaluator) Panic(at ast.Node, v value.Value) {
	panic(&Panic{Value: v, Pos: at.Pos(), turns: ev.turns})
}

// panicWith evaluates the built-in function panic.
func (ev *Evaluator) panicWith(call *ast.CallExpr, v value.Value) {
	v = ev.Copied(v)
	setting, known := ev.Setting("panicnil")
	isReplaced := known && setting != "1" // where it is nil
	switch u, ok := v.(*value.Unknown); {
	case value.IsNilInterface(v) && !known:
		v = value.UnknownAt(call.Pos(), "what a panic of nil is, which a setting of GODEBUG says")
	case value.IsNilInterface(v) && isReplaced:
		v = model.NilPanicError()
	case ok && !u.NonNil && isReplaced:
		thrown := *u
		thrown.NonNil = true
		v = &thrown
	}
	panic(&Panic{Value: v, Pos: call.Pos(), Raised: true, turns: ev.turns})
}

// Exit ends the evaluated program: no deferred function runs.
func (ev *Evaluator) Exit() { panic(&Panic{Final: true, exits: true}) }

// Goexit ends the running goroutine of the evaluated program, whose deferred
// functions run.
func (ev *Evaluator) Goexit() { panic(&Panic{goexit: true}) }

func (ev *Evaluator) recover(call *ast.CallExpr) value.Value {
	last := len(ev.panics) - 1
	if last > 0 && ev.panics[last].depth == ev.depth+1 {
		last-- // recover itself was deferred, by a deferred function
	}
	if last < 0 {
		return value.Nil{Type: ev.typeOf(call)}
	}
	deferring := ev.panics[last]
	panicked := deferring.panicked
	if deferring.depth != ev.depth || panicked == nil || panicked.recovered || panicked.Final || panicked.goexit {
		return value.Nil{Type: ev.typeOf(call)}
	}
	if len(ev.conds) > deferring.conds {
		ev.Lost(call, value.UnknownAt(call.Pos(), "that recover is called under a condition"), "recover in each case, and decide then")
	}
	panicked.recovered = true
	ev.Note(ev.recoveries, value.UnknownAt(call.Pos(), "a panic that was recovered")) // another one gets nil
	return panicked.Value
}

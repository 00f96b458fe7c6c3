package eval

import (
	"go/ast"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// branch is one way to go on.
type branch func() control

// outcome is how a branch ended.
type outcome struct {
	control  control
	writes   value.Writes
	ret      []value.Value
	panicked *Panic
	ends     bool // nothing that follows is reached by it, see Evaluator.ends
	fails    bool // it returned an error that is surely not nil
	recorded int  // what the user had recorded for it
	defers   []*deferral
}

// fork follows every branch of a condition that isn't known, each from the same
// state, and joins what they leave.
//
// A branch that ends the program, or the function by an error that is surely not
// nil, makes nothing conditional that comes after it: see failure.go for what
// becomes of the error. Where all branches but the last end, the last one is the
// only way on, and runs under no condition. Every other branch that leaves the
// statement early does make what follows conditional: the rest runs under the
// condition, and what the branch had done is joined where the statement or
// function that it left ends.
//
// Of a condition by which starts differ (start.go), only the branch of the running
// start is followed, under no condition.
func (ev *Evaluator) fork(cond *Condition, branches ...branch) control {
	if ev.splits(cond) {
		return branches[ev.takeBranch(cond, len(branches))]()
	}
	return ev.forkAfter(nil, cond, branches...)
}

// notAtEnd notes that the running function goes on after what runs now, until the result is called.
func (ev *Evaluator) notAtEnd() (ended func()) {
	f, atEnd := ev.frame, ev.frame.atEnd
	f.atEnd = false
	return func() { f.atEnd = atEnd }
}

// forkWithin is fork within a statement: what follows the branches isn't over
// when the statement is the last one.
func (ev *Evaluator) forkWithin(cond *Condition, branches ...branch) {
	defer ev.notAtEnd()()
	ev.fork(cond, branches...)
}

// Perhaps implements [model.Machine].
func (ev *Evaluator) Perhaps(at ast.Expr, fn value.Value, why *value.Unknown) {
	cond := ev.condition(at, "the first call of "+value.Source(CalledExpr(at)))
	cond.Why, cond.Call = why, true
	ev.perhaps(cond, func() { ev.Call(at, fn, nil) })
}

// perhaps runs what the program does or doesn't, by a condition within a statement.
func (ev *Evaluator) perhaps(cond *Condition, run func()) {
	ev.forkWithin(cond, func() control {
		run()
		return control{}
	}, func() control { return control{} })
}

// forkAfter is fork after a call that may have failed, all branches but the last
// being consequences of the failure.
func (ev *Evaluator) forkAfter(f *failure, cond *Condition, branches ...branch) control {
	ev.noteUndecided(cond)
	base, exits := ev.Mark(), ev.exits()
	last := len(branches) - 1
	outcomes := make([]outcome, last, last+1)
	lost := ev.lost
	if f != nil {
		ev.lost = f
	}
	for i, run := range branches[:last] {
		outcomes[i] = ev.attempt(cond, f, run)
	}
	ev.lost = lost
	if ev.exits() == exits && !slices.ContainsFunc(outcomes, func(o outcome) bool { return !o.ends }) {
		for _, o := range outcomes {
			ev.leave(cond, base, o)
		}
		if cond.Why != nil && cond.Why.Computed {
			ev.needSource(cond.Why) // it may tell that the program always ends
		}
		return branches[last]()
	}
	if f != nil {
		ev.tolerated(f)
	}
	outcomes = append(outcomes, ev.attempt(cond, nil, branches[last]))
	return ev.joinOutcomes(cond, base, exits, outcomes)
}

// joinOutcomes goes on after the branches of a fork.
func (ev *Evaluator) joinOutcomes(cond *Condition, base, exits int, outcomes []outcome) control {
	var alternatives []value.Writes
	for _, o := range outcomes {
		if !o.ends && o.control.kind == next {
			alternatives = append(alternatives, o.writes)
			continue
		}
		ev.leave(cond, base, o)
	}
	if len(alternatives) == 0 {
		return control{kind: leaves}
	}
	ev.Join(cond.unknown(), alternatives)
	if ev.exits() > exits {
		ev.enterBranch(cond)
	}
	return control{kind: next}
}

// attempt runs a branch under cond, after a call that has failed in it unless failed is
// nil, and takes back what it changed.
func (ev *Evaluator) attempt(cond *Condition, failed *failure, run branch) (o outcome) {
	base, conds, exits, defers := ev.Mark(), len(ev.conds), ev.exits(), len(ev.frame.defers)
	ev.enterBranch(cond)
	if failed != nil {
		ev.offWay++
		defer func() { ev.offWay-- }()
	}
	ev.frame.ret = nil
	o.panicked = ev.Caught(func() {
		if failed != nil {
			ev.Apply(failed.writes)
		}
		o.control = ev.land(run())
		ev.closeOpen()
	})
	o.ret = ev.frame.ret
	o.recorded = ev.recordedMark()
	o.fails = o.panicked == nil && o.control.kind == returns && ev.frame.returnsError(o.ret)
	o.ends = ev.ends(o) && ev.exits() == exits
	if o.ends || o.fails || o.panicked != nil {
		ev.endsUnder(cond, o.panicked)
	}
	o.defers = slices.Clone(ev.frame.defers)
	ev.frame.deferUnder(cond, defers, o.ends || o.panicked != nil || o.control.kind == returns)
	o.writes = ev.Undo(base)
	ev.conds = ev.conds[:conds]
	return o
}

// ends reports whether a branch ended what is around it: the program, the
// function by an error that is surely not nil, or all of its own branches.
func (ev *Evaluator) ends(o outcome) bool {
	switch {
	case o.panicked != nil, o.fails, o.control.kind == leaves:
		return true
	case o.control.kind == returns:
		return ev.frame.tail && !ev.servesAtEnd()
	case o.control.kind == next:
		return ev.frame.atEnd && !ev.servesAtEnd()
	default:
		return false
	}
}

// servesAtEnd reports whether the program works, or will by a function that is
// deferred until its end. The caller takes back what those functions change; how they may
// have ended is nobody's.
func (ev *Evaluator) servesAtEnd() bool {
	running := ev.frame
	ev.offWay++
	defer func() { ev.frame = running; ev.offWay-- }()
	serves := func() bool { return ev.user.Serves() && !ev.hasFailed() }
	for f := running; f != nil && !serves(); f = f.outer {
		tried := *f
		tried.outer, tried.iterator, tried.recovers = nil, nil, false
		tried.pending, tried.failures, tried.crashes = nil, nil, nil
		ev.frame = &tried
		for _, d := range slices.Backward(slices.Clone(f.defers)) {
			ev.Survives(func() { ev.runDeferred(d) })
		}
	}
	return serves()
}

// exits counts the early exits that are waiting to be joined.
func (ev *Evaluator) exits() int {
	n := len(ev.frame.pending)
	for _, l := range ev.frame.loops {
		n += len(l.broken) + len(l.continued)
	}
	return n
}

// leave keeps what a branch has left for the end of what it left. The state is
// that of base.
func (ev *Evaluator) leave(cond *Condition, base int, o outcome) {
	e := &exit{
		cond: cond, ret: o.ret, panicked: o.panicked, recorded: o.recorded, defers: o.defers,
		from: len(ev.frame.defers),
	}
	switch {
	case o.panicked != nil:
		ev.crash(base, e, o.writes)
	case o.fails:
		e.writes = ev.Written(ev.frame.mark, base, o.writes)
		ev.frame.failures = append(ev.frame.failures, e)
	case o.ends: // the program's end
	case o.control.kind == returns:
		e.writes = ev.Written(ev.frame.mark, base, o.writes)
		ev.frame.pending = append(ev.frame.pending, e)
	case o.control.kind == breaks:
		if l := ev.frame.loop(o.control); l != nil {
			e.writes = ev.Written(l.mark, base, o.writes)
			l.broken = append(l.broken, e)
		}
	case o.control.kind == continues:
		if l := ev.frame.loop(o.control); l != nil {
			e.writes = ev.Written(l.roundMark, base, o.writes)
			l.continued = append(l.continued, e)
		}
	}
}

// crash keeps a panic that a deferred function may recover from.
func (ev *Evaluator) crash(base int, e *exit, w value.Writes) {
	f := ev.frame
	if f.iterator != nil { // its deferred functions come first
		f = f.iterator
		e.defers = slices.Clone(f.defers)
	}
	if f.catches(e.panicked) {
		e.writes = ev.Written(f.mark, base, w)
		ev.addCrash(f, e)
	}
}

// addCrash adds a panic to those of a function. Where nothing in it tells one from the
// other, two are one: calls of calls would have any number of them. What its deferred
// functions do about a panic may hang on which one it is.
func (ev *Evaluator) addCrash(f *frame, e *exit) {
	last := len(f.crashes) - 1
	if last < 0 || !f.crashes[last].isAlike(e) || f.recovers && len(e.defers) > 0 {
		f.crashes = append(f.crashes, e)
		return
	}
	other := f.crashes[last]
	why := other.cond.unknown()
	f.crashes[last] = &exit{
		cond: other.cond, writes: ev.JoinWritten(f.mark, why, other.writes, e.writes), defers: e.defers,
		recorded: min(other.recorded, e.recorded), isSeveral: true, panicked: other.panicked.or(e.panicked, why),
	}
}

// isAlike reports whether the same functions run after two panics, and go on likewise.
func (e *exit) isAlike(other *exit) bool {
	return e.panicked.goexit == other.panicked.goexit && slices.Equal(e.defers, other.defers)
}

// unlessLeft runs a statement, or a round of one, for whose end some branches may leave
// it. Where they do, a panic of what comes after them isn't the end: it is one more way.
func (ev *Evaluator) unlessLeft(exits *[]*exit, run branch) (c control) {
	panicked := ev.Caught(func() { c = run() })
	if panicked == nil {
		return c
	}
	if len(*exits) == 0 {
		panic(panicked)
	}
	ev.leave((*exits)[0].cond, ev.Mark(), outcome{panicked: panicked, recorded: ev.recordedMark(), defers: slices.Clone(ev.frame.defers)})
	return control{kind: leaves}
}

// rejoin ends a statement or function that began at mark: the early exits are
// joined with the state of those who came to its end, if any did.
func (ev *Evaluator) rejoin(mark int, exits []*exit, live bool) {
	if len(exits) == 0 {
		return
	}
	var alternatives []value.Writes
	left := ev.Undo(mark)
	if live {
		alternatives = append(alternatives, left)
	}
	for _, e := range exits {
		alternatives = append(alternatives, e.writes)
	}
	ev.Join(exits[0].cond.unknown(), alternatives)
}

// joinExits goes on after a statement that began at mark, which some branches
// have left for its end. Those that are still in it have come to its end by c, or
// leave more than it: what follows is without them then, under the condition.
func (ev *Evaluator) joinExits(mark int, exits []*exit, c control) control {
	c = ev.land(c)
	fails := c.kind == returns && ev.frame.returnsError(ev.frame.ret)
	if fails || c.kind == leaves {
		ev.endsUnder(exits[0].cond, nil)
	}
	switch c.kind {
	case returns, breaks, continues:
		o := outcome{control: c, ret: ev.frame.ret, recorded: ev.recordedMark(), defers: slices.Clone(ev.frame.defers), fails: fails}
		ev.leave(exits[0].cond, ev.Mark(), o)
	}
	ev.frame.deferUnder(exits[0].cond, exits[0].from, c.kind == returns || c.kind == leaves)
	ev.rejoin(mark, exits, c.kind == next)
	return control{}
}

// loop returns the statement that a break or continue leaves.
func (f *frame) loop(c control) *loop {
	if c.to != nil {
		return c.to
	}
	for i := len(f.loops) - 1; i >= 0; i-- {
		l := f.loops[i]
		if c.label != "" && l.label != c.label || c.kind == continues && !l.isLoop {
			continue
		}
		return l
	}
	return nil
}

// returnsError reports whether ret ends in an error that is surely not nil.
func (f *frame) returnsError(ret []value.Value) bool {
	if f.sig == nil || f.sig.Results().Len() == 0 || len(ret) != f.sig.Results().Len() {
		return false
	}
	last := f.sig.Results().Len() - 1
	return value.IsErrorType(f.sig.Results().At(last).Type()) && value.IsNonNil(ret[last])
}

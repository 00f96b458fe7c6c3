package eval

import "github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"

// branch is one way to go on.
type branch func() control

// outcome is how a branch ended.
type outcome struct {
	control control
	writes  value.Writes
	ret     []value.Value
	panics  bool
	fails   bool // it returned an error that is surely not nil
}

// fork follows every branch of a condition that isn't known, each from the same
// state, and joins what they leave.
//
// The contract describes the service that has started. So a branch that panics,
// exits or returns an error is the start-up failing, and doesn't make what
// comes after it conditional. Every other branch that leaves the statement
// early does: the rest runs under the condition, and what the branch had done
// is joined where the statement or function that it left ends.
func (ev *Evaluator) fork(cond *Condition, branches ...branch) control {
	ev.noteUndecided(cond)
	base, conds := ev.Mark(), len(ev.conds)
	exits := ev.exits()
	outcomes := make([]outcome, len(branches))
	defers := len(ev.frame.defers)
	for i, run := range branches {
		outcomes[i] = ev.attempt(cond, run)
		defers = ev.deferredUnder(cond, defers)
		outcomes[i].writes = ev.Undo(base)
		ev.conds = ev.conds[:conds]
	}
	var alternatives []value.Writes
	for _, o := range outcomes {
		switch {
		case o.panics:
		case o.control.kind == next:
			alternatives = append(alternatives, o.writes)
		case o.control.kind != leaves:
			ev.leave(cond, base, o)
		}
	}
	if len(alternatives) == 0 {
		if ev.exits() == exits && allPanic(outcomes) {
			panic(&Panic{Value: value.UnknownAt(cond.Pos, "the value of a panic"), Pos: cond.Pos})
		}
		return control{kind: leaves}
	}
	ev.Join(cond.unknown(), alternatives)
	if ev.exits() > exits {
		ev.conds = append(ev.conds, cond)
	}
	return control{kind: next}
}

// deferredUnder makes the functions that a branch has deferred run under its
// condition, and returns their number.
func (ev *Evaluator) deferredUnder(cond *Condition, from int) int {
	defers := ev.frame.defers
	for i := from; i < len(defers); i++ {
		run := defers[i]
		defers[i] = func() {
			ev.fork(cond, func() control { run(); return control{} }, func() control { return control{} })
		}
	}
	return len(defers)
}

func allPanic(outcomes []outcome) bool {
	for _, o := range outcomes {
		if !o.panics {
			return false
		}
	}
	return true
}

// attempt runs a branch under cond.
func (ev *Evaluator) attempt(cond *Condition, run branch) (o outcome) {
	ev.conds = append(ev.conds, cond)
	ev.frame.ret = nil
	if o.panics = !ev.Survives(func() { o.control = ev.land(run()) }); o.panics {
		ev.risk()
	}
	o.ret = ev.frame.ret
	o.fails = o.control.kind == returns && ev.frame.returnsError(o.ret)
	return o
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
	e := &exit{cond: cond, ret: o.ret}
	switch o.control.kind {
	case returns:
		e.writes = ev.Written(ev.frame.mark, base, o.writes)
		if o.fails {
			ev.frame.failures = append(ev.frame.failures, e)
			return
		}
		ev.frame.pending = append(ev.frame.pending, e)
	case breaks:
		if l := ev.frame.loop(o.control); l != nil {
			e.writes = ev.Written(l.mark, base, o.writes)
			l.broken = append(l.broken, e)
		}
	case continues:
		if l := ev.frame.loop(o.control); l != nil {
			e.writes = ev.Written(l.roundMark, base, o.writes)
			l.continued = append(l.continued, e)
		}
	}
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
	switch c.kind {
	case returns, breaks, continues:
		fails := c.kind == returns && ev.frame.returnsError(ev.frame.ret)
		ev.leave(exits[0].cond, ev.Mark(), outcome{control: c, ret: ev.frame.ret, fails: fails})
	}
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

package discover

// branch is one way to go on.
type branch func() control

// outcome is how a branch ended.
type outcome struct {
	control control
	writes  writes
	ret     []Value
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
func (in *interp) fork(cond *condition, branches ...branch) control {
	in.blame(cond)
	base, conds := len(in.journal), len(in.conds)
	exits := in.exits()
	outcomes := make([]outcome, len(branches))
	defers := len(in.frame.defers)
	for i, run := range branches {
		outcomes[i] = in.attempt(cond, run)
		defers = in.deferredUnder(cond, defers)
		outcomes[i].writes = in.undo(base)
		in.conds = in.conds[:conds]
	}
	var alternatives []writes
	for _, o := range outcomes {
		switch {
		case o.panics:
		case o.control.kind == next:
			alternatives = append(alternatives, o.writes)
		case o.control.kind != leaves:
			in.leave(cond, base, o)
		}
	}
	if len(alternatives) == 0 {
		if in.exits() == exits && allPanic(outcomes) {
			panic(&unwinding{value: in.unknown(cond.pos, "the value of a panic"), pos: cond.pos})
		}
		return control{kind: leaves}
	}
	in.join(cond, alternatives)
	if in.exits() > exits {
		in.conds = append(in.conds, cond)
	}
	return control{kind: next}
}

// deferredUnder makes the functions that a branch has deferred run under its
// condition, and returns their number.
func (in *interp) deferredUnder(cond *condition, from int) int {
	defers := in.frame.defers
	for i := from; i < len(defers); i++ {
		run := defers[i]
		defers[i] = func() {
			in.fork(cond, func() control { run(); return control{} }, func() control { return control{} })
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
func (in *interp) attempt(cond *condition, run branch) (o outcome) {
	in.conds = append(in.conds, cond)
	in.frame.ret = nil
	o.panics = !in.survives(func() { o.control = run() })
	o.ret = in.frame.ret
	o.fails = o.control.kind == returns && in.frame.returnsError(o.ret)
	return o
}

// exits counts the early exits that are waiting to be joined.
func (in *interp) exits() int {
	n := len(in.frame.pending)
	for _, l := range in.frame.loops {
		n += len(l.broken) + len(l.continued)
	}
	return n
}

// leave keeps what a branch has left for the end of what it left. The state is
// that of base.
func (in *interp) leave(cond *condition, base int, o outcome) {
	e := &exit{cond: cond, ret: o.ret}
	switch o.control.kind {
	case returns:
		e.writes = in.written(in.frame.mark, base, o.writes)
		if o.fails {
			in.frame.failures = append(in.frame.failures, e)
			return
		}
		in.frame.pending = append(in.frame.pending, e)
	case breaks:
		if l := in.frame.loop(o.control); l != nil {
			e.writes = in.written(l.mark, base, o.writes)
			l.broken = append(l.broken, e)
		}
	case continues:
		if l := in.frame.loop(o.control); l != nil {
			e.writes = in.written(l.roundMark, base, o.writes)
			l.continued = append(l.continued, e)
		}
	}
}

// written returns the state of the cells that changed between mark and base,
// and those of w.
func (in *interp) written(mark, base int, w writes) writes {
	all := make(writes)
	in.work(base - mark)
	for _, entry := range in.journal[mark:base] {
		all[entry.cell] = entry.cell.v
	}
	for cell, v := range w {
		all[cell] = v
	}
	return all
}

// rejoin ends a statement or function that began at mark: the early exits are
// joined with the state of those who came to its end, if any did.
func (in *interp) rejoin(mark int, exits []*exit, live bool) {
	if len(exits) == 0 {
		return
	}
	var alternatives []writes
	left := in.undo(mark)
	if live {
		alternatives = append(alternatives, left)
	}
	for _, e := range exits {
		alternatives = append(alternatives, e.writes)
	}
	in.join(exits[0].cond, alternatives)
}

// joinExits goes on after a statement that began at mark, which some branches
// have left for its end. Those that are still in it have come to its end by c, or
// leave more than it: what follows is without them then, under the condition.
func (in *interp) joinExits(mark int, exits []*exit, c control) control {
	switch c.kind {
	case returns, breaks, continues:
		fails := c.kind == returns && in.frame.returnsError(in.frame.ret)
		in.leave(exits[0].cond, len(in.journal), outcome{control: c, ret: in.frame.ret, fails: fails})
	}
	in.rejoin(mark, exits, c.kind == next)
	return control{}
}

// loop returns the statement that a break or continue leaves.
func (f *frame) loop(c control) *loop {
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
func (f *frame) returnsError(ret []Value) bool {
	if f.sig == nil || f.sig.Results().Len() == 0 || len(ret) != f.sig.Results().Len() {
		return false
	}
	last := f.sig.Results().Len() - 1
	return isErrorType(f.sig.Results().At(last).Type()) && isNonNil(ret[last])
}

func isNonNil(v Value) bool {
	switch v := v.(type) {
	case *Unknown:
		return v.NonNil
	case Nil, nil:
		return false
	default:
		return true
	}
}

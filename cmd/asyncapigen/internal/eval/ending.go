package eval

import (
	"cmp"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// conclude ends the running function, whose body ended in c or panicked: it runs
// the deferred functions and returns the result, and apart from it the failure
// where the function may have failed as well.
func (ev *Evaluator) conclude(c control, panicked *Panic) (value.Value, *failure) {
	frame := ev.frame
	live := panicked == nil && c.kind != leaves
	fails := live && frame.returnsError(frame.ret)
	if left := frame.leftBefore(); left != nil && (fails || !live) {
		ev.endsUnder(left.cond, panicked)
	}
	ways := len(frame.pending) + len(frame.failures) + len(frame.crashes)
	if panicked == nil && !live && ways == 0 {
		panicked = &Panic{Final: true} // an endless loop
	}
	if ev.endsApart(live, panicked) {
		return ev.concludeApart(live, panicked)
	}
	exits := frame.pending
	if !live && len(exits) == 0 {
		exits = frame.failures
	}
	if len(exits) > 0 {
		ret := frame.ret
		ev.rejoin(frame.mark, exits, live)
		frame.ret = mergeResults(exits, ret, live)
	}
	return tupleOf(ev.finish(nil)), nil
}

// endsApart reports whether the running function may have ended in several ways
// which aren't to be joined, or its deferred functions may.
func (ev *Evaluator) endsApart(live bool, panicked *Panic) bool {
	frame := ev.frame
	ways := len(frame.pending) + len(frame.failures) + len(frame.crashes)
	switch {
	case panicked != nil && ways == 0, len(frame.crashes) > 0:
		return true
	case slices.ContainsFunc(frame.pending, func(e *exit) bool { return !slices.Equal(e.defers, frame.defers) }):
		return true
	case len(frame.failures) > 0 && (live || len(frame.pending) > 0):
		return true
	default:
		return panicked != nil && frame.catches(panicked) || len(frame.defers) > 0 && (ev.recoverable() || frame.isInGoroutine())
	}
}

// finish runs the deferred functions and returns the results. It panics unless
// one of them recovers.
func (ev *Evaluator) finish(panicked *Panic) []value.Value {
	deferred := len(ev.frame.defers) > 0
	panicked = ev.runDefers(panicked)
	if panicked != nil && !panicked.recovered {
		panic(panicked)
	}
	return ev.returned(panicked != nil, deferred)
}

// tupleOf returns results as the value of a call.
func tupleOf(ret []value.Value) value.Value {
	if len(ret) == 1 {
		return ret[0]
	}
	return value.Tuple(ret)
}

// concludeApart is conclude for a function that may have ended in several ways
// which aren't to be joined: normally, by an error, or by a panic. Each runs the
// deferred functions by itself, and may end in another way by them.
func (ev *Evaluator) concludeApart(live bool, panicked *Panic) (value.Value, *failure) {
	frame := ev.frame
	endings := ev.endings(live, panicked)
	var normal, failing, ended, thrown []*exit
	for i := 0; i < len(endings); i++ {
		e, crashes := endings[i], len(frame.crashes)
		ev.finishApart(e)
		endings = append(endings, ev.rescuedOrNot(frame.crashes[crashes:])...) // panics of its deferred functions
		ev.servedAtEnd(e)
		switch {
		case e.panicked != nil:
			thrown = append(thrown, e)
			ev.throwFurther(e)
		case frame.returnsError(e.ret):
			failing = append(failing, e)
		case e.ended:
			ended = append(ended, e)
		default:
			normal = append(normal, e)
		}
	}
	if len(normal) == 0 {
		normal, failing = failing, nil
	}
	if len(normal) == 0 {
		normal = ended
	}
	if len(normal) == 0 {
		ev.Apply(thrown[0].writes)
		panic(thrown[0].panicked)
	}
	var failed *failure
	if len(failing) > 0 {
		failed = ev.failureOf(failing, conditionOf(slices.Concat(failing, normal)))
	}
	for _, e := range normal {
		if e.cond != nil {
			ev.toleratedExit(e)
		}
	}
	mark := ev.Mark()
	result := ev.joinEndings(normal)
	if failed != nil {
		failed.writes = ev.Switch(mark, failed.writes)
	}
	return tupleOf(result), failed
}

// servedAtEnd notes that a way's deferred functions have the program begin to work, if they
// do, and it then ends. What else is recorded isn't in this way.
func (ev *Evaluator) servedAtEnd(e *exit) {
	if !e.serves || e.cond == nil || e.panicked == nil && !ev.frame.returnsError(e.ret) {
		return
	}
	ev.toleratedExit(e)
	ev.endsServing(e.cond, nil)
}

// endings returns the ways in which the running function's body may have ended,
// and takes back what it changed. Returns that have deferred the same are one.
func (ev *Evaluator) endings(live bool, panicked *Panic) []*exit {
	frame, defers := ev.frame, ev.frame.defers
	var all []*exit
	var atEnd value.Writes
	if !live {
		atEnd = ev.Undo(frame.mark)
	}
	if !live && len(frame.pending) > 0 {
		defers = frame.pending[0].defers
	}
	var alike, others []*exit
	for _, e := range frame.pending {
		if slices.Equal(e.defers, defers) {
			alike = append(alike, e)
		} else {
			others = append(others, e)
		}
	}
	if live || len(alike) > 0 {
		ret := frame.ret
		ev.rejoin(frame.mark, alike, live)
		if len(alike) > 0 {
			ret = mergeResults(alike, ret, live)
		}
		all = append(all, &exit{writes: ev.Undo(frame.mark), ret: ret, recorded: ev.user.Mark(), defers: defers})
	}
	if panicked != nil {
		last := &exit{writes: atEnd, panicked: panicked, recorded: ev.recordedMark(), defers: frame.defers}
		if left := frame.leftBefore(); left != nil {
			last.cond = left.cond
		}
		all = append(all, last)
	}
	return ev.rescuedOrNot(slices.Concat(all, others, frame.failures, frame.crashes))
}

// rescuedOrNot makes two ways of a panic where it isn't known whether a call was deferred
// that may recover from it, or whether it does.
func (ev *Evaluator) rescuedOrNot(ways []*exit) (all []*exit) {
	for _, e := range ways {
		i := slices.IndexFunc(e.defers, func(d *deferral) bool { return d.recovers && (len(d.conds) > 0 || d.unseen != nil) })
		if e.panicked == nil || i < 0 {
			all = append(all, e)
			continue
		}
		surely, without, panicked, d := *e, *e, *e.panicked, e.defers[i]
		without.panicked = &panicked
		surely.defers, without.defers = slices.Clone(e.defers), slices.Clone(e.defers)
		if len(d.conds) > 0 {
			surely.cond = cmp.Or(e.cond, d.conds[0])
			without.cond = surely.cond
			surely.defers[i] = &deferral{run: d.run, recovers: true, unseen: d.unseen}
			without.defers = slices.Delete(without.defers, i, i+1)
		} else { // that it recovers is what isn't known of the way that goes on
			surely.cond, without.cond = d.unseen, cmp.Or(e.cond, d.unseen)
			surely.defers[i], without.defers[i] = ev.recoversUnseen(d), &deferral{run: d.run}
		}
		all = append(all, ev.rescuedOrNot([]*exit{&surely, &without})...)
	}
	return all
}

// leftBefore returns one of the ways that have left the function before its last
// statement, nil where none has: what comes last is under its condition.
func (f *frame) leftBefore() *exit {
	for _, ways := range [][]*exit{f.pending, f.failures, f.crashes} {
		if len(ways) > 0 {
			return ways[0]
		}
	}
	return nil
}

// finishApart runs the deferred functions of one ending.
func (ev *Evaluator) finishApart(e *exit) {
	frame, conds, lost := ev.frame, len(ev.conds), ev.lost
	mark := ev.Mark()
	if e.cond != nil {
		ev.enterBranch(e.cond)
		ev.lost = &failure{recorded: e.recorded}
	}
	ev.offWay++
	defer func() { ev.offWay-- }()
	ev.Apply(e.writes)
	frame.ret, frame.defers, frame.loops = e.ret, slices.Clone(e.defers), nil
	before := ev.serving.n
	thrown := ev.Caught(func() { e.ret = ev.finish(e.panicked) })
	e.panicked, e.serves = thrown, ev.serving.n > before
	after := ev.Mark()
	e.ended = frame.tail && e.cond != nil && !ev.servesAtEnd()
	ev.Undo(after)
	e.writes = ev.Undo(mark)
	ev.conds, ev.lost = ev.conds[:conds], lost
}

// throwFurther keeps a panic for the function that called the running one, if
// that may recover from it. The state is that of the call.
func (ev *Evaluator) throwFurther(e *exit) {
	outer := ev.frame.outer
	if outer != nil && outer.iterator != nil {
		outer = outer.iterator
	}
	if outer == nil || e.cond == nil || !outer.catches(e.panicked) {
		return
	}
	ev.addCrash(outer, &exit{
		cond: e.cond, writes: ev.Written(outer.mark, ev.Mark(), e.writes), panicked: e.panicked,
		recorded: e.recorded, defers: slices.Clone(outer.defers),
	})
}

// failureOf joins the endings by an error under a condition. The state is that of the call.
func (ev *Evaluator) failureOf(failing []*exit, cond *Condition) *failure {
	mark := ev.Mark()
	f := &failure{cond: cond, recorded: failing[0].recorded, until: ev.user.Mark()}
	for _, e := range failing {
		f.recorded = min(f.recorded, e.recorded)
	}
	f.result = tupleOf(ev.joinEndings(failing))
	f.writes = ev.Undo(mark)
	return f
}

// conditionOf returns the first condition that tells one of several endings from the others:
// the end of the body has none.
func conditionOf(endings []*exit) (cond *Condition) {
	for _, e := range endings {
		cond = cmp.Or(cond, e.cond)
	}
	return cond
}

// joinEndings joins the states of endings and returns the results.
func (ev *Evaluator) joinEndings(endings []*exit) []value.Value {
	if len(endings) == 1 {
		ev.Apply(endings[0].writes)
		return endings[0].ret
	}
	cond := conditionOf(endings)
	writes := make([]value.Writes, len(endings))
	for i, e := range endings {
		writes[i] = e.writes
	}
	ev.Join(cond.unknown(), writes)
	return mergeReturns(cond, endings)
}

// recoverable reports whether a deferred function may recover from a panic of
// the running function.
func (ev *Evaluator) recoverable() bool { return recoverableIn(ev.frame) }

// catches reports whether a panic of the function may not be the program's end.
func (f *frame) catches(p *Panic) bool {
	return !p.Final && (recoverableIn(f) || p.goexit && f.isInGoroutine())
}

// isInGoroutine reports whether main didn't call the function.
func (f *frame) isInGoroutine() bool {
	for f.outer != nil {
		f = f.outer
	}
	return f.isGoroutine
}

func recoverableIn(f *frame) bool {
	for ; f != nil; f = f.outer {
		if f.recovers {
			return true
		}
	}
	return false
}

func mergeResults(exits []*exit, ret []value.Value, live bool) []value.Value {
	all := exits
	if live {
		all = append([]*exit{{ret: ret}}, exits...)
	}
	return mergeReturns(exits[0].cond, all)
}

func mergeReturns(cond *Condition, endings []*exit) []value.Value {
	merged := make([]value.Value, len(endings[0].ret))
	for i := range merged {
		values := make([]value.Value, 0, len(endings))
		for _, e := range endings {
			if i < len(e.ret) {
				values = append(values, e.ret[i])
			}
		}
		merged[i] = value.Merge(cond.unknown(), values)
	}
	return merged
}

package eval

// tolerate runs f, which evaluates code of a package that doesn't compile, and
// passes over what can't be evaluated there: go/types promises nothing about
// the types of such code. The fault has been reported with the package, so
// nothing is omitted silently.
func (ev *Evaluator) tolerate(f func()) {
	frame, depth, turns, conds, panics := ev.frame, ev.depth, ev.turns, len(ev.conds), len(ev.panics)
	var outer *scope
	var loops int
	if frame != nil {
		outer, loops = frame.scope, len(frame.loops)
	}
	defer func() {
		if ev.exhausted {
			return
		}
		switch v := recover().(type) {
		case nil:
			return
		case *Panic:
			panic(v)
		}
		ev.frame, ev.depth, ev.turns, ev.conds, ev.panics = frame, depth, turns, ev.conds[:conds], ev.panics[:panics]
		if frame != nil {
			frame.scope, frame.loops = outer, frame.loops[:loops]
		}
	}()
	f()
}

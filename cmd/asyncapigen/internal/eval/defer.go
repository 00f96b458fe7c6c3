package eval

import (
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// deferring is a function whose deferred functions are running.
type deferring struct {
	panicked *Panic // nil unless it panics
	perhaps  bool   // it isn't known whether it does
	depth    int    // that of the deferred functions
}

// runDefers runs the deferred functions and returns the panic, which may be one
// of theirs by then.
func (ev *Evaluator) runDefers(panicked *Panic) *Panic {
	frame := ev.frame
	current := &deferring{panicked, ev.risks > frame.risks, ev.depth + 1}
	exiting := panicked != nil && panicked.goexit
	ev.panics = append(ev.panics, current)
	defer func() { ev.panics = ev.panics[:len(ev.panics)-1] }()
	for len(frame.defers) > 0 && (current.panicked == nil || !current.panicked.Final) {
		last := len(frame.defers) - 1
		run := frame.defers[last]
		frame.defers = frame.defers[:last]
		if u := ev.Caught(run); u != nil {
			current.panicked = u
			exiting = exiting || u.goexit
		}
	}
	if exiting && (current.panicked == nil || current.panicked.recovered) {
		return &Panic{goexit: true}
	}
	return current.panicked
}

// returned returns the function's result. After a recovered panic, and where
// deferred functions may have changed them, the named results count.
func (ev *Evaluator) returned(sig *types.Signature, recovered, deferred bool) value.Value {
	ret := ev.frame.ret
	if len(ev.frame.results) > 0 && (recovered || deferred) {
		ret = nil
		for _, cell := range ev.frame.results {
			ret = append(ret, cell.Load())
		}
	}
	n := sig.Results().Len()
	if recovered && len(ev.frame.results) == 0 {
		ret = make([]value.Value, n)
		for i := range ret {
			ret[i] = ev.Zero(ev.frame.targs.subst(sig.Results().At(i).Type()))
		}
	}
	if n == 1 && len(ret) == 1 {
		return ret[0]
	}
	return value.Tuple(ret)
}

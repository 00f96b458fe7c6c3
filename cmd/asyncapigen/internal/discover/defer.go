package discover

import (
	"go/types"
)

// deferring is a function whose deferred functions are running.
type deferring struct {
	panicked *unwinding // nil unless it panics
	depth    int        // that of the deferred functions
}

// runDefers runs the deferred functions and returns the panic, which may be one
// of theirs by then.
func (in *interp) runDefers(panicked *unwinding) *unwinding {
	frame := in.frame
	current := &deferring{panicked, in.depth + 1}
	in.panics = append(in.panics, current)
	defer func() { in.panics = in.panics[:len(in.panics)-1] }()
	for len(frame.defers) > 0 && (current.panicked == nil || !current.panicked.final) {
		last := len(frame.defers) - 1
		run := frame.defers[last]
		frame.defers = frame.defers[:last]
		if u := in.caught(run); u != nil {
			current.panicked = u
		}
	}
	return current.panicked
}

// returned returns the function's result. After a recovered panic, and where
// deferred functions may have changed them, the named results count.
func (in *interp) returned(sig *types.Signature, recovered, deferred bool) Value {
	ret := in.frame.ret
	if len(in.frame.results) > 0 && (recovered || deferred) {
		ret = nil
		for _, cell := range in.frame.results {
			ret = append(ret, cell.v)
		}
	}
	n := sig.Results().Len()
	if recovered && len(in.frame.results) == 0 {
		ret = make([]Value, n)
		for i := range ret {
			ret[i] = in.zero(in.frame.targs.subst(sig.Results().At(i).Type()))
		}
	}
	if n == 1 && len(ret) == 1 {
		return ret[0]
	}
	return Tuple(ret)
}

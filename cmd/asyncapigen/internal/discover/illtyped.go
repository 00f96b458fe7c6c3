package discover

// tolerate runs f, which evaluates code of a package that doesn't compile, and
// passes over what can't be evaluated there: go/types promises nothing about
// the types of such code. The fault has been reported with the package, so
// nothing is omitted silently.
func (in *interp) tolerate(f func()) {
	frame, depth, conds, panics := in.frame, in.depth, len(in.conds), len(in.panics)
	var outer *scope
	var loops int
	if frame != nil {
		outer, loops = frame.scope, len(frame.loops)
	}
	defer func() {
		switch v := recover().(type) {
		case nil:
			return
		case *unwinding, exhausted:
			panic(v)
		}
		in.frame, in.depth, in.conds, in.panics = frame, depth, in.conds[:conds], in.panics[:panics]
		if frame != nil {
			frame.scope, frame.loops = outer, frame.loops[:loops]
		}
	}()
	f()
}

package eval

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// A way on which the program works, since it serves something, and then ends is a start of
// its own: what comes after it in the program isn't on it, so it is conditional. A call by
// which something is to be served and that fails is no such way, but a start that has failed.

// serving is what is known of what the program serves.
type serving struct {
	works  *value.Cell         // holds nil until something is served, then whether it hasn't failed
	served map[any]*value.Cell // each holds whether something is served
	calls  map[token.Pos]bool  // those without which the program hasn't started, and where its own code makes them
	n      int                 // how many calls have served something, on all ways
}

func newServing() serving {
	return serving{works: value.NewCell(nil), served: make(map[any]*value.Cell), calls: make(map[token.Pos]bool)}
}

// ended is what is known of the ways on which the program has worked and then ended.
type ended struct {
	conds  []*Taken     // that what follows is on none of these ways
	served map[any]bool // what each of them has served
	n      int          // serving.n at the last of them
	exits  int          // how many of them have ended the whole program
	stays  int          // how many have never come to an end, or have ended their goroutine
}

// NoteServed notes that the program serves something by a call. What goroutines note isn't known
// to others.
func (ev *Evaluator) NoteServed(at ast.Expr, what any) {
	if ev.serving.served[what] == nil {
		ev.serving.served[what] = value.Beside(what, truth(false))
	}
	ev.Note(ev.serving.served[what], truth(true))
	ev.Note(ev.serving.works, truth(true))
	ev.serving.n++
	ev.NoteStart(at)
}

// NoteStart notes a call without which the program hasn't started: where it fails, what was
// served before counts for nothing.
func (ev *Evaluator) NoteStart(at ast.Expr) {
	ev.serving.calls[at.Pos()], ev.serving.calls[ev.OwnPos(at.Pos())] = true, true
}

// assumeFailed notes that an error which isn't known isn't nil: it may say that the program
// hasn't started.
func (ev *Evaluator) assumeFailed(err *value.Unknown) {
	if ev.serving.calls[err.FirstPos()] && ev.serving.works.Load() != nil {
		ev.Note(ev.serving.works, truth(false))
	}
}

// mayWork reports whether the program works, or may.
func (ev *Evaluator) mayWork() bool { return ev.serving.works.Load() != nil && !ev.hasFailed() }

// hasFailed reports whether the program was to serve something, and hasn't started.
func (ev *Evaluator) hasFailed() bool {
	started, known := value.Truth(ev.serving.works.Load())
	return known && !started
}

// endsUnder notes that a way under a condition ends, by a panic unless that is nil. If the
// program works on it, what follows is for the other ways.
func (ev *Evaluator) endsUnder(cond *Condition, panicked *Panic) {
	if !ev.mayWork() {
		return
	}
	ev.endsServing(cond, ev.servedNow())
	switch {
	case panicked == nil:
	case panicked.ofAll():
		ev.ended.exits++
	default:
		ev.ended.stays++
	}
}

// endsServing notes the end of a way by what it has served.
func (ev *Evaluator) endsServing(cond *Condition, served map[any]bool) {
	after := ev.ended
	after.served, after.n = make(map[any]bool), ev.serving.n
	if len(after.conds) == 0 || ev.ended.n < ev.serving.n { // else nothing tells it from the one before
		after.conds = append(slices.Clip(after.conds), &Taken{Condition: cond})
	}
	for what, is := range served {
		after.served[what] = is && (len(ev.ended.conds) == 0 || ev.ended.served[what])
	}
	ev.ended = after
}

// and returns what is known of other ways, too.
func (e ended) and(other ended) ended {
	switch {
	case len(other.conds) == 0:
		return e
	case len(e.conds) == 0:
		return other
	}
	common := 0 // the ways that had ended when the one was started beside the other
	for common < min(len(e.conds), len(other.conds)) && e.conds[common] == other.conds[common] {
		common++
	}
	both := ended{conds: slices.Clone(e.conds), served: make(map[any]bool), n: max(e.n, other.n), exits: max(e.exits, other.exits), stays: max(e.stays, other.stays)}
	for _, branch := range other.conds[common:] {
		if !slices.Contains(both.conds, branch) {
			both.conds = append(both.conds, branch)
		}
	}
	for what, is := range e.served {
		both.served[what] = is && other.served[what]
	}
	return both
}

// aside runs what isn't on the program's own way: a goroutine, or a function that code which
// isn't followed calls. It returns the ways that have ended by then. The others go on, but
// where one may have exited the program.
func (ev *Evaluator) aside(run func()) ended {
	before := ev.ended
	run()
	after := ev.ended
	if after.exits == before.exits {
		ev.ended = before
	}
	return after
}

// serves reports whether something is surely served.
func (ev *Evaluator) serves(what any) bool {
	cell := ev.serving.served[what]
	return cell != nil && isSurely(cell)
}

// servedNow returns whether each thing is surely served.
func (ev *Evaluator) servedNow() map[any]bool {
	served := make(map[any]bool)
	for what := range ev.serving.served {
		served[what] = ev.serves(what)
	}
	return served
}

// ServesAtEachEnd reports whether something is served on each way that has come to the
// program's end, that of now among them, and has served anything.
func (ev *Evaluator) ServesAtEachEnd(what any) bool {
	return ev.serves(what) && (len(ev.ended.conds) == 0 || ev.ended.served[what])
}

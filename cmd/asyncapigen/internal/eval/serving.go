package eval

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// A way that gives a router to a broker and then ends is a start of its own: what
// comes after it in the program isn't in its contract, so it is conditional.

// serving is a place at which something is served.
type serving struct {
	what any
	at   token.Pos
}

// DynamicType implements [value.Atom].
func (serving) DynamicType() types.Type { return types.Typ[types.Invalid] }

// servings is what has been served by a moment.
type servings struct {
	any  bool
	last value.Value // see Evaluator.lastServed
	n    int         // how many were noted, in all ways
}

// ended is what is known of the ways that have served and then ended.
type ended struct {
	noted []noted
	all   map[any]bool // what each of them has served; nil where there is no such way
}

// noted is something that was served, within a number of conditions.
type noted struct {
	what  any
	conds int
}

// NoteServed notes that the program begins to work, or serves something else. A function
// that is given to other code may be called by it at each later call: that is nothing new.
func (ev *Evaluator) NoteServed(what any) {
	ev.ended.noted = append(ev.ended.noted, noted{what, len(ev.conds)})
	if !ev.isCallback() {
		ev.Note(ev.lastServed, serving{what, ev.last})
	}
}

// isCallback reports whether code that isn't followed calls what is running.
func (ev *Evaluator) isCallback() bool {
	return slices.ContainsFunc(ev.conds, func(cond under) bool { return cond.Call })
}

func (ev *Evaluator) servedNow() *servings {
	return &servings{ev.user.Serves(), ev.lastServed.Load(), len(ev.ended.noted)}
}

// servedSince reports whether the program has, or may have, begun to work since a moment,
// or has served something else since.
func (ev *Evaluator) servedSince(before *servings) bool {
	last := ev.lastServed.Load()
	return !before.any && ev.user.Serves() || last != nil && !value.Same(before.last, last)
}

// endsUnder notes that a way under a condition ends. Where it has served since a moment,
// what follows is for the other starts. An error of a callback isn't the program's end.
func (ev *Evaluator) endsUnder(cond *Condition, before *servings, fails bool) {
	if cond.Call || fails && ev.isCallback() || !ev.servedSince(before) {
		return
	}
	ev.servedUnder = cmp.Or(ev.servedUnder, cond)
	there := make(map[any]bool)
	for _, s := range ev.ended.noted[before.n:] {
		if s.conds <= len(ev.conds) && (ev.ended.all == nil || ev.ended.all[s.what]) {
			there[s.what] = true
		}
	}
	ev.ended.all = there
}

// EndedWaysServed reports whether each way that has served and then ended has served this.
func (ev *Evaluator) EndedWaysServed(what any) bool {
	return ev.servedUnder == nil || ev.ended.all[what]
}

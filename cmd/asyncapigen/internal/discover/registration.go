package discover

import (
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// A start on which nothing is served has no contract. So a route that is registered under
// a condition is one of the contract's all the same where all that is served is served under
// it, too: the program consumes that route whenever it consumes any.

// A registration is that a router gets a route.
type registration struct {
	route   registered.Route
	way     eval.Way        // that leads to it, by unknown conditions; none where it is made in every case
	isIn    bool            // it is made in branches of conditions, and not only depends on how a call has ended before
	isLost  bool            // the route isn't known
	unknown diagnostic.List // what of it isn't, where a way leads to it

	functions []value.Value // of its handlers
}

// admit makes routes of the registrations of a start, when all is known of what it serves,
// and reports those that it makes in some cases only.
func (f *finder) admit() {
	for _, r := range f.registrations {
		conds := f.servedBeside(r)
		for _, cond := range conds {
			f.reportConditional(r.route.Name, cond)
		}
		if conds != nil {
			continue
		}
		f.addAll(recorded{diagnostics: r.unknown})
		if !r.isLost {
			f.found = append(f.found, r.route)
		}
	}
}

// servedBeside returns the conditions of a registration without which something may be
// served: of one that is made in branches, the first.
func (f *finder) servedBeside(r registration) (conds []*eval.Condition) {
	for _, branch := range r.way {
		if (!r.isIn || conds == nil) && f.isServedBeside(r, branch) {
			conds = append(conds, branch.Condition)
		}
	}
	return conds
}

// isServedBeside reports whether something may be served, but not by a branch that leads to
// a registration. How often a loop runs, or code that isn't followed calls a function, is no
// branch that the program takes or doesn't.
func (f *finder) isServedBeside(r registration, branch *eval.Taken) bool {
	if branch.Loop || branch.Call || f.mayServe != nil || len(f.servings) == 0 || f.ev.Part {
		return true
	}
	return slices.ContainsFunc(f.servings, func(s serving) bool { return s.isOffWay || f.ev.Beside(eval.Way{branch}, s.way) != nil })
}

// isRegistered reports whether a route that is registered with another router is the same,
// wherever the running program comes to this place.
func (f *finder) isRegistered(route registered.Route) bool {
	here := f.ev.Way()
	isSame := func(r registration) bool {
		return !r.isLost && isOther(r.route, route) && f.ev.Beside(r.way, here) == nil
	}
	return slices.ContainsFunc(f.registrations, isSame) || slices.ContainsFunc(f.beforehand, isSame)
}

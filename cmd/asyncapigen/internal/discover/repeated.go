package discover

import (
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
)

// A route that another router has as well adds nothing to the contract, whether it is
// registered or not. So it is in a program that makes its router and its broker anew
// after they have failed.

// A repetition is a route that is registered under a condition, and that another router
// has in every case.
type repetition struct {
	route registered.Route
	cond  *eval.Condition
}

// repeats notes a route that is registered under a condition, and reports whether another
// router has it, as far as is known until the policies of both are.
func (f *finder) repeats(r repetition) bool {
	if !f.isRegistered(r.route) {
		return false
	}
	f.repeated = append(f.repeated, r)
	return true
}

// checkRepeated reports the routes whose routers have other policies where a broker gets
// them, or refuse them.
func (f *finder) checkRepeated() {
	routers := make(realRouters)
	for _, route := range f.found {
		_ = routers.register(route) // what is refused is reported for all starts
	}
	for _, r := range f.repeated {
		if f.hasOtherPolicy(r.route) {
			f.reportConditional(r.route.Name, r.cond)
		}
		f.isAccepted(routers, r.route)
	}
}

// hasOtherPolicy reports whether a broker gets a route, or may get it, with another policy
// than that of the route that it repeats. A router that isn't known may be its own.
func (f *finder) hasOtherPolicy(route registered.Route) bool {
	if route.Failure != nil || route.FailureUnknown {
		return !f.isRepeated(route)
	}
	return slices.ContainsFunc(f.servings, func(s serving) bool {
		route.Failure, route.FailureUnknown = s.policy, s.policy == nil
		return (s.router == route.Router || value.IsUnknown(s.router)) && !f.isRepeated(route)
	})
}

// isRepeated reports whether another router has a route in every case.
func (f *finder) isRepeated(route registered.Route) bool {
	return slices.ContainsFunc(f.found, func(other registered.Route) bool { return isOther(other, route) })
}

// isOther reports whether a route is the same as one that another router has.
func isOther(a, b registered.Route) bool {
	return a.Router != b.Router && !value.IsUnknown(a.Router) && !value.IsUnknown(b.Router) && a.Equal(b)
}

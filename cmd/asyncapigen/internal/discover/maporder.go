package discover

import (
	"go/token"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// A program ranges over a map in another order each time. What it registers is
// known only if it is the same in each, which is found by evaluating the program
// again with the loops in other orders.

// maxOrdered is the number of loops up to which each is looked at by itself.
const maxOrdered = 8

// compareOrders reports the loops over maps on whose order the routes depend.
func (f *finder) compareOrders(evaluate func()) {
	loops := f.ev.MapLoops()
	if len(loops) == 0 || f.diagnostics.HasErrors() {
		return
	}
	if len(loops) > maxOrdered {
		f.compareOrder(evaluate, loops[0], loops...)
		return
	}
	for _, loop := range loops {
		f.compareOrder(evaluate, loop, loop)
	}
}

func (f *finder) compareOrder(evaluate func(), at token.Pos, loops ...token.Pos) {
	found, diagnostics := f.found, f.diagnostics
	serving, served, mayServe := f.serving, f.served, f.mayServe
	defer func() {
		f.ev.VisitMaps(value.Ascending)
		f.found, f.diagnostics = found, diagnostics
		f.serving, f.served, f.mayServe = serving, served, mayServe
	}()
	for _, order := range []value.Order{value.Descending, value.Rotated} {
		f.ev.VisitMaps(order, loops...)
		evaluate()
		f.applyPolicies()
		what, differ := difference(found, f.found)
		if differ || f.diagnostics.HasErrors() {
			diagnostics.Add(diagnostic.Diagnostic{
				Code: diagnostic.MapOrder, Pos: f.program.Position(f.ev.LoopSite(at)),
				What:   "what is registered depends on the order of the entries of this map",
				Why:    what + " isn't the same in each, and the order is another one each time",
				Remedy: "range over the sorted keys",
			})
			return
		}
	}
}

// difference names what two evaluations didn't find alike, and reports false where there
// is nothing.
func difference(a, b []registered.Route) (what string, differ bool) {
	if name, differ := differingRoute(a, b); differ {
		return "the route " + quoted(name), true
	}
	return "what the router declares", !sameDeclared(a, b)
}

// differingRoute returns the name of a route that two evaluations didn't find
// alike, in whichever order, and false where there is none.
func differingRoute(a, b []registered.Route) (name string, differ bool) {
	byName := make(map[string]registered.Route)
	for _, route := range a {
		byName[route.Name] = route
	}
	for _, route := range b {
		other, ok := byName[route.Name]
		if !ok || !sameRoute(route, other) {
			return route.Name, true
		}
		delete(byName, route.Name)
	}
	for name := range byName {
		return name, true
	}
	return "", false
}

package discover

import (
	"errors"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/runtime"
)

// checkStart registers the routes of a start with real routers: what they refuse, the
// program's own would.
func (f *finder) checkStart(routes []registered.Route) {
	routers := make(realRouters)
	for _, route := range routes {
		f.isAccepted(routers, route)
	}
}

// checkRoutes registers what was found with one router for all as well: one contract can't
// have what that refuses. It has a route once that several routers have.
func (f *finder) checkRoutes() {
	contract, routers := runtime.NewRouter(), make(realRouters)
	all := f.found
	f.found = nil
	for _, route := range all {
		if f.isAccepted(routers, route) {
			if err := contract.Register(route.Registrable()); err != nil {
				if f.isRepeated(route) {
					continue
				}
				f.reportRefused(route, "the contract of all routers can't have the route "+quoted(route.Name), err)
			}
		}
		f.found = append(f.found, route)
	}
}

// realRouters are routers that stand for the program's own.
type realRouters map[any]*runtime.Router

// register returns the error with which the program's own router refuses a route.
func (r realRouters) register(route registered.Route) error {
	if r[route.Router] == nil {
		r[route.Router] = runtime.NewRouter()
	}
	if route.CodecFault != "" {
		return &runtime.RouteError{Route: route.Name, Field: "Codec", Fault: route.CodecFault}
	}
	return r[route.Router].Register(route.Registrable())
}

// isAccepted reports whether the program's own router takes a route, and says why it doesn't.
func (f *finder) isAccepted(routers realRouters, route registered.Route) bool {
	err := routers.register(route)
	if err != nil {
		f.reportRefused(route, "the router refuses the route "+quoted(route.Name), err)
	}
	return err == nil
}

func (f *finder) reportRefused(route registered.Route, what string, err error) {
	d := diagnostic.Diagnostic{Code: diagnostic.RefusedRoute, Pos: route.Pos, What: what, Why: err.Error()}
	var refused *runtime.RouteError
	if errors.As(err, &refused) {
		d.Why = refused.Field + ": " + refused.Fault
	}
	f.diagnostics.Add(d)
}

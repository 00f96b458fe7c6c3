package discover

import (
	"errors"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/runtime"
)

// checkRoutes registers what was found with real routers: what they refuse, the
// program's own would, and one contract can't have what one router for all refuses.
func (f *finder) checkRoutes() {
	contract := runtime.NewRouter()
	routers := make(map[any]*runtime.Router)
	for _, route := range f.found {
		if routers[route.Router] == nil {
			routers[route.Router] = runtime.NewRouter()
		}
		own := routers[route.Router].Register(route.Registrable())
		if own != nil {
			f.reportRefused(route, "the router refuses the route "+quoted(route.Name), own)
		}
		if err := contract.Register(route.Registrable()); err != nil && own == nil {
			f.reportRefused(route, "the contract of all routers can't have the route "+quoted(route.Name), err)
		}
	}
}

func (f *finder) reportRefused(route registered.Route, what string, err error) {
	d := diagnostic.Diagnostic{Code: diagnostic.RefusedRoute, Pos: route.Pos, What: what, Why: err.Error()}
	var refused *runtime.RouteError
	if errors.As(err, &refused) {
		d.Why = refused.Field + ": " + refused.Fault
	}
	f.diagnostics.Add(d)
}

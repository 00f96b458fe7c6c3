package discover

import (
	"errors"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/runtime"
)

// checkRoutes registers what was found with a real router: what it refuses, the
// program's own would.
func (f *finder) checkRoutes() {
	router := runtime.NewRouter()
	for _, route := range f.found {
		if err := router.Register(route.Registrable()); err != nil {
			f.reportRefused(route, err)
		}
	}
}

func (f *finder) reportRefused(route registered.Route, err error) {
	d := diagnostic.Diagnostic{Code: diagnostic.RefusedRoute, Pos: route.Pos, What: "the router refuses the route " + quoted(route.Name), Why: err.Error()}
	var refused *runtime.RouteError
	if errors.As(err, &refused) {
		d.Why = refused.Field + ": " + refused.Fault
	}
	f.diagnostics.Add(d)
}

package discover

import (
	"context"
	"errors"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/diagnostic"
	"github.com/warrenmq/warren/runtime"
)

// checkRoutes registers what was found with a real router: what it refuses, the
// program's own would.
func (in *interp) checkRoutes() {
	router := runtime.NewRouter()
	for _, route := range in.found {
		if err := router.Register(route.registrable()); err != nil {
			in.reportRefused(route, err)
		}
	}
}

func (in *interp) reportRefused(route Route, err error) {
	d := diagnostic.Diagnostic{Code: diagnostic.RefusedRoute, Pos: route.Pos, What: "the router refuses the route " + quoted(route.Name), Why: err.Error()}
	var refused *runtime.RouteError
	if errors.As(err, &refused) {
		d.Why = refused.Field + ": " + refused.Fault
	}
	in.diagnostics.Add(d)
}

// registrable returns the route with a handler of the same kind.
func (r Route) registrable() runtime.Route {
	route := runtime.Route{
		Name: r.Name, Description: r.Description, Tags: r.Tags, Queue: r.Queue, Exchange: r.Exchange,
		RoutingKeys: r.RoutingKeys, BindingArguments: r.BindingArguments, Reply: r.Reply,
	}
	switch {
	case r.Body == nil:
	case r.Result != nil:
		route.Handler = runtime.Respond(func(context.Context, []byte) ([]byte, error) { return nil, nil })
	default:
		route.Handler = runtime.Consume(func(context.Context, []byte) error { return nil })
	}
	return route
}

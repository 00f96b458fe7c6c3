package discover

import (
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// reset forgets what an evaluation recorded.
func (f *finder) reset() {
	f.found, f.diagnostics, f.panicked = nil, nil, nil
	f.serving, f.served, f.mayServe = value.NewCell(nil), make(map[any]bool), nil
}

// checkServed reports the routes of routers that no broker gets, where it is
// known which routers brokers get: nobody consumes them.
func (f *finder) checkServed() {
	if f.mayServe == nil && len(f.served) == 0 {
		return // the package fills a router that another one serves
	}
	routers := make(map[any]bool)
	for _, route := range f.found {
		routers[route.Router] = true
	}
	for _, route := range f.found {
		d := diagnostic.Diagnostic{Code: diagnostic.UnservedRouter, Pos: route.Pos, Remedy: "register it with the router that is served"}
		switch {
		case route.Router == nil || f.served[route.Router]:
			continue
		case f.mayServe == nil:
			d.What = "the route " + quoted(route.Name) + " isn't consumed"
			d.Why = "no broker gets the router that it is registered with"
		case len(routers) > 1:
			d.What = "whether the route " + quoted(route.Name) + " is consumed isn't known"
			d.Why = "the router that is served is " + f.mayServe.Reason
		default:
			continue
		}
		f.diagnostics.Add(d)
	}
}

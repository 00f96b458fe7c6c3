package discover

import (
	"go/ast"
	"go/token"
	"maps"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// reset forgets what an evaluation recorded.
func (f *finder) reset() {
	f.found, f.diagnostics, f.panicked, f.constructions = nil, nil, nil, nil
	f.serving, f.served, f.mayServe = value.NewCell(nil), make(map[any]bool), nil
	f.consumed, f.topologies = make(map[any]*value.Cell), topologies{}
}

// Detached implements [eval.User]: the routes of a goroutine count at once that it
// serves itself.
func (f *finder) Detached(run func()) any {
	found, served := f.found, f.served
	f.found, f.served = nil, make(map[any]bool)
	defer func() {
		maps.Copy(served, f.served)
		f.found, f.served = found, served
	}()
	run()
	var waiting []registered.Route
	for _, route := range f.found {
		if f.served[route.Router] {
			found = append(found, route)
		} else {
			waiting = append(waiting, route)
		}
	}
	if waiting == nil {
		return nil
	}
	return waiting
}

// Attach implements [eval.User].
func (f *finder) Attach(recorded any) { f.found = append(f.found, recorded.([]registered.Route)...) }

// Unwaited implements [eval.User].
func (f *finder) Unwaited(pos token.Pos, recorded any) {
	for _, route := range recorded.([]registered.Route) {
		f.report(pos, diagnostic.Diagnostic{
			Code: diagnostic.UnknownCondition, What: "the route " + quoted(route.Name) + " is registered in a goroutine that nothing waits for",
			Why:    "whether that comes before the router is served isn't known",
			Remedy: "register it before the goroutine is started, or wait for the goroutine by a sync.WaitGroup or a channel",
		})
	}
}

// Undefined implements [eval.User].
func (f *finder) Undefined(pos token.Pos) {
	f.report(pos, diagnostic.Diagnostic{
		Code: diagnostic.UnknownRoute, What: "what this goroutine does isn't known",
		Why:    "it reads variables that are changed while it runs",
		Remedy: "change them before it is started, or after it was waited for by a sync.WaitGroup or a channel",
	})
}

// noteConsumed notes that a broker starts to consume the routes of a router.
func (f *finder) noteConsumed(call *model.Call, router *value.Cell) {
	if f.consumed[router] == nil {
		f.consumed[router] = value.NewCell(nil)
	}
	call.Set(f.consumed[router], value.Tuple{})
}

// checkOrder reports a route that is registered when a broker has the router: it has
// read the routes, or does so at the same time.
func (f *finder) checkOrder(at ast.Expr, route registered.Route) {
	if cell := f.consumed[route.Router]; cell == nil || cell.Load() == nil {
		return
	}
	f.report(at.Pos(), diagnostic.Diagnostic{
		Code: diagnostic.UnservedRouter, What: "whether the route " + quoted(route.Name) + " is consumed isn't known",
		Why:    "it is registered after the router was given to a broker, which consumes the routes that are there when it starts",
		Remedy: "register it before",
	})
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

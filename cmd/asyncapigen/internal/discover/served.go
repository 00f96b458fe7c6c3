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

// reset begins an evaluation.
func (f *finder) reset() {
	f.evaluation = evaluation{serving: value.NewCell(nil), served: make(map[any]bool), consumed: make(map[any]*value.Cell)}
}

// Detached implements [eval.User]: what a goroutine records for a router counts at once
// that it serves itself.
func (f *finder) Detached(run func()) any {
	found, declarations, served := f.found, f.declarations, f.served
	f.found, f.declarations, f.served = nil, nil, make(map[any]bool)
	defer func() {
		maps.Copy(served, f.served)
		f.found, f.declarations, f.served = found, declarations, served
	}()
	run()
	var waiting recorded
	for _, route := range f.found {
		if f.served[route.Router] {
			found = append(found, route)
		} else {
			waiting.found = append(waiting.found, route)
		}
	}
	for _, d := range f.declarations {
		if d.after = len(found); f.served[d.router] {
			declarations = append(declarations, d)
		} else {
			waiting.declarations = append(waiting.declarations, d)
		}
	}
	if waiting.found == nil && waiting.declarations == nil {
		return nil
	}
	return waiting
}

// Attach implements [eval.User].
func (f *finder) Attach(detached any) {
	waited := detached.(recorded)
	f.found = append(f.found, waited.found...)
	for _, d := range waited.declarations {
		d.after = len(f.found)
		f.declarations = append(f.declarations, d)
	}
}

// Unwaited implements [eval.User].
func (f *finder) Unwaited(pos token.Pos, detached any) {
	for _, route := range detached.(recorded).found {
		f.report(pos, diagnostic.Diagnostic{
			Code: diagnostic.UnknownCondition, What: "the route " + quoted(route.Name) + " is registered in a goroutine that nothing waits for",
			Why:    "whether that comes before the router is served isn't known",
			Remedy: "register it before the goroutine is started, or wait for the goroutine by a sync.WaitGroup or a channel",
		})
	}
	for _, d := range detached.(recorded).declarations {
		d.after, d.conditional = len(f.found), true
		f.declarations = append(f.declarations, d)
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

// isConsumed reports whether a broker has started to consume the routes of a router.
func (f *finder) isConsumed(router any) bool {
	cell := f.consumed[router]
	return cell != nil && cell.Load() != nil
}

// checkOrder reports a route that is registered when a broker has the router: it has
// read the routes, or does so at the same time.
func (f *finder) checkOrder(at ast.Expr, route registered.Route) {
	if !f.isConsumed(route.Router) {
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

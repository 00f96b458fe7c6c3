package discover

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// reset begins an evaluation.
func (f *finder) reset() {
	f.evaluation = evaluation{serving: value.NewCell(nil), served: make(map[any]bool), consumed: make(map[any]*value.Cell), replaced: make(map[any]bool)}
}

// Detached implements [eval.User]: what a goroutine records for a router counts at once
// that it serves itself.
func (f *finder) Detached(run func()) any {
	found, declarations, served := f.found, f.declarations, f.served
	f.found, f.declarations, f.served = nil, nil, make(map[any]bool)
	defer func() {
		for router, surely := range f.served {
			served[router] = served[router] || surely
		}
		f.found, f.declarations, f.served = found, declarations, served
	}()
	run()
	var waiting recorded
	for _, route := range f.found {
		if f.isGiven(route.Router) {
			found = append(found, route)
		} else {
			waiting.found = append(waiting.found, route)
		}
	}
	for _, d := range f.declarations {
		if d.after = len(found); f.isGiven(d.router) {
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
func (f *finder) noteConsumed(call *model.Call, router any) {
	if f.consumed[router] == nil {
		f.consumed[router] = value.NewCell(nil)
	}
	call.Set(f.consumed[router], value.Tuple{})
}

// isConsumed reports whether a broker has started to consume the routes of a router, or of
// one that may be it.
func (f *finder) isConsumed(router any) bool {
	for other, cell := range f.consumed {
		if (other == router || value.IsUnknown(other) || value.IsUnknown(router)) && cell.Load() != nil {
			return true
		}
	}
	return false
}

// serve notes that a broker gets a router. A function that is given to other code for that is
// taken to be called.
func (f *finder) serve(router any) {
	f.served[router] = f.served[router] || f.ev.ServesInAllWays(router)
	f.ev.NoteServed(router)
}

// isGiven reports whether a broker gets a router, or may get it.
func (f *finder) isGiven(router any) bool {
	_, given := f.served[router]
	return given
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
// known which routers brokers get: nobody consumes them. So it does those of which it isn't
// known whether a broker gets their router.
func (f *finder) checkServed() {
	certain := !f.diagnostics.HasErrors() // else a router may have its routes in some cases only
	for _, route := range f.found {
		doubt := f.doubt(route.Router)
		if certain && f.isReplaced(route.Router) {
			doubt = "another router is assigned to the one that it is registered with"
		}
		if doubt == "" {
			continue
		}
		d := diagnostic.Diagnostic{
			Code: diagnostic.UnservedRouter, Pos: route.Pos, Why: doubt, Remedy: "register it with the router that is served",
			What: "whether the route " + quoted(route.Name) + " is consumed isn't known",
		}
		if doubt == notGiven {
			d.What = "the route " + quoted(route.Name) + " isn't consumed"
		}
		f.diagnostics.Add(d)
	}
}

const notGiven = "no broker gets the router that it is registered with"

// doubt says why brokers may not get a router with which a route is registered, "" where they do.
func (f *finder) doubt(router any) string {
	surely, given := f.served[router]
	u, isUnknown := router.(*value.Unknown)
	switch {
	case f.mayServe == nil && len(f.served) == 0: // the package fills a router that another one serves
		return ""
	case surely || given && len(f.served) == 1 || isUnknown && f.servesKnown() && f.hasOneRouter():
		return ""
	case given:
		return "the router that it is registered with is given to a broker under a condition that isn't known, and another one is otherwise"
	case isUnknown && f.servesKnown():
		return "the router that it is registered with is " + u.Reason
	case f.mayServe == nil:
		return notGiven
	case f.routers() > 1 || !f.hasOneRouter():
		return "the router that is served is " + f.mayServe.Reason
	default:
		return ""
	}
}

// servesKnown reports whether a broker gets a router that is known.
func (f *finder) servesKnown() bool {
	for router := range f.served {
		if !value.IsUnknown(router) {
			return true
		}
	}
	return false
}

// hasOneRouter reports whether the code that is followed makes one router at most: what it
// gets from elsewhere is that one.
func (f *finder) hasOneRouter() bool {
	return f.made <= 1 && !slices.ContainsFunc(f.program.Checked(), func(pkg *load.Package) bool {
		return !load.IsLibrary(pkg.Path) && slices.ContainsFunc(pkg.Files, func(file *ast.File) bool { return declaresRouter(pkg.Info, file) })
	})
}

// declaresRouter reports whether code names the type of a router, but for that of a pointer to
// one: it has a variable of it.
func declaresRouter(info *types.Info, code ast.Node) bool {
	found := false
	ast.Inspect(code, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.StarExpr:
			return !isRouter(info.TypeOf(node.X))
		case *ast.Ident:
			name, isName := info.Uses[node].(*types.TypeName)
			found = found || isName && isRouter(name.Type())
		}
		return !found
	})
	return found
}

// routers counts the routers that routes are registered with. Those that aren't known
// count as one.
func (f *finder) routers() int {
	routers := make(map[any]bool)
	for _, route := range f.found {
		if value.IsUnknown(route.Router) {
			routers[nil] = true
		} else {
			routers[route.Router] = true
		}
	}
	return len(routers)
}

package discover

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"sync"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/runtime"
)

// reset begins an evaluation.
func (f *finder) reset() {
	f.evaluation = evaluation{serving: value.NewCell(nil), consumed: make(map[any]*value.Cell), filled: make(map[*value.Cell]bool), replaced: make(map[*value.Cell]bool), times: make(map[registeringCall]*value.Cell), brokers: make(map[any]*value.Cell), begun: make(map[*value.Cell]token.Pos), ran: value.NewCell(nil), reachable: make(map[reference]bool)}
}

// Detached implements [eval.User]: what a goroutine records for a router counts at once
// that it serves itself.
func (f *finder) Detached(run func()) any {
	beforehand := f.beforehand
	defer func() { f.beforehand = beforehand }()
	f.beforehand = append(slices.Clip(beforehand), f.registrations...)
	all := f.apart(run)
	now := recorded{servings: all.servings, diagnostics: all.diagnostics}
	var waiting recorded
	for _, r := range all.registrations {
		if all.isGiven(r.route.Router) {
			now.registrations = append(now.registrations, r)
		} else {
			waiting.registrations = append(waiting.registrations, r)
		}
	}
	for _, d := range all.declarations {
		if all.isGiven(d.router) {
			now.declarations = append(now.declarations, d)
		} else {
			waiting.declarations = append(waiting.declarations, d)
		}
	}
	f.addAll(now)
	if waiting.registrations == nil && waiting.declarations == nil {
		return nil
	}
	return waiting
}

// Attach implements [eval.User].
func (f *finder) Attach(detached any) { f.addAll(detached.(recorded)) }

// Unwaited implements [eval.User].
func (f *finder) Unwaited(pos token.Pos, detached any) {
	for _, r := range detached.(recorded).registrations {
		if len(r.way) > 0 {
			f.reportConditional(r.route.Name, r.way[0].Condition)
			continue
		}
		f.report(pos, diagnostic.Diagnostic{
			Code: diagnostic.UnknownCondition, What: "the route " + quoted(r.route.Name) + " is registered in a goroutine that nothing waits for",
			Why:    "whether that comes before the router is served isn't known",
			Remedy: "register it before the goroutine is started, or wait for the goroutine by a sync.WaitGroup or a channel",
		})
	}
	for _, d := range detached.(recorded).declarations {
		d.mark, d.conditional = f.Mark(), true
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
		f.consumed[router] = value.Beside(router, nil)
	}
	call.Set(f.consumed[router], done)
}

// done is what a variable holds of what has been done.
var done = value.NewConst(constant.MakeBool(true), types.Typ[types.Bool])

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

// A serving is that a broker gets a router.
type serving struct {
	router   any // see routerOf
	way      eval.Way
	isOffWay bool                   // it may be on another way
	mark     int                    // see finder.Mark
	policy   *runtime.FailurePolicy // of the router; nil where it isn't known
}

// serve notes that a broker gets a router by a call. Where each way to the call leads by another
// such one, with the same policy, that tells no more.
func (f *finder) serve(at ast.Expr, router any) {
	s := serving{router, slices.Concat(f.ev.Way(), f.ev.Waits()), f.ev.IsOffWay(), f.Mark(), f.policyOf(router)}
	before := func(other serving) bool { return other.router == router && isSamePolicy(other.policy, s.policy) }
	if s.isOffWay || !slices.ContainsFunc(f.servings, before) || f.givenBeside(s.way, router) != nil {
		f.servings = append(f.servings, s)
	}
	if !s.isOffWay {
		f.noteGiven(router)
	}
	f.ev.NoteServed(at, router)
}

// isGiven reports whether a broker gets a router, or may get it.
func (r *recorded) isGiven(router any) bool {
	return slices.ContainsFunc(r.servings, func(s serving) bool { return s.router == router })
}

// isSurelyGiven reports whether a broker gets a router in each way in which one gets any.
func (f *finder) isSurelyGiven(router any) bool {
	return f.isGiven(router) && f.givenUnder(router) == nil
}

// givenUnder returns a condition under which a broker gets a router. It returns nil where one
// gets it whenever one gets any: each way to a place where one gets any leads by one where it
// gets this, or it has got it wherever the program ends. So a function that serves the only
// router, and is given to other code, is taken to be called; of several, each may be or not.
func (f *finder) givenUnder(router any) *eval.Condition {
	if f.isOnlyOne(router) || f.ev.ServesAtEachEnd(router) {
		return nil
	}
	for _, s := range f.servings {
		if cond := f.givenBeside(s.way, router); cond != nil {
			return cond
		}
	}
	return nil
}

// isOnlyOne reports whether brokers get no other router.
func (f *finder) isOnlyOne(router any) bool {
	return !slices.ContainsFunc(f.servings, func(s serving) bool { return s.router != router })
}

// givenBeside returns a condition under which a broker gets a router, and by which a way doesn't
// lead. It returns nil where the way leads by a place where a broker gets it.
func (f *finder) givenBeside(way eval.Way, router any) (cond *eval.Condition) {
	for _, s := range f.servings {
		if s.router != router {
			continue
		}
		beside := f.ev.Beside(s.way, way)
		if beside == nil {
			return nil
		}
		cond = cmp.Or(cond, beside)
	}
	return cond
}

// needServed has the packages read that may tell whether a broker gets each router.
func (f *finder) needServed() {
	asked := make(map[any]bool)
	for _, s := range f.servings {
		if asked[s.router] {
			continue
		}
		if asked[s.router] = true; f.givenUnder(s.router) != nil {
			for _, s := range f.servings {
				f.ev.NeedOn(s.way)
			}
			return
		}
	}
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

// checkServed reports the routes that nobody consumes, and those of which it isn't known
// whether somebody does: no broker gets their router, or may not.
func (f *finder) checkServed() {
	certain := !f.diagnostics.HasErrors() // else a router may have its routes in some cases only
	doubt := f.doubts()
	for _, route := range f.found {
		why := doubt(route.Router)
		if certain && f.isReplaced(route.Router) {
			why = "another router may be assigned to the one that it is registered with"
		}
		if why == "" {
			continue
		}
		d := diagnostic.Diagnostic{
			Code: diagnostic.UnservedRouter, Pos: route.Pos, Why: why, Remedy: "register it with the router that is served",
			What: "whether the route " + quoted(route.Name) + " is consumed isn't known",
		}
		switch {
		case why == notGiven:
			d.What = "the route " + quoted(route.Name) + " isn't consumed"
		case strings.HasPrefix(why, givenIf):
			d.Remedy = "give all routers to brokers in the same cases"
		}
		f.diagnostics.Add(d)
	}
}

const (
	notGiven = "no broker gets the router that it is registered with"
	givenIf  = "the router that it is registered with is given to a broker under a condition that isn't known: "
)

// doubts returns a function that says why brokers may not get a router, "" where they do.
func (f *finder) doubts() func(router any) string {
	servesKnown := f.servesKnown()
	hasOne := sync.OnceValue(f.hasOneRouter) // which reads the whole program
	return func(router any) string {
		u, isUnknown := router.(*value.Unknown)
		switch {
		case f.mayServe == nil && len(f.servings) == 0: // the package fills a router that another one serves
			return ""
		case f.isSurelyGiven(router):
			return ""
		case isUnknown && servesKnown && hasOne():
			return ""
		case f.isGiven(router):
			return givenIf + whyUnknown(f.givenUnder(router))
		case isUnknown && servesKnown:
			return "the router that it is registered with is " + u.Reason
		case f.mayServe == nil:
			return notGiven
		case f.routers() > 1 || !hasOne():
			return "the router that is served is " + f.mayServe.Reason
		default:
			return ""
		}
	}
}

// servesKnown reports whether a broker gets a router that is known.
func (f *finder) servesKnown() bool {
	return slices.ContainsFunc(f.servings, func(s serving) bool { return !value.IsUnknown(s.router) })
}

// hasOneRouter reports whether the code that is followed makes one router at most: what it
// gets from elsewhere is that one.
func (f *finder) hasOneRouter() bool { return f.made <= 1 && !f.namesRouters() }

// namesRouters reports whether the code that is followed may have routers that NewRouter hasn't
// made.
func (f *finder) namesRouters() bool {
	return slices.ContainsFunc(f.program.Checked(), func(pkg *load.Package) bool {
		return !load.IsLibrary(pkg.Path) && slices.ContainsFunc(pkg.Files, func(file *ast.File) bool { return declaresRouter(pkg.Info, file) })
	})
}

// declaresRouter reports whether code may have a router that NewRouter hasn't made: it names the
// type, but for that of a pointer, gives it to a generic function, or copies a router.
func declaresRouter(info *types.Info, code ast.Node) bool {
	found := false
	ast.Inspect(code, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.StarExpr:
			if info.Types[node].IsType() {
				return !isRouter(info.TypeOf(node.X))
			}
			found = found || isRouter(info.TypeOf(node))
		case *ast.Ident:
			name, isName := info.Uses[node].(*types.TypeName)
			found = found || isName && isRouter(name.Type())
			for t := range info.Instances[node].TypeArgs.Types() {
				found = found || isRouter(t)
			}
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

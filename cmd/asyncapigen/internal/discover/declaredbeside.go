package discover

import (
	"go/token"
	"reflect"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/runtime"
)

// A declaration is a call of Router.Declare.
type declaration struct {
	router      *value.Cell // nil where that isn't known
	topology    runtime.Topology
	isKnown     bool // what it declares
	conditional bool // in some cases only
	at          token.Pos
	after       int // the routes that were found before it
}

// declareCall notes what a router declares beside its routes. As routes, that is kept
// when its branch ends the program, and so a condition is noted with it. What isn't
// known is noted as that, and documents say so.
func declareCall(f *finder, call *model.Call) (value.Value, bool) {
	result := value.Nil{Type: call.Fn.Obj.Signature().Results().At(0).Type()}
	d := declaration{conditional: f.ev.Uncertain() != nil, at: call.At.Pos(), after: len(f.found)}
	if router, known := call.Fn.Recv.(value.Pointer); known {
		d.router = router.To
	}
	if d.router != nil && len(call.Args) == 1 {
		f.ev.Need(call.Args)
		d.topology, d.isKnown = f.readTopology(call)
	}
	if f.isConsumed(d.router) {
		f.reportLate(d)
		return result, true
	}
	f.declarations = append(f.declarations, d)
	return result, true
}

// reportLate reports what is declared when a broker has the router: it has read what the
// router declares, or does so at the same time.
func (f *finder) reportLate(d declaration) {
	f.report(d.at, diagnostic.Diagnostic{
		Code: diagnostic.UnservedRouter, What: "whether a broker declares what the router gets here isn't known",
		Why:    "it gets it after the router was given to a broker, which declares what is there when it starts",
		Remedy: "declare it before",
	})
}

// readTopology reports false where not all of it is known.
func (f *finder) readTopology(call *model.Call) (runtime.Topology, bool) {
	s, isStruct := call.Args[0].(*value.Struct)
	if !isStruct {
		return runtime.Topology{}, false
	}
	r := reader{finder: f, at: call.At, route: s, quiet: true}
	t := r.topology()
	return t, !r.lost && len(r.missing) == 0
}

// applyTopologies gives the routes what their router declares beside them.
func (f *finder) applyTopologies() {
	alone := f.declaredAlone()
	for i := range f.found {
		route := &f.found[i]
		isAll := false
		route.Beside, isAll = f.declaredBy(route.Router)
		route.BesideUnknown = alone || !isAll
	}
}

// declaredBy returns what a router surely declares, and whether that is all. What follows
// a declaration that is made in some cases only may be for the other cases: the branch
// of the first may end the program.
func (f *finder) declaredBy(router any) (all []registered.Declaration, isAll bool) {
	isAll, certain := true, true
	for _, d := range f.declarations {
		if d.router == nil || router == nil {
			isAll = false
			continue
		}
		if router != any(d.router) {
			continue
		}
		certain = certain && !d.conditional
		isAll = isAll && certain && d.isKnown
		if certain && d.isKnown {
			all = append(all, registered.Declaration{Topology: d.topology, Pos: f.program.Position(d.at)})
		}
	}
	return all, isAll
}

// declaredAlone reports whether a router without routes declares something, which a
// broker may get as well.
func (f *finder) declaredAlone() bool {
	withRoutes := make(map[any]bool)
	for _, route := range f.found {
		withRoutes[route.Router] = true
	}
	return slices.ContainsFunc(f.declarations, func(d declaration) bool {
		isServed := f.served[d.router] || f.mayServe != nil || len(f.served) == 0
		return d.router != nil && !withRoutes[d.router] && isServed && (!d.isKnown || d.conditional || !d.topology.IsEmpty())
	})
}

// Routes and declarations are one record to the evaluator.

// Mark implements [eval.User].
func (f *finder) Mark() int { return len(f.found) + len(f.declarations) }

// Rewind implements [eval.User].
func (f *finder) Rewind(mark int) {
	found, declared := f.recordedAt(mark)
	f.found, f.declarations = f.found[:found], f.declarations[:declared]
}

// Conditional reports the routes that are registered in one of two ways alone, and notes
// that of what is declared.
func (f *finder) Conditional(mark int, cond *eval.Condition) {
	found, declared := f.recordedAt(mark)
	for _, route := range f.found[found:] {
		f.reportConditional(route.Name, cond)
	}
	for i := range f.declarations[declared:] {
		f.declarations[declared+i].conditional = true
	}
}

// recordedAt returns how many routes and declarations a mark stands for.
func (f *finder) recordedAt(mark int) (found, declared int) {
	for declared < len(f.declarations) && f.declarations[declared].after+declared < mark {
		declared++
	}
	return mark - declared, declared
}

// alikeBeside marks what is declared beside the routes as unknown where the starts that
// count declare different things.
func alikeBeside(starts []started) {
	first, isAll := registered.Declared(starts[0].found)
	for _, s := range starts[1:] {
		other, alsoAll := registered.Declared(s.found)
		isAll = isAll && alsoAll && reflect.DeepEqual(first, other)
	}
	if isAll {
		return
	}
	for i := range starts[0].found {
		starts[0].found[i].BesideUnknown = true
	}
}

// sameDeclared reports whether routers declare the same beside their routes, in whichever
// order.
func sameDeclared(a, b []registered.Route) bool {
	declared, isAll := registered.Declared(a)
	other, alsoAll := registered.Declared(b)
	return isAll == alsoAll && sameElements(declared.Queues, other.Queues) && sameElements(declared.Exchanges, other.Exchanges) &&
		sameElements(declared.Bindings, other.Bindings) && sameElements(declared.ExchangeBindings, other.ExchangeBindings)
}

func sameElements[E any](a, b []E) bool {
	return len(a) == len(b) && isWithin(a, b) && isWithin(b, a)
}

func isWithin[E any](a, b []E) bool {
	return !slices.ContainsFunc(a, func(one E) bool {
		return !slices.ContainsFunc(b, func(other E) bool { return reflect.DeepEqual(one, other) })
	})
}

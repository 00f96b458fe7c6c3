package discover

import (
	"go/constant"
	"go/token"
	"go/types"
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
	isLost      bool // not even the names of that are known
	conditional bool // in some cases only
	at          token.Pos
	mark        int // see finder.Mark
}

// declareCall notes what a router declares beside its routes. As routes, that is kept
// when its branch ends the program, and so a condition is noted with it. What isn't
// known is noted as that, and documents say so.
func declareCall(f *finder, call *model.Call) (value.Value, bool) {
	result := value.Nil{Type: call.Fn.Obj.Signature().Results().At(0).Type()}
	d := declaration{conditional: f.ev.Uncertain() != nil, at: call.At.Pos(), mark: f.Mark()}
	if router, known := call.Fn.Recv.(value.Pointer); known {
		d.router = router.To
		f.noteFilled(call)
	}
	if len(call.Args) == 1 {
		f.ev.Need(call.Args)
		d.topology, d.isKnown, d.isLost = f.readTopology(call)
	}
	if f.mayRefuseDeclaration(d) {
		mayFail(call)
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

// readTopology reports whether all of it is known, and whether not even all names are.
func (f *finder) readTopology(call *model.Call) (declared runtime.Topology, isKnown, isLost bool) {
	s, isStruct := call.Args[0].(*value.Struct)
	if !isStruct {
		return runtime.Topology{}, false, true
	}
	r := f.quietReader(call, s)
	t := r.topology()
	return t, r.isWhole(), r.lost
}

// names returns those of the queues and exchanges that are declared, and of those whose
// arguments may not be known.
func (d declaration) names() (all, open []registered.Name) {
	for _, queue := range d.topology.Queues {
		all = append(all, registered.Name{Of: "queue", Name: queue.Name})
	}
	for _, exchange := range d.topology.Exchanges {
		all = append(all, registered.Name{Of: "exchange", Name: exchange.Name})
	}
	if !d.isKnown {
		open = all
	}
	return all, open
}

// declaredBeside returns what the program declares beside its routes, and reports what a
// router refuses of it. What follows a declaration that is made in some cases only may be
// for the other cases: the branch of the first may end the program. See
// docs/decisions/0090.
func (f *finder) declaredBeside() registered.Declared {
	var declared registered.Declared
	if len(f.declarations) == 0 {
		return declared
	}
	all, certain := runtime.NewRouter(), true
	for _, route := range f.found {
		_ = all.Register(route.Registrable()) // checkRoutes reports what it refuses
	}
	for _, d := range f.declarations {
		served, known := f.isServed(d.router)
		if known && !served {
			continue
		}
		certain = certain && !d.conditional
		if !known || !certain || !d.isKnown {
			declared.Unknown = true
			if !declared.Pos.IsValid() {
				declared.Pos = f.program.Position(d.at)
			}
			continue
		}
		if err := all.Declare(d.topology); err != nil {
			f.report(d.at, diagnostic.Diagnostic{Code: diagnostic.RefusedRoute, What: "the router refuses what is declared", Why: err.Error()})
		}
	}
	declared.Topology = all.Topology()
	return declared
}

// isServed reports whether brokers get a router, nil for one that isn't known: they get
// those that have routes, which checkServed judges, and all of a library that gives none
// to a broker itself.
func (f *finder) isServed(router *value.Cell) (served, known bool) {
	givesNone := f.mayServe == nil && len(f.servings) == 0
	switch {
	case givesNone && f.ev.Part:
		return true, true
	case router == nil:
		return false, false
	case f.isReplaced(router):
		return true, false
	case f.isGiven(router):
		return true, f.isSurelyGiven(router)
	case slices.ContainsFunc(f.found, func(r registered.Route) bool { return r.Router == any(router) }):
		return true, true
	}
	return false, f.mayServe == nil && !givesNone && !f.ev.Part && !router.Escaped()
}

// Registrations, declarations and servings are one record to the evaluator.

// Mark implements [eval.User].
func (f *finder) Mark() int { return len(f.registrations) + len(f.declarations) + len(f.servings) }

// Rewind implements [eval.User].
func (f *finder) Rewind(mark int) {
	made, declared, served := f.recordedAt(mark)
	f.registrations, f.declarations, f.servings = f.registrations[:made], f.declarations[:declared], f.servings[:served]
}

// Conditional implements [eval.User].
func (f *finder) Conditional(mark, until int, cond *eval.Condition) {
	made, declared, served := f.recordedAt(mark)
	_, _, servedBefore := f.recordedAt(until)
	branch := &eval.Taken{Condition: cond}
	for i := range f.registrations[made:] {
		r := &f.registrations[made+i]
		f.ev.Decide(cond)
		r.way = r.way.In(branch)
	}
	for i := range f.declarations[declared:] {
		f.declarations[declared+i].conditional = true
	}
	for i := range f.servings[served:] {
		s := &f.servings[served+i]
		s.way, s.isOffWay = s.way.In(branch), s.isOffWay || served+i >= servedBefore
	}
}

// recordedAt returns how many registrations, declarations and servings a mark stands for.
func (f *finder) recordedAt(mark int) (made, declared, served int) {
	for declared < len(f.declarations) && f.declarations[declared].mark < mark {
		declared++
	}
	for served < len(f.servings) && f.servings[served].mark < mark {
		served++
	}
	return mark - declared - served, declared, served
}

// topologyIsEmpty is the model of Topology.IsEmpty.
func topologyIsEmpty(_ *finder, call *model.Call) (value.Value, bool) {
	t, isStruct := call.Fn.Recv.(*value.Struct)
	if !isStruct {
		return nil, false
	}
	var unknown []value.Value
	for _, cell := range t.Fields {
		switch list := cell.Load().(type) {
		case value.Nil:
		case *value.Slice:
			if len(list.Elems) > 0 {
				return value.NewConst(constant.MakeBool(false), types.Typ[types.Bool]), true
			}
		default:
			unknown = append(unknown, list)
		}
	}
	if len(unknown) > 0 {
		return value.Because(call.At, unknown...), true
	}
	return value.NewConst(constant.MakeBool(true), types.Typ[types.Bool]), true
}

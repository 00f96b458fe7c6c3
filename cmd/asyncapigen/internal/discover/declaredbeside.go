package discover

import (
	"go/types"
	"reflect"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/runtime"
)

// A beside is what was declared by Router.Declare of one router.
type beside struct {
	t    types.Type
	list []runtime.Topology
}

// DynamicType implements [value.Atom].
func (b *beside) DynamicType() types.Type { return b.t }

// topologies are what was declared by Router.Declare.
type topologies struct {
	of   map[*value.Cell]*value.Cell // a *beside each, by router; anything else where it isn't known
	lost bool                        // it is declared by a router that isn't known
}

// declareCall notes what a router declares beside its routes. What isn't known is noted
// as that, and documents say so.
func declareCall(f *finder, call *model.Call) (value.Value, bool) {
	result := value.Nil{Type: call.Fn.Obj.Signature().Results().At(0).Type()}
	router, known := call.Fn.Recv.(value.Pointer)
	if !known || len(call.Args) != 1 {
		f.topologies.lost = true
		return result, true
	}
	f.ev.Need(call.Args)
	if f.topologies.of == nil {
		f.topologies.of = make(map[*value.Cell]*value.Cell)
	}
	t := call.Fn.Obj.Signature().Params().At(0).Type()
	cell := f.topologies.of[router.To]
	if cell == nil {
		cell = value.NewCell(&beside{t: t})
		f.topologies.of[router.To] = cell
	}
	before, known := cell.Load().(*beside)
	s, isStruct := call.Args[0].(*value.Struct)
	if !known || !isStruct {
		call.Set(cell, value.UnknownAt(call.At.Pos(), "what Declare gets"))
		return result, true
	}
	r := reader{finder: f, at: call.At, route: s, quiet: true}
	read := r.topology()
	if r.lost || len(r.missing) > 0 {
		call.Set(cell, value.UnknownAt(call.At.Pos(), "what Declare gets"))
		return result, true
	}
	call.Set(cell, &beside{t: t, list: append(before.list[:len(before.list):len(before.list)], read)})
	return result, true
}

// applyTopologies gives the routes what their router declares beside them.
func (f *finder) applyTopologies() {
	alone := f.declaredAlone()
	for i := range f.found {
		route := &f.found[i]
		router, known := route.Router.(*value.Cell)
		cell := f.topologies.of[router]
		switch {
		case !known || f.topologies.lost:
			route.BesideUnknown = len(f.topologies.of) > 0 || f.topologies.lost
		case cell != nil:
			declared, read := cell.Load().(*beside)
			route.BesideUnknown = !read
			if read {
				route.Beside = declared.list
			}
		}
		route.BesideUnknown = route.BesideUnknown || alone
	}
}

// declaredAlone reports whether a router without routes declares something, which a
// broker may get as well.
func (f *finder) declaredAlone() bool {
	withRoutes := make(map[any]bool)
	for _, route := range f.found {
		withRoutes[route.Router] = true
	}
	for router, cell := range f.topologies.of {
		declared, read := cell.Load().(*beside)
		isServed := f.served[router] || f.mayServe != nil || len(f.served) == 0
		if !withRoutes[router] && isServed && (!read || len(declared.list) > 0) {
			return true
		}
	}
	return false
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

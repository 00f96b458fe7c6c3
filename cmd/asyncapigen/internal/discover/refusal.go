package discover

import (
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/runtime"
)

// Register refuses a route that isn't valid, and so do Declare and OnFailure what they get.
// checkRoutes has real routers refuse what is known of it. Here is what isn't known: whether the
// program's router refuses it.

// mayRefuse reports whether a call registers a route that may be refused for what isn't known
// of it.
func (f *finder) mayRefuse(call *model.Call, codecs []asked) bool {
	if slices.ContainsFunc(codecs, func(codec asked) bool { return codec.isOpen }) {
		return true
	}
	return slices.ContainsFunc(givenRoutes(call), func(route value.Value) bool {
		s, isStruct := route.(*value.Struct)
		return isStruct && (mayBeMadeOfNil(fieldOf(s, "Handler")) || f.mayBeRefused(call, s))
	})
}

// givenRoutes returns the routes that a call registers, as far as they are known.
func givenRoutes(call *model.Call) (routes []value.Value) {
	for _, v := range call.Args {
		routes = append(routes, value.ElementsOf(v)...)
	}
	return routes
}

// mayBeRefused reports whether a router may refuse a route for its settings. One that is
// lost is reported.
func (f *finder) mayBeRefused(call *model.Call, s *value.Struct) bool {
	r, router := f.quietReader(call, s), routerOf(call.Fn.Recv)
	route := r.read()
	if r.lost {
		return false
	}
	if route.Failure == nil && !route.FailureUnknown {
		route.Failure = f.policyOf(router)
		route.FailureUnknown = route.Failure == nil
	}
	if route.MayBeRefused() {
		return true
	}
	names, open := route.Declares()
	return f.mayBeDeclaredOtherwise(router, names, open, func(router *runtime.Router) error { return router.Register(route.Registrable()) })
}

// mayBeDeclaredOtherwise reports whether a router may have got a queue or an exchange in another
// way before: where its arguments aren't known, or it is declared in some cases only. Open are
// those of the names whose arguments aren't known now; what is known is refused by the router
// that tries it.
func (f *finder) mayBeDeclaredOtherwise(router any, names, open []registered.Name, try func(*runtime.Router) error) bool {
	meets := func(otherNames, otherOpen []registered.Name) bool {
		isOf := func(list []registered.Name) func(registered.Name) bool {
			return func(name registered.Name) bool { return slices.Contains(list, name) }
		}
		return slices.ContainsFunc(otherOpen, isOf(names)) || slices.ContainsFunc(otherNames, isOf(open))
	}
	for _, r := range f.registrations {
		if isSameRouter(r.route.Router, router) && !r.isLost && (len(open) > 0 || r.route.UnknownArguments != nil) && meets(r.route.Declares()) {
			return true
		}
	}
	for _, d := range f.declarations {
		switch {
		case d.router != nil && !isSameRouter(d.router, router):
		case d.isLost, meets(d.names()), d.conditional && contradicts(d.topology, try):
			return true
		}
	}
	return false
}

// isSameRouter reports whether two routers may be one.
func isSameRouter(a, b any) bool { return a == nil || b == nil || a == b }

// contradicts reports whether a router refuses one thing because of another.
func contradicts(declared runtime.Topology, try func(*runtime.Router) error) bool {
	alone, beside := runtime.NewRouter(), runtime.NewRouter()
	return beside.Declare(declared) == nil && try(alone) == nil && try(beside) != nil
}

// mayRefuseDeclaration reports whether a router may refuse what is declared.
func (f *finder) mayRefuseDeclaration(d declaration) bool {
	if !d.isKnown {
		return true
	}
	names, _ := d.names()
	var router any
	if d.router != nil {
		router = d.router
	}
	return f.mayBeDeclaredOtherwise(router, names, nil, func(router *runtime.Router) error { return router.Declare(d.topology) })
}

// refusesPolicy reports whether a router surely refuses a policy, and says so, and whether it
// may. The routes that it has are held to the policy under which they were registered.
func (f *finder) refusesPolicy(call *model.Call, router *value.Cell) (refused, mayBe bool) {
	former := f.policyOf(router)
	if former == nil {
		return false, true
	}
	real := runtime.NewRouter()
	_ = real.OnFailure(*former) // it was accepted
	for _, r := range f.registrations {
		if r.route.Router != any(router) || r.isLost || r.route.CodecFault != "" {
			continue
		}
		if err := real.Register(r.route.Registrable()); err != nil && !r.isIn {
			f.reportRefused(r.route, "the router refuses the route "+quoted(r.route.Name), err)
		}
	}
	policy, isKnown := readPolicy(call.Args[0])
	if !isKnown {
		return false, true
	}
	err := real.OnFailure(*policy)
	if err == nil || f.ev.Uncertain() != nil {
		return false, err != nil
	}
	f.report(call.At.Pos(), diagnostic.Diagnostic{
		Code: diagnostic.RefusedRoute, What: "the router refuses this failure policy",
		Why: strings.TrimPrefix(err.Error(), "set the failure policy of a router: "),
	})
	return true, false
}

package discover

import (
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Register refuses a route that isn't valid. checkRoutes has real routers refuse what is known
// of it. Here is what isn't known: whether the program's router refuses it.

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
	r := reader{finder: f, at: call.At, route: s, quiet: true}
	route := r.read()
	if r.lost {
		return false
	}
	if route.Failure == nil && !route.FailureUnknown {
		route.Failure = f.policyOf(routerOf(call.Fn.Recv))
		route.FailureUnknown = route.Failure == nil
	}
	return route.MayBeRefused()
}

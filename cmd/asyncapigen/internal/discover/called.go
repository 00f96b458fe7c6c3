package discover

import (
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// What warren calls of the program: middleware, handlers, and a broker that is the program's own.

// handlerWith returns a decorated handler, which has no name. It calls the middleware at once,
// the last one first.
func handlerWith(f *finder, call *model.Call) (value.Value, bool) {
	h, isMade := call.Fn.Recv.(*handler)
	switch {
	case isMade && !h.MayBeNil:
		f.decorate(call)
	case isMade || value.IsUnknown(call.Fn.Recv): // of a zero Handler, it calls none
		f.lend(call, call.Args...)
	}
	if !isMade {
		return call.Fn.Recv, true
	}
	unnamed := *h
	unnamed.Name, unnamed.NoName = "", nil
	return &unnamed, true
}

// decorate calls middleware. That of code which isn't followed calls nothing of the program's.
func (f *finder) decorate(call *model.Call) {
	if len(call.Args) != 1 || value.IsNil(call.Args[0]) {
		return
	}
	var next value.Value = &value.Unknown{Reason: "the function of a handler", Pos: call.At.Pos(), NonNil: true}
	for _, middleware := range slices.Backward(value.ElementsOf(call.Args[0])) {
		switch middleware.(type) {
		case *value.Func, value.Nil:
			next = call.Call(call.At, middleware, []value.Value{next})
		default:
			f.lend(call, middleware)
		}
	}
}

// handleCall notes that a function of warren calls a handler: of a route that isn't known, any.
func handleCall(f *finder, call *model.Call) (value.Value, bool) {
	var functions []value.Value
	for _, v := range append([]value.Value{call.Fn.Recv}, call.Args...) {
		if p, isPointer := v.(value.Pointer); isPointer {
			v = p.Load()
		}
		switch of := v.(type) {
		case *value.Struct: // a route, or a delivery, which has no functions
			v = fieldOf(of, "Handler")
		case *value.Unknown:
			for _, r := range f.registrations {
				functions = append(functions, r.functions...)
			}
		}
		functions = append(functions, functionsOf(v)...)
	}
	f.lend(call, functions...)
	return nil, false
}

// useCall evaluates Use. The middleware is called when a broker starts, or when somebody asks
// for the routes.
func useCall(f *finder, call *model.Call) (value.Value, bool) {
	f.lend(call, call.Args...)
	return value.Tuple{}, true
}

// lend gives values to warren, which may call what is in them.
func (f *finder) lend(call *model.Call, values ...value.Value) {
	f.ev.Lend(call.At, values, value.UnknownResult(call.At))
}

// functionsOf returns the functions that a handler calls.
func functionsOf(v value.Value) (all []value.Value) {
	h, _ := v.(*handler)
	for _, one := range h.withCases() {
		if one.Fn != nil {
			all = append(all, one.Fn)
		}
	}
	return all
}

// withCases returns a handler and those of its cases, none where it isn't known.
func (h *handler) withCases() []*handler {
	if h == nil {
		return nil
	}
	all := []*handler{h}
	if h.Dispatch == nil {
		return all
	}
	for _, v := range h.Dispatch.Cases {
		if c, isMade := v.(*dispatchCase); isMade {
			of, _ := c.Handler.(*handler)
			all = append(all, of.withCases()...)
		}
	}
	return all
}

// runsBroker reports whether Run gets a broker that may be the program's.
func runsBroker(call *model.Call) bool {
	if call.Fn.Obj.FullName() != load.RuntimePath+".Run" || len(call.Args) != 4 {
		return false
	}
	t := value.TypeOf(call.Args[1])
	if t == nil {
		return value.IsUnknown(call.Args[1])
	}
	named := value.NamedOf(t)
	return named != nil && named.Obj().Pkg() != nil && !load.IsLibrary(named.Obj().Pkg().Path())
}

// startsOwnBroker reports whether Run starts a broker of the program's, which does with the router
// what it likes.
func startsOwnBroker(call *model.Call) bool {
	return runsBroker(call) && !value.IsUnknown(call.Args[1])
}

// runCall evaluates Run with a broker of the program's: it starts it, and shuts it down in the end.
// Where it isn't known which broker it is, that of the program's may be called.
func runCall(f *finder, call *model.Call) (value.Value, bool) {
	if !runsBroker(call) {
		return nil, false
	}
	if broker, isUnknown := call.Args[1].(*value.Unknown); isUnknown {
		f.ev.LendAny(call.At, call.Fn.Obj.Signature().Params().At(1).Type(), broker, value.UnknownResult(call.At))
		return nil, false
	}
	ctx, broker, router := call.Args[0], call.Args[1], call.Args[2]
	if start := call.Method(call.At, broker, "Start"); start != nil {
		call.Call(call.At, start, []value.Value{ctx, router})
	}
	if shutdown := call.Method(call.At, broker, "Shutdown"); shutdown != nil {
		call.Call(call.At, shutdown, []value.Value{&value.Unknown{Reason: "the context of " + value.Source(call.At), Pos: call.At.Pos(), NonNil: true}})
	}
	return value.UnknownResult(call.At), true
}

// begin notes that a broker gets a router: from then on it calls the handlers.
func (f *finder) begin(call *model.Call, router any) {
	if !f.isGiven(router) {
		f.noteLate()
	}
	call.Set(f.serving, done)
	f.serve(call.At, router)
	if !f.runsHandlers || call.Fn.Obj.Name() == "Routes" {
		return
	}
	var functions []value.Value
	for _, r := range f.registrations {
		if r.route.Router == router {
			functions = append(functions, r.functions...)
		}
	}
	f.lend(call, functions...)
}

// noteLate notes that main goes on to do something that makes its contract when a broker has a
// router. What handlers change matters then, so they are followed in another round. A goroutine
// doesn't know what another one does meanwhile.
func (f *finder) noteLate() {
	if f.Serves() && !f.runsHandlers && f.ev.IsInMain() {
		f.runsHandlers = true
		f.ev.NeedRound()
	}
}

package discover

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"time"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// handler is the value of a runtime.Handler that was made by Consume, Respond or
// Dispatch.
type handler struct {
	Type  types.Type
	Body  types.Type
	Reply types.Type // nil of a Consume handler
	Name  string     // "" where the program can't derive one
	Pos   token.Pos
	Fn    *value.Func // nil where it isn't known

	NoName   *value.Unknown    // why its name isn't known, nil where it is
	MayBeNil bool              // it may be made of nil, which Register refuses
	Batch    *registered.Batch // nil unless it was made by ConsumeBatch
	Dispatch *dispatch         // nil unless it was made by Dispatch, which has no Body and Reply
}

// DynamicType implements [value.Atom].
func (h *handler) DynamicType() types.Type { return h.Type }

// Join implements [value.Joinable]: a handler and the same with middleware differ in the name.
func (h *handler) Join(other value.Atom, why *value.Unknown) value.Atom {
	o, isHandler := other.(*handler)
	if !isHandler {
		return nil
	}
	named := *o
	named.Name, named.NoName, named.MayBeNil, named.Pos = h.Name, h.NoName, h.MayBeNil, h.Pos
	if named != *h {
		return nil
	}
	isNamed := h.NoName != nil || h.Name == o.Name && o.NoName == nil
	if isNamed && (h.MayBeNil || !o.MayBeNil) {
		return h
	}
	joined := *h
	joined.MayBeNil = h.MayBeNil || o.MayBeNil
	if !isNamed {
		joined.Name, joined.NoName = "", why
	}
	return &joined
}

// runtimeFunctions are what discovery knows of the functions of package runtime,
// by their names within it.
var runtimeFunctions = map[string]func(*finder, *model.Call) (value.Value, bool){
	"(*Router).Declare":      declareCall,
	"(*Router).MustRegister": (*finder).mustRegisterCall,
	"(*Router).OnFailure":    onFailureCall,
	"(*Router).Register":     (*finder).registerCall,
	"(*Router).Use":          useCall,
	"(Address).String":       addressText,
	"(Case).Handler":         caseHandler,
	"(Case).Name":            caseName,
	"(Handler).BodyType":     handlerType(func(h *handler) types.Type { return h.Body }),
	"(Handler).Handle":       handleCall,
	"(Handler).IsZero":       handlerIsZero,
	"(Handler).Name":         handlerName,
	"(Handler).ReplyType":    handlerType(func(h *handler) types.Type { return h.Reply }),
	"(Handler).With":         handlerWith,
	"(Route).DeadLetters":    deadLettersCall,
	"(Route).FailureQueues":  failureQueuesCall,
	"(Topology).IsEmpty":     topologyIsEmpty,
	"Consume":                newHandler,
	"ConsumeBatch":           newBatchHandler,
	"Dispatch":               dispatchCall,
	"DispatchByHeader":       dispatchByHeaderCall,
	"DispatchByKey":          dispatchCall,
	"Env":                    envDefault,
	"NewCaller":              senderCall,
	"NewPublisher":           senderCall,
	"NewRouter":              newRouter,
	"On":                     onCall,
	"Otherwise":              otherwiseCall,
	"PerBody":                orderCall,
	"PerKey":                 orderCall,
	"Process":                handleCall,
	"Respond":                newHandler,
	"Run":                    runCall,
	"Strict":                 strictCall,
}

// Call evaluates the functions of package runtime that routes are made of.
func (f *finder) Call(call *model.Call) (value.Value, bool) {
	f.noteServing(call)
	obj := call.Fn.Obj.Origin()
	if obj.Pkg() == nil || obj.Pkg().Path() != load.RuntimePath {
		return nil, false
	}
	if evaluate := runtimeFunctions[strings.Replace(obj.FullName(), load.RuntimePath+".", "", 1)]; evaluate != nil {
		return evaluate(f, call)
	}
	return nil, false
}

// registerCall evaluates Register. Where it may refuse a route, a program that goes on after
// the error serves without the routes.
func (f *finder) registerCall(call *model.Call) (value.Value, bool) {
	f.need(call.Args)
	codecs := f.askCodecs(call)
	if f.mayRefuse(call, codecs) {
		mayFail(call)
	}
	f.registration(call, codecs)
	return value.Nil{Type: types.Universe.Lookup("error").Type()}, true
}

// need has the packages read that would tell more of values, and of what handlers among them
// are made of.
func (f *finder) need(values []value.Value) {
	all := slices.Clone(values)
	w := value.Walk{Visit: func(_ *value.Cell, v value.Value) { all = append(all, partsOfHandler(v)...) }}
	w.All(values)
	f.ev.Need(all)
}

// mayFail notes that a call may have ended by an error that isn't known, without a change.
func mayFail(call *model.Call) {
	call.MayFail(call.At, errorOf(call), func() {})
}

// errorOf is the error of a call that has failed, for what isn't known of what it gets.
func errorOf(call *model.Call) *value.Unknown {
	failed := value.UnknownAt(call.At.Pos(), "the error of "+value.Source(call.At))
	if why := value.Because(call.At, append(givenRoutes(call), call.Args...)...); why.Pos != call.At.Pos() {
		failed = why.Bare()
	}
	failed.NonNil = true
	return failed
}

// mayBeMadeOfNil reports whether a handler may be made of a nil function.
func mayBeMadeOfNil(v value.Value) bool {
	h, isMade := v.(*handler)
	return isMade && h.MayBeNil
}

// mayBeNil reports whether a function isn't known, nor that there is one.
func mayBeNil(fn value.Value) bool { return value.IsUnknown(fn) && !value.IsNonNil(fn) }

// mustRegisterCall evaluates MustRegister, which panics where Register fails.
func (f *finder) mustRegisterCall(call *model.Call) (value.Value, bool) {
	f.need(call.Args)
	codecs := f.askCodecs(call)
	if f.mayRefuse(call, codecs) {
		call.Risk(call.At)
	}
	f.registration(call, codecs)
	return value.Tuple{}, true
}

// maxRoutes bounds what a loop without an end registers.
const maxRoutes = 10_000

func (f *finder) registration(call *model.Call, codecs []asked) {
	if len(f.registrations) > maxRoutes {
		f.ev.GiveUp(call.At)
	}
	f.noteFilled(call)
	f.noteAgain(call)
	f.register(call.At, routerOf(call.Fn.Recv), call.Args, codecs)
}

func newRouter(f *finder, call *model.Call) (value.Value, bool) {
	f.made++
	f.noteLate()
	t := call.Fn.Obj.Signature().Results().At(0).Type()
	return value.Pointer{Type: t, To: f.ev.Declared(call.Zero(value.Pointee(t)))}, true
}

// envDefault is the fallback of runtime.Env: the contract's value, unless the program
// itself sets the variable.
func envDefault(_ *finder, call *model.Call) (value.Value, bool) {
	if len(call.Args) != 2 {
		return value.UnknownResult(call.At), true
	}
	set := call.SetByProgram(call.Args[0])
	if set == nil {
		return call.Args[1], true
	}
	if text, known := value.TextOf(set); known && text == "" {
		return call.Args[1], true
	}
	return set, true
}

// newHandler makes the value of runtime.Consume(fn) or Respond(fn): its types
// are the type arguments, its name the function's.
func newHandler(_ *finder, call *model.Call) (value.Value, bool) {
	t := call.Fn.Obj.Signature().Results().At(0).Type()
	if len(call.Args) == 1 && value.IsNil(call.Args[0]) {
		return call.Zero(t), true
	}
	if len(call.Fn.TArgs) == 0 || len(call.Args) != 1 {
		return value.UnknownAt(call.At.Pos(), "the handler "+value.Source(call.At)), true
	}
	h := &handler{Type: t, Body: call.Fn.TArgs[0], Pos: call.At.Pos(), MayBeNil: mayBeNil(call.Args[0])}
	if len(call.Fn.TArgs) > 1 {
		h.Reply = call.Fn.TArgs[1]
	}
	if handle, ok := call.Args[0].(*value.Func); ok {
		h.Fn = handle
		if handle.Obj != nil && !handle.Generic {
			h.Name = handle.Obj.Name()
		}
	}
	return h, true
}

// newBatchHandler makes the value of runtime.ConsumeBatch(fn, size, wait).
func newBatchHandler(f *finder, call *model.Call) (value.Value, bool) {
	if len(call.Args) != 3 {
		return value.UnknownResult(call.At), true
	}
	size, wait := call.Args[1], call.Args[2]
	alone := *call
	alone.Args = call.Args[:1]
	made, ok := newHandler(f, &alone)
	if h, isHandler := made.(*handler); isHandler {
		h.Batch = batchOf(size, wait)
	}
	return made, ok
}

// batchOf returns a batch that Register accepts where it isn't known.
func batchOf(size, wait value.Value) *registered.Batch {
	n, isSized := integer(size)
	d, isTimed := integer(wait)
	if !isSized {
		n = 1
	}
	if !isTimed {
		d = 1
	}
	return &registered.Batch{Size: int(n), Wait: time.Duration(d), IsOpen: !isSized || !isTimed}
}

// integer returns the integer that v is, and false where it isn't known.
func integer(v value.Value) (int64, bool) {
	if c, ok := v.(value.Const); ok {
		return constant.Int64Val(constant.ToInt(c.Value))
	}
	return 0, false
}

// order is the value of a runtime.Order that isn't none.
type order struct {
	Type   types.Type
	strict bool // it is Strict
}

// DynamicType implements [value.Atom].
func (o *order) DynamicType() types.Type { return o.Type }

func strictCall(_ *finder, call *model.Call) (value.Value, bool) {
	return &order{resultType(call), true}, true
}

// orderCall makes the value of PerKey and PerBody, which is none for a nil function.
func orderCall(_ *finder, call *model.Call) (value.Value, bool) {
	for _, key := range call.Args {
		if value.IsNil(key) {
			return call.Zero(resultType(call)), true
		}
		if value.IsUnknown(key) {
			return value.Because(call.At, key), true
		}
	}
	return &order{Type: resultType(call)}, true
}

func handlerName(_ *finder, call *model.Call) (value.Value, bool) {
	h, isMade := call.Fn.Recv.(*handler)
	switch {
	case isMade && h.NoName != nil:
		return value.Because(call.At, h.NoName), true
	case isMade && (h.Fn != nil || h.Dispatch != nil): // else its function isn't known
		return value.NewConst(constant.MakeString(h.Name), types.Typ[types.String]), true
	}
	return value.UnknownResult(call.At), true
}

// handlerType evaluates BodyType and ReplyType, nil for a type that the handler hasn't.
func handlerType(of func(*handler) types.Type) func(*finder, *model.Call) (value.Value, bool) {
	return func(_ *finder, call *model.Call) (value.Value, bool) {
		h, isMade := call.Fn.Recv.(*handler)
		switch {
		case isMade && h.MayBeNil && h.Dispatch == nil: // it may be a zero Handler
			return value.UnknownResult(call.At), true
		case isMade && of(h) != nil:
			return model.TypeValue(of(h)), true
		case isMade || isZeroHandler(call.Fn.Recv):
			return call.Zero(resultType(call)), true
		}
		return value.Because(call.At, firstUnknown(call.Fn.Recv)), true
	}
}

func handlerIsZero(_ *finder, call *model.Call) (value.Value, bool) {
	h, isMade := call.Fn.Recv.(*handler)
	if isMade && h.MayBeNil && h.Dispatch == nil { // one of Dispatch isn't zero, whatever its cases are
		return value.UnknownResult(call.At), true
	}
	isZero := isZeroHandler(call.Fn.Recv)
	if !isZero && !isMade {
		return value.Because(call.At, firstUnknown(call.Fn.Recv)), true
	}
	return value.NewConst(constant.MakeBool(isZero), types.Typ[types.Bool]), true
}

// isZeroHandler reports whether v is the zero Handler: a struct of which nothing
// has become unknown.
func isZeroHandler(v value.Value) bool {
	_, isStruct := v.(*value.Struct)
	return isStruct && !value.IsUnknown(firstUnknown(v))
}

// firstUnknown returns the first field of a struct that isn't known, or v.
func firstUnknown(v value.Value) value.Value {
	s, ok := v.(*value.Struct)
	if !ok {
		return v
	}
	for _, cell := range s.Fields {
		if value.IsUnknown(cell.Load()) {
			return cell.Load()
		}
	}
	return v
}

// Opaque reports that routes are lost where a function that isn't known gets a
// router, a route or a handler.
func (f *finder) Opaque(at ast.Expr, fn *value.Func, args []value.Value) {
	if fn != nil && fn.Obj.Pkg() != nil && fn.Obj.Pkg().Path() == "reflect" {
		f.reportEscaped(at, args)
		return
	}
	if fn != nil && !(fn.Obj.Signature().Recv() != nil && types.IsInterface(fn.Obj.Signature().Recv().Type())) {
		return
	}
	if fn != nil && fn.Obj.Pkg() != nil && load.IsLibrary(fn.Obj.Pkg().Path()) {
		return
	}
	f.reportEscaped(at, args)
}

// reportEscaped reports a call that gets a router, a route or a handler.
func (f *finder) reportEscaped(at ast.Expr, args []value.Value) {
	for _, v := range args {
		if slice, ok := v.(*value.Slice); ok && len(slice.Elems) > 0 {
			v = slice.Elems[0].Load()
		}
		_, isHandler := v.(*handler)
		if t := value.TypeOf(v); isHandler || isRouter(value.Pointee(t)) || isRoute(t) {
			f.report(f.ev.OwnPos(at.Pos()), diagnostic.Diagnostic{
				Code:   diagnostic.UnknownRoute,
				What:   "the routes that this call registers aren't known",
				Why:    "the code that is analysed doesn't determine which function " + value.Source(eval.CalledExpr(at)) + " is",
				Remedy: remedies[diagnostic.UnknownRoute],
			})
		}
	}
}

// isRouter reports whether t is runtime.Router.
func isRouter(t types.Type) bool { return isOfRuntime(t, "Router") }

// isRoute reports whether t is runtime.Route.
func isRoute(t types.Type) bool { return isOfRuntime(t, "Route") }

func isOfRuntime(t types.Type, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == load.RuntimePath && named.Obj().Name() == name
}

// Serves reports whether a broker has the router.
func (f *finder) Serves() bool { return f.serving.Load() != nil }

// noteServing notes that a broker gets the router, or its routes are asked for.
func (f *finder) noteServing(call *model.Call) {
	if call.Fn.Obj.Pkg() == nil || !load.IsLibrary(call.Fn.Obj.Pkg().Path()) || startsOwnBroker(call) {
		return
	}
	if belongsToStart(call.Fn.Obj) {
		f.ev.NoteStart(call.At)
	}
	params := call.Fn.Obj.Signature().Params()
	for i, v := range call.Args {
		f.noteServed(call, v, params.At(i).Type())
		if router := routerOf(v); router != nil && f.isGiven(router) {
			f.noteConsumed(call, router)
		}
	}
	if recv := call.Fn.Obj.Signature().Recv(); recv != nil && call.Fn.Obj.Name() == "Routes" {
		f.noteServed(call, call.Fn.Recv, recv.Type())
	}
}

// belongsToStart reports whether a program hasn't started where a function of warren fails: it
// makes a broker or a document. That of routes which are found can be made.
func belongsToStart(fn *types.Func) bool {
	if strings.HasPrefix(fn.Pkg().Path(), load.RuntimePath+"/asyncapi") {
		return true
	}
	for result := range fn.Signature().Results().Variables() {
		if named := value.NamedOf(result.Type()); named != nil && named.Obj().Name() == "Broker" {
			return true
		}
	}
	return false
}

// noteServed notes a value that is given as one of type t to a function of warren.
func (f *finder) noteServed(call *model.Call, v value.Value, t types.Type) {
	if p, ok := v.(value.Pointer); ok && isRouter(value.Pointee(p.Type)) {
		f.begin(call, p.To)
		f.noteBroker(call, p)
	} else if u, ok := v.(*value.Unknown); ok && mayHoldRouter(t) {
		f.mayServe = u
		if isRouter(value.Pointee(t)) {
			call.Set(f.serving, done)
			f.serve(call.At, u.Identity())
		}
	}
}

// routerOf returns what identifies the router that v points to: its variable, or the
// unknown value.
func routerOf(v value.Value) any {
	switch v := v.(type) {
	case value.Pointer:
		return v.To
	case *value.Unknown:
		return v.Identity()
	default:
		return nil
	}
}

// mayHoldRouter reports whether a value of type t may lead to a router. A context
// doesn't lead warren there, nor does a configuration of a broker, nor do routes: who
// asks for them has one. Nor does a broker, which has the router that it was given.
func mayHoldRouter(t types.Type) bool {
	if slice, ok := t.Underlying().(*types.Slice); ok {
		t = slice.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if ok && named.Obj().Pkg() != nil {
		path, name := named.Obj().Pkg().Path(), named.Obj().Name()
		if path == "context" || load.IsLibrary(path) && slices.Contains([]string{"Broker", "Config", "Transport"}, name) {
			return false
		}
	}
	_, isBasic := t.Underlying().(*types.Basic)
	return !isBasic && !isRoute(t)
}

package eval

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// opaque stands for the call of a function whose body isn't read: another
// module's, the standard library's, or one that isn't known at all. Its results
// are unknown, what it could write to through its arguments becomes so, and the
// functions that it was given may be called or not. lacked is a part of the arguments
// that isn't known, where one alone is why the results aren't; else nil.
func (ev *Evaluator) opaque(at ast.Expr, fn *value.Func, callee value.Value, args []value.Value, lacked *value.Unknown) value.Value {
	ev.thread.calls, ev.tail = true, nil
	inputs := args
	if u, ok := callee.(*value.Unknown); ok {
		inputs = slices.Concat(u.Targets, args) // it may be one of them
	}
	if fn != nil && fn.Bound {
		inputs = append([]value.Value{fn.Recv}, args...)
	}
	results, around := ev.methodResults, ev.unfollowed
	ev.methodResults, ev.unfollowed = nil, unfollowed{at: at}
	if fn != nil {
		ev.unfollowed.fn = fn.Obj
	}
	defer func() { ev.methodResults, ev.unfollowed = results, around }()
	why := ev.whyOpaque(at, fn, callee, inputs, lacked)
	ev.user.Opaque(at, fn, args)
	ev.callPossible(at, fn, callee, args)
	ev.callImplementations(at, fn, args)
	ev.callEnding(at, callee, args)
	sig := ev.calledSignature(at, fn)
	var params *types.Tuple
	if sig != nil {
		params = sig.Params()
	}
	effects := ev.effectsOf(fn, args)
	if isCancel(callee) && len(args) == 0 {
		effects.Known = true
	}
	calm := effects.Calm && (!fn.Bound || effects.NilSafe || value.IsNonNil(fn.Recv)) || ev.isCalm(fn, args) || isCancel(callee)
	if effects.Known {
		ev.elsewhere(at)
		ev.callMethods(at, effects, inputs)
		if effects.Calls { // and changes nothing
			ev.noteUnknowns(at, params, args)
			ev.Lend(at, inputs, why)
		}
		if effects.Calls || len(effects.Methods) > 0 {
			ev.callLent(at, inputs, why)
		}
	} else {
		ev.readAtOnce(fn, args)
		ev.noteUnknowns(at, params, args)
		ev.noteTypeArguments(at, fn, inputs)
		if fn != nil && fn.Bound && value.IsForeign(fn.Recv) {
			ev.noteWithheld(at)
		}
		puts := ev.putsForOthers(at, fn, inputs)
		var given typeSet
		if puts {
			given = ev.typesIn(args) // which aren't known any more when they have escaped
		}
		ev.Expose(at, inputs, why)
		if puts {
			ev.noteWithheldForAny(at, given)
		}
		if fn != nil {
			ev.noteCalled(fn.Obj)
		}
		ev.readTelling(at, fn)
		ev.forgetEnvironment()
		ev.loseSetVariables(at, func() bool { return ev.maySetVariables(fn) })
		ev.blurLent(at, inputs, why)
	}
	ev.blurForeign(at, fn, why)
	ev.blurByUnseen(at, fn)
	if !calm {
		ev.risk(CalledExpr(at), why)
	}
	if sig == nil {
		return why
	}
	if env := envName(fn, args); env != "" {
		why = ev.environment(at, env, why)
		if fn.Obj.Name() == "Getenv" {
			return ev.sameVariable(env, why)
		}
	}
	return ev.opaqueResults(sig, fn, inputs, effects, why)
}

// putsForOthers reports whether the standard library may put what it is given into what code that isn't
// followed has made.
func (ev *Evaluator) putsForOthers(at ast.Expr, fn *value.Func, inputs []value.Value) bool {
	return ev.program.InStandardLibrary(ev.calledPackage(at)) && (isOthersPointer(fn) || slices.ContainsFunc(inputs, isOthersCollection))
}

// unfollowed is a call of code that isn't followed, with its function, nil where it isn't known.
type unfollowed struct {
	at ast.Expr
	fn *types.Func
}

// isOthersPointer reports whether a method is called of a pointer that such code has made.
func isOthersPointer(fn *value.Func) bool {
	if fn == nil || !fn.Bound || !value.IsForeign(fn.Recv) {
		return false
	}
	recv := fn.Obj.Signature().Recv()
	return recv != nil && value.Pointee(recv.Type()) != nil
}

// isOthersCollection reports whether a value is a map, a pointer, a slice or a channel that code which
// isn't followed has made, and has as well.
func isOthersCollection(v value.Value) bool {
	t := value.TypeOf(v)
	if t == nil || !value.IsForeign(v) {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Map, *types.Pointer, *types.Slice, *types.Chan:
		return true
	}
	return false
}

// whyOpaque is why the results of a call aren't known whose function isn't read.
func (ev *Evaluator) whyOpaque(at ast.Expr, fn *value.Func, callee value.Value, inputs []value.Value, lacked *value.Unknown) *value.Unknown {
	why := value.UnknownResult(at)
	if u, ok := callee.(*value.Unknown); ok {
		why = u.Bare()
	}
	if fn != nil && fn.Obj.Pkg() != nil && !ev.isGivenUp(fn) {
		why.Unread = ev.readable(fn.Obj.Pkg().Path())
	}
	why.Computed = model.Evaluated[why.Unread] && !slices.ContainsFunc(inputs, isFromOutside)
	why.Foreign = true
	for _, u := range unknownInputs(at, inputs, lacked) {
		why.Reason = withOrigin(why.Reason, u)
		why.CommandLine = why.CommandLine || u.CommandLine
		if why.Unread == "" {
			why.Unread = u.Unread
		}
	}
	return why
}

// opaqueResults are the results of such a call. Where the function changes nothing of its inputs,
// they may lead to what methods have returned to it; those of warren lead to the inputs, and
// so does a context.
func (ev *Evaluator) opaqueResults(sig *types.Signature, fn *value.Func, inputs []value.Value, effects model.Effects, why *value.Unknown) value.Value {
	tuple := make(value.Tuple, sig.Results().Len())
	for i := range tuple {
		u, t := why.Bare(), sig.Results().At(i).Type()
		if effects.Known && value.IsErrorType(t) {
			u.Of(ev.methodResults...)
		}
		u.Library = effects.Calm && isErrorOrAttribute(t) && len(u.Targets) == 0
		u.Closure = ev.makesFunction(fn, i)
		switch {
		case makesContext(fn, inputs):
			u.Library, u.NonNil = true, true
		case effects.Known && types.TypeString(t, nil) == "context.Context":
			u.Of(contextValues(inputs)...)
		case fn != nil && fn.Obj.Pkg() != nil && load.IsLibrary(fn.Obj.Pkg().Path()) && mayLead(t):
			u.Of(append(u.Targets, leadingInputs(sig, inputs, t)...)...)
		}
		tuple[i] = u
	}
	if len(tuple) == 1 {
		return tuple[0]
	}
	return tuple
}

// contextValues returns the keys and values that contexts have got by WithValue, in whatever some
// values lead to.
func contextValues(within []value.Value) (values []value.Value) {
	w := value.Walk{Visit: func(_ *value.Cell, v value.Value) {
		s, ok := v.(*value.Struct)
		if !ok || types.TypeString(s.Type, nil) != "context.valueCtx" {
			return
		}
		for _, cell := range s.Fields {
			values = append(values, cell.Load())
		}
	}}
	w.All(within)
	return values
}

// leadingInputs returns the inputs that a result of warren's own function may lead to: an error to
// errors, and anything else to all, but for a router, which tells of its routes by copies.
func leadingInputs(sig *types.Signature, inputs []value.Value, result types.Type) []value.Value {
	if !value.IsErrorType(result) {
		return slices.DeleteFunc(slices.Clone(inputs), func(v value.Value) bool {
			t := value.TypeOf(v)
			return t != nil && types.TypeString(t, nil) == "*"+load.RuntimePath+".Router"
		})
	}
	var errors []value.Value
	given := len(inputs) - sig.Params().Len()
	if recv := sig.Recv(); recv != nil && given == 1 {
		if method, _, _ := types.LookupFieldOrMethod(recv.Type(), true, nil, "Error"); method != nil {
			errors = inputs[:1:1]
		}
	}
	for i, v := range inputs[given:] {
		if value.IsErrorType(sig.Params().At(i).Type()) {
			errors = append(errors, v)
		}
	}
	return errors
}

// isErrorOrAttribute reports whether a type is error, or that of the attributes of a log.
func isErrorOrAttribute(t types.Type) bool {
	return value.IsErrorType(t) || types.TypeString(t, nil) == "log/slog.Attr"
}

// makesFunction reports whether the i-th result of a function is a function that the
// standard library makes: what it returns of its arguments is of a type parameter.
func (ev *Evaluator) makesFunction(fn *value.Func, i int) bool {
	if fn == nil || isAbstract(fn.Obj) || fn.Obj.Pkg() == nil || !ev.program.InStandardLibrary(fn.Obj.Pkg().Path()) {
		return false
	}
	_, ok := fn.Obj.Origin().Signature().Results().At(i).Type().Underlying().(*types.Signature)
	return ok
}

// effectsOf returns what a function that can't be entered does to what it gets.
// Warren's own change nothing of it, and call it.
func (ev *Evaluator) effectsOf(fn *value.Func, args []value.Value) model.Effects {
	if fn == nil {
		return model.Effects{}
	}
	if u, ok := fn.Recv.(*value.Unknown); ok && u.Library && fn.Obj.Name() == "Error" {
		return model.Effects{Known: true, Calm: true}
	}
	effects := model.EffectsOf(fn.Obj)
	if fn.Obj.Pkg() != nil && load.IsLibrary(fn.Obj.Pkg().Path()) {
		effects.Known = true
		effects.Calls = fn.Obj.FullName() != load.RuntimePath+".Run" // which the user follows
	}
	return effects
}

// envName returns the name of the environment variable that a call reads, ""
// for other calls.
func envName(fn *value.Func, args []value.Value) string {
	if fn == nil || len(args) != 1 {
		return ""
	}
	name, ok := args[0].(value.Const)
	switch fn.Obj.FullName() {
	case "os.Getenv", "os.LookupEnv":
		if ok {
			return constant.StringVal(name.Value)
		}
	}
	return ""
}

// environment returns why the value of an environment variable isn't known. Where
// a function reads it whose callers name the variable, it is said of the caller.
func (ev *Evaluator) environment(at ast.Expr, name string, why *value.Unknown) *value.Unknown {
	named := why.Bare()
	named.Env = name
	call, isCall := at.(*ast.CallExpr)
	if !isCall || !ev.inOwn() || ev.names(ev.frame, call, name) {
		return named
	}
	for f := ev.frame; f.outer != nil; f = f.outer {
		caller, ok := f.call.(*ast.CallExpr)
		if !ok || !ev.program.IsOwn(f.outer.pkg.Path) || !ev.names(f.outer, caller, name) {
			continue
		}
		basic, ok := f.outer.pkg.Info.TypeOf(caller).(*types.Basic)
		if !ok || basic.Kind() != types.String {
			return named
		}
		named.Pos, named.Place = caller.Pos(), caller.Pos()
		named.Reason = "the result of " + value.Source(call.Fun) + "(" + strconv.Quote(name) + ")"
		return named
	}
	return named
}

// names reports whether a text is an argument of a call that stands in a function.
func (ev *Evaluator) names(in *frame, call *ast.CallExpr, text string) bool {
	return slices.ContainsFunc(call.Args, func(arg ast.Expr) bool {
		v := in.pkg.Info.Types[arg].Value
		return v != nil && v.Kind() == constant.String && constant.StringVal(v) == text
	})
}

// CalledExpr returns what a call calls.
func CalledExpr(at ast.Expr) ast.Expr {
	if call, ok := at.(*ast.CallExpr); ok {
		return call.Fun
	}
	return at
}

// calledSignature returns that of the function that is called, nil where it isn't known.
func (ev *Evaluator) calledSignature(at ast.Expr, fn *value.Func) *types.Signature {
	if fn != nil {
		return signatureOf(fn)
	}
	t := ev.frame.pkg.Info.TypeOf(CalledExpr(at))
	if t == nil {
		return nil
	}
	sig, _ := t.Underlying().(*types.Signature)
	return sig
}

// originOf returns what is to be added to a reason for that of a call's result:
// what the result was computed from.
func originOf(at ast.Expr, result *value.Unknown) string {
	if _, origin, found := strings.Cut(result.Reason, andSoOn); found {
		return andSoOn + origin
	}
	if result.Pos != at.Pos() && result.Reason != "" { // it isn't known for a reason of its own
		return andSoOn + result.Reason
	}
	return ""
}

// isFromOutside reports whether a value isn't known, and no source would tell it.
func isFromOutside(v value.Value) bool {
	u, ok := v.(*value.Unknown)
	return ok && !u.Computed
}

// unknownInputs returns the inputs of a call that aren't known, and lacked where that isn't
// the call itself.
func unknownInputs(at ast.Expr, inputs []value.Value, lacked *value.Unknown) []*value.Unknown {
	var unknowns []*value.Unknown
	for _, v := range inputs {
		if u, ok := v.(*value.Unknown); ok {
			unknowns = append(unknowns, u)
		}
	}
	if lacked != nil && lacked.Pos != at.Pos() {
		unknowns = append(unknowns, lacked)
	}
	return unknowns
}

// withOrigin adds to the reason why a result isn't known, if it says no more than that, the
// one for which something that it was computed from isn't.
func withOrigin(reason string, u *value.Unknown) string {
	if u.Reason == "" || strings.Contains(reason, andSoOn) {
		return reason
	}
	origin := u.Reason
	if _, first, found := strings.Cut(origin, andSoOn); found {
		origin = first
	}
	if origin == reason {
		return reason
	}
	return reason + andSoOn + origin
}

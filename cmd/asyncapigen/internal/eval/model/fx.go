package model

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Applications of uber/fx: New calls the functions of Invoke with what the
// constructors give, Run and Start the hooks that those have appended to the
// lifecycle.

const (
	fxPackage = "go.uber.org/fx"
	fxApp     = "(*" + fxPackage + ".App)."
)

var fxFunctions = merged(
	map[string]Function{
		fxPackage + ".New":           fxNew,
		fxPackage + ".Annotate":      fxAnnotate,
		fxPackage + ".StartHook":     fxHook("OnStart"),
		fxPackage + ".StartStopHook": fxHook("OnStart", "OnStop"),
		fxPackage + ".StopHook":      fxHook("OnStop"),

		"(" + fxPackage + ".Lifecycle).Append": fxAppend,

		fxApp + "Err":   fxErr,
		fxApp + "Run":   fxRun,
		fxApp + "Start": fxStart,
		fxApp + "Stop":  fxStop,
	},
	table(fxApp, leavesReceiver, "Done", "StartTimeout", "StopTimeout", "Wait"),
	table(fxPackage+".", newFxOption, "As", "From", "OnStart", "OnStop", "ParamTags", "ResultTags", "Self"), // annotations
	table(fxPackage+".", newFxOption,
		"Decorate", "Error", "ErrorHook", "Extract", "Invoke", "Logger", "Module", "Options", "Provide",
		"RecoverFromPanics", "StartTimeout", "StopTimeout", "WithLogger"),
	table(fxPackage+".", mayPanic(newFxOption), "Populate", "Replace", "Supply"),
)

// fxOption is an option of an application, or an annotation.
type fxOption struct {
	kind string // the function that made it
	at   ast.Expr
	typ  types.Type
	args []value.Value // those of a variadic parameter one by one
	ok   bool          // they are known
}

// DynamicType implements [value.Atom].
func (o *fxOption) DynamicType() types.Type { return o.typ }

// Held implements [value.Holder].
func (o *fxOption) Held() []value.Value { return o.args }

func newFxOption(c *Call) (value.Value, bool) {
	sig := c.Fn.Obj.Signature()
	o := &fxOption{kind: c.Fn.Obj.Name(), at: c.At, typ: sig.Results().At(0).Type(), args: c.Args, ok: true}
	if last := len(c.Args) - 1; sig.Variadic() {
		o.args, o.ok = elements(c.Args[last])
	}
	return o, true
}

// fxHook is the model of StartHook and its like.
func fxHook(names ...string) Function {
	return func(c *Call) (value.Value, bool) {
		hook := c.Zero(c.Fn.Obj.Signature().Results().At(0).Type()).(*value.Struct)
		u := hook.Type.Underlying().(*types.Struct)
		for i, name := range names {
			given := c.Args[i]
			if fn, ok := given.(*value.Func); ok {
				given = c.asHook(fn, u.Field(value.FieldIndex(u, name)).Type())
			}
			c.Set(fieldNamed(hook, name), given)
		}
		return hook, true
	}
}

// asHook returns a function that takes a context and returns an error, made of one that may leave
// out both.
func (c *Call) asHook(fn *value.Func, t types.Type) *value.Func {
	sig, ok := fn.Type.Underlying().(*types.Signature)
	if !ok {
		return fn
	}
	return &value.Func{Type: t, Bound: true, Recv: fn, Native: func(args []value.Value) value.Value {
		return c.errorOfHook(fn, args[:sig.Params().Len()])
	}}
}

// errorOfHook calls the function of a hook and returns its error, none where it has no result.
func (c *Call) errorOfHook(fn *value.Func, args []value.Value) value.Value {
	result := c.Kept(c.At, fn, args)
	if fn.Type.Underlying().(*types.Signature).Results().Len() == 0 {
		return noError()
	}
	return result
}

// lifecycle is what hooks are appended to.
type lifecycle struct {
	of  *container
	typ types.Type
}

// DynamicType implements [value.Atom].
func (l lifecycle) DynamicType() types.Type { return l.typ }

func fxAppend(c *Call) (value.Value, bool) {
	l, ok := c.Fn.Recv.(lifecycle)
	if !ok {
		return nil, false
	}
	extend(c, l.of.hooks, nil, c.Args[0])
	return value.Tuple{}, true
}

// fxNew is the model of New.
func fxNew(c *Call) (value.Value, bool) {
	d := newContainer(c.Fn.Obj.Signature().Results().At(0).Type())
	d.checks = true
	d.builtin = func(t types.Type) value.Value {
		switch {
		case isDeclared(t, fxPackage, "Lifecycle"):
			return lifecycle{d, t}
		case isDeclared(t, fxPackage, "Shutdowner"), isDeclared(t, fxPackage, "DotGraph"):
			return &value.Unknown{Reason: "the " + typeText(t) + " of the application", Pos: c.At.Pos(), NonNil: true}
		}
		return nil
	}
	build := fxBuild{call: c, into: d}
	options, ok := elements(c.Args[0])
	if !ok {
		build.lost(c.At, value.Because(c.At, c.Args[0]))
	}
	root := build.module(options, nil)
	build.provide(root)
	build.decorate(root)
	err := c.Function(c.At, errorResult, nil, func() []value.Value {
		build.logger(root)
		build.invoke(root)
		if len(build.errors) > 0 && len(build.told) > 0 {
			build.tell()
		}
		if build.fails {
			return onlyError(c.errorOfCall(build.errors...))
		}
		return []value.Value{noError()}
	})
	c.Set(d.err, err)
	d.failures = build.errors
	if held := c.Hold(); held != nil {
		c.Set(d.held, held)
	}
	return d, true
}

var errorResult = types.NewTuple(types.NewVar(0, nil, "", errorType))

func onlyError(err value.Value) []value.Value { return []value.Value{err} }

// fxErr is the model of Err, which returns the error of New.
func fxErr(c *Call) (value.Value, bool) {
	d, ok := c.Fn.Recv.(*container)
	if !ok {
		return nil, false
	}
	return fxError(c, d), true
}

// fxError returns the error of New, apart from which it is none.
func fxError(c *Call, d *container) value.Value {
	c.Lend(c.At, d.failures, value.UnknownResult(c.At))
	if held := d.held.Load(); value.IsUnknown(held) {
		return c.because(held)
	} else if !value.IsNil(held) {
		c.Tell(held, c.errorOfCall(d.failures...))
	}
	return d.err.Load()
}

// fxBuild applies options.
type fxBuild struct {
	call   *Call
	into   *container
	fails  bool          // an error ends it
	errors []value.Value // those that may end it
	told   []value.Value // what is told of them: loggers, handlers
	given  bool          // it was said that something can't be followed
}

const fxRemedy = "give fx.New its options by fx.Provide, fx.Supply, fx.Invoke, fx.Module and fx.Options"

func (b *fxBuild) lost(at ast.Expr, why *value.Unknown) {
	b.given = true
	b.call.Lost(at, why, fxRemedy)
}

// fxModule is a module, or the application as a whole.
type fxModule struct {
	*module
	options []*fxOption // in their order, those in Options among them
	logger  *fxOption   // WithLogger, nil where another logger is taken
	isQuiet bool        // NopLogger
	within  []*fxModule
}

// module sorts options into modules.
func (b *fxBuild) module(options []value.Value, outer *module) *fxModule {
	m := &fxModule{module: &module{outer}}
	b.sort(m, options)
	return m
}

// sort adds options to a module.
func (b *fxBuild) sort(m *fxModule, options []value.Value) {
	for _, v := range options {
		o, ok := v.(*fxOption)
		switch {
		case isFxVariable(v): // of the package's own, NopLogger alone is an option
			m.logger, m.isQuiet = nil, true
		case !ok:
			b.lost(b.call.At, value.Because(b.call.At, v))
		case !o.ok:
			b.lost(o.at, value.UnknownAt(o.at.Pos(), "a list of options that isn't known"))
		default:
			b.add(m, o)
		}
	}
}

// add adds an option to a module.
func (b *fxBuild) add(m *fxModule, o *fxOption) {
	switch o.kind {
	case "Options":
		b.sort(m, o.args)
	case "Module":
		m.within = append(m.within, b.module(o.args, m.module))
	case "WithLogger":
		m.logger = o
	case "Extract":
		b.lost(o.at, value.UnknownAt(o.at.Pos(), "an option that isn't followed, fx."+o.kind))
	case "Logger", "RecoverFromPanics", "StartTimeout", "StopTimeout":
		if m.outer != nil {
			b.lost(o.at, value.UnknownAt(o.at.Pos(), "the option fx."+o.kind+" in a module, which the application refuses"))
		}
		b.into.recovers = b.into.recovers || o.kind == "RecoverFromPanics"
		if o.kind == "Logger" {
			b.expose(o, o.args)
		}
	case "Error":
		b.fail(o)
	case "ErrorHook":
		b.expose(o, o.args)
	default:
		m.options = append(m.options, o)
	}
}

// fail has the application fail by the errors of an option: nil is none.
func (b *fxBuild) fail(o *fxOption) {
	for _, err := range o.args {
		switch {
		case value.HoldsSomething(err):
			b.fails, b.errors = true, append(b.errors, err)
		case value.IsUnknown(err):
			b.lost(o.at, value.Because(o.at, err))
		}
	}
}

// expose gives values to the application, which calls their methods as it goes on.
func (b *fxBuild) expose(o *fxOption, values []value.Value) {
	if len(values) > 0 {
		b.told = append(b.told, values...)
		b.call.Expose(o.at, values, value.UnknownResult(o.at))
	}
}

// tell calls what is told of the errors by which the application may fail.
func (b *fxBuild) tell() {
	c := b.call
	for _, v := range b.told {
		for _, name := range []string{"HandleError", "LogEvent"} {
			method := c.Method(c.At, v, name)
			if method == nil {
				continue
			}
			again := &value.Func{Type: method.Type, Native: func(args []value.Value) value.Value { return c.Call(c.At, method, args) }}
			c.Expose(c.At, []value.Value{again}, value.UnknownResult(c.At).Of(b.errors...))
		}
	}
}

// provide adds the constructors of a module, and of those in it.
func (b *fxBuild) provide(m *fxModule) {
	for _, o := range m.options {
		switch o.kind {
		case "Provide":
			b.provideAll(m, o)
		case "Supply":
			b.supply(m, o)
		}
	}
	for _, inner := range m.within {
		b.provide(inner)
	}
}

// decorate adds the decorators of a module, and of those in it.
func (b *fxBuild) decorate(m *fxModule) {
	for _, o := range m.options {
		for _, v := range o.args {
			switch o.kind {
			case "Decorate":
				b.decorateOne(m, o, v)
			case "Replace":
				if by := b.replacing(o, v); by != nil {
					b.decorateOne(m, o, by)
				}
			}
		}
	}
	for _, inner := range m.within {
		b.decorate(inner)
	}
}

func (b *fxBuild) decorateOne(m *fxModule, o *fxOption, decorator value.Value) {
	call := b.at(o)
	fn := call.constructor(decorator)
	if fn == nil || !b.into.addDecorator(call, fn, m.module) {
		b.given = true
	}
}

// replacing returns the decorator that gives a value, which may have annotations; nil where its
// type isn't known, which it says.
func (b *fxBuild) replacing(o *fxOption, v value.Value) value.Value {
	with, ok := v.(*annotated)
	if !ok {
		return b.supplied(o, v)
	}
	of := *with
	if of.target = b.supplied(o, with.target); of.target == nil {
		return nil
	}
	return &of
}

// at returns the call as if it were at an option: what is wrong with that is said
// there.
func (b *fxBuild) at(o *fxOption) *Call {
	call := *b.call
	call.At = o.at
	return &call
}

// provideAll adds the constructors of an option.
func (b *fxBuild) provideAll(m *fxModule, o *fxOption) {
	constructors, private := public(o.args)
	for _, v := range constructors {
		b.provideOne(m, o, v, private)
	}
}

// provideOne adds a constructor, which may have annotations.
func (b *fxBuild) provideOne(m *fxModule, o *fxOption, constructor value.Value, private bool) {
	call := b.at(o)
	var fn *value.Func
	if s := annotatedStruct(constructor); s != nil {
		fn = call.ofAnnotated(s)
	} else {
		fn = call.constructor(constructor)
	}
	if fn == nil {
		b.given = true
		return
	}
	b.give(o, &provider{fn: fn, made: value.NewCell(value.Nil{}), from: m.module, private: private})
}

// annotatedStruct returns a value of the type fx.Annotated, nil for others.
func annotatedStruct(v value.Value) *value.Struct {
	s, ok := v.(*value.Struct)
	if !ok || !isDeclared(s.Type, fxPackage, "Annotated") {
		return nil
	}
	return s
}

// ofAnnotated returns the constructor that an fx.Annotated stands for; nil where that isn't
// followed, which it says.
func (c *Call) ofAnnotated(s *value.Struct) *value.Func {
	name, known := value.TextOf(loaded(s, "Name"))
	group, alsoKnown := value.TextOf(loaded(s, "Group"))
	fn, isFunc := loaded(s, "Target").(*value.Func)
	if !known || !alsoKnown || !isFunc {
		c.Lost(c.At, value.UnknownAt(c.At.Pos(), "an fx.Annotated that isn't known"), plainConstructor)
		return nil
	}
	return c.withOptions(fn, name, group, nil)
}

// withOptions returns a constructor with what options say of its results; nil where the container
// refuses them, which it says.
func (c *Call) withOptions(fn *value.Func, name, group string, as [][]types.Type) *value.Func {
	sig, ok := fn.Type.Underlying().(*types.Signature)
	if !ok {
		return fn
	}
	said, why := named(sig.Results().Len(), name, group)
	said.as = as
	if i := slices.IndexFunc(listed(sig.Results()), isOtherError); i >= 0 && (said.results != nil || said.as != nil) {
		why = "a result of the type " + typeText(sig.Results().At(i).Type()) + ", which the container doesn't take"
	}
	if why == "" && (said.results != nil || said.as != nil) {
		fn, why = c.annotate(fn, said)
	}
	if why != "" {
		c.Lost(c.At, value.UnknownAt(c.At.Pos(), why), plainConstructor)
		return nil
	}
	return fn
}

// supply adds the values of an option, under their own types but for what annotations say.
func (b *fxBuild) supply(m *fxModule, o *fxOption) {
	values, private := public(o.args)
	for _, v := range values {
		switch with := v.(type) {
		case *annotated:
			if of := b.replacing(o, with); of != nil {
				b.provideOne(m, o, of, private)
			}
			continue
		case *value.Struct:
			if of := annotatedStruct(with); of != nil {
				copied := b.call.Copied(of).(*value.Struct)
				if target := b.supplied(o, loaded(of, "Target")); target != nil {
					b.call.setField(copied, "Target", target)
					b.provideOne(m, o, copied, private)
				}
				continue
			}
		}
		if fn := b.supplied(o, v); fn != nil {
			p := given(value.TypeOf(v), v)
			p.from, p.private = m.module, private
			b.give(o, p)
		}
	}
}

// supplied returns a constructor that gives a value; nil where its type isn't known, which it says.
func (b *fxBuild) supplied(o *fxOption, v value.Value) value.Value {
	t := value.TypeOf(v)
	if t == nil || value.IsUntyped(t) || types.IsInterface(t) {
		b.lost(o.at, value.Because(o.at, v))
		return nil
	}
	fn := given(t, v).fn
	fn.Native = func([]value.Value) value.Value { return v }
	return fn
}

func (b *fxBuild) give(o *fxOption, p *provider) {
	if !b.into.add(b.at(o), p) {
		b.given = true
	}
}

// public returns what an option provides without fx.Private, and whether that is there.
func public(args []value.Value) (all []value.Value, private bool) {
	for _, v := range args {
		if isFxVariable(v) {
			private = true
		} else {
			all = append(all, v)
		}
	}
	return all, private
}

// isFxVariable reports whether a value is one of fx.NopLogger and fx.Private, whose type tells
// it where the package is read.
func isFxVariable(v value.Value) bool {
	u, ok := v.(*value.Unknown)
	return ok && strings.HasPrefix(u.Reason, "the variable fx.") || isDeclared(value.TypeOf(v), fxPackage, "privateOption")
}

// logger calls the constructor of a module's logger, and then of those in it. The
// application tells the logger what it does.
func (b *fxBuild) logger(m *fxModule) {
	if (m.logger != nil || m.isQuiet) && b.hasOtherLogger() {
		b.given = true
		b.call.Lost(b.call.At, value.UnknownAt(b.call.At.Pos(), "a logger beside another constructor or decorator of fxevent.Logger"), loggerRemedy)
	}
	if o := m.logger; o != nil {
		if !givesLogger(o.args[0]) {
			b.given = true
			b.call.Lost(o.at, value.UnknownAt(o.at.Pos(), "a logger by another function than one that gives fxevent.Logger, which fx refuses"), loggerRemedy)
			return
		}
		if fn, ok := o.args[0].(*value.Func); b.fails && (!ok || needsAnything(fn)) {
			b.lost(o.at, value.UnknownAt(o.at.Pos(), "the logger of an application that fails"))
		}
		failed := b.fails
		b.fails = false
		log := b.call1(m, o, o.args[0])
		b.fails = b.fails || failed
		switch log := log.(type) {
		case nil:
		case *value.Unknown:
			b.call.MayCall(o.at, log, "LogEvent")
		default:
			b.expose(o, []value.Value{log})
		}
	}
	for _, inner := range m.within {
		b.logger(inner)
	}
}

const loggerRemedy = "give the logger by a plain function of fx.WithLogger alone, whose result is an fxevent.Logger"

// givesLogger reports whether a value is a function that fx calls to get a logger: it is a
// constructor of fxevent.Logger, without annotations.
func givesLogger(v value.Value) bool {
	fn, ok := v.(*value.Func)
	if !ok {
		return value.IsUnknown(v) // which is said
	}
	sig, ok := fn.Type.Underlying().(*types.Signature)
	if !ok {
		return false
	}
	given, _ := withoutError(sig)
	return len(given) == 1 && isLogger(given[0])
}

func isLogger(t types.Type) bool { return isDeclared(t, fxPackage+"/fxevent", "Logger") }

// hasOtherLogger reports whether an option provides a logger as well, or decorates it: fx provides
// that of WithLogger and of NopLogger.
func (b *fxBuild) hasOtherLogger() bool {
	providers, _ := elements(b.into.providers.Load())
	decorators, _ := elements(b.into.decorators.Load())
	return slices.ContainsFunc(slices.Concat(providers, decorators), func(v value.Value) bool {
		given, _ := givenBy(v.(*provider).fn.Type.Underlying().(*types.Signature))
		return slices.ContainsFunc(given, func(n need) bool { return isLogger(n.typ) && n.name == "" && n.group == "" })
	})
}

func needsAnything(fn *value.Func) bool {
	sig, ok := fn.Type.Underlying().(*types.Signature)
	return !ok || sig.Params().Len() > 0
}

// invoke calls what the options invoke, in the order of fx: modules before what is
// around them. Where something can't be followed, that has been said, and nothing is
// called.
func (b *fxBuild) invoke(m *fxModule) {
	for _, inner := range m.within {
		b.invoke(inner)
	}
	for _, o := range m.options {
		switch o.kind {
		case "Invoke":
			for _, f := range o.args {
				b.call1(m, o, f)
			}
		case "Populate":
			b.populate(m, o)
		}
	}
}

// call1 calls a function of an option and returns its result, nil where it isn't called
// or fails.
func (b *fxBuild) call1(m *fxModule, o *fxOption, f value.Value) value.Value {
	if b.fails || b.given {
		return nil
	}
	call := b.at(o)
	r := b.into.resolve(call, func(err value.Value) []value.Value {
		b.errors = append(b.errors, err)
		return call.wrapping(onlyError)(err)
	})
	r.at = m.module
	result, how := r.invoke(f)
	switch how {
	case fails:
		b.fails, b.errors = true, append(b.errors, call.Failure())
		return nil
	case isLost:
		b.given = true
		return nil
	}
	return result
}

// populate stores what targets point to.
func (b *fxBuild) populate(m *fxModule, o *fxOption) {
	var params []*types.Var
	for _, target := range o.args {
		p, ok := target.(value.Pointer)
		if !ok {
			b.lost(o.at, value.Because(o.at, target))
			return
		}
		params = append(params, types.NewVar(0, nil, "", value.Pointee(p.Type)))
	}
	sig := types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), nil, false)
	b.call1(m, o, &value.Func{Type: sig, Native: func(args []value.Value) value.Value {
		for i, target := range o.args {
			b.call.Store(target.(value.Pointer).To, args[i], params[i].Type())
		}
		return value.Tuple{}
	}})
}

// fxStart is the model of Start.
func fxStart(c *Call) (value.Value, bool) {
	d, ok := c.Fn.Recv.(*container)
	if !ok {
		return nil, false
	}
	c.Lend(c.At, c.Args, value.UnknownResult(c.At))
	l := fxLife{c, d, c.Args[0], onlyError}
	return l.goroutine(func() []value.Value {
		if _, ok := c.Try(c.At, func() value.Value { return fxError(c, d) }, onlyError); !ok {
			return onlyError(c.errorOfFailure())
		}
		return l.start()
	}), true
}

// fxStop is the model of Stop.
func fxStop(c *Call) (value.Value, bool) {
	d, ok := c.Fn.Recv.(*container)
	if !ok {
		return nil, false
	}
	c.Lend(c.At, c.Args, value.UnknownResult(c.At))
	l := fxLife{c, d, c.Args[0], onlyError}
	return l.goroutine(l.stop), true
}

// fxRun is the model of Run: the process ends where a constructor or a hook fails.
func fxRun(c *Call) (value.Value, bool) {
	d, ok := c.Fn.Recv.(*container)
	if !ok {
		return nil, false
	}
	if held := d.held.Load(); !value.IsNil(held) && !value.IsUnknown(held) {
		c.Excuse(held)
	}
	l := fxLife{c, d, nil, func(err value.Value) []value.Value {
		if !value.IsNilInterface(err) {
			c.Exit()
		}
		return nil
	}}
	return l.goroutine(func() []value.Value {
		if !value.IsNil(d.err.Load()) {
			c.Exit()
		}
		l.start()
		return l.stop()
	}), true
}

// fxLife starts and stops an application.
type fxLife struct {
	*Call
	of  *container
	ctx value.Value // what the hooks get, nil for a context that isn't over

	// end gives the results for an error, or for none.
	end func(err value.Value) []value.Value
}

// goroutine runs f as fx runs hooks, in a goroutine that it waits for: nobody recovers from
// its panics.
func (l *fxLife) goroutine(f func() []value.Value) value.Value {
	crash := func(value.Value) []value.Value {
		l.Exit()
		return nil
	}
	return l.Function(l.At, l.Fn.Obj.Signature().Results(), crash, f)
}

// start calls the OnStart of the hooks, up to one that fails. Where one does, those before it
// are stopped.
func (l *fxLife) start() []value.Value {
	hooks, known := elements(l.of.hooks.Load())
	switch {
	case !known:
		l.Lost(l.At, value.Because(l.At, l.of.hooks.Load()), "append the hooks in every case")
		return l.end(noError())
	case !value.IsNil(l.of.started.Load()):
		l.Lost(l.At, value.UnknownAt(l.At.Pos(), "an application that was started before"), "start it once")
		return l.end(noError())
	}
	for i, hook := range hooks {
		failed := func(err value.Value) []value.Value { return l.rollBack(hooks[:i], err) }
		if err, ok := l.notOver(failed); !ok {
			return failed(err)
		}
		if err, ok := l.hook(hook, "OnStart", failed); !ok {
			return failed(err)
		}
	}
	l.Set(l.of.started, integer(len(hooks)))
	return l.finish(noError())
}

// rollBack stops hooks that were started, after an error.
func (l *fxLife) rollBack(hooks []value.Value, err value.Value) []value.Value {
	l.Set(l.of.started, value.Nil{})
	back := *l
	back.end = func(another value.Value) []value.Value { return l.finish(l.both(err, another)) }
	return back.stopAll(hooks, noError())
}

// stop calls the OnStop of the hooks that were started.
func (l *fxLife) stop() []value.Value {
	hooks, _ := elements(l.of.hooks.Load())
	n, known := value.IntOf(l.of.started.Load())
	if value.IsUnknown(l.of.started.Load()) {
		l.Lost(l.At, value.Because(l.At, l.of.started.Load()), "start the application in every case")
	}
	if !known {
		return l.finish(noError())
	}
	l.Set(l.of.started, value.Nil{})
	return l.stopAll(hooks[:min(n, len(hooks))], noError())
}

// stopAll calls the OnStop of hooks, the last one first, also where one fails. Others may have
// failed before, by err.
func (l *fxLife) stopAll(hooks []value.Value, err value.Value) []value.Value {
	for i, hook := range slices.Backward(hooks) {
		if over, ok := l.notOver(l.end); !ok {
			return l.end(over)
		}
		another, _ := l.hook(hook, "OnStop", func(another value.Value) []value.Value {
			return l.stopAll(hooks[:i], l.both(err, another))
		})
		err = l.both(err, another)
	}
	return l.finish(err)
}

// finish returns the results for an error, or for none: if the context is over, that is told.
func (l *fxLife) finish(err value.Value) []value.Value {
	if over, ok := l.notOver(l.end); !ok {
		return l.end(over)
	}
	return l.end(err)
}

// both returns what stands for two errors, or for the one that is one.
func (l *fxLife) both(err, another value.Value) value.Value {
	switch {
	case value.IsNilInterface(err):
		return another
	case value.IsNilInterface(another):
		return err
	default:
		return l.errorOfCall(err, another)
	}
}

// notOver reports whether the context surely isn't over, and else returns its error. Where it
// may be, the call may as well end by otherwise.
func (l *fxLife) notOver(otherwise func(err value.Value) []value.Value) (value.Value, bool) {
	if l.ctx == nil {
		return noError(), true
	}
	result, ok := l.Try(l.At, func() value.Value {
		if method := l.Method(l.At, l.ctx, "Err"); method != nil {
			return l.Call.Call(l.At, method, nil)
		}
		return l.because(l.ctx)
	}, otherwise)
	if !ok {
		return ErrorOf(result), false
	}
	return noError(), true
}

// hook calls a function of a hook and reports whether it doesn't surely fail: else it returns
// the error. Where it may, the call may as well end by otherwise.
func (l *fxLife) hook(hook value.Value, name string, otherwise func(err value.Value) []value.Value) (value.Value, bool) {
	const remedy = "append hooks that the code determines"
	s := pointedStruct(hook)
	if s == nil {
		l.Lost(l.At, value.Because(l.At, hook), remedy)
		return noError(), true
	}
	of := loaded(s, name)
	if value.IsNil(of) {
		return noError(), true
	}
	fn, ok := of.(*value.Func)
	if !ok {
		l.Lost(l.At, value.Because(l.At, of), remedy)
		return noError(), true
	}
	var args []value.Value
	if fn.Type.Underlying().(*types.Signature).Params().Len() == 1 {
		ctx := &value.Unknown{Reason: "the context of the " + strings.ToLower(strings.TrimPrefix(name, "On")), Pos: l.At.Pos(), NonNil: true}
		args = append(args, ctx.Of(l.ctx))
	}
	result, ok := l.try(fn, args, otherwise)
	if !ok {
		return ErrorOf(result), false
	}
	return noError(), true
}

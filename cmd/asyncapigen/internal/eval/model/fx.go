package model

import (
	"go/ast"
	"go/types"
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
	},
	table(fxApp, leavesReceiver, "Done", "StartTimeout", "Stop", "StopTimeout", "Wait"),
	table(fxPackage+".", newFxOption,
		"Decorate", "Error", "ErrorHook", "Extract", "Invoke", "Logger", "Module", "Options", "Populate", "Provide",
		"RecoverFromPanics", "Replace", "StartTimeout", "StopTimeout", "Supply", "WithLogger"),
)

// fxOption is an option of an application.
type fxOption struct {
	kind string // the function that made it
	at   ast.Expr
	typ  types.Type
	args []value.Value // those of a variadic parameter one by one
	ok   bool          // they are known
}

// DynamicType implements [value.Atom].
func (o *fxOption) DynamicType() types.Type { return o.typ }

func newFxOption(c *Call) (value.Value, bool) {
	sig := c.Fn.Obj.Signature()
	o := &fxOption{kind: c.Fn.Obj.Name(), at: c.At, typ: sig.Results().At(0).Type(), args: c.Args, ok: true}
	if last := len(c.Args) - 1; sig.Variadic() {
		o.args, o.ok = elements(c.Args[last])
	}
	return o, true
}

func fxAnnotate(c *Call) (value.Value, bool) {
	return annotated{at: c.At, typ: c.Fn.Obj.Signature().Results().At(0).Type()}, true
}

// fxHook is the model of StartHook and its like.
func fxHook(names ...string) Function {
	return func(c *Call) (value.Value, bool) {
		hook, ok := c.Zero(c.Fn.Obj.Signature().Results().At(0).Type()).(*value.Struct)
		if !ok || len(c.Args) != len(names) {
			return nil, false
		}
		for i, name := range names {
			c.Set(fieldNamed(hook, name), c.Args[i])
		}
		return hook, true
	}
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
	build.provide(options)
	err := c.Function(c.At, errorResult, nil, func() []value.Value {
		build.invoke(options)
		if build.fails {
			return []value.Value{c.errorOfCall()}
		}
		return []value.Value{noError()}
	})
	c.Set(d.err, err)
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
	if held := d.held.Load(); value.IsUnknown(held) {
		return c.because(held)
	} else if !value.IsNil(held) {
		c.Tell(held, c.errorOfCall())
	}
	return d.err.Load()
}

// fxBuild applies options.
type fxBuild struct {
	call  *Call
	into  *container
	fails bool // an error ends it
	given bool // it was said that something can't be followed
}

const fxRemedy = "give fx.New its options by fx.Provide, fx.Supply, fx.Invoke, fx.Module and fx.Options"

func (b *fxBuild) lost(at ast.Expr, why *value.Unknown) {
	b.given = true
	b.call.Lost(at, why, fxRemedy)
}

// provide adds the constructors of all options.
func (b *fxBuild) provide(options []value.Value) {
	for _, v := range options {
		o, ok := v.(*fxOption)
		if !ok {
			b.unknown(v)
			continue
		}
		if !o.ok {
			b.lost(o.at, value.UnknownAt(o.at.Pos(), "a list of options that isn't known"))
			continue
		}
		switch o.kind {
		case "Options", "Module":
			b.provide(o.args)
		case "Provide":
			b.provideAll(o)
		case "Supply":
			for _, v := range o.args {
				b.into.supply(b.at(o), v)
			}
		case "Decorate", "Replace", "Extract":
			b.lost(o.at, value.UnknownAt(o.at.Pos(), "an option that isn't followed, fx."+o.kind))
		case "Error":
			b.fails = true
		}
	}
}

// at returns the call as if it were at an option: what is wrong with that is said
// there.
func (b *fxBuild) at(o *fxOption) *Call {
	call := *b.call
	call.At = o.at
	return &call
}

func (b *fxBuild) provideAll(o *fxOption) {
	for _, constructor := range o.args {
		if isFxVariable(constructor) { // fx.Private
			continue
		}
		if !b.into.provide(b.at(o), constructor) {
			b.given = true
		}
	}
}

// unknown says that an option isn't known. The package's own variables, such as
// NopLogger, are harmless.
func (b *fxBuild) unknown(v value.Value) {
	if !isFxVariable(v) {
		b.lost(b.call.At, value.Because(b.call.At, v))
	}
}

func isFxVariable(v value.Value) bool {
	u, ok := v.(*value.Unknown)
	return ok && strings.HasPrefix(u.Reason, "the variable fx.")
}

// invoke calls what the options invoke, in the order of fx: the logger first,
// then modules before what is around them. Where something can't be followed,
// that has been said, and nothing is called.
func (b *fxBuild) invoke(options []value.Value) {
	b.each(options, func(o *fxOption) {
		if o.kind == "WithLogger" {
			b.call1(o, o.args[0])
		}
	})
	b.invokeModule(options)
}

func (b *fxBuild) invokeModule(options []value.Value) {
	b.each(options, func(o *fxOption) {
		if o.kind == "Module" {
			b.invokeModule(o.args)
		}
	})
	b.each(options, func(o *fxOption) {
		switch o.kind {
		case "Invoke":
			for _, f := range o.args {
				b.call1(o, f)
			}
		case "Populate":
			b.populate(o)
		}
	})
}

// each calls f for the options, those in Options among them.
func (b *fxBuild) each(options []value.Value, f func(*fxOption)) {
	for _, v := range options {
		if o, ok := v.(*fxOption); ok && o.kind == "Options" {
			b.each(o.args, f)
		} else if ok {
			f(o)
		}
	}
}

func (b *fxBuild) call1(o *fxOption, f value.Value) {
	if b.fails || b.given {
		return
	}
	switch b.into.invoke(b.at(o), f, onlyError) {
	case fails:
		b.fails = true
	case isLost:
		b.given = true
	}
}

// populate stores what targets point to.
func (b *fxBuild) populate(o *fxOption) {
	for _, target := range o.args {
		p, ok := target.(value.Pointer)
		if !ok {
			b.lost(o.at, value.Because(o.at, target))
			return
		}
		t := value.Pointee(p.Type)
		sig := types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewVar(0, nil, "", t)), nil, false)
		b.call1(o, &value.Func{Type: sig, Native: func(args []value.Value) value.Value {
			b.call.Store(p.To, args[0], t)
			return value.Tuple{}
		}})
	}
}

// fxStart is the model of Start: the hooks are called in their order, up to one
// that fails.
func fxStart(c *Call) (value.Value, bool) {
	d, ok := c.Fn.Recv.(*container)
	if !ok {
		return nil, false
	}
	return c.fallible(func(failed func(value.Value) []value.Value) ([]value.Value, bool) {
		if _, ok := c.Try(c.At, func() value.Value { return fxError(c, d) }, failed); !ok {
			return nil, false
		}
		return onlyError(noError()), runHooks(c, d, failed)
	}), true
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
	return c.fallible(func(failed func(value.Value) []value.Value) ([]value.Value, bool) {
		return nil, value.IsNil(d.err.Load()) && runHooks(c, d, failed)
	}), true
}

// runHooks calls the OnStart of the hooks and reports whether none surely fails.
func runHooks(c *Call, d *container, otherwise func(err value.Value) []value.Value) bool {
	hooks, known := elements(d.hooks.Load())
	if !known {
		c.Lost(c.At, value.Because(c.At, d.hooks.Load()), "append the hooks in every case")
		return true
	}
	for _, hook := range hooks {
		if !runHook(c, hook, otherwise) {
			return false
		}
	}
	return true
}

// runHook calls the OnStart of a hook and reports whether the application goes
// on.
func runHook(c *Call, hook value.Value, otherwise func(err value.Value) []value.Value) bool {
	s := pointedStruct(hook)
	if s == nil {
		c.Lost(c.At, value.Because(c.At, hook), "append hooks that the code determines")
		return true
	}
	start := loaded(s, "OnStart")
	if value.IsNil(start) {
		return true
	}
	fn, ok := start.(*value.Func)
	if !ok {
		c.Lost(c.At, value.Because(c.At, start), "append hooks that the code determines")
		return true
	}
	var args []value.Value
	if sig, ok := fn.Type.Underlying().(*types.Signature); ok && sig.Params().Len() == 1 {
		args = append(args, &value.Unknown{Reason: "the context of the start", Pos: c.At.Pos(), NonNil: true})
	}
	_, ok = c.try(fn, args, otherwise)
	return ok
}

package model

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

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

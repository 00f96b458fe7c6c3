package model

import (
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Containers of samber/do, version 2. Their constructors take the
// container, and ask it for what they need by a type argument.

const (
	samberDo    = "github.com/samber/do/v2"
	samberScope = "(*" + samberDo + ".RootScope)."
)

var samberFunctions = merged(
	map[string]Function{
		samberDo + ".New":          samberNew,
		samberDo + ".Provide":      samberProvide,
		samberDo + ".ProvideValue": samberProvideValue,
		samberDo + ".Invoke":       samberInvoke,
		samberDo + ".MustInvoke":   samberInvoke,
	},
	table(samberScope, samberTells("Shutdown"),
		"Shutdown", "ShutdownOnSignals", "ShutdownOnSignalsWithContext", "ShutdownWithContext"),
	table(samberScope, samberTells("HealthCheck"), "HealthCheck", "HealthCheckWithContext"),
	table(samberDo+".", samberLost,
		"HealthCheck", "HealthCheckNamed", "HealthCheckNamedWithContext", "HealthCheckWithContext", "MustShutdown",
		"MustShutdownNamed", "MustShutdownNamedWithContext", "MustShutdownWithContext", "Shutdown", "ShutdownNamed",
		"ShutdownNamedWithContext", "ShutdownWithContext",
		"As", "AsNamed", "InvokeAs", "InvokeNamed", "InvokeStruct", "MustAs", "MustAsNamed", "MustInvokeAs",
		"MustInvokeNamed", "MustInvokeStruct", "Override", "OverrideNamed", "OverrideNamedValue", "OverrideTransient",
		"OverrideValue", "ProvideNamed", "ProvideNamedTransient", "ProvideNamedValue", "ProvideTransient", "Package"),
)

func samberNew(c *Call) (value.Value, bool) {
	if options, known := elements(c.Args[0]); !known || len(options) > 0 {
		return samberLost(c)
	}
	d := newContainer(c.Fn.Obj.Signature().Results().At(0).Type())
	d.builtin = func(t types.Type) value.Value {
		if !isDeclared(t, samberDo, "Injector") {
			return nil
		}
		within := *d
		within.typ = virtualScope(c, t)
		return &within
	}
	return d, true
}

// virtualScope returns what stands for the type of the container that a constructor gets: it has
// the methods of an Injector, and isn't exported.
func virtualScope(c *Call, injector types.Type) types.Type {
	pkg := c.Fn.Obj.Pkg()
	t := types.NewNamed(types.NewTypeName(c.At.Pos(), pkg, "virtualScope", nil), types.NewStruct(nil, nil), nil)
	self := types.NewVar(c.At.Pos(), pkg, "", types.NewPointer(t))
	for method := range injector.Underlying().(*types.Interface).Methods() {
		sig := method.Signature()
		t.AddMethod(types.NewFunc(c.At.Pos(), pkg, method.Name(), types.NewSignatureType(self, nil, nil, sig.Params(), sig.Results(), sig.Variadic())))
	}
	return self.Type()
}

func samberProvide(c *Call) (value.Value, bool) {
	d, ok := c.Args[0].(*container)
	if !ok {
		return samberLost(c)
	}
	if d.gives(c.Fn.TArgs[0]) {
		return samberLost(c)
	}
	d.provide(c, c.Args[1])
	return value.Tuple{}, true
}

// gives reports whether a container has a constructor for a type, so that it panics for
// another one, or may have: it has the names of types, which those of two functions share, and
// types without a name may have in common.
func (d *container) gives(t types.Type) bool {
	if !hasName(t) {
		return true
	}
	providers, _ := elements(d.providers.Load())
	return slices.ContainsFunc(providers, func(v value.Value) bool {
		made := v.(*provider).fn.Type.Underlying().(*types.Signature).Results()
		return made.Len() > 0 && types.TypeString(made.At(0).Type(), nil) == types.TypeString(t, nil)
	})
}

// hasName reports whether a type is one with a name, or a pointer to one, or a slice of such.
func hasName(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		return hasName(t.Elem())
	case *types.Slice:
		return hasName(t.Elem())
	case *types.Named, *types.Basic:
		return true
	}
	return false
}

// samberTells is the model of a method by which a container calls a method of what it has
// made.
func samberTells(method string) Function {
	return func(c *Call) (value.Value, bool) {
		d, ok := c.Fn.Recv.(*container)
		if !ok {
			return nil, false
		}
		var all []value.Value
		providers, _ := elements(d.providers.Load())
		for _, p := range providers {
			made, _ := p.(*provider).made.Load().(value.Tuple)
			if len(made) > 0 {
				c.Giving(c.Args, func() { c.MayCall(c.At, made[0], method) })
				all = append(all, made[0])
			}
		}
		if method == "Shutdown" {
			c.Set(d.providers, value.UnknownAt(c.At.Pos(), "what "+c.name()+" leaves in the container"))
		}
		return leadingResults(c, all), true
	}
}

func samberProvideValue(c *Call) (value.Value, bool) {
	d, ok := c.Args[0].(*container)
	if !ok || d.gives(c.Fn.TArgs[0]) {
		return samberLost(c)
	}
	d.add(c, given(c.Fn.TArgs[0], c.Args[1]))
	return value.Tuple{}, true
}

// samberInvoke is the model of Invoke and MustInvoke.
func samberInvoke(c *Call) (value.Value, bool) {
	d, ok := c.Args[0].(*container)
	if !ok {
		return samberLost(c)
	}
	t := c.Fn.TArgs[0]
	made := func() value.Value { return samberMake(c, d, t) }
	if c.Fn.Obj.Name() != "MustInvoke" {
		return made(), true
	}
	panics := func(err value.Value) []value.Value {
		c.Panic(c.At, err)
		return nil
	}
	return c.Function(c.At, types.NewTuple(types.NewVar(0, nil, "", t)), nil, func() []value.Value {
		v, ok := c.Try(c.At, made, panics)
		if !ok {
			panics(ErrorOf(v))
		}
		return v.(value.Tuple)[:1]
	}), true
}

// samberMake returns what a container gives for a type, and an error. A panic of a
// constructor is an error as well.
func samberMake(c *Call, d *container, t types.Type) value.Value {
	failed := func(err value.Value) []value.Value { return []value.Value{c.Zero(t), err} }
	results := types.NewTuple(types.NewVar(0, nil, "", t), types.NewVar(0, nil, "", errorType))
	rescue := c.rescuing(failed)
	return c.Function(c.At, results, rescue, func() []value.Value {
		v, how := d.resolve(c, failed).value(need{typ: t})
		switch how {
		case fails:
			return failed(c.errorOfFailure())
		case isLost:
			return []value.Value{value.UnknownResult(c.At), value.UnknownResult(c.At)}
		}
		return []value.Value{v, noError()}
	})
}

// samberOther is the model of methods of a container that aren't followed.
func samberOther(c *Call) (value.Value, bool) {
	if _, ok := c.Fn.Recv.(*container); !ok {
		return nil, false
	}
	if slices.Contains([]string{"ID", "Name"}, c.Fn.Obj.Name()) {
		return results(c), true
	}
	return samberLost(c)
}

func samberLost(c *Call) (value.Value, bool) {
	c.Lost(c.At, value.UnknownAt(c.At.Pos(), "a container that isn't followed, because of do."+c.Fn.Obj.Name()),
		"use do.New, do.Provide, do.ProvideValue, do.Invoke and do.MustInvoke")
	return results(c), true
}

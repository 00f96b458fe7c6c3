package model

import (
	"go/types"
	"slices"
	"strings"

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
		samberDo + ".New":        samberNew,
		samberDo + ".Invoke":     samberInvoke,
		samberDo + ".MustInvoke": samberInvoke,
		samberDo + ".Package":    samberPackage,
	},
	table(samberDo+".", samberProvide, "Provide", "ProvideValue", "ProvideNamed", "ProvideNamedValue"),
	table(samberDo+".", samberInvoke, "InvokeNamed", "MustInvokeNamed"),
	table(samberDo+".", samberProvides, "Eager", "EagerNamed", "Lazy", "LazyNamed"),
	table(samberScope, samberTells("Shutdown"),
		"Shutdown", "ShutdownOnSignals", "ShutdownOnSignalsWithContext", "ShutdownWithContext"),
	table(samberScope, samberTells("HealthCheck"), "HealthCheck", "HealthCheckWithContext"),
	table(samberDo+".", samberLost,
		"HealthCheck", "HealthCheckNamed", "HealthCheckNamedWithContext", "HealthCheckWithContext", "MustShutdown",
		"MustShutdownNamed", "MustShutdownNamedWithContext", "MustShutdownWithContext", "Shutdown", "ShutdownNamed",
		"ShutdownNamedWithContext", "ShutdownWithContext",
		"As", "AsNamed", "InvokeAs", "InvokeStruct", "MustAs", "MustAsNamed", "MustInvokeAs",
		"MustInvokeStruct", "Override", "OverrideNamed", "OverrideNamedValue", "OverrideTransient",
		"OverrideValue", "ProvideNamedTransient", "ProvideTransient"),
)

func samberNew(c *Call) (value.Value, bool) {
	packages, known := elements(c.Args[0])
	if !known {
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
	for _, of := range packages {
		c.Call(c.At, of, []value.Value{d})
	}
	return d, true
}

// samberPackage is the model of Package, which returns a function that calls others.
func samberPackage(c *Call) (value.Value, bool) {
	services, known := elements(c.Args[0])
	if !known {
		return samberLost(c)
	}
	return c.registering(func(injector value.Value) {
		for _, of := range services {
			c.Call(c.At, of, []value.Value{injector})
		}
	}), true
}

// samberProvides is the model of Lazy, Eager and their like, which return a function that provides
// what they are given.
func samberProvides(c *Call) (value.Value, bool) {
	return c.registering(func(injector value.Value) {
		within := *c
		within.Args = append([]value.Value{injector}, c.Args...)
		if !within.samberAdd(strings.HasPrefix(c.Fn.Obj.Name(), "Eager")) {
			samberLost(&within)
		}
	}), true
}

// registering returns a function that is given a container and does something with it.
func (c *Call) registering(do func(injector value.Value)) value.Value {
	t := c.Fn.Obj.Signature().Results().At(0).Type()
	return &value.Func{Type: t, Bound: true, Recv: value.Tuple(c.Args), Native: func(args []value.Value) value.Value {
		do(args[0])
		return value.Tuple{}
	}}
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
	if !c.samberAdd(strings.HasSuffix(c.Fn.Obj.Name(), "Value")) {
		return samberLost(c)
	}
	return value.Tuple{}, true
}

// samberAdd gives the container that is the first argument the last one: a value, or a constructor.
// It reports false where that isn't followed.
func (c *Call) samberAdd(isValue bool) bool {
	d, ok := c.Args[0].(*container)
	name, known := samberName(c)
	t, last := c.Fn.TArgs[0], c.Args[len(c.Args)-1]
	if !ok || !known || d.gives(t, name) {
		return false
	}
	if isValue {
		p := given(t, last)
		p.service = name
		return d.add(c, p)
	}
	if fn := c.constructor(last); fn != nil {
		d.add(c, &provider{fn: fn, made: value.NewCell(value.Nil{}), service: name})
	}
	return true
}

// samberName returns the name by which a call names a service, "" for that of its type. It reports
// false for one that isn't known, or that may be the one of a type.
func samberName(c *Call) (string, bool) {
	if !strings.Contains(c.Fn.Obj.Name(), "Named") {
		return "", true
	}
	name, known := value.TextOf(c.Args[1])
	return name, known && name != "" && !strings.ContainsAny(name, "*[]./(){}") && types.Universe.Lookup(name) == nil
}

// gives reports whether a container has a constructor for a name, or for a type, so that it panics
// for another one, or may have: it has the names of types, which those of two functions share, and
// types without a name may have in common.
func (d *container) gives(t types.Type, name string) bool {
	if name == "" && !hasName(t) {
		return true
	}
	providers, _ := elements(d.providers.Load())
	return slices.ContainsFunc(providers, func(v value.Value) bool {
		p := v.(*provider)
		made := p.fn.Type.Underlying().(*types.Signature).Results()
		return p.service == name && (name != "" || made.Len() > 0 && types.TypeString(made.At(0).Type(), nil) == types.TypeString(t, nil))
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

// samberInvoke is the model of Invoke and its like.
func samberInvoke(c *Call) (value.Value, bool) {
	d, ok := c.Args[0].(*container)
	name, known := samberName(c)
	t := c.Fn.TArgs[0]
	if !ok || !known || name != "" && types.IsInterface(t) {
		return samberLost(c)
	}
	made := func() value.Value { return samberMake(c, d, need{typ: t, service: name}) }
	if !strings.HasPrefix(c.Fn.Obj.Name(), "Must") {
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

// samberMake returns what a container gives for a need, and an error. A panic of a
// constructor is an error as well.
func samberMake(c *Call, d *container, n need) value.Value {
	failed := func(err value.Value) []value.Value { return []value.Value{c.Zero(n.typ), err} }
	results := types.NewTuple(types.NewVar(0, nil, "", n.typ), types.NewVar(0, nil, "", errorType))
	rescue := c.rescuing(failed)
	return c.Function(c.At, results, rescue, func() []value.Value {
		v, how := d.resolve(c, failed).value(n)
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
	why := "a container that isn't followed, because of do." + c.Fn.Obj.Name()
	if params := c.Fn.Obj.Signature().Params(); params.Len() > 0 && isDeclared(params.At(0).Type(), samberDo, "Injector") {
		if _, followed := c.Args[0].(*container); !followed {
			why = "a container that do.New doesn't make"
		}
	}
	c.Lost(c.At, value.UnknownAt(c.At.Pos(), why), "use do.New, do.Package, do.Provide, do.ProvideValue, do.Invoke and do.MustInvoke")
	return results(c), true
}

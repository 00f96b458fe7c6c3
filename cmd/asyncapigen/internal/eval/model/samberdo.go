package model

import (
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Containers of samber/do, version 2. Their constructors take the
// container, and ask it for what they need by a type argument.

const samberDo = "github.com/samber/do/v2"

var samberFunctions = samberTable()

func samberTable() map[string]Function {
	functions := map[string]Function{
		samberDo + ".New":          samberNew,
		samberDo + ".Provide":      samberProvide,
		samberDo + ".ProvideValue": samberProvideValue,
		samberDo + ".Invoke":       samberInvoke,
		samberDo + ".MustInvoke":   samberInvoke,
	}
	return table(functions, samberDo+".", samberLost,
		"As", "AsNamed", "InvokeAs", "InvokeNamed", "InvokeStruct", "MustAs", "MustAsNamed", "MustInvokeAs",
		"MustInvokeNamed", "MustInvokeStruct", "Override", "OverrideNamed", "OverrideNamedValue", "OverrideTransient",
		"OverrideValue", "ProvideNamed", "ProvideNamedTransient", "ProvideNamedValue", "ProvideTransient", "Package")
}

func samberNew(c *Call) (value.Value, bool) {
	if options, known := elements(lastOf(c.Args)); !known || len(options) > 0 {
		return samberLost(c)
	}
	d := newContainer(c.Fn.Obj.Signature().Results().At(0).Type())
	d.builtin = func(t types.Type) value.Value {
		if isDeclared(t, samberDo, "Injector") {
			return d
		}
		return nil
	}
	return d, true
}

func lastOf(args []value.Value) value.Value {
	if len(args) == 0 {
		return nil
	}
	return args[len(args)-1]
}

func samberProvide(c *Call) (value.Value, bool) {
	d, ok := c.Args[0].(*container)
	if !ok {
		return samberLost(c)
	}
	d.provide(c, c.Args[1])
	return value.Tuple{}, true
}

func samberProvideValue(c *Call) (value.Value, bool) {
	d, ok := c.Args[0].(*container)
	if !ok || len(c.Fn.TArgs) != 1 {
		return samberLost(c)
	}
	d.give(c, c.Fn.TArgs[0], c.Args[1])
	return value.Tuple{}, true
}

// samberInvoke is the model of Invoke and MustInvoke.
func samberInvoke(c *Call) (value.Value, bool) {
	d, ok := c.Args[0].(*container)
	if !ok || len(c.Fn.TArgs) != 1 {
		return samberLost(c)
	}
	isMust := c.Fn.Obj.Name() == "MustInvoke"
	r := d.resolve(c)
	v, how := r.value(need{typ: c.Fn.TArgs[0]})
	switch {
	case how == fails && isMust:
		c.Panic(c.At, text("a constructor returns an error"))
	case how != ready:
		return results(c), true
	}
	if isMust {
		return v, true
	}
	return value.Tuple{v, r.err}, true
}

func samberLost(c *Call) (value.Value, bool) {
	c.Lost(c.At, value.UnknownAt(c.At.Pos(), "a container that isn't followed, because of do."+c.Fn.Obj.Name()),
		"use do.New, do.Provide, do.ProvideValue, do.Invoke and do.MustInvoke")
	return results(c), true
}

package model

import (
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Containers of uber/dig.

const (
	digPackage   = "go.uber.org/dig"
	digContainer = "(*" + digPackage + ".Container)."
)

var digFunctions = map[string]Function{
	digPackage + ".New":                      digNew,
	digPackage + ".DeferAcyclicVerification": newDigOption,
	digPackage + ".DryRun":                   newDigOption,
	digPackage + ".RecoverFromPanics":        newDigOption,

	digContainer + "Provide":  digProvide,
	digContainer + "Invoke":   digInvoke,
	digContainer + "Decorate": digLost,
	digContainer + "Scope":    digLost,
	digContainer + "String":   leavesReceiver,
}

// digOption is an option of a container.
type digOption struct {
	kind string // the function that made it
	typ  types.Type
	args []value.Value
}

// DynamicType implements [value.Atom].
func (o *digOption) DynamicType() types.Type { return o.typ }

func newDigOption(c *Call) (value.Value, bool) {
	return &digOption{c.Fn.Obj.Name(), c.Fn.Obj.Signature().Results().At(0).Type(), c.Args}, true
}

func digNew(c *Call) (value.Value, bool) {
	d := newContainer(c.Fn.Obj.Signature().Results().At(0).Type())
	d.checks = true
	options, known := elements(c.Args[0])
	if !known {
		c.Lost(c.At, value.Because(c.At, c.Args[0]), "give the container no options")
	}
	for _, v := range options {
		o, ok := v.(*digOption)
		if !ok {
			o = new(digOption)
		}
		switch o.kind {
		case "RecoverFromPanics":
			d.recovers = true
			continue
		case "DeferAcyclicVerification":
			continue
		case "DryRun":
			if dry, known := value.Truth(o.args[0]); known && !dry {
				continue
			}
		}
		c.Lost(c.At, value.UnknownAt(c.At.Pos(), "an option by which the container may call nothing"), "give the container no options")
	}
	return d, true
}

func digProvide(c *Call) (value.Value, bool) {
	d, ok := c.Fn.Recv.(*container)
	if !ok {
		return nil, false
	}
	if options, known := elements(c.Args[1]); !known || len(options) > 0 {
		c.Lost(c.At, value.UnknownAt(c.At.Pos(), "a constructor with options"), plainConstructor)
		return results(c), true
	}
	if !d.provide(c, c.Args[0]) {
		return results(c), true
	}
	return noError(), true
}

func digInvoke(c *Call) (value.Value, bool) {
	d, ok := c.Fn.Recv.(*container)
	if !ok {
		return nil, false
	}
	if options, known := elements(c.Args[1]); !known || len(options) > 0 {
		c.Lost(c.At, value.UnknownAt(c.At.Pos(), "a call with options"), "call Invoke with the function alone")
		return results(c), true
	}
	return c.fallible(func(failed func(value.Value) []value.Value) ([]value.Value, bool) {
		_, how := d.resolve(c, c.wrapping(failed)).invoke(c.Args[0])
		if how == isLost {
			return []value.Value{results(c)}, true
		}
		return []value.Value{noError()}, how == ready
	}), true
}

func digLost(c *Call) (value.Value, bool) {
	if _, ok := c.Fn.Recv.(*container); !ok {
		return nil, false
	}
	c.Lost(c.At, value.UnknownAt(c.At.Pos(), "a container that "+c.Fn.Obj.Name()+" changes"), plainConstructor)
	return results(c), true
}

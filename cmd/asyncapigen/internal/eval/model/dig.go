package model

import (
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Containers of uber/dig.

const (
	digPackage   = "go.uber.org/dig"
	digContainer = "(*" + digPackage + ".Container)."
)

var digFunctions = map[string]Function{
	digPackage + ".New": func(c *Call) (value.Value, bool) {
		return newContainer(c.Fn.Obj.Signature().Results().At(0).Type()), true
	},
	digContainer + "Provide":  digProvide,
	digContainer + "Invoke":   digInvoke,
	digContainer + "Decorate": digLost,
	digContainer + "Scope":    digLost,
	digContainer + "String":   leavesReceiver,
}

func digProvide(c *Call) (value.Value, bool) {
	d, ok := c.Fn.Recv.(*container)
	if !ok || len(c.Args) != 2 {
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
	return c.fallible(func(failed func(value.Value) []value.Value) ([]value.Value, bool) {
		how := d.invoke(c, c.Args[0], failed)
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

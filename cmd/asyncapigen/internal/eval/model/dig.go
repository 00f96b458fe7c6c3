package model

import (
	"go/types"
	"slices"

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

	digPackage + ".As":    newDigOption,
	digPackage + ".Group": newDigOption,
	digPackage + ".Name":  newDigOption,

	digContainer + "Provide":  digProvide,
	digContainer + "Invoke":   digInvoke,
	digContainer + "Decorate": digDecorate,
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
	fn := c.withDigOptions(c.Args[0], c.Args[1])
	if fn == nil || !d.add(c, &provider{fn: fn, made: value.NewCell(value.Nil{})}) {
		return results(c), true
	}
	return noError(), true
}

func digDecorate(c *Call) (value.Value, bool) {
	d, ok := c.Fn.Recv.(*container)
	if !ok {
		return nil, false
	}
	if c.hasOptions() {
		return results(c), true
	}
	fn := c.constructor(c.Args[0])
	if fn == nil || !d.addDecorator(c, fn, nil) {
		return results(c), true
	}
	return noError(), true
}

// hasOptions reports whether a call has, or may have, options behind the function. That isn't
// followed, which it says.
func (c *Call) hasOptions() bool {
	options, known := elements(c.Args[1])
	if known && len(options) == 0 {
		return false
	}
	c.Lost(c.At, value.UnknownAt(c.At.Pos(), "a call with options"), "call "+c.Fn.Obj.Name()+" with the function alone")
	return true
}

// withDigOptions returns a constructor with what options say of its results; nil where it isn't
// followed, which it says.
func (c *Call) withDigOptions(constructor, list value.Value) *value.Func {
	fn := c.constructor(constructor)
	if fn == nil {
		return nil
	}
	options, known := elements(list)
	var name, group string
	var as [][]types.Type
	for _, v := range options {
		o, ok := v.(*digOption)
		if !ok {
			o = new(digOption)
		}
		switch o.kind {
		case "Name":
			name, ok = value.TextOf(o.args[0])
		case "Group":
			group, ok = value.TextOf(o.args[0])
		case "As":
			as, ok = c.digAs(fn, o.args[0])
		default:
			ok = false
		}
		known = known && ok
	}
	if !known {
		c.Lost(c.At, value.UnknownAt(c.At.Pos(), "a constructor with options that aren't followed"), plainConstructor)
		return nil
	}
	return c.withOptions(fn, name, group, as)
}

// digAs returns the types under which the option As has the one result of a constructor given. It
// reports false where they aren't known, or are given to several results.
func (c *Call) digAs(fn *value.Func, list value.Value) (as [][]types.Type, known bool) {
	pointers, listKnown := elements(list)
	all, known := interfaces(pointers)
	sig, ok := fn.Type.Underlying().(*types.Signature)
	if !ok || !known || !listKnown || slices.Contains(all, nil) {
		return nil, false
	}
	given, _ := withoutError(sig)
	if len(given) != 1 {
		return nil, false
	}
	for _, t := range all {
		if !value.SameType(t, given[0]) { // which the container leaves out
			as = append(as, []types.Type{t})
		}
	}
	return as, true
}

func digInvoke(c *Call) (value.Value, bool) {
	d, ok := c.Fn.Recv.(*container)
	if !ok {
		return nil, false
	}
	if c.hasOptions() {
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

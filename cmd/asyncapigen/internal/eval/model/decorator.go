package model

import (
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Decorators of dig and fx: functions whose results replace what constructors give, in a module
// and those below it (decorate.go and param.go of dig 1.19).

// addDecorator adds a decorator in a module, unless the container refuses it or it isn't followed.
func (d *container) addDecorator(c *Call, fn *value.Func, m *module) bool {
	p := &provider{fn: fn, made: value.NewCell(value.Nil{}), from: m, replaces: true}
	if why := d.refusesDecorator(p); why != "" {
		c.Lost(c.At, value.UnknownAt(c.At.Pos(), why), "decorate each type once in a module, by a plain function")
		return false
	}
	extend(c, d.decorators, nil, p)
	return true
}

// refusesDecorator completes "it is ..." with why a decorator isn't taken, or isn't followed; ""
// where it is.
func (d *container) refusesDecorator(p *provider) string {
	sig, ok := p.fn.Type.Underlying().(*types.Signature)
	if !ok {
		return "a decorator that is no function"
	}
	if why := refusedNeeds(sig); why != "" {
		return why
	}
	given, why := givenBy(sig)
	if why != "" {
		return why
	}
	decorators, _ := elements(d.decorators.Load())
	for i, n := range given {
		switch from := decoratorIn(decorators, p.from, n, nil); {
		case n.group != "":
			return "a decorator of a value group"
		case d.builtin(n.typ) != nil:
			return "a decorator of " + typeText(n.typ)
		case from != nil || slices.ContainsFunc(given[:i], n.same):
			return "a second decorator of " + typeText(n.typ)
		case p.gives(n) == nil:
			return "a decorator that gives " + typeText(n.typ) + " by a struct in another one"
		}
	}
	return ""
}

// decoratorIn returns the decorator of a module for what is needed, nil for none. Those that are
// running get what they decorate undecorated.
func decoratorIn(decorators []value.Value, m *module, n need, running []*provider) *provider {
	for _, v := range decorators {
		p := v.(*provider)
		if p.from == m && p.gives(n) != nil && !slices.Contains(running, p) {
			return p
		}
	}
	return nil
}

// decoratorOf returns the decorator that gives what is needed, that of the innermost module; nil
// for none.
func (r *resolution) decoratorOf(decorators []value.Value, n need) *provider {
	for m := r.at; ; m = m.outer {
		if p := decoratorIn(decorators, m, n, r.from.running); p != nil || m == nil {
			return p
		}
	}
}

package model

import (
	"go/ast"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
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

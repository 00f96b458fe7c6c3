package eval

import (
	"go/ast"
	"go/constant"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// conversion evaluates T(x).
func (ev *Evaluator) conversion(call *ast.CallExpr) value.Value {
	t := ev.typeOf(call)
	v := ev.eval(call.Args[0])
	switch from := v.(type) {
	case value.Const:
		if slice, ok := t.Underlying().(*types.Slice); ok && from.Value.Kind() == constant.String {
			return value.BytesOrRunes(t, slice, constant.StringVal(from.Value))
		}
		if types.IsInterface(t) {
			return v
		}
		return value.Convert(call, v, t)
	case *value.Slice:
		if basic, ok := t.Underlying().(*types.Basic); ok && basic.Info()&types.IsString != 0 {
			return value.StringOf(call, from, t)
		}
		if array := value.ArrayOf(t); array != nil {
			return ev.arrayFrom(call, from, t, array)
		}
	case value.Nil: // of bytes or runes
		if basic, ok := t.Underlying().(*types.Basic); ok && basic.Info()&types.IsString != 0 {
			return value.NewConst(constant.MakeString(""), t)
		}
	}
	return value.Retyped(v, t)
}

// arrayFrom evaluates the conversion of a slice to an array, or to a pointer to
// the array that it is a part of.
func (ev *Evaluator) arrayFrom(call ast.Expr, from *value.Slice, t types.Type, array *types.Array) value.Value {
	if array.Len() > int64(len(from.Elems)) {
		ev.Fail(call, "a slice is converted to a longer array")
	}
	cells := from.Elems[:array.Len()]
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		return value.Pointer{Type: t, To: value.NewCell(&value.Array{Type: pointer.Elem(), Elems: cells})}
	}
	return &value.Array{Type: t, Elems: ev.CopiedCells(cells)}
}

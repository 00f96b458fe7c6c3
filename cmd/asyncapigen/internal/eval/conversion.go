package eval

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// conversion evaluates T(x).
func (ev *Evaluator) conversion(call *ast.CallExpr) value.Value {
	t := ev.typeOf(call)
	v := ev.evalTo(call.Args[0], t)
	if v, ok := ev.forEach(call, []value.Value{v}, func(v []value.Value) value.Value { return ev.converted(call, v[0], t) }); ok {
		return v
	}
	return ev.converted(call, v, t)
}

// converted returns v as a value of type t.
func (ev *Evaluator) converted(call *ast.CallExpr, v value.Value, t types.Type) value.Value {
	if converted := ev.unsafeConversion(call, v, t); converted != nil {
		return converted
	}
	switch from := v.(type) {
	case value.Pointer:
		if value.Pointee(t) != nil {
			return from.As(t)
		}
	case value.Const:
		if slice, ok := t.Underlying().(*types.Slice); ok && from.Value.Kind() == constant.String {
			text := constant.StringVal(from.Value)
			ev.work(len(text) >> 1)
			return value.BytesOrRunes(t, slice, text)
		}
		if types.IsInterface(t) {
			return value.Retyped(v, types.Default(from.Type))
		}
		return value.Convert(call, v, t)
	case value.Number:
		return value.Convert(call, v, t)
	case *value.Slice:
		if isString(t) {
			ev.work(len(from.Elems) >> 2)
			return value.StringOf(call, from, t)
		}
		if array := value.ArrayOf(t); array != nil {
			return ev.arrayFrom(call, from, t, array)
		}
	case value.Nil: // of bytes or runes
		if array := value.ArrayOf(t); array != nil && isSlice(ev.typeOf(call.Args[0])) {
			if _, isPointer := t.Underlying().(*types.Pointer); isPointer && array.Len() == 0 {
				return value.Nil{Type: t}
			}
			return ev.arrayFrom(call, &value.Slice{Type: ev.typeOf(call.Args[0])}, t, array)
		}
		if isString(t) {
			return value.NewConst(constant.MakeString(""), t)
		}
	}
	if array := value.ArrayOf(t); array != nil && array.Len() > 0 && isSlice(ev.typeOf(call.Args[0])) {
		ev.risk(call, v) // it may be too short
	}
	if !isString(t) && !types.IsInterface(t) && isString(ev.typeOf(call.Args[0])) {
		return value.Because(call, v)
	}
	return ev.boxed(call.Args[0], value.Retyped(v, t), t)
}

// arrayFrom evaluates the conversion of a slice to an array, or to a pointer to
// the array that it is a part of.
func (ev *Evaluator) arrayFrom(call ast.Expr, from *value.Slice, t types.Type, array *types.Array) value.Value {
	if array.Len() > int64(len(from.Elems)) {
		ev.Fail(call, fmt.Sprintf("cannot convert slice with length %d to array or pointer to array with length %d", len(from.Elems), array.Len()))
	}
	cells := from.Elems[:array.Len():array.Len()]
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		return value.Pointer{Type: t, To: value.NewCell(&value.Array{Type: pointer.Elem(), Elems: cells})}
	}
	return &value.Array{Type: t, Elems: ev.CopiedCells(cells)}
}

func isSlice(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

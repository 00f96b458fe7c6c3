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
	v := ev.eval(call.Args[0])
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
	case value.Const:
		if slice, ok := t.Underlying().(*types.Slice); ok && from.Value.Kind() == constant.String {
			return value.BytesOrRunes(t, slice, constant.StringVal(from.Value))
		}
		if types.IsInterface(t) {
			return value.Retyped(v, types.Default(from.Type))
		}
		return value.Convert(call, v, t)
	case value.Number:
		return value.Convert(call, v, t)
	case *value.Slice:
		if basic, ok := t.Underlying().(*types.Basic); ok && basic.Info()&types.IsString != 0 {
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
		if basic, ok := t.Underlying().(*types.Basic); ok && basic.Info()&types.IsString != 0 {
			return value.NewConst(constant.MakeString(""), t)
		}
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
	cells := from.Elems[:array.Len()]
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		return value.Pointer{Type: t, To: value.NewCell(&value.Array{Type: pointer.Elem(), Elems: cells})}
	}
	return &value.Array{Type: t, Elems: ev.CopiedCells(cells)}
}

func isSlice(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

// unsafeConversion evaluates a conversion from or to unsafe.Pointer, nil for any
// other. Where memory would be seen as of another type, what is there isn't known
// any more.
func (ev *Evaluator) unsafeConversion(call *ast.CallExpr, v value.Value, t types.Type) value.Value {
	from := ev.typeOf(call.Args[0])
	switch {
	case isUnsafe(t) && isUnsafe(from):
		return value.Retyped(v, t)
	case isUnsafe(t):
		if p, ok := v.(value.Pointer); ok {
			return value.UnsafePointer{Type: t, Of: p}
		}
		if n, known := value.IntOf(v); value.IsNil(v) || known && n == 0 {
			return value.Nil{Type: t}
		}
		return value.Because(call, v)
	case !isUnsafe(from):
		return nil
	}
	p, ok := v.(value.UnsafePointer)
	if value.IsNil(v) && value.Pointee(t) != nil {
		return value.Nil{Type: t}
	}
	if ok && value.Pointee(t) != nil && types.Identical(value.Pointee(t), value.Pointee(p.Of.Type)) {
		return value.Retyped(p.Of, t)
	}
	why := &value.Unknown{Reason: "memory that is seen by unsafe.Pointer", Pos: call.Pos()}
	ev.Havoc(why, v)
	return why
}

func isUnsafe(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Kind() == types.UnsafePointer
}

package discover

import (
	"go/ast"
	"go/constant"
	"go/types"
)

// conversion evaluates T(x).
func (in *interp) conversion(call *ast.CallExpr) Value {
	t := in.typeOf(call)
	v := in.eval(call.Args[0])
	switch from := v.(type) {
	case Const:
		if slice, ok := t.Underlying().(*types.Slice); ok && from.Value.Kind() == constant.String {
			return bytesOrRunes(t, slice, constant.StringVal(from.Value))
		}
		if types.IsInterface(t) {
			return v
		}
		return in.convert(call, v, t)
	case *Slice:
		if basic, ok := t.Underlying().(*types.Basic); ok && basic.Info()&types.IsString != 0 {
			return in.stringOf(call, from, t)
		}
		if array := arrayOf(t); array != nil {
			return in.arrayFrom(call, from, t, array)
		}
	case Nil: // of bytes or runes
		if basic, ok := t.Underlying().(*types.Basic); ok && basic.Info()&types.IsString != 0 {
			return constOf(constant.MakeString(""), t)
		}
	}
	return retyped(v, t)
}

// arrayOf returns the array type that t is or points to, nil for others.
func arrayOf(t types.Type) *types.Array {
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		t = pointer.Elem()
	}
	array, _ := t.Underlying().(*types.Array)
	return array
}

// arrayFrom evaluates the conversion of a slice to an array, or to a pointer to
// the array that it is a part of.
func (in *interp) arrayFrom(call ast.Expr, from *Slice, t types.Type, array *types.Array) Value {
	if array.Len() > int64(len(from.Elems)) {
		in.fail(call, "a slice is converted to a longer array")
	}
	cells := from.Elems[:array.Len()]
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		return Pointer{Type: t, To: newCell(&Array{Type: pointer.Elem(), Elems: cells})}
	}
	return &Array{Type: t, Elems: in.copiedCells(cells)}
}

func bytesOrRunes(t types.Type, slice *types.Slice, text string) Value {
	s := &Slice{Type: t}
	add := func(n int64) {
		s.Elems = append(s.Elems, newCell(constOf(constant.MakeInt64(n), slice.Elem())))
	}
	if basic, ok := slice.Elem().Underlying().(*types.Basic); ok && basic.Kind() == types.Int32 {
		for _, r := range text {
			add(int64(r))
		}
	} else {
		for i := range len(text) {
			add(int64(text[i]))
		}
	}
	s.Elems = s.Elems[:len(s.Elems):len(s.Elems)]
	return s
}

func (in *interp) stringOf(call ast.Expr, from *Slice, t types.Type) Value {
	var text []byte
	elem := types.Typ[types.Byte]
	if slice, ok := from.Type.Underlying().(*types.Slice); ok {
		if basic, ok := slice.Elem().Underlying().(*types.Basic); ok {
			elem = basic
		}
	}
	for _, cell := range from.Elems {
		n, known := intOf(cell.v)
		if !known {
			return in.because(call, cell.v)
		}
		if elem.Kind() == types.Int32 {
			text = append(text, string(rune(n))...)
		} else {
			text = append(text, byte(n))
		}
	}
	return constOf(constant.MakeString(string(text)), t)
}

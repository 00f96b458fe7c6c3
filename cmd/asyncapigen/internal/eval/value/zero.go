package value

import (
	"go/constant"
	"go/types"
	"math"
)

// Zero returns the zero value of t.
func (s *State) Zero(t types.Type) Value {
	n := cellCount(t, 0)
	if n > MaxElements {
		return &Unknown{Reason: "a value of more elements than are looked at", NonNil: true}
	}
	s.Work(n)
	v := Zero(t)
	s.number(v)
	return v
}

// number notes that the parts of a value are declared now.
func (s *State) number(v Value) {
	for _, cell := range parts(v) {
		cell.declared = s.next()
		s.number(cell.v)
	}
}

// cellCount returns the number of variables that a value of type t has, or a
// number greater than MaxElements.
func cellCount(t types.Type, n int) int {
	if n > MaxElements {
		return n
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for field := range u.Fields() {
			n = cellCount(field.Type(), n+1)
		}
	case *types.Array:
		if u.Len() > MaxElements {
			return math.MaxInt32
		}
		n += min(cellCount(u.Elem(), 1), MaxElements+1) * int(u.Len())
	}
	return n
}

// Zero is State.Zero for types that surely have few parts.
func Zero(t types.Type) Value {
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Basic:
		return zeroBasic(t, u)
	case *types.Struct:
		s := &Struct{Type: t, Fields: make([]*Cell, u.NumFields())}
		for i := range s.Fields {
			s.Fields[i] = NewCell(Zero(u.Field(i).Type())).IsOf(u.Field(i).Type())
		}
		return s
	case *types.Array:
		a := &Array{Type: t, Elems: make([]*Cell, u.Len())}
		for i := range a.Elems {
			a.Elems[i] = NewCell(Zero(u.Elem())).IsOf(u.Elem())
		}
		return a
	default:
		return Nil{Type: t}
	}
}

// MaxElements bounds the arrays and slices that are followed element by
// element. A table of routes is far smaller.
const MaxElements = 1 << 16

func zeroBasic(t types.Type, basic *types.Basic) Value {
	switch info := basic.Info(); {
	case info&types.IsBoolean != 0:
		return NewConst(constant.MakeBool(false), t)
	case info&types.IsString != 0:
		return NewConst(constant.MakeString(""), t)
	case info&types.IsInteger != 0:
		return NewConst(constant.MakeInt64(0), t)
	case info&types.IsFloat != 0:
		return NewConst(constant.ToFloat(constant.MakeInt64(0)), t)
	case info&types.IsComplex != 0:
		return NewConst(constant.ToComplex(constant.MakeInt64(0)), t)
	default:
		return Nil{Type: t}
	}
}

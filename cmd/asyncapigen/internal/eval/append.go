package eval

import (
	"go/ast"
	"go/constant"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// appendTo evaluates append(s, elems...). Elements go into the array behind s
// while it has room, as in the running program.
func (ev *Evaluator) appendTo(call *ast.CallExpr, args []value.Value) value.Value {
	t := ev.typeOf(call)
	added, unknown := ev.appended(call, value.SliceElem(t), args[1:])
	if unknown != nil {
		ev.risk(call)
		return unknown
	}
	return ev.Append(call, args[0], added, t)
}

// Append implements [model.Machine].
func (ev *Evaluator) Append(call ast.Expr, base value.Value, added []value.Value, t types.Type) value.Value {
	s, ok := base.(*value.Slice)
	switch {
	case ok:
	case !value.IsNil(base):
		ev.risk(call)
		return value.Because(call, base)
	case len(added) == 0:
		return value.Nil{Type: t}
	default:
		s = &value.Slice{Type: t}
	}
	n := len(s.Elems) + len(added)
	if n > value.MaxElements {
		return value.UnknownAt(call.Pos(), "a slice of more elements than are looked at")
	}
	switch {
	case n > s.MostCapacity():
		return ev.grow(s, added, t)
	case n > cap(s.Elems):
		var all []value.Value
		for _, cell := range s.Elems {
			all = append(all, cell.Load())
		}
		_, most := grownCapacity(value.SliceElem(t), n, s)
		return ev.InPlace(s, append(all, added...), most, call.Pos())
	}
	grown := s.Elems[:n]
	for i, v := range added {
		ev.Store(grown[len(s.Elems)+i], v)
	}
	return &value.Slice{Type: t, Elems: grown, Room: s.Room}
}

// grow moves to a larger array, of the capacity that the running program's has.
func (ev *Evaluator) grow(s *value.Slice, added []value.Value, t types.Type) *value.Slice {
	elem := value.SliceElem(t)
	least, most := grownCapacity(elem, len(s.Elems)+len(added), s)
	all := make([]*value.Cell, 0, least)
	for _, cell := range s.Elems {
		all = append(all, value.NewCell(ev.Copied(cell.Load())))
	}
	for _, v := range added {
		all = append(all, value.NewCell(ev.Copied(v)))
	}
	for i := len(all); i < cap(all); i++ {
		all[:cap(all)][i] = value.NewCell(ev.Zero(elem))
	}
	grown := &value.Slice{Type: t, Elems: all}
	if most > least {
		grown.Room = &value.Room{Most: most - least}
	}
	return grown
}

func (ev *Evaluator) appended(call *ast.CallExpr, elem types.Type, args []value.Value) ([]value.Value, *value.Unknown) {
	var values []value.Value
	if !call.Ellipsis.IsValid() {
		for _, v := range args {
			values = append(values, value.Retyped(v, elem))
		}
		return values, nil
	}
	switch rest := args[0].(type) {
	case value.Nil:
	case *value.Slice:
		for _, cell := range rest.Elems {
			values = append(values, cell.Load())
		}
	case value.Const:
		for _, b := range []byte(constant.StringVal(rest.Value)) {
			values = append(values, value.NewConst(constant.MakeInt64(int64(b)), elem))
		}
	default:
		return nil, value.Because(call, rest)
	}
	return values, nil
}

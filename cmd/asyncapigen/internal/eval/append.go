package eval

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// appendTo evaluates append(s, elems...). Elements go into the array behind s
// while it has room, as in the running program.
func (ev *Evaluator) appendTo(call *ast.CallExpr, args []value.Value) value.Value {
	t := ev.typeOf(call)
	added, unknown := ev.appended(call, value.SliceElem(t), args[1:])
	if unknown != nil {
		ev.riskOfLength(call, t)
		ev.appendPerhaps(call, t, args[0], unknown)
		return value.Because(call, unknown, args[0])
	}
	return ev.Append(call, args[0], added, t)
}

// Append implements [model.Machine].
func (ev *Evaluator) Append(call ast.Expr, base value.Value, added []value.Value, t types.Type) value.Value {
	s, ok := base.(*value.Slice)
	switch {
	case ok:
	case !value.IsNil(base):
		if u, isUnknown := base.(*value.Unknown); isUnknown && u.Among != nil {
			return ev.appendToOne(call, u, added, t)
		}
		why := value.Because(call, base)
		ev.riskOfLength(call, t)
		ev.appendPerhaps(call, t, base, added...)
		return value.Because(call, append([]value.Value{why}, added...)...)
	case len(added) == 0:
		return value.Nil{Type: t}
	default:
		s = &value.Slice{Type: t}
	}
	n := len(s.Elems) + len(added)
	added = ev.copies(added) // an element of the array that is written to may be among them
	if n > value.MaxElements {
		return value.UnknownAt(call.Pos(), "a slice of more elements than are looked at").Of(append([]value.Value{base}, added...)...)
	}
	ev.work(len(added))
	switch {
	case n > cap(s.Elems) && s.Open:
		return ev.appendToOpen(call, s, added, t)
	case n > cap(s.Elems):
		return ev.grow(s, added, t)
	case n > s.SureCap():
		return ev.growPerhaps(call, s, added, t)
	}
	grown := s.Elems[:n]
	for i, v := range added {
		ev.Store(grown[len(s.Elems)+i], v, value.SliceElem(t))
	}
	return &value.Slice{Type: t, Elems: grown, Caps: s.Caps, Open: s.Open}
}

func (ev *Evaluator) copies(values []value.Value) []value.Value {
	copies := make([]value.Value, len(values))
	for i, v := range values {
		copies[i] = ev.Copied(v)
	}
	return copies
}

// appendToOpen appends to a slice whose array may have room or not. Of an own list that makes
// no difference, as nothing else has the array. Else the result may share it or not.
func (ev *Evaluator) appendToOpen(call ast.Expr, s *value.Slice, added []value.Value, t types.Type) value.Value {
	if ev.isOwnList(call) {
		all := slices.Clip(s.Elems)
		for _, v := range added {
			all = append(all, ev.Declared(v))
		}
		return &value.Slice{Type: t, Elems: slices.Clip(all), Open: true}
	}
	ev.appendPerhaps(call, t, s, added...)
	why := value.UnknownAt(call.Pos(), "a slice whose array another one may share, as its capacity isn't known")
	return why.Of(append([]value.Value{s}, added...)...)
}

// appendToOne appends to one of several slices. That the result isn't known is for the reason
// for which the slice isn't.
func (ev *Evaluator) appendToOne(call ast.Expr, u *value.Unknown, added []value.Value, t types.Type) value.Value {
	slice := call
	if call, ok := call.(*ast.CallExpr); ok && len(call.Args) > 0 {
		slice = call.Args[0]
	}
	grown := ev.eachWithin(call, slice, u, func(base value.Value) value.Value { return ev.Append(call, base, added, t) })
	one, ok := grown.(*value.Unknown)
	if !ok {
		return grown
	}
	why, named := value.Because(call, u), *one
	named.Reason, named.Pos = why.Reason, why.Pos
	return &named
}

// riskOfLength follows that append panics because the length runs over. It can only
// for elements without a size: memory ends before for others.
func (ev *Evaluator) riskOfLength(call ast.Expr, t types.Type) {
	if size, _ := memorySize(value.SliceElem(t)); size == 0 {
		ev.risk(call)
	}
}

// appendPerhaps appends values to a slice of which it isn't known which one it is, or
// how many they are: any element that it has room for may be one of them then.
func (ev *Evaluator) appendPerhaps(call ast.Expr, t types.Type, base value.Value, added ...value.Value) {
	why := elementBecause(call, value.SliceElem(t), append([]value.Value{base}, added...)...)
	bases := []value.Value{base}
	if u, ok := base.(*value.Unknown); ok {
		bases = ev.slicesBehind(u, value.SliceElem(t))
		ev.WriteForeign(u, why)
	}
	if s, known := base.(*value.Slice); (!known || s.Open) && !ev.isOwnList(call) {
		ev.Lose(added...) // to an array that isn't known whole
	}
	for _, v := range bases {
		s, ok := v.(*value.Slice)
		if !ok {
			continue
		}
		for _, cell := range s.Elems[len(s.Elems):cap(s.Elems)] {
			for _, v := range added {
				ev.StorePerhaps(cell, v, value.SliceElem(t), why)
			}
		}
	}
	if words, ok := value.PartOf(base, value.Words); ok {
		words.Of.Change()
	}
}

// slicesBehind returns the slices that an unknown one with elements of a type may be.
func (ev *Evaluator) slicesBehind(u *value.Unknown, elem types.Type) []value.Value {
	var found []value.Value
	ev.eachBehind(u, func(v value.Value) {
		if s, ok := v.(*value.Slice); ok && s.Type != nil && value.SameType(value.SliceElem(s.Type), elem) {
			found = append(found, s)
		}
	})
	return found
}

// eachBehind visits what an unknown may be, and what that leads to.
func (ev *Evaluator) eachBehind(u *value.Unknown, visit func(value.Value)) {
	r := value.Reach{Captured: ev.capturedBy, Visit: visit}
	r.Values(u.Targets...)
	ev.work(len(r.Cells))
}

// grow moves to a larger array, of the capacity that the running program's has.
func (ev *Evaluator) grow(s *value.Slice, added []value.Value, t types.Type) *value.Slice {
	return ev.move(s, added, t, grownCapacities(value.SliceElem(t), len(s.Elems)+len(added), s))
}

// move copies a slice, and what is appended to it, to an array that has one of capacities.
func (ev *Evaluator) move(s *value.Slice, added []value.Value, t types.Type, caps []int) *value.Slice {
	ev.work(len(s.Elems))
	all := make([]*value.Cell, 0, slices.Max(caps))
	for _, cell := range s.Elems {
		all = append(all, ev.Declared(ev.Copied(cell.Load())))
	}
	for _, v := range added {
		all = append(all, ev.Declared(v))
	}
	for i := len(all); i < cap(all); i++ {
		all[:cap(all)][i] = ev.Declared(ev.Zero(value.SliceElem(t)))
	}
	if len(caps) == 1 {
		caps = nil
	}
	return &value.Slice{Type: t, Elems: all, Caps: caps}
}

// ofUnknownCapacity is why something isn't known that depends on a capacity.
const ofUnknownCapacity = "the capacity of a slice whose array the compiler chooses"

// growPerhaps appends to a slice whose array may have room or not. The elements of
// the result may be those of the array, or of a new one.
func (ev *Evaluator) growPerhaps(call ast.Expr, s *value.Slice, added []value.Value, t types.Type) *value.Slice {
	elem := value.SliceElem(t)
	n, room := len(s.Elems)+len(added), cap(s.Elems)
	caps := grownCapacities(elem, n, s)
	for _, c := range s.Caps {
		if c >= n && !slices.Contains(caps, c) {
			caps = append(caps, c)
		}
	}
	moved := ev.move(s, added, t, caps)
	all := moved.Elems[:cap(moved.Elems)]
	why := value.UnknownAt(call.Pos(), "an element of a slice whose array another one may share, as the compiler chooses")
	for i, v := range added {
		ev.StorePerhaps(s.Elems[:room][len(s.Elems)+i], v, elem, why)
	}
	for i, cell := range s.Elems[:min(room, len(all))] {
		ev.Twin(cell, all[i], elem, why)
	}
	return moved
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
		return nil, elementBecause(call, elem, rest)
	}
	return values, nil
}

// elementBecause is [value.Because] for an element of a type, which may lead nowhere.
func elementBecause(at ast.Node, elem types.Type, values ...value.Value) *value.Unknown {
	why := value.Because(at, values...)
	if isBasic(elem) {
		return why.Bare()
	}
	return why
}

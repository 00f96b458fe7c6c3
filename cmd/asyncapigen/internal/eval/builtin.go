package eval

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// builtin evaluates a call of one of the language's own functions.
func (ev *Evaluator) builtin(call *ast.CallExpr, fun ast.Expr) value.Value {
	name := builtinName(fun)
	switch name {
	case "append":
		return ev.appendTo(call)
	case "len", "cap":
		return ev.length(call, name)
	case "make":
		return ev.makeValue(call)
	case "new":
		return ev.newValue(call)
	case "copy":
		return ev.copyTo(call)
	case "delete":
		x, key := ev.eval(call.Args[0]), ev.eval(call.Args[1])
		if m, ok := x.(*value.Map); ok {
			ev.DeleteEntry(m, key)
		}
		return value.Tuple{}
	case "clear":
		return ev.clear(call)
	case "min", "max":
		return ev.extreme(call, name)
	case "panic":
		v := ev.eval(call.Args[0])
		panic(&Panic{Value: v, Pos: call.Pos()})
	case "recover":
		return ev.recover(call)
	default:
		for _, expr := range call.Args {
			ev.eval(expr)
		}
		return value.UnknownAt(call.Pos(), "the result of "+value.Source(call))
	}
}

func builtinName(fun ast.Expr) string {
	switch fun := fun.(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		return fun.Sel.Name
	default:
		return ""
	}
}

// appendTo evaluates append(s, elems...). Elements go into the array behind s
// while it has room, as in the running program.
func (ev *Evaluator) appendTo(call *ast.CallExpr) value.Value {
	t := ev.typeOf(call)
	base := ev.eval(call.Args[0])
	added, unknown := ev.appended(call, t)
	if unknown != nil {
		return unknown
	}
	var cells []*value.Cell
	switch s := base.(type) {
	case *value.Slice:
		cells = s.Elems
	case value.Nil:
		if len(added) == 0 {
			return s
		}
	default:
		return value.Because(call, base)
	}
	n := len(cells) + len(added)
	if n > value.MaxElements {
		return value.UnknownAt(call.Pos(), "a slice of more elements than are looked at")
	}
	if n <= cap(cells) {
		grown := cells[:n]
		for i, v := range added {
			ev.Store(grown[len(cells)+i], v)
		}
		return &value.Slice{Type: t, Elems: grown}
	}
	return &value.Slice{Type: t, Elems: ev.grow(cells, added, value.SliceElem(t))}
}

// grow moves to a larger array, which doubles as the language's does.
func (ev *Evaluator) grow(cells []*value.Cell, added []value.Value, elem types.Type) []*value.Cell {
	n := len(cells) + len(added)
	all := make([]*value.Cell, 0, max(n, 2*len(cells)))
	for _, cell := range cells {
		all = append(all, value.NewCell(ev.Copied(cell.Load())))
	}
	for _, v := range added {
		all = append(all, value.NewCell(ev.Copied(v)))
	}
	for i := len(all); i < cap(all); i++ {
		all[:cap(all)][i] = value.NewCell(ev.Zero(elem))
	}
	return all
}

func (ev *Evaluator) appended(call *ast.CallExpr, t types.Type) ([]value.Value, *value.Unknown) {
	var values []value.Value
	if !call.Ellipsis.IsValid() {
		for _, expr := range call.Args[1:] {
			values = append(values, ev.evalAs(expr, value.SliceElem(t)))
		}
		return values, nil
	}
	switch rest := ev.eval(call.Args[1]).(type) {
	case value.Nil:
	case *value.Slice:
		for _, cell := range rest.Elems {
			values = append(values, cell.Load())
		}
	case value.Const:
		for _, b := range []byte(constant.StringVal(rest.Value)) {
			values = append(values, value.NewConst(constant.MakeInt64(int64(b)), value.SliceElem(t)))
		}
	default:
		return nil, value.Because(call, rest)
	}
	return values, nil
}

func (ev *Evaluator) length(call *ast.CallExpr, name string) value.Value {
	v := ev.eval(call.Args[0])
	if p, ok := v.(value.Pointer); ok {
		v = p.To.Load()
	}
	count := func(n int) value.Value { return value.NewConst(constant.MakeInt64(int64(n)), types.Typ[types.Int]) }
	switch v := v.(type) {
	case value.Nil:
		return count(0)
	case value.Const:
		return count(len(constant.StringVal(v.Value)))
	case *value.Array:
		return count(len(v.Elems))
	case *value.Slice:
		if name == "cap" {
			return count(cap(v.Elems))
		}
		return count(len(v.Elems))
	case *value.Map:
		if n, known := v.Size(); known {
			return count(n)
		}
	}
	return value.Because(call, v)
}

func (ev *Evaluator) makeValue(call *ast.CallExpr) value.Value {
	t := ev.typeOf(call)
	switch u := t.Underlying().(type) {
	case *types.Map:
		return value.NewMap(t)
	case *types.Slice:
		n, known := value.IntOf(ev.eval(call.Args[1]))
		if !known || n < 0 || n > value.MaxElements {
			return value.UnknownAt(call.Pos(), "a slice whose length isn't known")
		}
		capacity := n
		if len(call.Args) > 2 {
			if c, known := value.IntOf(ev.eval(call.Args[2])); known && c >= n && c <= value.MaxElements {
				capacity = c
			}
		}
		s := &value.Slice{Type: t, Elems: make([]*value.Cell, capacity)}
		for i := range s.Elems {
			s.Elems[i] = value.NewCell(ev.Zero(u.Elem()))
		}
		s.Elems = s.Elems[:n]
		return s
	default:
		return &value.Unknown{Reason: "the channel " + value.Source(call), Pos: call.Pos(), NonNil: true}
	}
}

// newValue evaluates new(T), and new(x) as of Go 1.26.
func (ev *Evaluator) newValue(call *ast.CallExpr) value.Value {
	t := ev.typeOf(call)
	if tv := ev.frame.pkg.Info.Types[call.Args[0]]; !tv.IsType() {
		return value.Pointer{Type: t, To: value.NewCell(ev.Copied(ev.evalAs(call.Args[0], value.Pointee(t))))}
	}
	return value.Pointer{Type: t, To: value.NewCell(ev.Zero(value.Pointee(t)))}
}

func (ev *Evaluator) copyTo(call *ast.CallExpr) value.Value {
	to, from := ev.eval(call.Args[0]), ev.eval(call.Args[1])
	if value.IsNil(to) || value.IsNil(from) {
		return value.NewConst(constant.MakeInt64(0), types.Typ[types.Int])
	}
	if text, ok := from.(value.Const); ok {
		from = value.BytesOrRunes(value.TypeOf(to), types.NewSlice(types.Typ[types.Byte]), constant.StringVal(text.Value))
	}
	return ev.copyElements(call, to, from)
}

func (ev *Evaluator) copyElements(call *ast.CallExpr, dst, src value.Value) value.Value {
	to, ok1 := dst.(*value.Slice)
	from, ok2 := src.(*value.Slice)
	if !ok1 || !ok2 {
		why := value.Because(call, dst, src)
		ev.Havoc(why, dst)
		return why
	}
	n := min(len(to.Elems), len(from.Elems))
	ev.work(n)
	values := make([]value.Value, n)
	for i := range values {
		values[i] = ev.Copied(from.Elems[i].Load())
	}
	for i, v := range values {
		ev.Store(to.Elems[i], v)
	}
	return value.NewConst(constant.MakeInt64(int64(n)), types.Typ[types.Int])
}

func (ev *Evaluator) clear(call *ast.CallExpr) value.Value {
	switch v := ev.eval(call.Args[0]).(type) {
	case *value.Map:
		ev.ClearMap(v)
	case *value.Slice:
		for _, cell := range v.Elems {
			ev.Store(cell, ev.Zero(value.SliceElem(v.Type)))
		}
	}
	return value.Tuple{}
}

func (ev *Evaluator) extreme(call *ast.CallExpr, name string) value.Value {
	op := token.LSS
	if name == "max" {
		op = token.GTR
	}
	best := ev.eval(call.Args[0])
	for _, expr := range call.Args[1:] {
		v := ev.eval(expr)
		better, known := value.Truth(ev.binary(call, op, v, best, types.Typ[types.Bool]))
		if !known {
			return value.Because(call, v, best)
		}
		if better {
			best = v
		}
	}
	return value.Convert(call, best, ev.typeOf(call))
}

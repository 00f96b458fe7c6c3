package discover

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// builtin evaluates a call of one of the language's own functions.
func (in *interp) builtin(call *ast.CallExpr, fun ast.Expr) Value {
	name := builtinName(fun)
	switch name {
	case "append":
		return in.appendTo(call)
	case "len", "cap":
		return in.length(call, name)
	case "make":
		return in.makeValue(call)
	case "new":
		return in.newValue(call)
	case "copy":
		return in.copyTo(call)
	case "delete":
		x, key := in.eval(call.Args[0]), in.eval(call.Args[1])
		if m, ok := x.(*Map); ok {
			in.deleteEntry(m, key)
		}
		return Tuple{}
	case "clear":
		return in.clear(call)
	case "min", "max":
		return in.extreme(call, name)
	case "panic":
		v := in.eval(call.Args[0])
		panic(&unwinding{value: v, pos: call.Pos()})
	case "recover":
		return in.recover(call)
	default:
		for _, expr := range call.Args {
			in.eval(expr)
		}
		return in.unknown(call.Pos(), "the result of "+source(call))
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
func (in *interp) appendTo(call *ast.CallExpr) Value {
	t := in.typeOf(call)
	base := in.eval(call.Args[0])
	added, unknown := in.appended(call, t)
	if unknown != nil {
		return unknown
	}
	var cells []*Cell
	switch s := base.(type) {
	case *Slice:
		cells = s.Elems
	case Nil:
		if len(added) == 0 {
			return s
		}
	default:
		return in.because(call, base)
	}
	n := len(cells) + len(added)
	if n > maxElements {
		return in.unknown(call.Pos(), "a slice of more elements than are looked at")
	}
	if n <= cap(cells) {
		grown := cells[:n]
		for i, v := range added {
			in.store(grown[len(cells)+i], v)
		}
		return &Slice{Type: t, Elems: grown}
	}
	return &Slice{Type: t, Elems: in.grow(cells, added, elemType(t))}
}

func elemType(t types.Type) types.Type {
	if slice, ok := t.Underlying().(*types.Slice); ok {
		return slice.Elem()
	}
	return types.Typ[types.Invalid]
}

// grow moves to a larger array, which doubles as the language's does.
func (in *interp) grow(cells []*Cell, added []Value, elem types.Type) []*Cell {
	n := len(cells) + len(added)
	all := make([]*Cell, 0, max(n, 2*len(cells)))
	for _, cell := range cells {
		all = append(all, newCell(in.copied(cell.v)))
	}
	for _, v := range added {
		all = append(all, newCell(in.copied(v)))
	}
	for i := len(all); i < cap(all); i++ {
		all[:cap(all)][i] = newCell(in.zero(elem))
	}
	return all
}

func (in *interp) appended(call *ast.CallExpr, t types.Type) ([]Value, *Unknown) {
	var values []Value
	if !call.Ellipsis.IsValid() {
		for _, expr := range call.Args[1:] {
			values = append(values, in.evalAs(expr, elemType(t)))
		}
		return values, nil
	}
	switch rest := in.eval(call.Args[1]).(type) {
	case Nil:
	case *Slice:
		for _, cell := range rest.Elems {
			values = append(values, cell.v)
		}
	case Const:
		for _, b := range []byte(constant.StringVal(rest.Value)) {
			values = append(values, constOf(constant.MakeInt64(int64(b)), elemType(t)))
		}
	default:
		return nil, in.because(call, rest)
	}
	return values, nil
}

func (in *interp) length(call *ast.CallExpr, name string) Value {
	v := in.eval(call.Args[0])
	if p, ok := v.(Pointer); ok {
		v = p.To.v
	}
	count := func(n int) Value { return constOf(constant.MakeInt64(int64(n)), types.Typ[types.Int]) }
	switch v := v.(type) {
	case Nil:
		return count(0)
	case Const:
		return count(len(constant.StringVal(v.Value)))
	case *Array:
		return count(len(v.Elems))
	case *Slice:
		if name == "cap" {
			return count(cap(v.Elems))
		}
		return count(len(v.Elems))
	case *Map:
		if n, known := v.size(); known {
			return count(n)
		}
	}
	return in.because(call, v)
}

func (in *interp) makeValue(call *ast.CallExpr) Value {
	t := in.typeOf(call)
	switch u := t.Underlying().(type) {
	case *types.Map:
		return newMap(t)
	case *types.Slice:
		n, known := intOf(in.eval(call.Args[1]))
		if !known || n < 0 || n > maxElements {
			return in.unknown(call.Pos(), "a slice whose length isn't known")
		}
		capacity := n
		if len(call.Args) > 2 {
			if c, known := intOf(in.eval(call.Args[2])); known && c >= n && c <= maxElements {
				capacity = c
			}
		}
		s := &Slice{Type: t, Elems: make([]*Cell, capacity)}
		for i := range s.Elems {
			s.Elems[i] = newCell(in.zero(u.Elem()))
		}
		s.Elems = s.Elems[:n]
		return s
	default:
		return &Unknown{Reason: "the channel " + source(call), Pos: call.Pos(), NonNil: true}
	}
}

// newValue evaluates new(T), and new(x) as of Go 1.26.
func (in *interp) newValue(call *ast.CallExpr) Value {
	t := in.typeOf(call)
	if tv := in.frame.pkg.Info.Types[call.Args[0]]; !tv.IsType() {
		return Pointer{Type: t, To: newCell(in.copied(in.evalAs(call.Args[0], elemOf(t))))}
	}
	return Pointer{Type: t, To: newCell(in.zero(elemOf(t)))}
}

func (in *interp) copyTo(call *ast.CallExpr) Value {
	to, from := in.eval(call.Args[0]), in.eval(call.Args[1])
	if isNil(to) || isNil(from) {
		return constOf(constant.MakeInt64(0), types.Typ[types.Int])
	}
	if text, ok := from.(Const); ok {
		from = bytesOrRunes(typeOf(to), types.NewSlice(types.Typ[types.Byte]), constant.StringVal(text.Value))
	}
	return in.copyElements(call, to, from)
}

func (in *interp) copyElements(call *ast.CallExpr, dst, src Value) Value {
	to, ok1 := dst.(*Slice)
	from, ok2 := src.(*Slice)
	if !ok1 || !ok2 {
		why := in.because(call, dst, src)
		in.havoc(dst, why, make(map[*Cell]bool))
		return why
	}
	n := min(len(to.Elems), len(from.Elems))
	in.work(n)
	values := make([]Value, n)
	for i := range values {
		values[i] = in.copied(from.Elems[i].v)
	}
	for i, v := range values {
		in.store(to.Elems[i], v)
	}
	return constOf(constant.MakeInt64(int64(n)), types.Typ[types.Int])
}

func (in *interp) clear(call *ast.CallExpr) Value {
	switch v := in.eval(call.Args[0]).(type) {
	case *Map:
		for _, entry := range v.entries {
			in.set(entry.cell, absent{})
		}
		in.set(v.vague, nil)
	case *Slice:
		for _, cell := range v.Elems {
			in.store(cell, in.zero(elemType(v.Type)))
		}
	}
	return Tuple{}
}

func (in *interp) extreme(call *ast.CallExpr, name string) Value {
	op := token.LSS
	if name == "max" {
		op = token.GTR
	}
	best := in.eval(call.Args[0])
	for _, expr := range call.Args[1:] {
		v := in.eval(expr)
		better, known := truth(in.binary(call, op, v, best, types.Typ[types.Bool]))
		if !known {
			return in.because(call, v, best)
		}
		if better {
			best = v
		}
	}
	return in.convert(call, best, in.typeOf(call))
}

func (in *interp) recover(call *ast.CallExpr) Value {
	if len(in.panics) == 0 {
		return Nil{Type: in.typeOf(call)}
	}
	deferring := in.panics[len(in.panics)-1]
	panicked := deferring.panicked
	if deferring.depth != in.depth || panicked == nil || panicked.recovered || panicked.final {
		return Nil{Type: in.typeOf(call)}
	}
	panicked.recovered = true
	return panicked.value
}

package discover

import (
	"go/ast"
	"go/constant"
	"go/types"
)

// A place is what can be assigned to.
type place interface {
	load() Value
	store(Value)
}

// cellPlace is a variable.
type cellPlace struct {
	in   *interp
	cell *Cell
	t    types.Type
}

func (p cellPlace) load() Value   { return p.cell.v }
func (p cellPlace) store(v Value) { p.in.store(p.cell, retyped(v, p.t)) }

// nowhere takes what is assigned to the blank identifier, or through a pointer
// that isn't known.
type nowhere struct{ v Value }

func (p nowhere) load() Value { return p.v }
func (p nowhere) store(Value) {}

// place returns what expr stands for on the left of an assignment.
func (in *interp) place(expr ast.Expr) place {
	switch expr := expr.(type) {
	case *ast.ParenExpr:
		return in.place(expr.X)
	case *ast.Ident:
		return in.identPlace(expr)
	case *ast.SelectorExpr:
		if selection, ok := in.frame.pkg.Info.Selections[expr]; ok && selection.Kind() == types.FieldVal {
			return in.field(expr, in.base(expr.X), selection.Index())
		}
		return in.identPlace(expr.Sel)
	case *ast.IndexExpr:
		return in.indexPlace(expr)
	case *ast.StarExpr:
		return in.deref(expr, in.eval(expr.X))
	default:
		return nowhere{in.eval(expr)}
	}
}

func (in *interp) identPlace(expr *ast.Ident) place {
	if v, ok := in.frame.pkg.Info.ObjectOf(expr).(*types.Var); ok && expr.Name != "_" {
		return cellPlace{in, in.variable(v), in.frame.targs.subst(v.Type())}
	}
	return nowhere{in.unknown(expr.Pos(), "the name "+expr.Name)}
}

// base evaluates x of x.f without copying: the address of a variable, or a
// pointer as it is.
func (in *interp) base(x ast.Expr) Value {
	if _, isPointer := in.typeOf(x).Underlying().(*types.Pointer); isPointer {
		return in.eval(x)
	}
	if p, ok := in.place(x).(cellPlace); ok {
		return Pointer{Type: types.NewPointer(p.t), To: p.cell}
	}
	return in.eval(x)
}

func (in *interp) indexPlace(expr *ast.IndexExpr) place {
	t := in.typeOf(expr)
	if _, isMap := in.typeOf(expr.X).Underlying().(*types.Map); isMap {
		x, key := in.eval(expr.X), in.eval(expr.Index)
		if m, ok := x.(*Map); ok {
			return entryPlace{in, m, key, t}
		}
		if isNil(x) {
			return nilEntry{in, expr, t}
		}
		return nowhere{in.because(expr, x)}
	}
	x := in.eval(expr.X)
	if _, isArray := x.(*Array); isArray {
		x = in.base(expr.X)
	}
	return in.indexed(expr, x)
}

// deref returns the variable that a pointer points to.
func (in *interp) deref(expr ast.Expr, v Value) place {
	switch v := v.(type) {
	case Pointer:
		return cellPlace{in, v.To, elemOf(v.Type)}
	case *Unknown:
		return in.behind(v)
	case Nil:
		in.fail(expr, "a nil pointer is followed")
	}
	return nowhere{in.because(expr, v)}
}

// behind returns the variable that an unknown pointer points to. It is unknown
// until it is assigned to, and every copy of the pointer leads there.
func (in *interp) behind(u *Unknown) place {
	if u.pointee == nil {
		u.pointee = newCell(&Unknown{Reason: u.Reason, Pos: u.Pos})
	}
	return cellPlace{in: in, cell: u.pointee}
}

// elemOf returns what a pointer type points to, nil where t is none.
func elemOf(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		return pointer.Elem()
	}
	return nil
}

// field follows the path of a selection from v, through embedded fields and
// pointers.
func (in *interp) field(expr ast.Expr, v Value, index []int) place {
	var at place = nowhere{v}
	t := typeOf(v)
	for i, n := range index {
		if p, ok := v.(Pointer); ok {
			at = cellPlace{in, p.To, elemOf(p.Type)}
			t = elemOf(p.Type)
			v = p.To.v
		}
		if u, ok := v.(*Unknown); ok {
			s := in.opened(expr, u, at, t, index[:i])
			if s == nil {
				return nowhere{u}
			}
			v = s
		}
		s, ok := v.(*Struct)
		if !ok {
			if isNil(v) {
				in.fail(expr, "a nil pointer is followed")
			}
			return nowhere{in.because(expr, v)}
		}
		if n >= len(s.Fields) {
			return nowhere{in.because(expr)}
		}
		t = fieldType(s.Type, n)
		at = cellPlace{in, s.Fields[n], t}
		v = s.Fields[n].v
	}
	return at
}

func fieldType(t types.Type, i int) types.Type {
	if s, ok := t.Underlying().(*types.Struct); ok && i < s.NumFields() {
		return s.Field(i).Type()
	}
	return nil
}

// opened makes a struct of unknown fields out of an unknown struct, or of what
// an unknown pointer points to, so that a field of it can be assigned.
func (in *interp) opened(expr ast.Expr, u *Unknown, at place, t types.Type, path []int) *Struct {
	if t == nil {
		t = in.pathType(expr, path)
	}
	if t == nil {
		return nil
	}
	if elem := elemOf(t); elem != nil {
		at = in.behind(u)
		t = elem
		if s, ok := at.load().(*Struct); ok {
			return s
		}
	}
	p, ok := at.(cellPlace)
	u2, isStruct := t.Underlying().(*types.Struct)
	if !ok || !isStruct {
		return nil
	}
	s := &Struct{Type: t, Fields: make([]*Cell, u2.NumFields())}
	for i := range s.Fields {
		s.Fields[i] = newCell(&Unknown{Reason: u.Reason, Pos: u.Pos})
	}
	in.set(p.cell, s)
	return s
}

// pathType returns the static type of x in x.f after the first fields of the
// selection's path.
func (in *interp) pathType(expr ast.Expr, path []int) types.Type {
	selector, ok := expr.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	t := in.typeOf(selector.X)
	for _, n := range path {
		if elem := elemOf(t); elem != nil {
			t = elem
		}
		if t = fieldType(t, n); t == nil {
			return nil
		}
	}
	return t
}

// indexed returns the element x[i] of a slice, array or string.
func (in *interp) indexed(expr *ast.IndexExpr, x Value) place {
	i := in.eval(expr.Index)
	n, known := intOf(i)
	if p, ok := x.(Pointer); ok {
		x = p.To.v
	}
	var cells []*Cell
	switch x := x.(type) {
	case *Slice:
		cells = x.Elems
	case *Array:
		cells = x.Elems
	case Const:
		text := constant.StringVal(x.Value)
		if known && n >= 0 && n < len(text) {
			return nowhere{constOf(constant.MakeInt64(int64(text[n])), in.typeOf(expr))}
		}
		return nowhere{in.because(expr, i)}
	case Nil:
		in.fail(expr, "the index is out of range")
	default:
		return nowhere{in.because(expr, x)}
	}
	if !known {
		return in.anyOf(expr, cells, i)
	}
	if n < 0 || n >= len(cells) {
		in.fail(expr, "the index is out of range")
	}
	return cellPlace{in, cells[n], in.typeOf(expr)}
}

// anyOf stands for an element whose index isn't known: what is assigned to it
// may be in any.
func (in *interp) anyOf(expr ast.Expr, cells []*Cell, index Value) place {
	return havocPlace{in, cells, in.because(expr, index)}
}

type havocPlace struct {
	in    *interp
	cells []*Cell
	why   *Unknown
}

func (p havocPlace) load() Value { return p.why }

func (p havocPlace) store(Value) {
	for _, cell := range p.cells {
		p.in.set(cell, p.why)
	}
}

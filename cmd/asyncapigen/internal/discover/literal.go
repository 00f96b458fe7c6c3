package discover

import (
	"go/ast"
	"go/types"
	"slices"
)

// composite evaluates T{...}.
func (in *interp) composite(lit *ast.CompositeLit, t types.Type) Value {
	if pointer, ok := t.Underlying().(*types.Pointer); ok { // &T elided in a literal of []*T
		return Pointer{Type: t, To: newCell(in.composite(lit, pointer.Elem()))}
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		return in.structLit(lit, t, u)
	case *types.Slice:
		cells, ok := in.elementsOf(lit, u.Elem())
		if !ok {
			return in.unknown(lit.Pos(), "a literal whose indexes aren't known")
		}
		return &Slice{Type: t, Elems: cells}
	case *types.Array:
		cells, ok := in.elementsOf(lit, u.Elem())
		if !ok || u.Len() > maxElements {
			return in.unknown(lit.Pos(), "a literal whose indexes aren't known")
		}
		for int64(len(cells)) < u.Len() {
			cells = append(cells, newCell(in.zero(u.Elem())))
		}
		return &Array{Type: t, Elems: slices.Clip(cells)}
	case *types.Map:
		m := newMap(t)
		for _, elt := range lit.Elts {
			kv, ok := elt.(*ast.KeyValueExpr)
			if !ok {
				continue
			}
			in.setEntry(m, in.element(kv.Key, u.Key()), in.element(kv.Value, u.Elem()))
		}
		return m
	default:
		return in.unknown(lit.Pos(), "the literal "+source(lit))
	}
}

func (in *interp) structLit(lit *ast.CompositeLit, t types.Type, u *types.Struct) Value {
	s, ok := in.zero(t).(*Struct)
	if !ok {
		return in.unknown(lit.Pos(), "a value of more elements than are looked at")
	}
	s.Pos = lit.Pos()
	for i, elt := range lit.Elts {
		field := i
		expr := elt
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			expr = kv.Value
			field = -1
			if name, ok := kv.Key.(*ast.Ident); ok {
				field = fieldIndex(u, name.Name)
			}
		}
		if field < 0 || field >= len(s.Fields) {
			continue
		}
		s.Fields[field] = newCell(in.copied(in.element(expr, u.Field(field).Type())))
	}
	return s
}

func fieldIndex(u *types.Struct, name string) int {
	for i := range u.NumFields() {
		if u.Field(i).Name() == name {
			return i
		}
	}
	return -1
}

// element evaluates an element of a literal, whose own type may be elided.
func (in *interp) element(expr ast.Expr, t types.Type) Value {
	if lit, ok := expr.(*ast.CompositeLit); ok && lit.Type == nil {
		return in.composite(lit, t)
	}
	return retyped(in.eval(expr), t)
}

func (in *interp) elementsOf(lit *ast.CompositeLit, elem types.Type) ([]*Cell, bool) {
	var cells []*Cell
	i := 0
	for _, elt := range lit.Elts {
		expr := elt
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			n, known := intOf(in.eval(kv.Key))
			if !known || n < 0 || n > maxElements {
				return nil, false
			}
			i, expr = n, kv.Value
		}
		for len(cells) <= i {
			cells = append(cells, newCell(in.zero(elem)))
		}
		cells[i] = newCell(in.copied(in.element(expr, elem)))
		i++
	}
	return slices.Clip(cells), true
}

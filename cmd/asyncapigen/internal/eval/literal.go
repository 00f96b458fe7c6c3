package eval

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// composite evaluates T{...}.
func (ev *Evaluator) composite(lit *ast.CompositeLit, t types.Type) value.Value {
	if pointer, ok := t.Underlying().(*types.Pointer); ok { // &T elided in a literal of []*T
		return value.Pointer{Type: t, To: value.NewCell(ev.composite(lit, pointer.Elem()))}
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		return ev.structLit(lit, t, u)
	case *types.Slice:
		cells, ok := ev.elementsOf(lit, u.Elem())
		if !ok {
			return value.UnknownAt(lit.Pos(), "a literal whose indexes aren't known")
		}
		return &value.Slice{Type: t, Elems: cells}
	case *types.Array:
		cells, ok := ev.elementsOf(lit, u.Elem())
		if !ok || u.Len() > value.MaxElements {
			return value.UnknownAt(lit.Pos(), "a literal whose indexes aren't known")
		}
		for int64(len(cells)) < u.Len() {
			cells = append(cells, value.NewCell(ev.Zero(u.Elem())))
		}
		return &value.Array{Type: t, Elems: slices.Clip(cells)}
	case *types.Map:
		m := value.NewMap(t)
		for _, elt := range lit.Elts {
			kv, ok := elt.(*ast.KeyValueExpr)
			if !ok {
				continue
			}
			ev.SetEntry(m, ev.element(kv.Key, u.Key()), ev.element(kv.Value, u.Elem()))
		}
		return m
	default:
		return value.UnknownAt(lit.Pos(), "the literal "+value.Source(lit))
	}
}

func (ev *Evaluator) structLit(lit *ast.CompositeLit, t types.Type, u *types.Struct) value.Value {
	s, ok := ev.Zero(t).(*value.Struct)
	if !ok {
		return value.UnknownAt(lit.Pos(), "a value of more elements than are looked at")
	}
	s.Pos = lit.Pos()
	for i, elt := range lit.Elts {
		field := i
		expr := elt
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			expr = kv.Value
			field = -1
			if name, ok := kv.Key.(*ast.Ident); ok {
				field = value.FieldIndex(u, name.Name)
			}
		}
		if field < 0 || field >= len(s.Fields) {
			continue
		}
		s.Fields[field] = value.NewCell(ev.Copied(ev.element(expr, u.Field(field).Type())))
	}
	return s
}

// element evaluates an element of a literal, whose own type may be elided.
func (ev *Evaluator) element(expr ast.Expr, t types.Type) value.Value {
	if lit, ok := expr.(*ast.CompositeLit); ok && lit.Type == nil {
		return ev.composite(lit, t)
	}
	return value.Retyped(ev.eval(expr), t)
}

func (ev *Evaluator) elementsOf(lit *ast.CompositeLit, elem types.Type) ([]*value.Cell, bool) {
	var cells []*value.Cell
	i := 0
	for _, elt := range lit.Elts {
		expr := elt
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			n, known := value.IntOf(ev.eval(kv.Key))
			if !known || n < 0 || n > value.MaxElements {
				return nil, false
			}
			i, expr = n, kv.Value
		}
		for len(cells) <= i {
			cells = append(cells, value.NewCell(ev.Zero(elem)))
		}
		cells[i] = value.NewCell(ev.Copied(ev.element(expr, elem)))
		i++
	}
	return slices.Clip(cells), true
}

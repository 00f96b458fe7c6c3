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
		return value.Pointer{Type: t, To: ev.Declared(ev.composite(lit, pointer.Elem()))}
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
			cells = append(cells, ev.Declared(ev.Zero(u.Elem())))
		}
		return &value.Array{Type: t, Elems: slices.Clip(cells)}
	case *types.Map:
		return ev.mapLit(lit, t, u)
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
	ev.inOrder(lit.Elts, func(i int) {
		expr, field := lit.Elts[i], i
		if kv, ok := expr.(*ast.KeyValueExpr); ok {
			expr, field = kv.Value, -1
			if name, ok := kv.Key.(*ast.Ident); ok {
				field = value.FieldIndex(u, name.Name)
			}
		}
		if field >= 0 && field < len(s.Fields) {
			s.Fields[field] = ev.Declared(ev.Copied(ev.element(expr, u.Field(field).Type())))
		}
	})
	return s
}

// mapLit evaluates map[K]V{...}: an entry after the other.
func (ev *Evaluator) mapLit(lit *ast.CompositeLit, t types.Type, u *types.Map) value.Value {
	m := value.NewMap(t)
	entries := make([][2]value.Value, len(lit.Elts))
	ev.inOrder(lit.Elts, func(i int) {
		if kv, ok := lit.Elts[i].(*ast.KeyValueExpr); ok {
			entries[i] = [2]value.Value{ev.element(kv.Key, u.Key()), ev.element(kv.Value, u.Elem())}
		}
	})
	for _, entry := range entries {
		if entry[0] != nil {
			ev.RequireHashable(lit, entry[0], t)
			ev.SetEntry(m, entry[0], entry[1])
		}
	}
	return m
}

// element evaluates an element of a literal, whose own type may be elided.
func (ev *Evaluator) element(expr ast.Expr, t types.Type) value.Value {
	if lit, ok := expr.(*ast.CompositeLit); ok && lit.Type == nil {
		return ev.composite(lit, t)
	}
	return ev.boxed(expr, value.Retyped(ev.eval(expr), t), t)
}

func (ev *Evaluator) elementsOf(lit *ast.CompositeLit, elem types.Type) ([]*value.Cell, bool) {
	var cells []*value.Cell
	indexes := make([]int, len(lit.Elts))
	next := 0
	for i, elt := range lit.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			n, known := value.IntOf(ev.eval(kv.Key))
			if !known || n < 0 || n > value.MaxElements {
				return nil, false
			}
			next = n
		}
		indexes[i] = next
		next++
		for len(cells) < next {
			cells = append(cells, nil)
		}
	}
	ev.inOrder(lit.Elts, func(i int) {
		expr := lit.Elts[i]
		if kv, ok := expr.(*ast.KeyValueExpr); ok {
			expr = kv.Value
		}
		cells[indexes[i]] = ev.Declared(ev.Copied(ev.element(expr, elem)))
	})
	for i, cell := range cells {
		if cell == nil {
			cells[i] = ev.Declared(ev.Zero(elem))
		}
	}
	return slices.Clip(cells), true
}

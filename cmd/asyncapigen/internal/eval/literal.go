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
		return ev.turn(lit, func() value.Value { return ev.mapLit(lit, t, u) })
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
		expr, field := literalField(u, i, lit.Elts[i])
		if field >= 0 && field < len(s.Fields) {
			s.Fields[field] = ev.Declared(ev.Copied(ev.element(expr, u.Field(field).Type()))).IsOf(u.Field(field).Type())
		}
	})
	return s
}

// literalField returns what element i of a struct's literal is, and the index of its
// field, -1 for none.
func literalField(u *types.Struct, i int, elt ast.Expr) (ast.Expr, int) {
	kv, ok := elt.(*ast.KeyValueExpr)
	if !ok {
		return elt, i
	}
	if name, ok := kv.Key.(*ast.Ident); ok {
		return kv.Value, value.FieldIndex(u, name.Name)
	}
	return kv.Value, -1
}

// mapLit evaluates map[K]V{...}: an entry after the other. As the compiler does, those
// that are known to it come first (cmd/compile/internal/walk/order.go).
func (ev *Evaluator) mapLit(lit *ast.CompositeLit, t types.Type, u *types.Map) value.Value {
	m := value.NewMap(t)
	for _, static := range []bool{true, false} {
		for _, elt := range lit.Elts {
			kv, ok := elt.(*ast.KeyValueExpr)
			if !ok || static != (ev.isStatic(kv.Key, u.Key()) && ev.isStatic(kv.Value, u.Elem())) {
				continue
			}
			var key, held value.Value
			ev.inOrder([]ast.Expr{kv.Key, kv.Value}, func(i int) {
				if i == 0 {
					key = ev.entryKey(kv.Key, u)
				} else {
					held = ev.element(kv.Value, u.Elem())
				}
			})
			ev.RequireHashable(lit, key, t)
			ev.SetEntry(m, key, held)
		}
	}
	return m
}

// entryKey evaluates the key of an entry of a literal.
func (ev *Evaluator) entryKey(expr ast.Expr, m *types.Map) value.Value {
	if ev.isKeyInTurn(expr, m) {
		return ev.turn(expr, func() value.Value { return ev.element(expr, m.Key()) })
	}
	return ev.element(expr, m.Key())
}

// isStatic reports whether an expression of type t is a constant, nil, or an array or a
// struct of such: the compiler has those in the program's data. What is converted to an
// interface isn't there.
func (ev *Evaluator) isStatic(expr ast.Expr, t types.Type) bool {
	tv := ev.frame.pkg.Info.Types[expr]
	if tv.IsNil() || tv.Value != nil {
		return tv.IsNil() || !types.IsInterface(t)
	}
	lit, ok := ast.Unparen(expr).(*ast.CompositeLit)
	if !ok || types.IsInterface(t) {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i, elt := range lit.Elts {
			held, field := literalField(u, i, elt)
			if field < 0 || field >= u.NumFields() || !ev.isStatic(held, u.Field(field).Type()) {
				return false
			}
		}
		return true
	case *types.Array:
		return !slices.ContainsFunc(lit.Elts, func(elt ast.Expr) bool {
			if kv, ok := elt.(*ast.KeyValueExpr); ok {
				elt = kv.Value
			}
			return !ev.isStatic(elt, u.Elem())
		})
	}
	return false
}

// element evaluates an element of a literal, whose own type may be elided.
func (ev *Evaluator) element(expr ast.Expr, t types.Type) value.Value {
	if lit, ok := expr.(*ast.CompositeLit); ok && lit.Type == nil {
		return ev.composite(lit, t)
	}
	return ev.boxed(expr, value.Retyped(ev.evalTo(expr, t), t), t)
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
		cells[indexes[i]] = ev.Declared(ev.Copied(ev.element(expr, elem))).IsOf(elem)
	})
	for i, cell := range cells {
		if cell == nil {
			cells[i] = ev.Declared(ev.Zero(elem))
		}
	}
	return slices.Clip(cells), true
}

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
			return tooLarge(lit, cells)
		}
		return &value.Slice{Type: t, Elems: cells}
	case *types.Array:
		cells, ok := ev.elementsOf(lit, u.Elem())
		if !ok || u.Len() > value.MaxElements {
			return tooLarge(lit, cells)
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
	given := make([]*value.Cell, u.NumFields())
	ev.inOrder(lit.Elts, func(i int) {
		expr, field := literalField(u, i, lit.Elts[i])
		if field >= 0 && field < len(given) {
			given[field] = ev.Declared(ev.Copied(ev.element(expr, u.Field(field).Type()))).IsOf(u.Field(field).Type())
		}
	})
	if !ok {
		return tooLarge(lit, given)
	}
	s.Pos = lit.Pos()
	if len(lit.Elts) > 0 {
		ev.noteGiven(t)
	}
	for i, cell := range given {
		if cell != nil {
			s.Fields[i] = cell
		}
	}
	return s
}

// tooLarge is a literal of more elements than are looked at, whichever are given.
func tooLarge(lit *ast.CompositeLit, given []*value.Cell) *value.Unknown {
	var held []value.Value
	for _, cell := range given {
		if cell != nil {
			held = append(held, cell.Load())
		}
	}
	large := value.UnknownAt(lit.Pos(), "a value of more elements than are looked at").Of(held...)
	large.NonNil = true
	return large
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
	order := ev.orderOf(lit, t, u)
	for _, static := range []bool{true, false} {
		for _, elt := range lit.Elts {
			kv, ok := elt.(*ast.KeyValueExpr)
			if !ok || static != (ev.isStatic(kv.Key, u.Key()) && ev.isStatic(kv.Value, u.Elem())) {
				continue
			}
			var made entry
			if static {
				made = ev.entryOf(kv, u)
			} else {
				made = order.entry(kv)
			}
			ev.RequireHashable(lit, made.key, t)
			ev.SetEntry(m, made.key, made.held)
		}
	}
	return m
}

// entryOf evaluates an entry of a literal.
func (ev *Evaluator) entryOf(kv *ast.KeyValueExpr, u *types.Map) (made entry) {
	var before value.Value
	isPerhapsCopied := ev.isKeyPerhapsCopied(kv.Key, u) && ev.hasCall(kv.Value)
	if isPerhapsCopied {
		before = ev.Copied(ev.element(kv.Key, u.Key()))
	}
	ev.inOrder([]ast.Expr{kv.Key, kv.Value}, func(i int) {
		if i == 0 {
			made.key = ev.entryKey(kv.Key, u)
		} else {
			made.held = ev.element(kv.Value, u.Elem())
		}
	})
	if isPerhapsCopied {
		made.key = value.Merge(value.UnknownAt(kv.Key.Pos(), changedBesides), []value.Value{before, made.key})
	}
	return made
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
	return ok && !types.IsInterface(t) && allParts(lit, t, ev.isStatic)
}

// allParts reports whether a literal of type t is an array or a struct, and something is true of
// all that it is given.
func allParts(lit *ast.CompositeLit, t types.Type, is func(expr ast.Expr, t types.Type) bool) bool {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i, elt := range lit.Elts {
			held, field := literalField(u, i, elt)
			if field < 0 || field >= u.NumFields() || !is(held, u.Field(field).Type()) {
				return false
			}
		}
		return true
	case *types.Array:
		return !slices.ContainsFunc(lit.Elts, func(elt ast.Expr) bool {
			if kv, ok := elt.(*ast.KeyValueExpr); ok {
				elt = kv.Value
			}
			return !is(elt, u.Elem())
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

// elementsOf returns the elements of a literal, or only those that are given where it has
// more than are looked at.
func (ev *Evaluator) elementsOf(lit *ast.CompositeLit, elem types.Type) ([]*value.Cell, bool) {
	indexes, length := ev.indexesOf(lit)
	given := make([]*value.Cell, len(lit.Elts))
	ev.inOrder(lit.Elts, func(i int) {
		expr := lit.Elts[i]
		if kv, ok := expr.(*ast.KeyValueExpr); ok {
			expr = kv.Value
		}
		given[i] = ev.Declared(ev.Copied(ev.element(expr, elem))).IsOf(elem)
	})
	if length > value.MaxElements {
		return given, false
	}
	cells := make([]*value.Cell, length)
	for i, cell := range given {
		cells[indexes[i]] = cell
	}
	for i, cell := range cells {
		if cell == nil {
			cells[i] = ev.Declared(ev.Zero(elem))
		}
	}
	return cells, true
}

// indexesOf returns the indexes of a literal's elements, and how many it has: more than are
// looked at where an index isn't known.
func (ev *Evaluator) indexesOf(lit *ast.CompositeLit) (indexes []int, length int) {
	indexes = make([]int, len(lit.Elts))
	next := 0
	for i, elt := range lit.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			n, known := value.IntOf(ev.eval(kv.Key))
			if next = n; !known || n < 0 || n > value.MaxElements {
				next = value.MaxElements
			}
		}
		indexes[i] = next
		next++
		length = max(length, next)
	}
	return indexes, length
}

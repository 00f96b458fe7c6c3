package discover

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"iter"
	"slices"
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

// entryPlace is an entry of a map.
type entryPlace struct {
	in  *interp
	m   *Map
	key Value
	t   types.Type
}

func (p entryPlace) load() Value {
	v, _ := p.in.lookup(p.m, p.key, p.t)
	return v
}

func (p entryPlace) store(v Value) { p.in.setEntry(p.m, p.key, retyped(v, p.t)) }

// nilEntry is an entry of a nil map.
type nilEntry struct {
	in *interp
	at ast.Expr
	t  types.Type
}

func (p nilEntry) load() Value { return p.in.zero(p.t) }
func (p nilEntry) store(Value) { p.in.fail(p.at, "an entry of a nil map is assigned") }

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
			return nowhere{Const{constant.MakeInt64(int64(text[n])), in.typeOf(expr)}}
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

// keyOf returns what tells map keys apart.
func keyOf(v Value) (string, bool) {
	switch v := v.(type) {
	case Const:
		return v.Value.Kind().String() + " " + v.Value.ExactString(), true
	case Pointer:
		return fmt.Sprintf("pointer %p", v.To), true
	case *Struct:
		return keysOf(v.Fields)
	case *Array:
		return keysOf(v.Elems)
	case Nil:
		return "nil", true
	default:
		return "", false
	}
}

func keysOf(cells []*Cell) (string, bool) {
	var all string
	for _, cell := range cells {
		key, ok := keyOf(cell.v)
		if !ok {
			return "", false
		}
		all += fmt.Sprintf("%d:%s ", len(key), key)
	}
	return all, true
}

// lookup returns the entry of key, or the zero value of t.
func (in *interp) lookup(m *Map, key Value, t types.Type) (Value, answer) {
	k, ok := keyOf(key)
	if !ok {
		return in.mapUnknown(m, key), perhaps
	}
	if tuple, ok := t.(*types.Tuple); ok {
		t = tuple.At(0).Type()
	}
	entry := m.entries[k]
	if entry != nil {
		if u, ok := entry.cell.v.(*Unknown); ok && u.Absent {
			return u, perhaps
		}
		if !isAbsent(entry.cell.v) {
			return entry.cell.v, yes
		}
	}
	if u, ok := m.vague.v.(*Unknown); ok {
		return u, perhaps
	}
	return in.zero(t), no
}

func (in *interp) mapUnknown(m *Map, key Value) *Unknown {
	if u, ok := key.(*Unknown); ok {
		return u
	}
	if u, ok := m.vague.v.(*Unknown); ok {
		return u
	}
	return &Unknown{Reason: "an entry of a map whose key isn't followed"}
}

// setEntry assigns to a map's entry. A key that isn't known makes the whole map
// uncertain.
func (in *interp) setEntry(m *Map, key, v Value) {
	k, ok := keyOf(key)
	if !ok {
		in.blur(m, in.mapUnknown(m, key))
		return
	}
	entry := m.entries[k]
	if entry == nil {
		entry = &mapEntry{key: key, cell: newCell(absent{})}
		m.entries[k] = entry
	}
	in.set(entry.cell, in.copied(v))
}

// blur forgets what a map holds.
func (in *interp) blur(m *Map, why *Unknown) {
	for _, entry := range m.entries {
		in.set(entry.cell, why)
	}
	in.set(m.vague, why)
}

func (in *interp) deleteEntry(m *Map, key Value) {
	k, ok := keyOf(key)
	if !ok {
		in.blur(m, in.mapUnknown(m, key))
		return
	}
	if entry := m.entries[k]; entry != nil {
		in.set(entry.cell, absent{})
	}
}

// size counts the entries of a map.
func (m *Map) size() (int, bool) {
	n := 0
	for _, entry := range m.entries {
		switch v := entry.cell.v.(type) {
		case absent:
		case *Unknown:
			if v.Absent {
				return 0, false
			}
			n++
		default:
			n++
		}
	}
	return n, !isUnknown(m.vague.v)
}

// sorted returns the entries in the order of their keys: a program's own order
// is random, so any will do, but it must be the same in each run.
func (m *Map) sorted() iter.Seq2[Value, Value] {
	entries := make([]*mapEntry, 0, len(m.entries))
	for _, entry := range m.entries {
		entries = append(entries, entry)
	}
	slices.SortFunc(entries, func(a, b *mapEntry) int { return compareKeys(a.key, b.key) })
	return func(yield func(Value, Value) bool) {
		for _, entry := range entries {
			if isAbsent(entry.cell.v) {
				continue
			}
			if !yield(entry.key, entry.cell.v) {
				return
			}
		}
	}
}

func compareKeys(a, b Value) int {
	x, ok1 := a.(Const)
	y, ok2 := b.(Const)
	if ok1 && ok2 && x.Value.Kind() == y.Value.Kind() && x.Value.Kind() != constant.Bool {
		switch {
		case constant.Compare(x.Value, token.LSS, y.Value):
			return -1
		case constant.Compare(x.Value, token.EQL, y.Value):
			return 0
		default:
			return 1
		}
	}
	k, _ := keyOf(a)
	l, _ := keyOf(b)
	switch {
	case k < l:
		return -1
	case k > l:
		return 1
	default:
		return 0
	}
}

package discover

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"iter"
	"maps"
	"slices"
	"strings"
)

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

// keyOf returns what tells map keys of type t apart. Of keys in an interface the
// dynamic type counts.
func keyOf(v Value, t types.Type) (string, bool) {
	dynamic := ""
	if types.IsInterface(t) {
		if t = typeOf(v); t != nil && !isNilInterface(v) {
			t = types.Default(t)
			dynamic = types.TypeString(t, nil) + " "
		}
	}
	switch v := v.(type) {
	case Const:
		return dynamic + exact(v.Value, t), true
	case Pointer:
		return dynamic + fmt.Sprintf("%p", v.To), true
	case *Struct:
		structure, ok := v.Type.Underlying().(*types.Struct)
		if !ok {
			return "", false
		}
		key, ok := keysOf(v.Fields, func(i int) types.Type { return structure.Field(i).Type() })
		return dynamic + key, ok
	case *Array:
		elem := elemType(v.Type)
		key, ok := keysOf(v.Elems, func(int) types.Type { return elem })
		return dynamic + key, ok
	case Nil:
		return dynamic + "nil", true
	default:
		return "", false
	}
}

func isNilInterface(v Value) bool {
	n, ok := v.(Nil)
	return ok && (n.Type == nil || isUntyped(n.Type) || types.IsInterface(n.Type))
}

// exact writes a constant in one way, whichever representation it has.
func exact(value constant.Value, t types.Type) string {
	basic, ok := t.Underlying().(*types.Basic)
	if ok && basic.Info()&types.IsFloat != 0 {
		value = constant.ToFloat(value)
	}
	return value.ExactString()
}

func keysOf(cells []*Cell, typeAt func(int) types.Type) (string, bool) {
	var all strings.Builder
	for i, cell := range cells {
		key, ok := keyOf(cell.v, typeAt(i))
		if !ok {
			return "", false
		}
		fmt.Fprintf(&all, "%d:%s ", len(key), key)
	}
	return all.String(), true
}

// keyOf returns what tells a key of the map from others.
func (m *Map) keyOf(key Value) (string, bool) {
	t, ok := m.Type.Underlying().(*types.Map)
	if !ok {
		return "", false
	}
	return keyOf(key, t.Key())
}

// lookup returns the entry of key, or the zero value of t.
func (in *interp) lookup(m *Map, key Value, t types.Type) (Value, answer) {
	k, ok := m.keyOf(key)
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
	k, ok := m.keyOf(key)
	if !ok {
		in.blur(m, in.mapUnknown(m, key))
		return
	}
	entry := m.entries[k]
	if entry == nil {
		entry = &mapEntry{key: key, cell: newCell(absent{}), order: len(m.entries)}
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
	k, ok := m.keyOf(key)
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

// sorted returns the entries in the order of their keys, or where these have
// none in that of their first assignments: a program's own order is random, so
// any will do, but it must be the same in each run.
func (m *Map) sorted() iter.Seq2[Value, Value] {
	entries := slices.SortedFunc(maps.Values(m.entries), func(a, b *mapEntry) int { return a.order - b.order })
	if hasOrder(entries) {
		slices.SortStableFunc(entries, func(a, b *mapEntry) int { return compareConstants(a.key.(Const).Value, b.key.(Const).Value) })
	}
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

// hasOrder reports whether all keys are numbers, or all strings.
func hasOrder(entries []*mapEntry) bool {
	texts := 0
	for _, entry := range entries {
		key, ok := entry.key.(Const)
		if !ok || key.Value.Kind() == constant.Bool || key.Value.Kind() == constant.Complex {
			return false
		}
		if key.Value.Kind() == constant.String {
			texts++
		}
	}
	return texts == 0 || texts == len(entries)
}

func compareConstants(a, b constant.Value) int {
	switch {
	case constant.Compare(a, token.LSS, b):
		return -1
	case constant.Compare(a, token.EQL, b):
		return 0
	}
	return 1
}

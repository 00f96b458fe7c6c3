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

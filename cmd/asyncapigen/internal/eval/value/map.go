package value

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"iter"
	"maps"
	"slices"
	"strings"
)

// Map is a map that isn't nil.
type Map struct {
	Type    types.Type
	entries map[string]*mapEntry
	vague   *Cell // holds an *Unknown once a key that isn't known was written; who asks for a key that isn't there looks at it
}

// NewMap returns an empty map of type t.
func NewMap(t types.Type) *Map {
	return &Map{Type: t, entries: make(map[string]*mapEntry), vague: NewCell(nil)}
}

// Identity returns a variable that is a part of this map, and of no other: a map is one
// by whichever of its types.
func (m *Map) Identity() *Cell { return m.vague }

type mapEntry struct {
	key   Value
	cell  *Cell // holds absent when the key was deleted
	order int   // among the entries, as they came
	added int   // how often the key was added
}

// absent is the value of a map entry that isn't there.
type absent struct{}

func isAbsent(v Value) bool {
	_, ok := v.(absent)
	return ok
}

// mayBeAbsent reports whether a map's entry isn't there, or may not be.
func mayBeAbsent(v Value) bool {
	u, ok := v.(*Unknown)
	return isAbsent(v) || ok && u.Absent
}

// keyOf returns what tells map keys of type t apart. Of keys in an interface the
// dynamic type counts.
func keyOf(v Value, t types.Type) (string, bool) {
	dynamic := ""
	if types.IsInterface(t) {
		if t = TypeOf(v); t != nil && !IsNilInterface(v) {
			t = types.Default(t)
			dynamic = TypeKey(t) + " "
		}
	}
	switch v := v.(type) {
	case Const:
		return dynamic + v.Value.ExactString(), true
	case Pointer:
		return dynamic + fmt.Sprintf("%p", v.identity()), v.isIdentified() && !v.toEmpty()
	case *Struct:
		structure, ok := v.Type.Underlying().(*types.Struct)
		if !ok {
			return "", false
		}
		key, ok := keysOf(v.Fields, func(i int) types.Type {
			if structure.Field(i).Name() == "_" {
				return nil // doesn't count
			}
			return structure.Field(i).Type()
		})
		return dynamic + key, ok
	case *Array:
		array := ArrayOf(v.Type)
		if array == nil {
			return "", false
		}
		key, ok := keysOf(v.Elems, func(int) types.Type { return array.Elem() })
		return dynamic + key, ok
	case Nil:
		return dynamic + "nil", true
	case Describing:
		return "type " + TypeKey(v.Described()), !HasTypeParam(v.Described())
	default:
		return "", false
	}
}

// IsNilInterface reports whether v is nil, and not a nil of a type of its own.
func IsNilInterface(v Value) bool {
	n, ok := v.(Nil)
	return ok && (n.Type == nil || IsUntyped(n.Type) || types.IsInterface(n.Type))
}

// HoldsSomething reports whether the value of an interface surely isn't nil: a nil of a type of its
// own is something as well.
func HoldsSomething(v Value) bool { return IsNonNil(v) || IsNil(v) && !IsNilInterface(v) }

// keysOf returns what tells parts of keys apart, but for those without a type.
func keysOf(cells []*Cell, typeAt func(int) types.Type) (string, bool) {
	var all strings.Builder
	for i, cell := range cells {
		t := typeAt(i)
		if t == nil {
			continue
		}
		key, ok := keyOf(cell.Load(), t)
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
	if p, ok := key.(Pointer); ok && p.toEmpty() {
		return TypeKey(p.Type) + fmt.Sprintf(" %p", p.To), !m.hasTwinOf(p)
	}
	return keyOf(key, t.Key())
}

// hasTwinOf reports whether a key of the map is another pointer that may be equal to p, which
// points to a variable without a size.
func (m *Map) hasTwinOf(p Pointer) bool {
	for _, entry := range m.entries {
		if other, ok := entry.key.(Pointer); ok && other.To != p.To && SameType(other.Type, p.Type) {
			return true
		}
	}
	return false
}

// Lookup returns the entry of key, or the zero value of t.
func (s *State) Lookup(m *Map, key Value, t types.Type) (Value, Answer) {
	k, ok := m.keyOf(key)
	if !ok {
		return s.lookupUnknown(m, key, t)
	}
	entry := m.entries[k]
	if entry != nil {
		if u, ok := entry.cell.Load().(*Unknown); ok && u.Absent {
			return u, Perhaps
		}
		if !isAbsent(entry.cell.Load()) {
			return entry.cell.Load(), Yes
		}
	}
	if u, ok := m.vague.Load().(*Unknown); ok {
		return u, Perhaps
	}
	return s.Zero(t), No
}

// lookupUnknown returns the entry of a key that isn't known: the zero value of t where
// that is what every key has.
func (s *State) lookupUnknown(m *Map, key Value, t types.Type) (Value, Answer) {
	if !m.Complete() {
		return s.mapUnknown(m, key), Perhaps
	}
	zero, present := s.Zero(t), No
	for _, entry := range m.entries {
		v := entry.cell.Load()
		if isAbsent(v) {
			continue
		}
		if present = Perhaps; !same(v, zero) {
			return s.mapUnknown(m, key), Perhaps
		}
	}
	return zero, present
}

// mapUnknown is an entry of a key that isn't known. What is known of the key
// isn't known of the entry.
func (s *State) mapUnknown(m *Map, key Value) *Unknown {
	if u := UnknownIn(key); u != nil {
		entry := u.Bare()
		entry.Foreign = false // which is said of the key
		return entry.Of(m.values()...)
	}
	if u, ok := m.vague.Load().(*Unknown); ok {
		return u.Bare().Of(m.values()...)
	}
	return (&Unknown{Reason: "an entry of a map whose key isn't followed"}).Of(m.values()...)
}

// UnknownIn returns a value that isn't known, or a part of a struct or an array that isn't; else nil.
func UnknownIn(v Value) *Unknown {
	if u, ok := v.(*Unknown); ok {
		return u
	}
	for _, cell := range parts(v) {
		if u := UnknownIn(cell.Load()); u != nil {
			return u
		}
	}
	return nil
}

// values returns what the entries hold, those of keys that aren't known among them.
func (m *Map) values() []Value {
	all := []Value{m.vague.Load()}
	for _, entry := range m.ordered() {
		all = append(all, entry.cell.Load())
	}
	return all
}

// Contents returns the keys that are known, and what the entries hold.
func (m *Map) Contents() []Value {
	all := m.values()
	for _, entry := range m.ordered() {
		all = append(all, entry.key)
	}
	return all
}

// SetEntry assigns to a map's entry. A key that isn't known makes the whole map
// uncertain.
func (s *State) SetEntry(m *Map, key, v Value) {
	if s.keys != nil {
		*s.keys = append(*s.keys, key)
	}
	k, ok := m.keyOf(key)
	if !ok {
		s.setAnyEntry(m, key, v)
		return
	}
	entry := m.entries[k]
	if entry == nil {
		entry = &mapEntry{key: s.Copied(key), cell: &Cell{v: absent{}, entry: true}, order: len(m.entries)}
		entry.cell.escaped = m.vague.escaped
		m.entries[k] = entry
		m.vague.keys++
		s.stir(m.vague)
	}
	if mayBeAbsent(entry.cell.Load()) {
		entry.added++
		s.logAdded(m, v)
	}
	s.Set(entry.cell, s.Copied(v))
}

// KeysSet runs f, and returns the keys that it has assigned to entries of.
func (s *State) KeysSet(f func()) (keys []Value) {
	around := s.keys
	s.keys = &keys
	defer func() {
		if s.keys = around; around != nil {
			*around = append(*around, keys...)
		}
	}()
	f()
	return keys
}

// setAnyEntry assigns to an entry of a map whose key isn't known. What is there may be
// replaced, and isn't gone.
func (s *State) setAnyEntry(m *Map, key, v Value) {
	why := s.mapUnknown(m, key).Bare().Of(append(m.values(), v)...)
	for _, entry := range m.ordered() {
		if mayBeAbsent(entry.cell.v) {
			s.Set(entry.cell, why.orAbsent())
		} else {
			s.Set(entry.cell, why)
		}
	}
	s.Set(m.vague, why)
}

// havocMap forgets what a map holds, and which keys it has.
func (s *State) havocMap(m *Map, why *Unknown) {
	for _, entry := range m.ordered() {
		s.Set(entry.cell, why.lostFrom(entry.cell))
	}
	s.Set(m.vague, why.lostFrom(m.vague))
}

// DeleteEntry deletes the entry of key. Of a key that isn't known, it may be any.
func (s *State) DeleteEntry(m *Map, key Value) {
	k, ok := m.keyOf(key)
	entry := m.entries[k]
	switch {
	case !ok:
		why := s.mapUnknown(m, key)
		for _, entry := range m.ordered() {
			if !isAbsent(entry.cell.Load()) {
				s.Set(entry.cell, either(why, entry.cell.v, absent{}))
			}
		}
	case entry != nil:
		s.Set(entry.cell, absent{})
	default:
		m.vague.Load() // that there is none is a look at the map
	}
}

// Size counts the entries of a map.
func (m *Map) Size() (int, bool) {
	n := 0
	for _, entry := range m.entries {
		switch v := entry.cell.Load().(type) {
		case absent:
		case *Unknown:
			if v.Absent {
				return n, false
			}
			n++
		default:
			n++
		}
	}
	return n, !IsUnknown(m.vague.Load())
}

// Uncounted returns why it isn't known how many entries a map has, nil where that is known.
func (m *Map) Uncounted() *Unknown {
	if u, ok := m.vague.Load().(*Unknown); ok {
		return u
	}
	for _, entry := range m.ordered() {
		if u, ok := entry.cell.Load().(*Unknown); ok && u.Absent {
			return u
		}
	}
	return nil
}

// An Order is one in which the entries of a map can be visited. A program's own
// order is another one each time.
type Order int

// The orders by which the dependence on an order is found. An entry that is added
// meanwhile is visited or not.
const (
	Ascending  Order = iota // of keys that have no order, as they were first assigned; none that is added
	Descending              // the other way around, and what is added
	rotated
)

// From returns the order that is ascending from the entry with an index on, and then
// from the start, with the first entry that is added. In one of them each entry is the
// first, in one the last.
func From(i int) Order { return rotated + Order(2*i) }

// Back returns the reverse of the order From returns, but for what is added.
func Back(i int) Order { return From(i) + 1 }

// maxAdded bounds the added entries that a visit comes to: each may add another.
const maxAdded = 32

// Sorted returns the entries in ascending order.
func (m *Map) Sorted() iter.Seq2[Value, Value] { return m.In(Ascending) }

// In returns the entries in an order.
func (m *Map) In(order Order) iter.Seq2[Value, Value] {
	m.vague.Load() // it is a look at which keys there are
	entries := m.ordered()
	if hasOrder(entries) {
		slices.SortStableFunc(entries, compareKeys)
	}
	entries = Arranged(entries, order)
	visited := make(map[*mapEntry]int) // how often the key had been added
	for _, entry := range m.entries {
		visited[entry] = entry.added
	}
	return func(yield func(Value, Value) bool) {
		for _, entry := range entries {
			if isAbsent(entry.cell.Load()) || entry.added != visited[entry] {
				continue
			}
			if !yield(entry.key, entry.cell.Load()) {
				return
			}
		}
		for range order.additions() {
			entry := m.addedSince(visited)
			if entry == nil || !yield(entry.key, entry.cell.Load()) {
				return
			}
		}
	}
}

// Arranged returns what comes in ascending order in another one. It may change the order of all.
func Arranged[T any](all []T, order Order) []T {
	if order == Descending {
		slices.Reverse(all)
	} else if order >= rotated && len(all) > 0 {
		first := int(order-rotated) / 2 % len(all)
		all = slices.Concat(all[first:], all[:first])
		if order%2 != rotated%2 {
			slices.Reverse(all)
		}
	}
	return all
}

// additions returns how many of the entries are visited that are added meanwhile.
func (o Order) additions() int {
	switch o {
	case Ascending:
		return 0
	case Descending:
		return maxAdded
	default:
		return 1
	}
}

// addedSince returns the first entry that was added since the others were counted, and
// counts it.
func (m *Map) addedSince(counted map[*mapEntry]int) *mapEntry {
	for _, entry := range m.ordered() {
		if before, ok := counted[entry]; (!ok || before != entry.added) && !isAbsent(entry.cell.Load()) {
			counted[entry] = entry.added
			return entry
		}
	}
	return nil
}

// Added counts how often keys were added to the map.
func (m *Map) Added() int {
	n := 0
	for _, entry := range m.entries {
		n += entry.added
	}
	return n
}

// ordered returns the entries as they were first assigned.
func (m *Map) ordered() []*mapEntry {
	return slices.SortedFunc(maps.Values(m.entries), func(a, b *mapEntry) int { return a.order - b.order })
}

// hasOrder reports whether all keys are numbers, or all strings.
func hasOrder(entries []*mapEntry) bool {
	for _, entry := range entries {
		key, ok := entry.key.(Const)
		if !ok || key.Value.Kind() == constant.Bool || key.Value.Kind() == constant.Complex || isText(key) != isText(entries[0].key) {
			return false
		}
	}
	return true
}

// compareKeys compares the keys of two entries, which have an order.
func compareKeys(a, b *mapEntry) int {
	x, y := a.key.(Const).Value, b.key.(Const).Value
	if isText(a.key) {
		return strings.Compare(constant.StringVal(x), constant.StringVal(y))
	}
	return constant.Sign(constant.BinaryOp(x, token.SUB, y))
}

func isText(v Value) bool {
	c, ok := v.(Const)
	return ok && c.Value.Kind() == constant.String
}

// CloneMap returns a map of its own with the entries of m.
func (s *State) CloneMap(m *Map) *Map {
	clone := NewMap(m.Type)
	for key, v := range m.Sorted() {
		s.SetEntry(clone, key, v)
	}
	clone.vague.v = m.vague.Load()
	return clone
}

// ClearMap deletes every entry.
func (s *State) ClearMap(m *Map) {
	for _, entry := range m.entries {
		s.Set(entry.cell, absent{})
	}
	s.Set(m.vague, nil)
}

// Complete reports whether all keys of the map are known.
func (m *Map) Complete() bool { return !IsUnknown(m.vague.Load()) }

package value

import (
	"cmp"
	"go/types"
	"iter"
	"maps"
	"slices"
)

// A State is the variables of an evaluated program as they change. The state of
// the program is its cells and nothing else. Every change of one is written to a
// journal, so that the branches of a condition that isn't known can each be
// evaluated from the same state, and what they left be joined.
type State struct {
	journal  []write
	dirty    []*Cell         // escaped variables that hold what code which isn't followed may change, see assigned
	changed  []*Cell         // those that are to become unknown, see HavocEscaped
	stirred  []*Cell         // watched ones that have changed, see Stirred
	callable []Value         // what has escaped by an assignment, see Lose
	lost     bool            // something has, and any reference that isn't known may lead to it
	lostBy   []*Unknown      // see LostBy
	channels []*ChannelState // that have since, each once
	guesses  map[*Cell]guess
	twins    map[*Cell]*twins
	keys     *[]Value // that are assigned to, while KeysSet runs

	// Given returns the value that the user has for the fields of a struct which
	// code that isn't followed fills. It may be nil.
	Given func(field *types.Var) (Value, bool)

	numbered uint32 // counts the cells that were changed
	declared uint32 // counts the variables that were declared
	early    bool   // what is made counts as older than all

	log      []logged // what the program has written since it has goroutines
	logging  bool
	sharings map[*Cell][]*Sharing // of the cells that goroutines have written to
	started  []*Cell              // the Released of each
	lent     map[*Cell]*Unknown   // what goroutines read without knowing it, see Blur
	losing   bool                 // what channels hold is made unknown, see loseChannels

	// Work counts n small things, such as copied elements. It may panic to end
	// the evaluation.
	Work func(n int)
}

// Reset forgets all changes.
func (s *State) Reset() { *s = State{Work: s.Work, Given: s.Given} }

// Mark returns the place in the journal to which undo goes back.
func (s *State) Mark() int { return len(s.journal) }

// Apart runs f as if nothing had changed yet: what f changes can't be undone by
// what is around it.
func (s *State) Apart(f func()) {
	journal := s.journal
	s.journal = nil
	defer func() { s.journal = journal }()
	f()
}

// write is a journal entry: what cell held before, whether it had escaped, and whether
// what it held had with it.
type write struct {
	cell    *Cell
	old     Value
	escaped bool
	walked  bool
}

// perWrite is what remembering a write counts for, in the small things of Work: it
// takes far more memory than they do.
const perWrite = 4

// Writes is what a branch left in the cells that it changed.
type Writes map[*Cell]Value

// cells returns the cells in the order in which they were first changed: what is done by them is done
// in the same order each time that a program is evaluated.
func (w Writes) cells() []*Cell {
	return slices.SortedFunc(maps.Keys(w), func(a, b *Cell) int { return cmp.Compare(a.number, b.number) })
}

// All goes through what was left, in that order.
func (w Writes) All() iter.Seq2[*Cell, Value] {
	return func(yield func(*Cell, Value) bool) {
		for _, cell := range w.cells() {
			if !yield(cell, w[cell]) {
				return
			}
		}
	}
}

// numberCell numbers a cell at its first change.
func (s *State) numberCell(cell *Cell) {
	if cell.number == 0 {
		s.numbered++
		cell.number = s.numbered
	}
}

// Set changes a cell, as the program does it.
func (s *State) Set(cell *Cell, v Value) {
	cell.written = true
	if cell.shared {
		v = s.contested(cell, v)
	}
	if why := s.lent[cell]; why != nil && HasReferences(v) && leadsToChannelsOnly(v) {
		s.loseChannels(why, v)
	}
	if s.logging {
		s.log = append(s.log, logged{cell: cell, old: cell.v, silent: same(cell.v, v)})
	}
	s.put(cell, v)
}

// Note changes a cell that is no variable of the program, so that what goroutines do to
// it is nobody else's.
func (s *State) Note(cell *Cell, v Value) { s.put(cell, v) }

// put changes a cell to what it holds in another state, or by a goroutine.
func (s *State) put(cell *Cell, v Value) {
	v = Retyped(v, cell.typ)
	s.numberCell(cell)
	s.journal = append(s.journal, write{cell, cell.v, cell.escaped, cell.walked})
	s.stirTo(cell, v)
	cell.hold(v)
	if cell.escaped {
		s.assigned(cell)
	}
}

// Store assigns v to the variable behind cell, of a type that is nil where it isn't known.
// A struct or array is assigned part by part, since others may point to its parts, also one
// that isn't known: not one in an interface, which never changes.
func (s *State) Store(cell *Cell, v Value, t types.Type) {
	if cell.IsOf(t).box {
		s.assign(cell, s.Copied(v))
		return
	}
	v = Retyped(v, cell.typ)
	held := cell.v
	if cell.plain {
		held = cell.consists()
	}
	if u, ok := v.(*Unknown); ok {
		v = s.opened(u, held)
	}
	switch v := v.(type) {
	case *Struct:
		if old, ok := held.(*Struct); ok && len(old.Fields) == len(v.Fields) && SameType(old.Type, v.Type) {
			s.storeAll(old, v)
			if _, isHeld := cell.v.(*Struct); !isHeld {
				s.assign(cell, &Struct{Type: old.Type, Fields: old.Fields, Pos: v.Pos})
			} else if old.Pos != v.Pos {
				s.Set(cell, &Struct{Type: old.Type, Fields: old.Fields, Pos: v.Pos})
			}
			return
		}
	case *Array:
		if old, ok := held.(*Array); ok && len(old.Elems) == len(v.Elems) {
			s.storeAll(old, v)
			if _, isHeld := cell.v.(*Array); !isHeld {
				s.assign(cell, old)
			}
			return
		}
	}
	s.assign(cell, s.Copied(v))
}

// Open has a variable of the type of v, a struct or an array, which holds something
// unknown, hold v. It returns what the variable holds then.
func (s *State) Open(cell *Cell, v Value) Value {
	if made := cell.made; made != nil && SameType(TypeOf(made), TypeOf(v)) && len(parts(made)) == len(parts(v)) {
		s.storeAll(made, v)
		v = made
	}
	s.Set(cell, v)
	s.GuessParts(cell)
	return v
}

// OpenAs has a variable of a struct's or an array's type which holds something unknown have
// parts: others may get to know where they are.
func (s *State) OpenAs(cell *Cell, t types.Type) {
	u, ok := cell.v.(*Unknown)
	if !ok {
		return
	}
	v := shaped(t)
	cells := parts(v)
	s.Work(len(cells))
	for i := range cells {
		cells[i] = NewCell(s.partOf(u, v, i)).IsOf(partType(v, i))
	}
	if v != nil {
		s.Open(cell, v)
	}
}

// shaped returns a struct or an array of a type, without its parts; nil for other types,
// and for an array of more elements than are followed.
func shaped(t types.Type) Value {
	switch u := orInvalid(t).Underlying().(type) {
	case *types.Struct:
		return &Struct{Type: t, Fields: make([]*Cell, u.NumFields())}
	case *types.Array:
		if u.Len() > MaxElements {
			return nil
		}
		return &Array{Type: t, Elems: make([]*Cell, u.Len())}
	default:
		return nil
	}
}

// opened returns an unknown as what a variable can hold that holds a struct or an array:
// others may point to the parts of that, which aren't known either.
func (s *State) opened(u *Unknown, held Value) Value {
	cells := make([]*Cell, len(parts(held)))
	for i := range cells {
		cells[i] = NewCell(s.partOf(u, held, i)).IsOf(partType(held, i))
	}
	switch held := held.(type) {
	case *Struct:
		return &Struct{Type: held.Type, Fields: cells}
	case *Array:
		return &Array{Type: held.Type, Elems: cells}
	default:
		return u
	}
}

// partOf returns what part i of an unknown is, of the parts that a struct or an array has.
func (s *State) partOf(u *Unknown, of Value, i int) Value {
	if v, ok := of.(*Struct); ok {
		field := v.Type.Underlying().(*types.Struct).Field(i)
		if given, ok := s.given(field); ok {
			return given
		}
		return u.In(field)
	}
	elem := u.Bare()
	elem.Targets = u.Targets
	return elem
}

// assign changes a cell, and what may be another name of it.
func (s *State) assign(cell *Cell, v Value) {
	s.Set(cell, v)
	s.blur(cell)
	s.assignTwins(cell)
}

func (s *State) storeAll(to, from Value) {
	cells, values := parts(to), parts(from)
	for i := range cells {
		s.Store(cells[i], values[i].Load(), partType(to, i))
	}
}

// Undo takes back all changes since mark, and returns what they had left.
func (s *State) Undo(mark int) Writes {
	left := make(Writes)
	s.Work(perWrite * (len(s.journal) - mark))
	for i := len(s.journal) - 1; i >= mark; i-- {
		w := s.journal[i]
		if _, ok := left[w.cell]; !ok {
			left[w.cell] = w.cell.v
		}
		s.stirTo(w.cell, w.old)
		w.cell.hold(w.old)
		w.cell.walked = w.walked
	}
	s.restored(s.journal[mark:])
	s.journal = s.journal[:mark]
	return left
}

// Since returns what the changes since mark have left, without undoing them.
func (s *State) Since(mark int) Writes {
	left := make(Writes)
	s.Work(perWrite * (len(s.journal) - mark))
	for _, w := range s.journal[mark:] {
		left[w.cell] = w.cell.v
	}
	return left
}

// Join sets every cell that one of the alternatives changed: to its value where
// all agree, else to an unknown for the reason why.
func (s *State) Join(why *Unknown, alternatives []Writes) {
	joined := make(Writes)
	j := joining{s, why, len(alternatives), joined, func(way int, cell *Cell) Value {
		if v, ok := alternatives[way][cell]; ok {
			return v
		}
		return cell.v
	}}
	for _, alternative := range alternatives {
		s.Work(perWrite * len(alternatives) * len(alternative))
		for _, cell := range alternative.cells() {
			j.join(cell)
		}
	}
	for cell, merged := range joined.All() {
		if u, ok := merged.(*Unknown); ok {
			s.Work(len(u.Targets))
		}
		if !haveSameParts(merged, cell.v) || !same(merged, cell.v) || saysOther(merged, cell.v) || hasOtherFallback(merged, cell.v) {
			s.put(cell, merged)
		}
	}
}

// Written returns the state of the cells that changed between mark and base,
// and those of w.
func (s *State) Written(mark, base int, w Writes) Writes {
	all := make(Writes)
	s.Work(perWrite * (base - mark + len(w)))
	for _, entry := range s.journal[mark:base] {
		all[entry.cell] = entry.cell.v
	}
	for cell, v := range w {
		all[cell] = v
	}
	return all
}

// JoinWritten returns what one of two ways leaves in the cells that were changed since
// mark, where it isn't known which of them it is. Both are told from the state at mark.
func (s *State) JoinWritten(mark int, why *Unknown, a, b Writes) Writes {
	s.Work(perWrite * (len(s.journal) - mark + len(a) + len(b)))
	before := make(Writes)
	for i := len(s.journal) - 1; i >= mark; i-- {
		before[s.journal[i].cell] = s.journal[i].old
	}
	in := func(w Writes, cell *Cell) Value {
		if v, ok := w[cell]; ok {
			return v
		}
		if v, ok := before[cell]; ok {
			return v
		}
		return cell.v
	}
	ways := []Writes{a, b}
	j := joining{s, why, len(ways), make(Writes, max(len(a), len(b))), func(way int, cell *Cell) Value { return in(ways[way], cell) }}
	for _, w := range ways {
		for _, cell := range w.cells() {
			j.join(cell)
		}
	}
	return j.joined
}

// Apply sets every cell of w.
func (s *State) Apply(w Writes) {
	s.Work(perWrite * len(w))
	for cell, v := range w.All() {
		s.put(cell, v)
	}
}

// Switch returns what turns the present state into that of mark with w written
// to it.
func (s *State) Switch(mark int, w Writes) Writes {
	all := make(Writes, len(w))
	s.Work(perWrite * (len(s.journal) - mark))
	for i := len(s.journal) - 1; i >= mark; i-- {
		all[s.journal[i].cell] = s.journal[i].old
	}
	for cell, v := range w {
		all[cell] = v
	}
	return all
}

// Copied returns v as an assignment makes it: structs and arrays are copied,
// everything else is shared.
func (s *State) Copied(v Value) Value {
	switch v := v.(type) {
	case *Struct:
		copied := &Struct{Type: v.Type, Fields: s.CopiedCells(v.Fields), Pos: v.Pos}
		copied.loseSyncMap()
		return copied
	case *Array:
		return &Array{Type: v.Type, Elems: s.CopiedCells(v.Elems)}
	default:
		return v
	}
}

// loseSyncMap makes unknown what a copied sync.Map holds, whose model keeps that in the last
// field. It shares with the one that was copied what that held, until either is cleared.
func (v *Struct) loseSyncMap() {
	named, ok := v.Type.(*types.Named)
	if !ok || named.Obj().Name() != "Map" || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != "sync" || len(v.Fields) == 0 {
		return
	}
	last := len(v.Fields) - 1
	if m, isUsed := v.Fields[last].Load().(*Map); isUsed {
		v.Fields[last] = NewCell((&Unknown{Reason: "what a copied sync.Map holds"}).Of(m))
	}
}

// CopiedCells returns variables of their own with copies of the values in cells.
func (s *State) CopiedCells(cells []*Cell) []*Cell {
	s.Work(len(cells))
	copies := make([]*Cell, len(cells))
	for i, cell := range cells {
		copies[i] = NewCell(s.Copied(cell.Load()))
		copies[i].box, copies[i].plain = cell.box, cell.plain
	}
	return copies
}

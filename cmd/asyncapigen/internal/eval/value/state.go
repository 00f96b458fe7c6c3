package value

import (
	"go/types"
	"slices"
)

// A State is the variables of an evaluated program as they change. The state of
// the program is its cells and nothing else. Every change of one is written to a
// journal, so that the branches of a condition that isn't known can each be
// evaluated from the same state, and what they left be joined.
type State struct {
	journal []write
	dirty   []*Cell // variables that were assigned to after they escaped
	changed []*Cell // those that are to become unknown, see HavocEscaped
	guesses map[*Cell]guess
	twins   map[*Cell]*twins

	// Given returns the value that the user has for the fields of a struct which
	// code that isn't followed fills. It may be nil.
	Given func(field *types.Var) (Value, bool)

	// Work counts n small things, such as copied elements. It may panic to end
	// the evaluation.
	Work func(n int)
}

// Reset forgets all changes.
func (s *State) Reset() { s.journal, s.dirty, s.changed, s.guesses, s.twins = nil, nil, nil, nil, nil }

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

// write is a journal entry: what cell held before.
type write struct {
	cell *Cell
	old  Value
}

// perWrite is what remembering a write counts for, in the small things of Work: it
// takes far more memory than they do.
const perWrite = 4

// Writes is what a branch left in the cells that it changed.
type Writes map[*Cell]Value

// Set changes a cell.
func (s *State) Set(cell *Cell, v Value) {
	s.journal = append(s.journal, write{cell, cell.v})
	cell.v = v
	if cell.escaped {
		s.dirty = append(s.dirty, cell)
	}
}

// Store assigns v to the variable behind cell. A struct or array is assigned
// part by part, since others may point to its parts.
func (s *State) Store(cell *Cell, v Value) {
	switch v := v.(type) {
	case *Struct:
		if old, ok := cell.v.(*Struct); ok && len(old.Fields) == len(v.Fields) && sameType(old.Type, v.Type) {
			s.storeAll(old.Fields, v.Fields)
			if old.Pos != v.Pos {
				s.Set(cell, &Struct{Type: old.Type, Fields: old.Fields, Pos: v.Pos})
			}
			return
		}
	case *Array:
		if old, ok := cell.v.(*Array); ok && len(old.Elems) == len(v.Elems) {
			s.storeAll(old.Elems, v.Elems)
			return
		}
	}
	s.assign(cell, s.Copied(v))
}

// assign changes a cell, and what may be another name of it.
func (s *State) assign(cell *Cell, v Value) {
	s.Set(cell, v)
	if len(s.guesses) > 0 {
		s.blur(cell)
	}
	if len(s.twins) > 0 {
		s.assignTwins(cell)
	}
}

func (s *State) storeAll(cells, from []*Cell) {
	for i := range cells {
		s.Store(cells[i], from[i].v)
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
		w.cell.v = w.old
	}
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
	done := make(map[*Cell]bool)
	for _, alternative := range alternatives {
		s.Work(perWrite * len(alternatives) * len(alternative))
		for cell := range alternative {
			if done[cell] {
				continue
			}
			done[cell] = true
			values := make([]Value, len(alternatives))
			for i, other := range alternatives {
				v, ok := other[cell]
				if !ok {
					v = cell.v
				}
				values[i] = v
			}
			if merged := Merge(why, values); !same(merged, cell.v) || moreIsSaid(merged, cell.v) {
				s.Set(cell, merged)
			}
		}
	}
}

// moreIsSaid reports whether an unknown has a note that the same one before hasn't.
func moreIsSaid(now, before Value) bool {
	u, ok := now.(*Unknown)
	old, ok2 := before.(*Unknown)
	return ok && ok2 && u.Fallback != old.Fallback
}

// Merge returns the value that all values are, or an unknown.
func Merge(why *Unknown, values []Value) Value {
	merged := values[0]
	for _, v := range values[1:] {
		if !same(merged, v) {
			merged = either(why, merged, v)
		}
	}
	return merged
}

// either returns the unknown that a and b are, which differ. Nothing is said of
// it that doesn't hold for both.
func either(why *Unknown, a, b Value) *Unknown {
	absent := isAbsent(a) || isAbsent(b)
	nonNil := IsNonNil(a) && IsNonNil(b) && !absent
	u, ok := a.(*Unknown)
	known := b
	if !ok {
		u, ok = b.(*Unknown)
		known = a
	}
	if !ok {
		joined := *why
		joined.NonNil, joined.Absent, joined.Targets = nonNil, absent, targets(a, b)
		return &joined
	}
	line := why.CommandLine
	for _, v := range []Value{a, b} {
		if other, ok := v.(*Unknown); ok {
			absent = absent || other.Absent
			line = line || other.CommandLine
		}
	}
	may := targets(a, b)
	if u.NonNil == nonNil && u.Absent == absent && u.Part == nil && u.CommandLine == line && len(may) == len(u.Targets) {
		return u.or(known, why.Pos)
	}
	weaker := *u
	weaker.Part, weaker.CommandLine = nil, line
	weaker.NonNil, weaker.Absent, weaker.Targets = nonNil, absent, may
	return &weaker
}

// targets returns the references that one of the values may be, each once.
func targets(values ...Value) []Value {
	var all []Value
	add := func(v Value) {
		if !slices.ContainsFunc(all, func(other Value) bool { return same(v, other) }) {
			all = append(all, v)
		}
	}
	for _, v := range values {
		switch v := v.(type) {
		case Pointer, *Slice, *Map, *Func:
			add(v)
		case *Unknown:
			for _, target := range v.Targets {
				add(target)
			}
			if v.Pointee != nil {
				add(Pointer{To: v.Pointee})
			}
		}
	}
	return all
}

// Unchanged reports whether nothing has changed since mark: an endless loop
// will then never do anything else.
func (s *State) Unchanged(mark int) bool {
	s.Work(perWrite * (len(s.journal) - mark))
	before := make(map[*Cell]Value)
	for i := len(s.journal) - 1; i >= mark; i-- {
		before[s.journal[i].cell] = s.journal[i].old
	}
	for cell, old := range before {
		if !same(cell.v, old) {
			return false
		}
	}
	return true
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

// Apply sets every cell of w.
func (s *State) Apply(w Writes) {
	s.Work(perWrite * len(w))
	for cell, v := range w {
		s.Set(cell, v)
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
		return &Struct{Type: v.Type, Fields: s.CopiedCells(v.Fields), Pos: v.Pos}
	case *Array:
		return &Array{Type: v.Type, Elems: s.CopiedCells(v.Elems)}
	default:
		return v
	}
}

// CopiedCells returns variables of their own with copies of the values in cells.
func (s *State) CopiedCells(cells []*Cell) []*Cell {
	s.Work(len(cells))
	copies := make([]*Cell, len(cells))
	for i, cell := range cells {
		copies[i] = NewCell(s.Copied(cell.v))
	}
	return copies
}

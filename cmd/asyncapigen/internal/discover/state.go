package discover

import (
	"go/token"
	"go/types"
)

// The state of the evaluated program is its cells and nothing else. Every
// change of one is written to a journal, so that the branches of a condition
// that isn't known can each be evaluated from the same state, and what they
// left be joined.

// write is a journal entry: what cell held before.
type write struct {
	cell *Cell
	old  Value
}

// writes is what a branch left in the cells that it changed.
type writes map[*Cell]Value

// set changes a cell.
func (in *interp) set(cell *Cell, v Value) {
	in.journal = append(in.journal, write{cell, cell.v})
	cell.v = v
}

// store assigns v to the variable behind cell. A struct or array is assigned
// part by part, since others may point to its parts.
func (in *interp) store(cell *Cell, v Value) {
	switch v := v.(type) {
	case *Struct:
		if old, ok := cell.v.(*Struct); ok && len(old.Fields) == len(v.Fields) && sameType(old.Type, v.Type) {
			in.storeAll(old.Fields, v.Fields)
			if old.Pos != v.Pos {
				in.set(cell, &Struct{Type: old.Type, Fields: old.Fields, Pos: v.Pos})
			}
			return
		}
	case *Array:
		if old, ok := cell.v.(*Array); ok && len(old.Elems) == len(v.Elems) {
			in.storeAll(old.Elems, v.Elems)
			return
		}
	}
	in.set(cell, in.copied(v))
}

func (in *interp) storeAll(cells, from []*Cell) {
	for i := range cells {
		in.store(cells[i], from[i].v)
	}
}

// undo takes back all changes since mark, and returns what they had left.
func (in *interp) undo(mark int) writes {
	left := make(writes)
	in.work(len(in.journal) - mark)
	for i := len(in.journal) - 1; i >= mark; i-- {
		w := in.journal[i]
		if _, ok := left[w.cell]; !ok {
			left[w.cell] = w.cell.v
		}
		w.cell.v = w.old
	}
	in.journal = in.journal[:mark]
	return left
}

// since returns what the changes since mark have left, without undoing them.
func (in *interp) since(mark int) writes {
	left := make(writes)
	in.work(len(in.journal) - mark)
	for _, w := range in.journal[mark:] {
		left[w.cell] = w.cell.v
	}
	return left
}

// join sets every cell that one of the alternatives changed: to its value where
// all agree, else to an unknown that names the condition.
func (in *interp) join(cond *condition, alternatives []writes) {
	done := make(map[*Cell]bool)
	for _, alternative := range alternatives {
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
			if merged := merge(cond, values); !same(merged, cell.v) {
				in.set(cell, merged)
			}
		}
	}
}

// merge returns the value that all values are, or an unknown.
func merge(cond *condition, values []Value) Value {
	merged := values[0]
	for _, v := range values[1:] {
		if !same(merged, v) {
			merged = either(cond, merged, v)
		}
	}
	return merged
}

// either returns the unknown that a and b are, which differ. Nothing is said of
// it that doesn't hold for both.
func either(cond *condition, a, b Value) *Unknown {
	absent := isAbsent(a) || isAbsent(b)
	u, ok := a.(*Unknown)
	if !ok {
		u, ok = b.(*Unknown)
	}
	if !ok {
		u = &Unknown{Reason: cond.outcome(), Pos: cond.pos, Absent: absent}
		if cond.why != nil {
			u.wants = cond.why.wants
		}
		return u
	}
	nonNil := isNonNil(a) && isNonNil(b) && !absent
	for _, v := range []Value{a, b} {
		if other, ok := v.(*Unknown); ok {
			absent = absent || other.Absent
		}
	}
	if u.NonNil == nonNil && u.Absent == absent {
		return u
	}
	weaker := *u
	weaker.NonNil, weaker.Absent = nonNil, absent
	return &weaker
}

func isAbsent(v Value) bool {
	_, ok := v.(absent)
	return ok
}

// condition is something that decides what the program does and isn't known.
type condition struct {
	pos  token.Pos
	text string   // the condition's source, or what it is about
	why  *Unknown // why it isn't known, may be nil
	loop bool     // it decides how often a loop runs
}

func (c *condition) outcome() string {
	if c.loop {
		return "a value that changes in a loop over " + c.text
	}
	return "a value that depends on the condition " + c.text
}

// scope holds the variables of a block.
type scope struct {
	parent *scope
	vars   map[*types.Var]*Cell
}

func (s *scope) lookup(v *types.Var) *Cell {
	for ; s != nil; s = s.parent {
		if cell, ok := s.vars[v]; ok {
			return cell
		}
	}
	return nil
}

func (s *scope) declare(v *types.Var, value Value) *Cell {
	if s.vars == nil {
		s.vars = make(map[*types.Var]*Cell)
	}
	cell := newCell(value)
	s.vars[v] = cell
	return cell
}

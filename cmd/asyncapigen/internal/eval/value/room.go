package value

import "go/token"

// How large the array is that append makes is the compiler's choice, for small
// ones: it keeps them on the stack where it can. So whether a later append moves
// the slice, or writes into its array, isn't known either. It gives a slice of its
// own then, whose elements are twins of those that they may be.

// Room is what may be in a slice's array beyond the capacity that it surely has.
type Room struct {
	Most int // elements

	cells  []*Cell
	within *Room // that of the array which the slice may still be in
	offset int   // of this one in it
	why    *Unknown
}

// MostCapacity is the capacity that a slice may have at most.
func (v *Slice) MostCapacity() int {
	if v.Room == nil {
		return cap(v.Elems)
	}
	return cap(v.Elems) + v.Room.Most
}

// at returns an element beyond the capacity.
func (s *State) at(r *Room, i int) *Cell {
	for len(r.cells) <= i {
		cell := NewCell(nil)
		if n := r.offset + len(r.cells); r.within != nil && n < r.within.Most {
			s.pair(cell, s.at(r.within, n), r.why)
		}
		r.cells = append(r.cells, cell)
	}
	return r.cells[i]
}

// twins are variables that may be one.
type twins struct {
	cells []*Cell
	why   *Unknown // what one of them holds after an assignment to another one
}

// pair notes that two variables, and their parts, may be one.
func (s *State) pair(a, b *Cell, why *Unknown) {
	left, right := partsOf(a.v), partsOf(b.v)
	for i := range min(len(left), len(right)) {
		s.pair(left[i], right[i], why)
	}
	if s.twins == nil {
		s.twins = make(map[*Cell]*twins)
	}
	all := s.twins[a]
	if all == nil {
		all = &twins{cells: []*Cell{a}, why: why}
	}
	others := []*Cell{b}
	if of := s.twins[b]; of == all {
		return
	} else if of != nil {
		others = of.cells
	}
	s.Work(len(others))
	all.cells = append(all.cells, others...)
	for _, cell := range append(others, a) {
		cell.paired = true
		s.twins[cell] = all
	}
}

// partsOf returns the variables that a variable consists of.
func partsOf(v Value) []*Cell {
	switch v := v.(type) {
	case *Struct:
		return v.Fields
	case *Array:
		return v.Elems
	default:
		return nil
	}
}

// blurTwins makes unknown what may be the variable that was assigned to, where it
// held something else.
func (s *State) blurTwins(cell *Cell) {
	all := s.twins[cell]
	if all == nil {
		return // of an earlier evaluation
	}
	s.Work(len(all.cells))
	for _, other := range all.cells {
		switch {
		case other == cell || other.v == nil || same(other.v, cell.v):
		case partsOf(other.v) == nil:
			s.set(other, either(all.why, other.v, cell.v))
		case IsUnknown(cell.v): // else its parts have twins of their own
			s.havocCell(other, all.why, make(map[*Cell]bool))
		}
	}
}

// InPlace returns the slice of a function that puts values into the array of old
// where that has room for them, which isn't known, and else into a new one of at
// most so many elements.
func (s *State) InPlace(old *Slice, values []Value, most int, pos token.Pos) *Slice {
	why := &Unknown{Reason: "an element that append has written to the same array, or to another one: the compiler chooses how large it is", Pos: pos}
	all := make([]*Cell, len(values))
	for i, v := range values {
		all[i] = NewCell(s.Copied(v))
		s.pair(all[i], s.element(old, i), why)
		s.blurTwins(all[i])
	}
	size := cap(old.Elems)
	return &Slice{Type: old.Type, Elems: all, Room: &Room{
		Most: max(most, size+old.Room.Most) - len(all), within: old.Room, offset: len(all) - size, why: why,
	}}
}

// element returns an element of the array of a slice, up to the most that it may
// have.
func (s *State) element(of *Slice, i int) *Cell {
	if size := cap(of.Elems); i >= size {
		return s.at(of.Room, i-size)
	}
	return of.Elems[:cap(of.Elems)][i]
}

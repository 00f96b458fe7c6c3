package value

import "go/types"

// Where it isn't known whether append moves a slice to a new array, each element of
// the new slice may be the same variable as the one of the old slice: they are
// twins. What is assigned to one of them may be assigned to the others.

// twins are cells that may be the same variable.
type twins struct {
	cells []*Cell
	t     types.Type // of each
	why   *Unknown
}

// Twin notes that two cells may be the same variable of a type, and so their parts.
func (s *State) Twin(a, b *Cell, t types.Type, why *Unknown) {
	if s.twins == nil {
		s.twins = make(map[*Cell]*twins)
	}
	to := s.twins[a]
	if to != nil && to == s.twins[b] {
		return
	}
	if to == nil {
		to = &twins{cells: []*Cell{a}, t: t, why: why}
		s.twins[a] = to
	}
	for _, cell := range s.cellsLike(b) {
		to.cells = append(to.cells, cell)
		s.twins[cell] = to
	}
	if a.IsOf(t).box || b.IsOf(t).box {
		return
	}
	s.OpenAs(a, t)
	s.OpenAs(b, t)
	x, y := parts(a.v), parts(b.v)
	for i := range min(len(x), len(y)) {
		s.Twin(x[i], y[i], partType(a.v, i), why)
	}
}

// cellsLike returns a cell with those that may be the same.
func (s *State) cellsLike(cell *Cell) []*Cell {
	if of := s.twins[cell]; of != nil {
		return of.cells
	}
	return []*Cell{cell}
}

// Parts returns the variables that are in one piece of memory: those that a struct or an
// array is made of, or the elements of a slice.
func Parts(v Value) []*Cell {
	if s, ok := v.(*Slice); ok {
		return s.Elems[:cap(s.Elems)]
	}
	return parts(v)
}

// Led returns the variables that a pointer or a slice leads to.
func Led(v Value) []*Cell {
	switch v := v.(type) {
	case Pointer:
		return []*Cell{v.To}
	case UnsafePointer:
		return []*Cell{v.Of.To}
	default:
		return Parts(v)
	}
}

// parts returns the variables that a struct or an array is made of.
func parts(v Value) []*Cell {
	switch v := v.(type) {
	case *Struct:
		return v.Fields
	case *Array:
		return v.Elems
	default:
		return nil
	}
}

// partType returns the type of a variable that a struct or an array is made of.
func partType(v Value, i int) types.Type {
	switch v := v.(type) {
	case *Struct:
		return FieldType(orInvalid(v.Type), i)
	case *Array:
		if array := ArrayOf(orInvalid(v.Type)); array != nil {
			return array.Elem()
		}
	}
	return nil
}

// assignTwins has the twins of a cell hold what was assigned to it, or what they
// held.
func (s *State) assignTwins(cell *Cell) {
	of := s.twins[cell]
	if of == nil {
		return
	}
	s.Work(len(of.cells))
	for _, twin := range of.cells {
		if twin != cell {
			perhaps(twin, cell.v, of.t, of.why, s.Set)
		}
	}
}

// StorePerhaps assigns v to the variable behind cell, of a type, or doesn't, for the
// reason why.
func (s *State) StorePerhaps(cell *Cell, v Value, t types.Type, why *Unknown) {
	perhaps(cell, v, t, why, s.assign)
}

// perhaps sets a variable of a type, part by part, to what both it and v are.
func perhaps(cell *Cell, v Value, t types.Type, why *Unknown, set func(*Cell, Value)) {
	to, from := parts(cell.v), parts(v)
	switch {
	case to == nil || cell.IsOf(t).box:
		if !same(cell.v, v) {
			set(cell, Merge(why, []Value{cell.Load(), v}))
		}
	case len(from) == len(to):
		for i := range to {
			perhaps(to[i], from[i].v, partType(cell.v, i), why, set)
		}
	default:
		if u, ok := v.(*Unknown); ok {
			v = u.Bare().Of(u)
		}
		for i, part := range to {
			perhaps(part, v, partType(cell.v, i), why, set)
		}
	}
}

package value

import (
	"go/types"
	"slices"
)

// Havoc makes everything unknown that the values point to: code that isn't
// followed may have changed it.
func (s *State) Havoc(why *Unknown, values ...Value) {
	seen := make(map[*Cell]bool)
	for _, v := range values {
		s.havocPointees(v, why, seen)
	}
}

func (s *State) havocPointees(v Value, why *Unknown, seen map[*Cell]bool) {
	switch v := v.(type) {
	case Pointer:
		s.havocCell(v.To.IsOf(Pointee(v.Type)), why, seen)
	case UnsafePointer:
		s.havocCell(v.Of.To, why, seen)
	case *Slice:
		for _, cell := range v.Elems[:cap(v.Elems)] {
			s.havocCell(cell.IsOf(SliceElem(v.Type)), why, seen)
		}
	case *Map:
		s.havocEntries(v, why, seen)
	case Channel:
		for _, cell := range v.State.withSent() {
			s.havocCell(cell, why, seen)
		}
	case *Struct:
		for _, cell := range v.Fields {
			s.havocPointees(cell.v, why, seen)
		}
	case *Array:
		for _, cell := range v.Elems {
			s.havocPointees(cell.v, why, seen)
		}
	case *Unknown:
		v.changeArguments()
		if v.Pointee != nil {
			s.havocCell(v.Pointee, why, seen)
		}
		for _, target := range v.Targets {
			s.havocPointees(target, why, seen)
		}
	case Holder:
		for _, held := range v.Held() {
			s.havocPointees(held, why, seen)
		}
	}
}

// havocEntries makes the entries of a map unknown, and what they and their keys
// point to: that may be the map itself.
func (s *State) havocEntries(m *Map, why *Unknown, seen map[*Cell]bool) {
	if seen[m.vague] {
		return
	}
	seen[m.vague] = true
	for _, entry := range m.ordered() {
		s.havocPointees(entry.key, why, seen)
		s.havocPointees(entry.cell.v, why, seen)
	}
	s.havocPointees(m.vague.v, why, seen) // entries that aren't known
	s.havocMap(m, why)
}

// havocCell makes a variable unknown, unless the user gives the field that it is a
// value. What its pointers point to is unknown as well, but they still point there.
func (s *State) havocCell(cell *Cell, why *Unknown, seen map[*Cell]bool) {
	if seen[cell] {
		return
	}
	seen[cell] = true
	if cell.field != nil {
		if given, ok := s.given(cell.field); ok {
			s.Store(cell, given, cell.field.Type())
			return
		}
		why = why.In(cell.field)
	}
	v, isStruct := cell.v.(*Struct)
	array, isArray := cell.v.(*Array)
	switch {
	case isStruct && !cell.entry && !cell.box:
		s.havocFields(v, why, seen)
	case isArray && !cell.entry && !cell.box:
		for i, elem := range array.Elems {
			s.havocCell(elem.IsOf(partType(array, i)), why, seen)
		}
	default:
		s.havocPointees(cell.v, why, seen)
		s.Set(cell, why.lostFrom(cell))
		s.assignTwins(cell)
	}
}

// lostFrom returns what a variable holds that was made unknown for the reason of u: a map's
// entry may be gone. It may still lead where it led, of which code that isn't followed has all.
func (u *Unknown) lostFrom(cell *Cell) *Unknown {
	lost := u
	if !u.Foreign && (HasReferences(cell.v) || IsForeign(cell.v)) {
		kept := *u
		kept.original = u.first()
		lost = kept.Of(u, cell.v)
	}
	if cell.entry {
		return lost.orAbsent()
	}
	return lost
}

// orAbsent returns the unknown as the entry of a map that may not be there.
func (u *Unknown) orAbsent() *Unknown {
	if u.Absent {
		return u
	}
	gone := *u
	gone.Absent, gone.NonNil, gone.original = true, false, u.first()
	return &gone
}

// WriteThrough notes that something is written through a reference that isn't known exactly,
// which leads to values from there on: it may be written to each thing that the reference may
// be, and through one of code that isn't followed to all that such code has. What is written
// may be read through any other such reference.
// See docs/decisions/0094.
func (s *State) WriteThrough(ref *Unknown, written ...Value) {
	why := ref.Bare().Of(written...)
	why.Env = ""
	s.Havoc(why, ref)
	s.WriteForeign(ref, why)
	s.Lose(written...)
	isKnown := func(by *Unknown) bool { return by.Unread == ref.Unread }
	if ref.Unread != "" && len(written) > 0 && !slices.ContainsFunc(s.lostBy, isKnown) {
		s.lostBy = append(s.lostBy, ref)
	}
}

// LostBy returns references, one for each package of which the source would tell more of some, through
// which something was written and so lost.
func (s *State) LostBy() []*Unknown { return s.lostBy }

// WriteForeign is WriteThrough for what code that isn't followed has, and what is lost.
func (s *State) WriteForeign(ref, why *Unknown) {
	if ref.Foreign || s.lost {
		s.callable = s.Escape()
		s.HavocEscaped(why)
	}
}

// havocFields makes the fields of a struct unknown. Each keeps which one it is, for it
// may be made unknown by itself later.
func (s *State) havocFields(v *Struct, why *Unknown, seen map[*Cell]bool) {
	u, ok := v.Type.Underlying().(*types.Struct)
	for i, cell := range v.Fields {
		if ok && i < u.NumFields() {
			cell.IsOf(u.Field(i).Type()).field = u.Field(i)
		}
		s.havocCell(cell, why, seen)
	}
}

func (s *State) given(field *types.Var) (Value, bool) {
	if s.Given == nil {
		return nil, false
	}
	return s.Given(field)
}

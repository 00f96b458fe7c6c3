package value

import "go/types"

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
		s.havocCell(v.To, why, seen)
	case UnsafePointer:
		s.havocCell(v.Of.To, why, seen)
	case *Slice:
		for _, cell := range v.Elems[:cap(v.Elems)] {
			s.havocCell(cell, why, seen)
		}
	case *Map:
		s.havocEntries(v, why, seen)
	case Channel:
		for _, cell := range v.State.cells() {
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
	}
}

// havocEntries makes the entries of a map unknown, and what they and their keys
// point to: that may be the map itself.
func (s *State) havocEntries(m *Map, why *Unknown, seen map[*Cell]bool) {
	if seen[m.vague] {
		return
	}
	seen[m.vague] = true
	for _, entry := range m.entries {
		s.havocPointees(entry.key, why, seen)
		s.havocPointees(entry.cell.v, why, seen)
	}
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
			s.Store(cell, given)
			return
		}
		of := why.In(cell.field)
		of.Targets = why.Targets // what was assigned
		why = of
	}
	switch v := cell.v.(type) {
	case *Struct:
		s.havocFields(v, why, seen)
	case *Array:
		for _, elem := range v.Elems {
			s.havocCell(elem, why, seen)
		}
	case absent:
	default:
		s.havocPointees(v, why, seen)
		s.Set(cell, why)
		if len(s.twins) > 0 {
			s.assignTwins(cell)
		}
	}
}

// havocFields makes the fields of a struct unknown. Each keeps which one it is, for it
// may be made unknown by itself later.
func (s *State) havocFields(v *Struct, why *Unknown, seen map[*Cell]bool) {
	u, ok := v.Type.Underlying().(*types.Struct)
	for i, cell := range v.Fields {
		if ok && i < u.NumFields() {
			cell.field = u.Field(i)
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

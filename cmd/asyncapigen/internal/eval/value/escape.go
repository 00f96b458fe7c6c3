package value

import "go/types"

// Values that are given to code which isn't followed escape: from then on that
// code may change what they lead to, at any call of such code, not just at the
// one that they were given to.

// Escape notes that code which isn't followed gets the values. It returns what
// such code may call and couldn't before: functions, values of types with methods of
// their own, and descriptions of types.
func (s *State) Escape(values ...Value) []Value {
	e := escape{state: s}
	e.values(values)
	for len(s.dirty) > 0 { // what was assigned to a variable that has escaped
		cell := s.dirty[len(s.dirty)-1]
		s.dirty = s.dirty[:len(s.dirty)-1]
		s.changed = append(s.changed, cell)
		e.value(cell.v)
	}
	return e.callable
}

// HavocEscaped makes unknown what was assigned to variables that have escaped
// since it was last called.
func (s *State) HavocEscaped(why *Unknown) {
	seen := make(map[*Cell]bool)
	for _, cell := range s.changed {
		s.havocCell(cell, why, seen)
	}
	s.changed, s.dirty = nil, nil
}

// EscapeChanged notes that code which isn't followed may change at any time what
// has changed since mark.
func (s *State) EscapeChanged(mark int) {
	for _, w := range s.journal[mark:] {
		w.cell.escaped = true
	}
}

type escape struct {
	state    *State
	callable []Value
}

func (e *escape) values(values []Value) {
	for _, v := range values {
		e.value(v)
	}
}

func (e *escape) value(v Value) {
	switch v := v.(type) {
	case *Func:
		e.callable = append(e.callable, v)
		if v.Bound {
			e.value(v.Recv)
		}
		return
	case Pointer:
		e.cell(v.To)
	case UnsafePointer:
		e.cell(v.Of.To)
	case *Slice:
		e.cells(v.Elems[:cap(v.Elems)])
	case *Map:
		for _, entry := range v.entries {
			e.value(entry.key)
			e.cell(entry.cell)
		}
		e.cell(v.vague)
	case Channel:
		e.cells(v.State.cells())
	case *Struct:
		e.cells(v.Fields)
	case *Array:
		e.cells(v.Elems)
	case *Unknown:
		if v.Pointee != nil {
			e.cell(v.Pointee)
		}
		e.values(v.Targets)
	case Describing:
		e.callable = append(e.callable, v)
		return
	}
	if named := NamedOf(orInvalid(TypeOf(v))); named != nil && !types.IsInterface(named) {
		e.callable = append(e.callable, v)
	}
}

func orInvalid(t types.Type) types.Type {
	if t == nil {
		return types.Typ[types.Invalid]
	}
	return t
}

func (e *escape) cells(cells []*Cell) {
	for _, cell := range cells {
		e.cell(cell)
	}
}

func (e *escape) cell(cell *Cell) {
	if !cell.escaped {
		cell.escaped = true
		e.state.Work(1)
		e.value(cell.v)
		if all := e.state.twins[cell]; all != nil {
			e.cells(all.cells)
		}
	}
}

// Escaped reports whether code that isn't followed may lead to the variable.
func (c *Cell) Escaped() bool { return c.escaped }

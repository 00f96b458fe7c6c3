package value

import (
	"go/types"
	"slices"
)

// Values that are given to code which isn't followed escape: from then on that
// code may change what they lead to, at any call of such code, not just at the
// one that they were given to.

// Escape notes that code which isn't followed gets the values. It returns what
// such code may call and couldn't before: functions, values of types with methods of
// their own, what such code has left of which the type isn't known, and descriptions of
// types, those among them of which reflection may make values there, or has their parts.
func (s *State) Escape(values ...Value) []Value {
	e := escape{state: s, callable: s.callable}
	s.callable = nil
	e.values(values)
	for len(s.dirty) > 0 { // what was assigned to a variable that has escaped
		cell := s.dirty[len(s.dirty)-1]
		s.dirty = s.dirty[:len(s.dirty)-1]
		cell.dirty = false
		s.changed = append(s.changed, cell)
		e.value(cell.v)
	}
	return e.callable
}

// Lose notes that values are where it isn't known, by a write through an unknown reference:
// whoever has such a one may get them, and change what they lead to, as code that isn't
// followed may.
func (s *State) Lose(values ...Value) {
	if len(targets(values...)) == 0 {
		return
	}
	e := escape{state: s, callable: s.callable, loses: true}
	e.values(values)
	s.callable, s.lost = e.callable, true
}

// LostChannels returns the channels to which a reference that isn't known may lead.
func (s *State) LostChannels() []*ChannelState {
	if s.lost {
		s.callable = s.Escape() // what was assigned since
	}
	return s.channels
}

// HavocEscaped makes unknown what was assigned to variables that have escaped
// since it was last called.
func (s *State) HavocEscaped(why *Unknown) {
	seen := make(map[*Cell]bool)
	for _, cell := range s.changed {
		s.havocCell(cell, why, seen)
	}
	s.changed = nil
}

// ChangedSince returns the variables that were written to since mark.
func (s *State) ChangedSince(mark int) []*Cell {
	var cells []*Cell
	for _, w := range s.journal[mark:] {
		cells = append(cells, w.cell)
	}
	return cells
}

// EscapeCells notes that code which isn't followed may change variables at any time.
func (s *State) EscapeCells(cells []*Cell) {
	for _, cell := range cells {
		if !cell.escaped {
			s.escape(cell)
		}
	}
}

// escape notes in the journal that a variable escapes: before that, no code that
// isn't followed changes it.
func (s *State) escape(cell *Cell) {
	s.numberCell(cell)
	s.journal = append(s.journal, write{cell, cell.v, cell.escaped, cell.walked})
	cell.escaped = true
}

// escapeWith is escape for a variable with what it holds, whose functions may be called
// from then on. Undo takes that back, unlike the escape: on another way through the
// program they haven't been given away yet.
func (s *State) escapeWith(cell *Cell) {
	s.escape(cell)
	cell.walked = true
}

// assigned notes that a variable which has escaped holds another value. Where that is
// any value which code that isn't followed has left, such code changes nothing of it.
func (s *State) assigned(cell *Cell) {
	if u, ok := cell.v.(*Unknown); ok && u.isForeigners() && u.Absent == cell.entry || cell.dirty {
		return
	}
	cell.dirty = true
	s.dirty = append(s.dirty, cell)
}

// restored notes that variables hold again what they held before some writes. Those
// that had escaped then may have been made unknown meanwhile, and aren't any more.
func (s *State) restored(writes []write) {
	seen := make(map[*Cell]bool)
	for _, w := range writes {
		if !seen[w.cell] && w.escaped {
			s.assigned(w.cell)
		}
		seen[w.cell] = true
	}
}

// isForeigners reports whether nothing is known of a value but that it is of code
// which isn't followed.
func (u *Unknown) isForeigners() bool {
	of := *u
	of.Absent = false
	return u.Foreign && of.IsBare() && !u.CommandLine && u.Env == "" && u.Remedy == ""
}

type escape struct {
	state    *State
	callable []Value
	types    map[types.Type]bool // those whose parts reflection may come to
	loses    bool                // what variables hold may change from then on, and hasn't yet
}

// Reflected stands for the parts of a type's values, to which reflection comes. A decoder
// makes those that aren't there. Methods are the names of the methods that are called of them,
// in a row, "" where it depends on who calls.
type Reflected struct {
	Of      types.Type
	Methods string
}

// DynamicType implements [Atom].
func (Reflected) DynamicType() types.Type { return nil }

// reflected notes that reflection may come to the parts of a value.
func (e *escape) reflected(v Value) {
	t := TypeOf(v)
	if t == nil || e.types[t] {
		return
	}
	if e.types == nil {
		e.types = make(map[types.Type]bool)
	}
	e.types[t] = true
	e.callable = append(e.callable, Reflected{Of: t})
}

func (e *escape) values(values []Value) {
	for _, v := range values {
		e.value(v)
	}
}

func (e *escape) value(v Value) {
	switch v := v.(type) {
	case *Func:
		e.callable = append(e.callable, v) // which has its receiver: others get that if it gives it away
		return
	case Nil:
		e.reflected(v)
	case Pointer:
		e.reflected(v)
		e.cell(v.To.IsOf(Pointee(v.Type)))
	case UnsafePointer:
		e.cell(v.Of.To)
	case *Slice:
		e.reflected(v)
		e.cells(v.Elems[:cap(v.Elems)], SliceElem(v.Type))
	case *Map:
		e.reflected(v)
		for _, entry := range v.ordered() {
			e.value(entry.key)
			e.cell(entry.cell)
		}
		e.cell(v.vague)
	case Channel:
		e.channel(v.State)
	case *Struct:
		for i, cell := range v.Fields {
			e.cell(cell.IsOf(partType(v, i)))
		}
	case *Array:
		e.cells(v.Elems, partType(v, 0))
	case *Unknown:
		if v.Foreign && NamedOf(orInvalid(v.Type)) == nil {
			e.callable = append(e.callable, v) // of any type
		}
		e.reflected(v)
		if v.Pointee != nil {
			e.cell(v.Pointee)
		}
		e.values(v.Targets)
	case Holder:
		e.values(v.Held())
	case Describing:
		e.callable = append(e.callable, v)
		return
	}
	if named := NamedOf(orInvalid(TypeOf(v))); named != nil && !types.IsInterface(named) {
		e.callable = append(e.callable, v)
	}
}

func (e *escape) channel(c *ChannelState) {
	if (e.loses || e.state.lost) && !slices.Contains(e.state.channels, c) {
		e.state.channels = append(e.state.channels, c)
	}
	e.cells(c.withSent(), nil)
}

func orInvalid(t types.Type) types.Type {
	if t == nil {
		return types.Typ[types.Invalid]
	}
	return t
}

// cells walks variables of a type, nil where it isn't known.
func (e *escape) cells(cells []*Cell, t types.Type) {
	for _, cell := range cells {
		e.cell(cell.IsOf(t))
	}
}

func (e *escape) cell(cell *Cell) {
	if !cell.walked {
		e.state.escapeWith(cell)
		if e.loses {
			e.state.assigned(cell)
		}
		e.state.Work(1)
		e.value(cell.v)
		if all := e.state.twins[cell]; all != nil {
			e.cells(all.cells, nil)
		}
	}
}

// Escaped reports whether code that isn't followed may lead to the variable.
func (c *Cell) Escaped() bool { return c.escaped }

package value

import (
	"math"
	"slices"
)

// A Moment is one to which the present state can be compared.
type Moment struct {
	mark     int
	declared uint32
}

// Now returns the present moment.
func (s *State) Now() Moment { return Moment{s.Mark(), s.declared} }

// Declared returns a variable, or a part of a value, that is made now and holds v.
// Nothing else has the parts of v.
func (s *State) Declared(v Value) *Cell {
	number := s.next()
	declareParts(v, number)
	return &Cell{v: v, declared: number}
}

// next returns the number of what is made next.
func (s *State) next() uint32 {
	if s.early {
		return 0
	}
	s.declared++
	return s.declared
}

// Early runs f, which makes what the program has from its start, though it is needed only
// now: it counts as older than all.
func (s *State) Early(f func()) {
	around := s.early
	s.early = true
	defer func() { s.early = around }()
	f()
}

// Beside returns a variable that holds v, and counts as made when what it is about was,
// where that is a variable.
func Beside(about any, v Value) *Cell {
	cell := NewCell(v)
	if other, ok := about.(*Cell); ok {
		cell.declared = other.declared
	}
	return cell
}

// declareParts has the variables in a struct or an array count as made with a number.
func declareParts(v Value, number uint32) {
	for _, cell := range parts(v) {
		cell.declared = number
		declareParts(cell.v, number)
	}
}

// Unchanged reports whether nothing has changed since a moment, as far as is
// known: an endless loop will then never do anything else. What variables hold
// that were made since doesn't count: where another one leads to them, that has changed.
func (s *State) Unchanged(since Moment) bool {
	return s.unchanged(since, func(cell *Cell, then Value) bool { return alike(cell.v, then) })
}

// Settled is Unchanged where it doesn't count of what isn't known why that is, and
// which references it may be: there are others in each round.
func (s *State) Settled(since Moment) bool {
	return s.unchanged(since, func(cell *Cell, then Value) bool { return Alike(cell.v, then) })
}

// Spreads reports whether a variable that was declared before another moment, and known at
// one, is something else now.
func (s *State) Spreads(before, since Moment) bool {
	return !s.unchanged(since, func(cell *Cell, then Value) bool {
		return cell.declared == 0 || cell.declared > before.declared || IsUnknown(then) || Alike(cell.v, then)
	})
}

func (s *State) unchanged(since Moment, isAlike func(cell *Cell, then Value) bool) bool {
	seen := make(map[*Cell]bool)
	for _, first := range s.journal[since.mark:] {
		s.Work(perWrite)
		if seen[first.cell] {
			continue // what it held at that moment was there before
		}
		seen[first.cell] = true
		if first.cell.declared <= since.declared && !isAlike(first.cell, first.old) {
			return false
		}
	}
	return true
}

// Older returns the variables that have changed since a moment and were made before it.
func (s *State) Older(since Moment) (cells []*Cell) {
	for _, w := range s.journal[since.mark:] {
		if w.cell.declared <= since.declared {
			cells = append(cells, w.cell)
		}
	}
	return cells
}

// alike reports whether the same is known of a and b.
func alike(a, b Value) bool {
	u, ok := a.(*Unknown)
	w, alsoOK := b.(*Unknown)
	if !ok || !alsoOK || u == w {
		return same(a, b)
	}
	return u.Pointee == nil && w.Pointee == nil && SameType(u.Type, w.Type) && sameAmong(u.Among, w.Among) && slices.EqualFunc(u.Targets, w.Targets, sameTarget) &&
		u.Reason == w.Reason && u.Pos == w.Pos && u.NonNil == w.NonNil && u.Library == w.Library && u.Closure == w.Closure && u.Env == w.Env &&
		u.Absent == w.Absent && u.Foreign == w.Foreign && u.Unread == w.Unread
}

// Within reports whether v, of which as much is known as of w, leads nowhere else than w.
func Within(v, w Value) bool {
	u, ok := v.(*Unknown)
	of, alsoOK := w.(*Unknown)
	if !ok || !alsoOK || u.Stable || u.first() == of.first() {
		return same(v, w) || isItself(v, w)
	}
	return u.knowsAsMuch(of) && u.CommandLine == of.CommandLine && u.Pointee == of.Pointee && !slices.ContainsFunc(u.Targets, func(target Value) bool {
		return !slices.ContainsFunc(of.Targets, func(other Value) bool { return sameTarget(target, other) })
	})
}

// Alike reports whether a and b are one value, or the same is known of both but for which
// references they may be.
func Alike(a, b Value) bool {
	u, ok := a.(*Unknown)
	w, alsoOK := b.(*Unknown)
	if !ok || !alsoOK {
		return same(a, b) || isItself(a, b)
	}
	return u.knowsAsMuch(w)
}

// isItself reports whether two values are one that [Same] doesn't tell: a number, NaN
// among them, or several values at once.
func isItself(a, b Value) bool {
	switch a := a.(type) {
	case Number:
		b, ok := b.(Number)
		return ok && math.Float64bits(real(a.Complex)) == math.Float64bits(real(b.Complex)) &&
			math.Float64bits(imag(a.Complex)) == math.Float64bits(imag(b.Complex)) && SameType(a.Type, b.Type)
	case Tuple:
		b, ok := b.(Tuple)
		return ok && slices.EqualFunc(a, b, func(x, y Value) bool { return same(x, y) || isItself(x, y) })
	default:
		return false
	}
}

// sameTarget reports whether two references are one, or stand for values of one type.
func sameTarget(a, b Value) bool { return same(a, b) || IsUnknown(a) && targetOf(a) == targetOf(b) }

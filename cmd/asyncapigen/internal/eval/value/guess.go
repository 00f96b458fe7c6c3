package value

import "go/types"

// What an unknown pointer points to is a variable that is unknown until it is
// assigned to. It is a guess: the pointer may point to a variable of the program
// that has escaped, or to where another unknown pointer points to. What is assigned
// to one of them makes unknown what is known of the others.

// guess is what a cell stands for behind an unknown pointer.
type guess struct {
	t     types.Type // of the variable; nil where it isn't known
	in    types.Type // of the struct that it is a field of, nil for none
	field int
	why   *Unknown
}

// Guess notes that a cell stands for a variable of type t, behind an unknown
// pointer, that isn't known; why is what others are that may be the same.
func (s *State) Guess(cell *Cell, t types.Type, why *Unknown) {
	s.guess(cell, guess{t: t, why: why})
}

func (s *State) guess(cell *Cell, g guess) {
	if s.guesses == nil {
		s.guesses = make(map[*Cell]guess)
	}
	s.guesses[cell] = g
	s.guessParts(cell, g)
}

// maxGuessed bounds the elements of an array that are guesses. Nothing is known of a longer
// one that is a guess.
const maxGuessed = 256

// guessParts notes that the parts of a struct or an array that is a guess are guesses too.
func (s *State) guessParts(cell *Cell, g guess) {
	if cell.box { // what an interface holds is nobody's variable
		return
	}
	switch v := cell.v.(type) {
	case *Struct:
		for i, field := range v.Fields {
			s.guessPart(field, guess{t: FieldType(v.Type, i), in: v.Type, field: i, why: g.why})
		}
	case *Array:
		if len(v.Elems) > maxGuessed {
			s.Set(cell, g.why)
			return
		}
		for i, elem := range v.Elems {
			s.guessPart(elem, guess{t: partType(v, i), why: g.why})
		}
	}
}

func (s *State) guessPart(part *Cell, g guess) {
	if _, known := s.guesses[part]; !known {
		s.guess(part, g)
	}
}

// GuessParts notes that the parts of a struct or an array are guesses, if it is one.
func (s *State) GuessParts(cell *Cell) {
	if g, ok := s.guesses[cell]; ok {
		s.guessParts(cell, g)
	}
}

// blur makes unknown what may be another name of a cell that was assigned to.
func (s *State) blur(cell *Cell) {
	g, isGuess := s.guesses[cell]
	switch {
	case isGuess:
		s.guessParts(cell, g)
		s.Lose(cell.v)
	case cell.escaped:
		g = guess{t: TypeOf(cell.v)}
	default:
		return
	}
	own := make(map[*Cell]bool)
	for _, g := range s.written(cell, g, own) {
		s.blurAs(g, isGuess, own)
	}
}

// written returns what was assigned to, as guesses: a cell, and the parts of a struct or an
// array that it holds. All of them are added to own.
func (s *State) written(cell *Cell, g guess, own map[*Cell]bool) []guess {
	own[cell] = true
	all := []guess{g}
	if cell.box {
		return all
	}
	for i, part := range parts(cell.v) {
		of := guess{t: partType(cell.v, i), why: g.why}
		structure, isStruct := cell.v.(*Struct)
		if isStruct {
			of.in, of.field = structure.Type, i
		}
		if ofPart := s.written(part, of, own); isStruct || i == 0 { // elements are alike
			all = append(all, ofPart...)
		}
	}
	return all
}

// blurAs makes unknown what may be another name of a cell that was assigned to, but for its
// own parts.
func (s *State) blurAs(g guess, isGuess bool, own map[*Cell]bool) {
	if isGuess {
		s.blurEscaped(g)
	}
	s.Work(len(s.guesses))
	for other, as := range s.guesses {
		if !own[other] && (isGuess && g.sameAs(as) || !isGuess && mayHold(as.t, g.t)) {
			s.forget(other, as.why)
		}
	}
}

// blurEscaped makes unknown what was assigned to variables of a guess's type since
// they have escaped.
func (s *State) blurEscaped(g guess) {
	for _, cells := range [][]*Cell{s.dirty, s.changed} {
		for _, cell := range cells {
			if _, isGuess := s.guesses[cell]; !isGuess && mayHold(g.t, TypeOf(cell.v)) {
				s.forget(cell, g.why)
			}
		}
	}
}

// forget makes a cell unknown, if it isn't for any reason.
func (s *State) forget(cell *Cell, why *Unknown) {
	if u, ok := cell.v.(*Unknown); ok && u.IsBare() {
		return
	}
	if parts(cell.v) == nil || cell.box { // else its parts are cells of their own
		s.Set(cell, why)
	}
}

// sameAs reports whether two guesses may be the same variable.
func (g guess) sameAs(other guess) bool {
	if g.in != nil && other.in != nil {
		return g.field == other.field && SameType(g.in, other.in)
	}
	return mayHold(g.t, other.t)
}

// mayHold reports whether a variable of type t may hold a value of another type;
// nil is a type that isn't known.
func mayHold(t, held types.Type) bool {
	return t == nil || held == nil || types.IsInterface(t) || types.IsInterface(held) || SameType(t, held)
}

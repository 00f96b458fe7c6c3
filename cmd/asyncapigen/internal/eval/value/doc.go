// Package value has the values of the abstract interpreter (package eval): what
// an expression evaluates to before the program runs.
//
// A [Value] is either determined, and then as in the running program, or an
// [*Unknown] with the reason why it isn't. Variables are [Cell]s. They are read
// by Cell.Load and changed through a [State], whose journal can take changes
// back and join those of several branches.
//
//	s := &value.State{Work: func(int) {}}
//	cell := value.NewCell(value.NewConst(constant.MakeInt64(1), types.Typ[types.Int]))
//	mark := s.Mark()
//	s.Set(cell, value.UnknownAt(pos, "the result of f()"))
//	s.Undo(mark) // cell holds 1 again
//
// Which file is which: value.go and unknown.go have the kinds of values, map.go
// the maps, constant.go and goconstant.go what constants say and how they are
// converted, zero.go the zero values; same.go and compare.go tell when two
// values are surely one, and whether the program finds them equal; among.go and
// affix.go have what is known of unknowns: which values they are one of, and how
// texts begin and end; state.go is the journal, join.go joins the ways after a
// condition, place.go what can be assigned to, havoc.go forgets what code that
// isn't followed may change, walk.go visits all parts; types.go has questions
// about types, sametype.go tells when two are one.
//
// The package imports neither the evaluator nor the models.
package value

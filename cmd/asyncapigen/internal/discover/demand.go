package discover

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// Reading other modules' sources costs far more than evaluating a program, and
// hardly any of them matters to its routes. So their functions and variables
// are unknown at first, and such an unknown says which package would tell more.
// Where one reaches a route, or a condition around one, the program is
// evaluated again with that package read.

// demand is what is known of other modules' packages.
type demand struct {
	wanted  map[string]bool      // by path: those to be read
	refused map[*types.Func]bool // functions that take too many steps
	files   map[*token.File]bool // those of the packages that were read
	more    bool                 // a package was added to wanted in this round
	limit   int                  // the number of steps at which the running call is given up; 0 for none
	blamed  *Unknown             // the first condition in the running call that reading more could decide
}

const (
	maxRounds   = 8       // each reads what the one before found wanting
	foreignWork = 100_000 // steps of one call into another module
)

// onDemand evaluates a program until nothing is wanting.
func (in *interp) onDemand(evaluate func()) {
	in.abroad = demand{
		wanted: make(map[string]bool), refused: make(map[*types.Func]bool), files: make(map[*token.File]bool),
	}
	for range maxRounds {
		in.found, in.diagnostics, in.journal = nil, nil, nil
		in.abroad.refused = make(map[*types.Func]bool)
		in.globals = make(map[*types.Var]*Cell)
		in.started = make(map[*load.Package]bool)
		in.called = make(map[*types.Func]bool)
		in.abroad.more = false
		evaluate()
		if !in.abroad.more {
			return
		}
	}
}

// source returns a package whose functions and variables are evaluated, nil for
// one that isn't: of the standard library, those are functions that compute.
func (in *interp) source(path string) *load.Package {
	if !in.abroad.wanted[path] && !in.program.IsOwn(path) {
		return nil
	}
	pkg := in.program.Source(path)
	if pkg == nil || pkg.Types == nil {
		return nil
	}
	if in.abroad.wanted[path] {
		for _, file := range pkg.Files {
			in.abroad.files[in.program.Fset.File(file.FileStart)] = true
		}
	}
	return pkg
}

// wants returns path if reading the package there could tell more.
func (in *interp) wants(path string) string {
	if in.abroad.wanted[path] || in.program.IsOwn(path) || load.IsLibrary(path) {
		return ""
	}
	if in.program.InStandardLibrary(path) && !computes[path] {
		return ""
	}
	return path
}

// computes lists the packages of the standard library that never look outside.
var computes = map[string]bool{
	"bytes": true, "cmp": true, "container/heap": true, "container/list": true, "container/ring": true,
	"iter": true, "maps": true, "math/bits": true, "path": true, "slices": true, "sort": true,
	"strings": true, "unicode/utf8": true,
}

// want has the package of an unknown read in the next round.
func (in *interp) want(u *Unknown) {
	if u == nil || u.wants == "" || in.wants(u.wants) == "" {
		return
	}
	in.abroad.more = true
	if !computes[u.wants] {
		in.abroad.wanted[u.wants] = true
		return
	}
	for path := range computes { // they call each other
		in.abroad.wanted[path] = true
	}
}

// wantAll wants what the values and the conditions around the current statement
// depend on.
func (in *interp) wantAll(values []Value) {
	for _, cond := range in.conds {
		in.want(cond.why)
	}
	w := walk{visit: func(cell *Cell, v Value) {
		if u, ok := v.(*Unknown); ok {
			in.want(u)
		}
	}}
	w.all(values)
}

// walk visits the values that values consist of and point to, within reason.
type walk struct {
	visit func(cell *Cell, v Value) // cell is nil for the values themselves
	seen  map[*Cell]bool
}

const maxWalk = 10_000

func (w *walk) all(values []Value) {
	w.seen = make(map[*Cell]bool)
	for _, v := range values {
		w.value(nil, v)
	}
}

func (w *walk) value(cell *Cell, v Value) {
	w.visit(cell, v)
	switch v := v.(type) {
	case *Struct:
		w.cells(v.Fields)
	case *Array:
		w.cells(v.Elems)
	case *Slice:
		w.cells(v.Elems)
	case *Map:
		for _, entry := range v.entries {
			w.cell(entry.cell)
		}
		w.cell(v.vague)
	case Pointer:
		w.cell(v.To)
	}
}

func (w *walk) cells(cells []*Cell) {
	for _, cell := range cells {
		w.cell(cell)
	}
}

func (w *walk) cell(cell *Cell) {
	if !w.seen[cell] && len(w.seen) < maxWalk {
		w.seen[cell] = true
		w.value(cell, cell.v)
	}
}

// blame remembers a condition that makes a call into another module long.
func (in *interp) blame(cond *condition) {
	if in.abroad.limit > 0 && in.abroad.blamed == nil && cond.why != nil && cond.why.wants != "" {
		in.abroad.blamed = cond.why
	}
}

// isAbroad reports whether pos is in a source of another module.
func (in *interp) isAbroad(pos token.Pos) bool {
	return pos.IsValid() && len(in.abroad.files) > 0 && in.abroad.files[in.program.Fset.File(pos)]
}

// callAbroad runs a call from the user's code into another module's. What isn't
// known in its results is so because of the call, as far as the user can see,
// and a call that takes too long is as if its source weren't read.
func (in *interp) callAbroad(at ast.Expr, fn *Func, args []Value, run func() Value) (result Value) {
	frame, depth, conds, loops := in.frame, in.depth, len(in.conds), len(in.frame.loops)
	mark, found, limit := len(in.journal), len(in.found), in.abroad.limit
	if limit == 0 {
		in.abroad.limit, in.abroad.blamed = in.steps+foreignWork, nil
	}
	defer func() {
		bound := in.abroad.limit
		in.abroad.limit = limit
		v := recover()
		if v == nil {
			return
		}
		if _, ok := v.(exhausted); !ok || in.steps <= bound || bound == limit || in.steps > maxSteps {
			panic(v)
		}
		in.undo(mark)
		in.frame, in.depth, in.conds, in.found = frame, depth, in.conds[:conds], in.found[:found]
		in.frame.loops = in.frame.loops[:loops]
		in.abroad.refused[fn.Obj.Origin()] = true
		result = in.opaque(at, fn, nil, args)
		if u, ok := result.(*Unknown); ok && in.abroad.blamed != nil {
			u.wants = in.abroad.blamed.wants
		}
	}()
	return in.seenFrom(at, run())
}

// seenFrom moves the places of unknown values from another module's source to
// the call that led there.
func (in *interp) seenFrom(at ast.Expr, v Value) Value {
	here := func(u *Unknown) *Unknown {
		moved := *u
		moved.Pos, moved.Reason = at.Pos(), "the result of "+source(at)
		return &moved
	}
	if tuple, ok := v.(Tuple); ok {
		moved := make(Tuple, len(tuple))
		for i, part := range tuple {
			moved[i] = in.seenFrom(at, part)
		}
		return moved
	}
	if u, ok := v.(*Unknown); ok && in.isAbroad(u.Pos) {
		return here(u)
	}
	w := walk{visit: func(cell *Cell, v Value) {
		if u, ok := v.(*Unknown); ok && cell != nil && in.isAbroad(u.Pos) {
			in.set(cell, here(u))
		}
	}}
	w.all([]Value{v})
	return v
}

// isOwn reports whether the running function is the user's own.
func (in *interp) inOwn() bool {
	return in.frame == nil || in.program.IsOwn(in.frame.pkg.Path)
}

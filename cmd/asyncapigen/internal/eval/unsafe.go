package eval

import (
	"cmp"
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Memory that package unsafe shows as of another type counts as given away: what is
// written to it through the other type may change any part of it.

// unsafeConversion evaluates a conversion from or to unsafe.Pointer, nil for any
// other.
func (ev *Evaluator) unsafeConversion(call *ast.CallExpr, v value.Value, t types.Type) value.Value {
	from := ev.typeOf(call.Args[0])
	switch {
	case isUnsafe(t) && isUnsafe(from):
		return value.Retyped(v, t)
	case isUnsafe(t):
		if p, ok := v.(value.Pointer); ok {
			return value.UnsafePointer{Type: t, Of: p}
		}
		if n, known := value.IntOf(v); value.IsNil(v) || known && n == 0 {
			return value.Nil{Type: t}
		}
		return value.Because(call, v)
	case !isUnsafe(from):
		return nil
	}
	p, ok := v.(value.UnsafePointer)
	if value.IsNil(v) && value.Pointee(t) != nil {
		return value.Nil{Type: t}
	}
	if ok && value.SameType(value.Pointee(t), value.Pointee(p.Of.Type)) {
		return value.Retyped(p.Of, t)
	}
	return ev.shown(call, v, &value.Unknown{Reason: "memory that is seen by unsafe.Pointer", Pos: call.Pos()})
}

func isUnsafe(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Kind() == types.UnsafePointer
}

// shown gives away the memory that a value leads to, and returns what is shown of it.
func (ev *Evaluator) shown(at ast.Expr, v value.Value, why *value.Unknown) value.Value {
	why.Foreign = true
	all := append([]value.Value{v}, ev.memoryAround(v)...)
	ev.noteEscaped(at, ev.Escape(all...))
	ev.Havoc(why, all...)
	return why.Bare().Of(unwrapped(all)...)
}

// unwrapped returns pointers as what they were before they were converted.
func unwrapped(values []value.Value) []value.Value {
	all := slices.Clone(values)
	for i, v := range all {
		if p, ok := v.(value.UnsafePointer); ok {
			all[i] = p.Of
		}
	}
	return all
}

// memoryAround returns pointers to the variables that are one piece of memory with those
// that v leads to: the elements of an array, and the fields of a struct. The standard
// library doesn't go from one to another.
func (ev *Evaluator) memoryAround(v value.Value) []value.Value {
	if ev.program.InStandardLibrary(ev.frame.pkg.Path) {
		return nil
	}
	next := make(map[*value.Cell][]*piece)
	r := value.Reach{Captured: ev.capturedBy, Visit: func(v value.Value) {
		whole := &piece{cells: value.Parts(v)}
		for _, cell := range whole.cells {
			next[cell] = append(next[cell], whole)
		}
	}}
	r.Values(v)
	r.Add(ev.inTurn...)
	ev.addVariables(&r)
	ev.work(len(r.Cells))
	for _, cell := range r.Cells {
		for _, part := range value.Parts(cell.Peek()) {
			next[part] = append(next[part], &piece{cells: []*value.Cell{cell}})
		}
	}
	var around []value.Value
	seen := make(map[*value.Cell]bool)
	for queue := value.Led(v); len(queue) > 0; queue = queue[1:] {
		for _, whole := range next[queue[0]] {
			for _, cell := range whole.take() {
				if !seen[cell] {
					seen[cell] = true
					queue, around = append(queue, cell), append(around, value.Pointer{To: cell})
				}
			}
		}
	}
	return around
}

// piece is one piece of memory that several variables are in.
type piece struct{ cells []*value.Cell }

// take returns the variables the first time, and none again: each of a million elements
// leads to the same million.
func (p *piece) take() []*value.Cell {
	cells := p.cells
	p.cells = nil
	return cells
}

// addVariables adds the variables of the functions that run.
func (ev *Evaluator) addVariables(r *value.Reach) {
	for f := ev.frame; f != nil; f = cmp.Or(f.outer, f.starter) {
		for s := f.scope; s != nil; s = s.parent {
			names := slices.SortedFunc(maps.Keys(s.vars), func(a, b *types.Var) int { return cmp.Compare(a.Pos(), b.Pos()) })
			for _, name := range names {
				r.Add(s.vars[name])
			}
		}
	}
}

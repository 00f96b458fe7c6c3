package eval

import (
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// IsPart implements [model.Machine].
func (ev *Evaluator) IsPart() bool { return ev.Part }

// IsOfLibrary implements [model.Machine].
func (ev *Evaluator) IsOfLibrary(t types.Type) bool {
	if types.IsInterface(t) || value.IsUntyped(t) { // such as nil
		return true
	}
	named := value.NamedOf(t)
	if named == nil {
		return types.NewMethodSet(t).Len() > 0
	}
	return named.Obj().Pkg() == nil || ev.program.InStandardLibrary(named.Obj().Pkg().Path())
}

// IsOwnError implements [model.Machine].
func (ev *Evaluator) IsOwnError(v value.Value) bool {
	t := value.TypeOf(v)
	if t == nil || value.IsNilInterface(v) {
		return false
	}
	if !ev.IsOfLibrary(t) {
		return true
	}
	p, ok := v.(value.Pointer)
	return ok && model.HoldsText(p) && !ev.library.Hold(p) && !ev.isHeldByLibrary(p)
}

// isHeldByLibrary reports whether a variable of the standard library holds a pointer.
func (ev *Evaluator) isHeldByLibrary(p value.Pointer) bool {
	for v, cell := range ev.globals {
		if held, ok := cell.Load().(value.Pointer); ok && held.To == p.To && ev.program.InStandardLibrary(v.Pkg().Path()) {
			return true
		}
	}
	return false
}

// hasType reports whether the dynamic type of v is t, or implements it.
func (ev *Evaluator) hasType(v value.Value, t types.Type) value.Answer {
	if u, ok := v.(*value.Unknown); ok && u.Library && !ev.IsOfLibrary(t) {
		return value.No
	}
	return value.HasType(v, t)
}

// Keeps implements [model.Machine]. What f has assigned to variables that were there before,
// and keys of maps, are all that remains of it, but for goroutines and for functions that other
// code may call.
func (ev *Evaluator) Keeps(cells []*value.Cell, f func()) (keeps bool) {
	is := make(map[*value.Cell]bool, len(cells))
	for _, cell := range cells {
		is[cell] = true
	}
	since, goroutines, callables := ev.Now(), len(ev.goroutines), len(ev.escaped.all)
	keys := ev.KeysSet(f)
	r := value.Reach{Captured: ev.capturedBy, Visit: func(v value.Value) {
		switch v := v.(type) {
		case value.Pointer:
			keeps = keeps || is[v.To]
		case value.UnsafePointer:
			keeps = keeps || is[v.Of.To]
		case *value.Slice:
			keeps = keeps || slices.ContainsFunc(v.Elems[:cap(v.Elems)], func(cell *value.Cell) bool { return is[cell] })
		}
	}}
	r.Values(keys...)
	r.Add(ev.Older(since)...)
	for _, c := range ev.escaped.all[min(callables, len(ev.escaped.all)):] {
		r.Values(c.fn)
	}
	ev.work(len(r.Cells))
	return keeps || len(ev.goroutines) > goroutines
}

// VersionOf implements [model.Machine].
func (ev *Evaluator) VersionOf(path string) string {
	_, version := ev.program.Module(path)
	return version
}

// UsersMention implements [model.Machine].
func (ev *Evaluator) UsersMention(path string, names ...string) bool {
	return ev.program.UsersMention(path, names...)
}

// Setting implements [model.Machine].
func (ev *Evaluator) Setting(name string) (setting string, known bool) {
	return ev.program.Setting(name), !model.SetsSettings(ev)
}

// FileOf implements [model.Machine].
func (ev *Evaluator) FileOf(obj types.Object) string {
	return filepath.Base(ev.program.Fset.Position(obj.Pos()).Filename)
}

// CopiesText implements [model.Machine].
func (ev *Evaluator) CopiesText(expr ast.Expr) bool {
	call, ok := ast.Unparen(expr).(*ast.CallExpr)
	return ok && ev.frame.pkg.Info.Types[call.Fun].IsType() && ev.copiesText(call)
}

// Lost says that the call may run code which can't be found: in the user's own code,
// where another module's leads there. What isn't read yet is read in the next round.
func (ev *Evaluator) Lost(at ast.Expr, why *value.Unknown, remedy string) {
	ev.needSource(why)
	ev.user.Lost(ev.ownCall(at), why, remedy)
}

// Variable returns a variable of a library that isn't read, by its full name.
func (ev *Evaluator) Variable(name string) *value.Cell {
	for v, cell := range ev.globals { // one that the program itself has used
		if v.Pkg().Path()+"."+v.Name() == name {
			return cell
		}
	}
	cell, ok := ev.remembered[name]
	if !ok {
		cell = value.NewCell(value.Nil{})
		if name == programArgs {
			cell = value.NewCell(ev.programArguments())
		}
		ev.remembered[name] = cell
		if !strings.HasPrefix(name, askedFor) { // what was asked for isn't known anyway
			ev.memory = append(ev.memory, cell)
		}
	}
	return cell
}

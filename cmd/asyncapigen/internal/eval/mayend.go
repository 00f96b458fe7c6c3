package eval

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// Where the program works, it matters whether code of its own is run that may end it, or never
// come to an end: what follows isn't on that way.

// mayEnd reports whether the program works, and a function literal or declaration may end it, or
// not return, but by a run-time error.
func (ev *Evaluator) mayEnd(pkg *load.Package, code ast.Node) bool {
	return ev.mayWork() && ev.ending.of(ev, pkg, code, func(pkg *load.Package, code ast.Node) bool {
		return ev.program.IsOwn(pkg.Path) && (slices.ContainsFunc(usedFunctions(pkg, code), model.Ends) || panicsOrWaits(pkg, code))
	})
}

// panicsOrWaits reports whether code has a statement by which it panics, waits for others, or
// goes on for ever.
func panicsOrWaits(pkg *load.Package, code ast.Node) bool {
	found := false
	ast.Inspect(code, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.CallExpr:
			found = found || pkg.Info.Uses[rootOf(node.Fun)] == types.Universe.Lookup("panic")
		case *ast.SelectStmt, *ast.SendStmt:
			found = true
		case *ast.UnaryExpr:
			found = found || node.Op == token.ARROW
		case *ast.RangeStmt:
			t := pkg.Info.TypeOf(node.X)
			found = found || t == nil || isChannel(t)
		case *ast.ForStmt:
			found = found || node.Cond == nil
		}
		return !found
	})
	return found
}

// callEnding follows those of the functions of which a call is one that may not return. They
// are among what escapes to the call, too, which may go on meanwhile.
func (ev *Evaluator) callEnding(at ast.Expr, callee value.Value, args []value.Value) {
	u, ok := callee.(*value.Unknown)
	if !ok || !ev.mayWork() {
		return
	}
	cond := ev.condition(at, value.Source(CalledExpr(at)))
	cond.Why = u
	for _, target := range u.Targets {
		fn, ok := target.(*value.Func)
		if !ok {
			continue
		}
		if pkg, body := ev.bodyOf(fn); body != nil && ev.mayEnd(pkg, body) {
			ev.perhaps(cond, func() { ev.Call(at, fn, args) })
		}
	}
}

// MayExit implements [model.Machine].
func (ev *Evaluator) MayExit(at ast.Expr) {
	if ev.mayWork() {
		ev.perhaps(ev.condition(at, ev.calledName(at)+" ends the program"), ev.Exit)
	}
}

// mayEndMeanwhile notes that goroutines which may exit the program may do so while the running one
// waits for something of which it isn't known who lets it happen.
func (ev *Evaluator) mayEndMeanwhile() {
	served := ev.servedNow()
	for _, g := range ev.goroutines {
		if g.over.exits > ev.ended.exits && g.runs() != value.No {
			ev.ended = ev.ended.and(ended{conds: g.over.conds, served: served, n: ev.serving.n, exits: g.over.exits})
		}
	}
}

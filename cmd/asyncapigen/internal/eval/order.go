package eval

import (
	"go/ast"
	"go/token"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// The order in which an expression's variables are read and its functions are
// called is the compiler's: it makes all calls, from left to right, before it
// reads the variables. So in n + next() it is the n that next leaves that
// counts. Here expressions are evaluated from left to right, and those that were
// evaluated before a call that changed something are evaluated again. The calls
// in them aren't made again: their results are remembered.

// calls remembers the results of the calls of a statement.
type calls struct {
	results map[ast.Expr]value.Value
	replays bool // results are taken from it, instead of added to it
}

// inOrder evaluates the expressions, by a function that evaluates the one with an
// index, which may be nil.
func (ev *Evaluator) inOrder(exprs []ast.Expr, evaluate func(i int)) {
	last := len(exprs) - 1
	for last > 0 && !ev.hasCall(exprs[last]) {
		last--
	}
	if last <= 0 { // nothing is called after the first
		for i := range exprs {
			evaluate(i)
		}
		return
	}
	defer ev.remembering()()
	marks := make([]int, len(exprs))
	for i := range exprs {
		evaluate(i)
		marks[i] = ev.Mark()
	}
	if marks[0] != ev.Mark() {
		ev.replay(marks, evaluate)
	}
}

// replay evaluates again what was evaluated before the last change.
func (ev *Evaluator) replay(marks []int, evaluate func(i int)) {
	n := 0
	for end := ev.Mark(); n < len(marks) && marks[n] != end; n++ {
	}
	ev.again(n, evaluate)
}

// again evaluates the first n expressions again.
func (ev *Evaluator) again(n int, evaluate func(i int)) {
	calls := ev.frame.calls
	around := calls.replays
	calls.replays = true
	defer func() { calls.replays = around }()
	for i := range n {
		evaluate(i)
	}
}

// remembering begins to remember the results of the calls of the running
// statement, unless they are already.
func (ev *Evaluator) remembering() (end func()) {
	frame := ev.frame
	if frame.calls != nil {
		return func() {}
	}
	frame.calls = &calls{results: make(map[ast.Expr]value.Value)}
	return func() { frame.calls = nil }
}

// callExpr evaluates a call, or takes its result from the evaluation before.
func (ev *Evaluator) callExpr(expr *ast.CallExpr) value.Value {
	call := func() value.Value { return ev.settle(ev.prepare(expr)()) }
	if !ev.isCall(expr) {
		return call()
	}
	return ev.onceInStatement(expr, call)
}

// onceInStatement evaluates what may change something, or takes its value from the
// evaluation before.
func (ev *Evaluator) onceInStatement(expr ast.Expr, evaluate func() value.Value) value.Value {
	calls := ev.frame.calls
	if calls == nil {
		return evaluate()
	}
	if v, ok := calls.results[expr]; ok && calls.replays {
		return v
	}
	v := evaluate()
	if calls.results != nil {
		calls.results[expr] = v
	}
	return v
}

// isCall reports whether a call expression can change anything: conversions and
// len can't.
func (ev *Evaluator) isCall(expr *ast.CallExpr) bool {
	fun := ast.Unparen(expr.Fun)
	tv := ev.frame.pkg.Info.Types[fun]
	if tv.IsBuiltin() {
		switch builtinName(fun) {
		case "len", "cap", "min", "max", "real", "imag", "complex":
			return false
		}
	}
	return !tv.IsType()
}

// hasCall reports whether a function is called in the evaluation of an
// expression.
func (ev *Evaluator) hasCall(expr ast.Expr) bool {
	switch expr.(type) {
	case nil, *ast.Ident, *ast.BasicLit, *ast.FuncLit:
		return false
	}
	if found, ok := ev.calling[expr]; ok {
		return found
	}
	found := false
	ast.Inspect(expr, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			found = found || ev.isCall(node)
		case *ast.UnaryExpr:
			found = found || node.Op == token.ARROW
		}
		return !found
	})
	ev.calling[expr] = found
	return found
}

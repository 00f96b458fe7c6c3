package eval

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// The order in which an expression is evaluated is the compiler's: first it makes the
// calls, from left to right, and does what else has its turn among them; then it reads
// the variables, and does the operations that remain (cmd/compile/internal/walk/order.go).
// So in n + next() it is the n that next leaves that counts, and next is called though
// list[2] + next() panics. Here expressions are evaluated from left to right, and those
// that were evaluated before a call that changed something are evaluated again. The calls
// in them aren't made again: their results are remembered.

// calls remembers the results of the calls of a statement.
type calls struct {
	results map[ast.Expr]value.Value
	replays bool     // results are taken from it, instead of added to it
	before  *waiting // what waits for a call, nil where none comes any more
}

// waiting are the operations that may panic, when all calls have been made.
type waiting struct {
	turns int // those of the evaluator while such operations are evaluated
	risks []func()
}

// inOrder evaluates the expressions, by a function that evaluates the one with an
// index, which may be nil.
func (ev *Evaluator) inOrder(exprs []ast.Expr, evaluate func(i int)) {
	last, recoverable := ev.lastTurn(exprs)
	if last == 0 { // nothing is called after the first
		for i := range exprs {
			evaluate(i)
		}
		return
	}
	defer ev.remembering()()
	marks, panics := make([]int, last+1), make([]*Panic, last+1)
	var first *Panic
	ev.postponingRisks(func() {
		for i := range marks {
			if !recoverable {
				evaluate(i)
			} else if first == nil || ev.hasTurn(exprs[i]) {
				panics[i] = ev.operationPanics(func() { evaluate(i) })
				first = cmp.Or(first, panics[i])
			}
			marks[i] = ev.Mark()
		}
	})
	n := slices.Index(marks, ev.Mark()) // those before the last change
	if first != nil && n == 0 {
		panic(first)
	} else if first != nil {
		n = last
	}
	ev.again(n, evaluate)
	if panics[last] != nil {
		panic(panics[last])
	}
	for i := last + 1; i < len(exprs); i++ {
		evaluate(i)
	}
}

// postponingRisks runs f, which makes the calls of expressions, and notes then that their
// operations may panic.
func (ev *Evaluator) postponingRisks(f func()) {
	calls, own := ev.frame.calls, &waiting{turns: ev.turns}
	func() {
		defer func(around *waiting) { calls.before = around }(calls.before)
		calls.before = own
		f()
	}()
	for _, risk := range own.risks {
		risk()
	}
}

// isOrdered reports whether there is something in an expression whose turn matters. Where
// a panic isn't the end, that is not only what may change something.
func (ev *Evaluator) isOrdered(expr ast.Expr) bool {
	found := ev.turnsIn(expr)
	return found.call || found.any && ev.recoverable()
}

// lastTurn returns the index of the last expression with something whose turn matters, 0
// for none, and whether a panic isn't the end.
func (ev *Evaluator) lastTurn(exprs []ast.Expr) (last int, recoverable bool) {
	for last = len(exprs) - 1; last > 0; last-- {
		if found := ev.turnsIn(exprs[last]); found.any {
			recoverable = ev.recoverable()
			if found.call || recoverable {
				return last, recoverable
			}
		}
	}
	return 0, false
}

// operationPanics runs f and returns the panic by which an operation of the running
// statement ended it that isn't done in its turn: calls come before that.
func (ev *Evaluator) operationPanics(f func()) *Panic {
	turns := ev.turns
	panicked := ev.Caught(f)
	if panicked != nil && (panicked.Final || panicked.goexit || panicked.turns != turns) {
		panic(panicked)
	}
	return panicked
}

// again evaluates the first n expressions again.
func (ev *Evaluator) again(n int, evaluate func(i int)) {
	ev.replay(func() {
		for i := range n {
			evaluate(i)
		}
	})
}

// replay runs f, which takes the results of the calls from the evaluation before.
func (ev *Evaluator) replay(f func()) {
	calls := ev.frame.calls
	around := calls.replays
	calls.replays = true
	defer func() { calls.replays = around }()
	f()
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
	if !ev.isInTurn(expr) {
		return call()
	}
	return ev.turn(expr, call)
}

// turn evaluates what is done in its turn among the calls of a statement, or takes its
// value from the evaluation before.
func (ev *Evaluator) turn(expr ast.Expr, evaluate func() value.Value) value.Value {
	calls := ev.frame.calls
	if calls != nil && calls.replays {
		if v, ok := calls.results[expr]; ok {
			return v
		}
	}
	ev.turns++
	v := evaluate()
	ev.turns--
	if calls != nil && calls.results != nil {
		calls.results[expr] = v
	}
	return v
}

// changedBesides is why a variable isn't known that the compiler reads before the calls of
// a statement, or after them.
const changedBesides = "the variable that a call in the same statement changes"

// evalTo evaluates what is converted to type t. What an interface points to is copied in
// its turn, unless it is a variable or of a kind of its own to the compiler. Whether a
// variable of the function is copied depends on what the compiler inlines.
func (ev *Evaluator) evalTo(expr ast.Expr, t types.Type) value.Value {
	calls := ev.frame.calls
	if calls == nil || !types.IsInterface(t) || !ev.isCopied(expr) {
		return ev.eval(expr)
	}
	if !ev.frame.pkg.Info.Types[expr].Addressable() {
		return ev.turn(expr, func() value.Value { return ev.eval(expr) })
	}
	if !ev.isLocal(expr) {
		return ev.eval(expr)
	}
	return ev.perhapsCopied(expr)
}

// perhapsCopied evaluates a variable of the function that the compiler copies before the calls
// of a statement, or reads after them.
func (ev *Evaluator) perhapsCopied(expr ast.Expr) value.Value {
	v, calls := ev.eval(expr), ev.frame.calls
	if calls == nil || calls.results == nil {
		return v
	}
	if before, ok := calls.results[expr]; ok && calls.replays {
		if same, _ := value.Compare(before, v); same == value.Yes {
			return v
		}
		return value.Merge(value.UnknownAt(expr.Pos(), changedBesides), []value.Value{before, v})
	}
	calls.results[expr] = ev.Copied(v)
	return v
}

// isLocal reports whether an expression is a variable of a function, or a part of one.
func (ev *Evaluator) isLocal(expr ast.Expr) bool {
	switch expr := ast.Unparen(expr).(type) {
	case *ast.Ident:
		v, ok := ev.frame.pkg.Info.Uses[expr].(*types.Var)
		return ok && v.Pkg() != nil && v.Parent() != v.Pkg().Scope()
	case *ast.SelectorExpr:
		selection := ev.frame.pkg.Info.Selections[expr]
		return selection != nil && !selection.Indirect() && ev.isLocal(expr.X)
	case *ast.IndexExpr:
		return value.ArrayOf(ev.typeOf(expr.X)) != nil && value.Pointee(ev.typeOf(expr.X)) == nil && ev.isLocal(expr.X)
	}
	return false
}

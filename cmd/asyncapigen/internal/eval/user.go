package eval

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// A User has a program evaluated. It gives functions of its own their meaning,
// and learns where the evaluation ends.
type User interface {
	// Call evaluates a call of a function that the user knows by itself. It
	// reports false for every other.
	Call(call *model.Call) (result value.Value, ok bool)

	// Opaque learns of each call that can't be entered, since neither its body
	// nor a model of it is at hand: the arguments, and the receiver in fn.Recv,
	// escape to code that may do anything with them. fn is nil where it isn't
	// known which function is called.
	Opaque(at ast.Expr, fn *value.Func, args []value.Value)

	// Leads reports whether code of a package can lead to what the user records.
	Leads(pkg *load.Package, code ast.Node) bool

	// MayServe reports whether code of a package can have the program begin to work.
	MayServe(pkg *load.Package, code ast.Node) bool

	// Replacement is asked before an expression is evaluated. It returns nil, or
	// a function from the expression's value to the one that it is to have. No
	// part of such an expression is asked for.
	Replacement(x Expression) func(value.Value) value.Value

	// Replaceable reports whether expressions of type t can have a replacement.
	Replaceable(t types.Type) bool

	// Given returns the value that the user has for a variable that is filled from
	// outside the program, such as by a flag that is defined at pos, or a field
	// that is declared there.
	Given(pos token.Pos, t types.Type) (v value.Value, ok bool)

	// Mark returns how much the user has recorded, and Rewind forgets what was
	// recorded after a mark: the evaluation gave up what led to it.
	Mark() int
	Rewind(mark int)

	// Conditional learns that what was recorded since mark depends on cond: there
	// is another way that leads here, without it. What was recorded since until may be on
	// either way.
	Conditional(mark, until int, cond *Condition)

	// Serves reports whether the program has begun to work, so that what was
	// recorded counts even if the program then ends.
	Serves() bool

	// Detached runs f, which a goroutine does at a time that isn't known, and returns
	// what was recorded meanwhile and counts only when somebody has waited for the
	// goroutine; nil for nothing. Attach is given it where that is so, and Unwaited
	// where it never is.
	Detached(f func()) (recorded any)
	Attach(recorded any)
	Unwaited(pos token.Pos, recorded any)

	// Undefined learns of a goroutine that reads what others change meanwhile: it isn't
	// known what it does.
	Undefined(pos token.Pos)

	// Lost learns that a call may run code which can't be found, why, and what to
	// do about it.
	Lost(at ast.Expr, why *value.Unknown, remedy string)
}

// An Expression is one that is about to be evaluated.
type Expression struct {
	Expr ast.Expr
	Pkg  *load.Package // where it stands
	in   *Evaluator
}

// Type returns the expression's type in the running function, with its type
// arguments.
func (x Expression) Type() types.Type { return x.in.typeOf(x.Expr) }

// replacement returns what the user has for an expression, nil inside of one
// that is replaced.
func (ev *Evaluator) replacement(expr ast.Expr) func(value.Value) value.Value {
	if ev.frame.replaced {
		return nil
	}
	return ev.user.Replacement(Expression{Expr: expr, Pkg: ev.frame.pkg, in: ev})
}

// evalReplaced evaluates an expression, no part of which is replaced. The
// evaluation may end in a panic that is recovered.
func (ev *Evaluator) evalReplaced(expr ast.Expr) value.Value {
	frame := ev.frame
	frame.replaced = true
	defer func() { frame.replaced = false }()
	return ev.eval(expr)
}

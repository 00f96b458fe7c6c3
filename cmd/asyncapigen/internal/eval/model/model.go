package model

import (
	"go/ast"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// A Function is what a function of the library means: what a call of it gives,
// as far as it can be known. It reports false for a call that it has nothing to
// say of, which is then evaluated by the function's source, or not at all.
type Function func(c *Call) (result value.Value, ok bool)

// A Call is one call of a function that has a model.
type Call struct {
	*value.State
	Machine
	At   ast.Expr      // the call, for positions and messages
	Fn   *value.Func   // with its receiver, if it is a method
	Args []value.Value // those of a variadic parameter as one slice
}

// A Machine is the evaluation, as far as a model needs it: to call the
// functions that it was given, and to end as the program would.
type Machine interface {
	// Call calls a function value and returns its result.
	Call(at ast.Expr, fn value.Value, args []value.Value) value.Value

	// Expose makes unknown what the values point to, and calls the functions
	// among them under an unknown condition: code that isn't read has them.
	Expose(at ast.Expr, values []value.Value, result *value.Unknown)

	// Survives runs f and reports whether it ended without a panic of the
	// evaluated program.
	Survives(f func()) bool

	// Fail is a run-time error of the evaluated program: it panics.
	Fail(at ast.Node, text string)

	// Panic is panic(v) in the evaluated program.
	Panic(at ast.Node, v value.Value)

	// Exit ends the evaluated program: no deferred function runs.
	Exit()

	// Goexit ends the running goroutine of the evaluated program.
	Goexit()
}

// Lookup returns the model of the function with this full name, as
// [types.Func.FullName] writes it, nil where it has none.
func Lookup(fullName string) Function { return functions[fullName] }

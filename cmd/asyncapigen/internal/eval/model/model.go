package model

import (
	"go/ast"
	"go/types"
	"strings"

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

	// Lacked is what isn't known within the arguments of a call that the model has
	// nothing to say of; nil for what can be seen in the arguments themselves.
	Lacked *value.Unknown
}

// name returns the source of what is called.
func (c *Call) name() string {
	if call, ok := c.At.(*ast.CallExpr); ok {
		return value.Source(call.Fun)
	}
	return value.Source(c.At)
}

// A Machine is the evaluation, as far as a model needs it: to call the
// functions that it was given, and to end as the program would.
type Machine interface {
	// Call calls a function value and returns its result.
	Call(at ast.Expr, fn value.Value, args []value.Value) value.Value

	// Expose makes unknown what the values point to, and calls the functions
	// among them under an unknown condition: code that isn't read has them.
	Expose(at ast.Expr, values []value.Value, result *value.Unknown)

	// Perhaps calls a function value if it wasn't called before, which isn't known for the reason why.
	Perhaps(at ast.Expr, fn value.Value, why *value.Unknown)

	// Lend gives values to code that isn't read and changes nothing of them: it may call
	// the functions and methods among them, and those of a [value.Reflected].
	Lend(at ast.Expr, values []value.Value, result *value.Unknown)

	// Giving runs f, in which code that isn't read may give some values, or what they lead to, to
	// the functions of the program that it calls.
	Giving(values []value.Value, f func())

	// MayCall calls the methods with some names that a value may have, which isn't
	// known, under an unknown condition.
	MayCall(at ast.Expr, v value.Value, methods ...string)

	// MayCallFunction calls a function with arguments that aren't known, which isn't known either.
	MayCallFunction(at ast.Expr, fn *value.Func)

	// MayCallAny calls the methods with some names of the program's types of which a
	// value may be that isn't known, and of what it may be, and looks at nothing that it
	// may lead to.
	MayCallAny(at ast.Expr, v *value.Unknown, methods ...string)

	// Method returns the method with a name of a value's dynamic type, bound to
	// the value; nil where it has none, or isn't known.
	Method(at ast.Expr, v value.Value, name string) *value.Func

	// Recovered runs f like code that recovers from its panics: what f did before
	// remains. It reports whether f ended without one, else the value of the panic, nil
	// where the goroutine ends; a tuple of those that there may be, where there may be one.
	// What ends the program isn't recovered from.
	Recovered(f func()) (panicked value.Value, ended value.Answer)

	// Alternatives goes on in one of several ways: in another one on each start of
	// the program.
	Alternatives(at ast.Expr, ways []Way)

	// IsPart reports whether a part of a program is evaluated, and not the program
	// from its start.
	IsPart() bool

	// Arguments returns an unknown list of words of the command line, which follow
	// offset words of the command. Lists of one name are one list.
	Arguments(why *value.Unknown, name string, offset int) *value.Unknown

	// WordOf returns the word at an index of such a list, and "" for a word that
	// isn't there where the list may be shorter.
	WordOf(list *value.Unknown, index int) value.Value

	// Lost says that the call may run code which can't be found, why, and what to
	// do about it.
	Lost(at ast.Expr, why *value.Unknown, remedy string)

	// FromOutside gives the variable that p points to the value that the program
	// gets from where it runs: the user's, or else the fallback that the program
	// has without any. Where that is nil, it is unknown for the reason why, which
	// has the place where the source names it.
	FromOutside(p, fallback value.Value, why *value.Unknown)

	// MayFail notes that the call may as well have ended by an error: with this
	// result, after the change.
	MayFail(at ast.Expr, result value.Value, change func())

	// Function runs body as that of a function with results of a type, and returns
	// them. Where Try ends it by an error, it is noted as MayFail does how the call
	// may have failed. rescue gives the results after a panic; nil lets it pass.
	Function(at ast.Expr, results *types.Tuple, rescue func(panicked value.Value) []value.Value, body func() []value.Value) value.Value

	// Try makes a call whose last result is an error, in the body of Function, and
	// returns its result without the error. Where the call may as well fail, the body
	// may as well end, with the results of otherwise. It reports false where the call
	// surely fails.
	Try(at ast.Expr, call func() value.Value, otherwise func(err value.Value) []value.Value) (value.Value, bool)

	// Failure returns the error of the last call of Try.
	Failure() value.Value

	// Kept is Call, but notes as MayFail does how the function may have failed.
	Kept(at ast.Expr, fn value.Value, args []value.Value) value.Value

	// Hold takes what was noted of how the last call may have failed, which another
	// call tells later: one that Tell is called in, with its result then, or one
	// by which the program ends then, where Excuse is called. It is nil for nothing.
	Hold() value.Value
	Tell(held, result value.Value)
	Excuse(held value.Value)

	// IsOfLibrary reports whether errors and contexts of a type may be the standard
	// library's own: it is declared there, or it isn't known where.
	IsOfLibrary(t types.Type) bool

	// IsOwnError reports whether a value surely is no error of the standard library's
	// own: its type isn't declared there, or it is one of errors.New or fmt.Errorf that
	// no variable there holds.
	IsOwnError(v value.Value) bool

	// Risk notes that the call may panic.
	Risk(at ast.Expr)

	// Variable returns a variable of a library that isn't read, by its full name.
	// It is nil at first.
	Variable(name string) *value.Cell

	// Keeps runs f, and reports whether code that it follows may keep a reference to one of
	// some variables, or a part of one.
	Keeps(cells []*value.Cell, f func()) bool

	// VersionOf returns the version of the module of a package, "" of the standard library.
	VersionOf(path string) string

	// UsersMention reports whether the source of a package that imports the one at path, of another
	// module, may have one of some names.
	UsersMention(path string, names ...string) bool

	// Setting returns what a setting of GODEBUG is for the program, "" for the default. It isn't
	// known where the program may have set that variable itself.
	Setting(name string) (setting string, known bool)

	// TablesChanged reports whether the program may have changed a variable by which functions
	// go that are called for real, see [Tables].
	TablesChanged() bool

	// FileOf returns the name of the file that declares an object, without its folder.
	FileOf(obj types.Object) string

	// CopiesText reports whether an expression of the running function converts a string to
	// a slice: no other one has its array.
	CopiesText(expr ast.Expr) bool

	// Append appends values to a slice of type t, as append does.
	Append(at ast.Expr, to value.Value, added []value.Value, t types.Type) value.Value

	// Held returns what stands for an error of errors.New that a function of the
	// package at path has returned in this program: what its variable holds now, or
	// one value for each.
	Held(path string, err error) value.Value

	// Go starts a goroutine that calls a function.
	Go(at ast.Expr, fn value.Value)

	// MayGo starts a goroutine that calls a function, if what the text says happens.
	MayGo(at ast.Expr, fn value.Value, text string)

	// Counter returns the variable of what the running goroutine has added to a
	// sync.WaitGroup. Done says that it has counted down, below zero perhaps, and Wait
	// waits for others to do so.
	Counter(group *value.Cell) *value.Cell
	Done(at ast.Expr, group *value.Cell)
	Wait(group *value.Cell)

	// OrderOf returns the order in which a map of n entries is visited by a call, whose result
	// may depend on it.
	OrderOf(at ast.Expr, n int) value.Order

	// OrderOfGroup is OrderOf for a call that shuffles n values.
	OrderOfGroup(at ast.Expr, n int) value.Order

	// Survives runs f and reports whether it ended without a panic of the
	// evaluated program.
	Survives(f func()) bool

	// Fail is a run-time error of the evaluated program: it panics.
	Fail(at ast.Node, text string)

	// Panic is panic(v) in the evaluated program.
	Panic(at ast.Node, v value.Value)

	// RequireHashable fails where the key of a map of some type can't be compared.
	RequireHashable(at ast.Node, key value.Value, of types.Type)

	// Exit ends the evaluated program: no deferred function runs.
	Exit()

	// MayExit says that the call may end it so.
	MayExit(at ast.Expr)

	// Goexit ends the running goroutine of the evaluated program.
	Goexit()
}

// A Way is one on which the program may go on, such as one of its commands. One
// without a name does nothing.
type Way struct {
	Name string
	Run  func()

	// Arguments are what follows the name, where ways of one name differ by it: [NoWord]
	// for what isn't there.
	Arguments string
}

// NoWord stands for a word that is empty, or isn't there, in the name of a start.
const NoWord = `""`

// because returns the unknown that made a result unknown. Of the result nothing
// else is known: neither that it isn't nil, nor what it points to.
func (c *Call) because(values ...value.Value) *value.Unknown {
	return value.Because(c.At, values...)
}

// Lookup returns the model of the function with this full name, as
// [types.Func.FullName] writes it, nil where it has none.
func Lookup(fullName string) Function {
	switch f := functions[fullName].(type) {
	case nil:
		if f := frameworks[fullName]; f != nil {
			return f
		}
		switch {
		case strings.HasPrefix(fullName, kongParser), strings.HasPrefix(fullName, kongContext):
			return kongOther
		case strings.HasPrefix(fullName, samberScope):
			return samberOther
		case strings.HasPrefix(fullName, zerologEvent):
			return zerologEnds
		}
		return nil
	case Function:
		return f
	case func(*Call) (value.Value, bool):
		return f
	default:
		return pure(f)
	}
}

// compare compares two values like ==, and fails like it where a type can't be
// compared.
func (c *Call) compare(x, y value.Value) value.Answer {
	answer, uncomparable := value.Compare(x, y)
	if uncomparable != nil {
		c.Panic(c.At, NewComparisonError(uncomparable))
	}
	return answer
}

// NilDereference is what a run-time panic says where a nil pointer is followed.
const NilDereference = "invalid memory address or nil pointer dereference"

// panics ends the call by a panic with a text.
func (c *Call) panics(message string) { c.Panic(c.At, text(message)) }

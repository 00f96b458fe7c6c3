// Package eval evaluates a Go program without running it, as far as its values
// are determined before it meets the outside world.
//
// It is an abstract interpreter over typed syntax. Constants, variables,
// composite literals, closures, loops, generics, methods, deferred functions,
// panics: all of the language's core is evaluated as the running program would
// do it. What isn't determined is a [value.Unknown], which says why and where.
// A condition that isn't known is followed both ways, from the same state, and
// what the branches leave is joined. Package eval knows Go and nothing of
// routes: who uses it implements [User], gives functions of its own a meaning,
// and learns of the calls that can't be entered.
//
//	ev := eval.New(ctx, program, user)
//	starts := ev.Starts(func() { // once for each start that the command line chooses
//		ev.Initialize(pkg)
//		ev.EnterMain(at, fn)
//	}, user.record)
//
// A goroutine is evaluated where it is started, and what it writes and records is
// kept apart until somebody has waited for it (goroutine.go, channel.go).
//
// What isn't evaluated: what goroutines receive from channels of others, memory that
// package unsafe shows as of another type, cgo, reflection but for the names of types,
// and whatever the models of the library (package model) and the sources of the module's
// own packages don't determine. The assumptions that are made are listed in docs/decisions/0001.
//
// The rooms: package value has the values, their equality, the maps, the places
// and the journal of changes; package model has what functions of the library
// mean; this package evaluates. Imports point from here to model to value.
//
// Which file is which:
//
//	evaluator.go, user.go, given.go
//	                           the Evaluator, and what it asks of its user
//	expr.go, literal.go, slice.go, operator.go, complex.go, conversion.go, equal.go, unsafe.go
//	                           expressions
//	builtin.go, append.go, capacity.go
//	                           the language's own functions
//	order.go                   what is read after calls, and what before
//	place.go, assign.go        what can be assigned to, and assignments
//	method.go, typeargs.go, universe.go, typeparts.go
//	                           method values, type arguments, dynamic types, what types are made of
//	call.go, frame.go, scope.go, defer.go, panic.go
//	                           calls, running functions and their variables
//	stmt.go, switch.go, loops.go, rangefunc.go, goto.go
//	                           statements
//	fork.go, condition.go      conditions that aren't known
//	alternatives.go            what is computed from one of a few values
//	environment.go             variables of the environment that are asked for again
//	start.go, commandline.go   the starts between which the command line chooses
//	machine.go                 what models ask for
//	goroutine.go, channel.go   goroutines, and how they wait for each other
//	modelfunction.go           models that call functions which may fail
//	opaque.go, possible.go     calls that can't be entered
//	escape.go, callable.go, cancall.go
//	                           functions that such calls may call, now or later
//	ownmethod.go, librarymethod.go
//	                           the methods among them, and those that the library is known to call
//	mutation.go, uses.go       what functions may change, and what they name
//	foreignstate.go            variables that they may change
//	foreign.go                 other modules' packages, read on demand
//	init.go, declaration.go, embed.go
//	                           packages: initialisation, functions, go:embed
//	origin.go                  where values come from, for explanations
//	budget.go, illtyped.go     bounds, and code that doesn't compile
package eval

// Package model has what functions of libraries mean to the abstract
// interpreter (package eval): functions from values to values, which are called
// in place of the library's own code.
//
// There is one table, in library.go, by full name. The next function goes there:
//
//   - pure(f), where the result depends on the arguments alone: f is called for
//     real when they are known;
//   - a bounded version of f in gocall.go, where the result can be far longer than
//     the arguments;
//   - else a [Function] of its own, in the file named after its subject:
//     buffer.go (strings.Builder, bytes.Buffer), collection.go (sort, slices,
//     maps), error.go (errors, and what ends a program), fmt.go, iter.go,
//     reflect.go, runtimeerror.go, sync.go.
//
// Functions of frameworks that call the program's own have a second table, in
// framework.go: command lines (cobra.go with pflag.go, urfavecli.go, kong.go) and
// containers (dig.go, fx.go and samberdo.go on container.go).
//
// A function without a model is evaluated by its source if its package is listed
// in [Evaluated], and is opaque otherwise: see [ReadsOnly] for what that means
// for its arguments.
//
// A model calls the program's own functions, such as the one that sorts, by the
// [Machine] in its [Call]. The package doesn't import the evaluator.
package model

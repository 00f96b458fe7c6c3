// Package model has what functions of the standard library mean to the abstract
// interpreter (package eval): functions from values to values, which are called
// in place of the library's own code.
//
// There is one table, in library.go, by full name. The next function goes there:
//
//   - itself, where the result depends on the arguments alone: it is called for
//     real, in our own process, when they are known;
//   - one of gocall.go in its place, where the result can be far longer than the
//     arguments, or isn't the same on each machine;
//   - else a [Function] of its own, in the file named after its subject.
//
// A function without a model is evaluated by its source if its package is listed
// in [Evaluated]. That is the way for functions whose results share memory with
// their arguments (bytes.TrimSpace), and for those that call what they are given
// or keep a state (bufio, context, strings.FieldsFunc). Any other is opaque:
// [EffectsOf] says what it does to its arguments.
//
// A model returns a determined value only where the running program surely has
// it. It calls the program's own functions and methods by the [Machine] in its
// [Call], as often as the library does. The package doesn't import the
// evaluator.
//
// Which file is which:
//
//	library.go     the functions, and the packages that are evaluated
//	variable.go    variables that hold the same in each program
//	effects.go     what the functions that aren't entered do to their arguments
//	gocall.go      functions that are called for real
//	badnumber.go   texts that aren't known, and surely are no numbers
//	govalue.go     values on the way to this program and back
//	object.go      types that the library doesn't export
//	methodshape.go the methods that the library calls by their names
//	format.go, printer.go, methods.go, fmt.go, scan.go
//	               package fmt: formats, operands, their methods, its functions
//	error.go       errors, and what ends a program
//	runtimeerror.go
//	               the errors that the runtime panics with
//	buffer.go      strings.Builder
//	hash.go        what hashes do in assembly
//	collection.go, cmp.go
//	               sort, slices, maps, cmp
//	atomic.go, sync.go, oncefunc.go, syncmap.go
//	               counters, sync.Once, sync.OnceFunc, sync.Map and sync.Pool
//	nethttp.go     http.Header and http.HandlerFunc
//	iter.go        iter.Pull
//	godebug.go, setenv.go
//	               settings of the runtime, and the environment
//	flag.go, flagwords.go
//	               package flag, and words that are known
//	reflect.go, deepequal.go
//	               types, their fields, and reflect.DeepEqual
//	mirror.go      types of this program that stand for the program's, for
//	json.go, yaml.go
//	               which decode into what is there (decoded.go), call the methods of
//	               what decodes itself (captured.go), and read (reading.go)
//	template.go, templatefunc.go
//	               text/template
//
// # Versions of Go
//
// What is called for real is that of the Go by which this tool was built, and
// the program may be built by another. Left out, for that reason or since the
// machine matters: functions of package math whose last bit differs (Exp, Log,
// Sin; Pow but for whole numbers), time.Now and time zones other than UTC and
// fixed ones, status codes without a text. What package net/url parses has
// changed more than once, so it is evaluated by the source that the program is
// built from. Of characters that the tool's tables of Unicode don't know yet,
// package unicode, strings.ToUpper and strconv.Quote may say something else in a
// later version; those that are known never change. The texts of errors that a
// called function returns aren't known, only that there is one.
//
// Functions of frameworks that call the program's own have a second table, in
// framework.go: command lines (cobra.go with pflag.go, urfavecli.go, kong.go) and
// containers (container.go with fx.go, dig.go, samberdo.go; containershape.go says what
// dig refuses). Libraries that read a program's configuration are there too
// (environment.go with configtags.go, viper.go and koanf.go with settings.go).
package model

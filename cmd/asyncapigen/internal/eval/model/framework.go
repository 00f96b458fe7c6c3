package model

import (
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// frameworks is what is known of functions that call the program's own, by their
// full names: command lines, package flag among them, and containers, whose own
// code decides by reflection and by arguments what runs. Each framework's table is
// in the file named after it.
var frameworks = merged(flagFunctions, setenvFunctions, environmentFunctions, viperFunctions, koanfFunctions, cobraFunctions, pflagFunctions, urfaveFunctions, kongFunctions, digFunctions, fxFunctions, samberFunctions, yamlFunctions, loggerFunctions, validatorFunctions)

func merged(tables ...map[string]Function) map[string]Function {
	all := make(map[string]Function)
	for _, table := range tables {
		maps.Copy(all, table)
	}
	return all
}

// Remembers reports whether a function may change what is remembered of its package, see
// [Machine.Variable].
func Remembers(fn *types.Func) bool {
	name := fn.Origin().FullName()
	for _, functions := range []map[string]Function{setters, flagFunctions, pflagFunctions, viperFunctions, cobraFunctions} {
		if _, ok := functions[name]; ok {
			return true
		}
	}
	return false
}

// MayRemember reports whether something may be remembered of a package, see
// [Machine.Variable], or known of its variables, and a use of one of its names may change
// that. Without a name, any.
func MayRemember(path, name string) bool {
	switch path {
	case "flag", pflag, viperPackage, cobraPackage, urfave2, urfave3:
		return true
	case "os":
		return name == "Args" || changeable[path][name]
	case "log", "log/slog":
		return slices.Contains([]string{"", "Default", "SetDefault", "SetOutput"}, name)
	default:
		return changeable[path][name]
	}
}

// Telling is what a file of another module has in which something is told to a library that models
// remember, see [Tells], by what it imports.
var Telling = map[string]string{
	"os": ".Args", "flag": "", pflag: "", viperPackage: "", cobraPackage: "", urfave2: "", urfave3: "",
	samberDo: "", digPackage: "", fxPackage: "",
}

// Tells reports whether code that mentions a name of a package may change what is remembered of
// it; behind one that the code assigns to is a "=". What it reads only, and the parsers and commands
// that it makes, are known by what it returns. A container is asked for, and told, by its methods and
// by any function of its package.
func Tells(path, name string) bool {
	switch path {
	case "os":
		return name == "Args="
	case "flag", pflag:
		return slices.Contains([]string{"CommandLine=", "Lookup().Value", "Usage="}, name) ||
			slices.Contains([]string{"Parse", "Set", "Visit", "VisitAll"}, strings.TrimPrefix(name, "CommandLine."))
	case samberDo, digPackage:
		return true
	case viperPackage:
		return !asksViper(name)
	case cobraPackage:
		return slices.Contains([]string{"EnableTraverseRunHooks=", "OnFinalize", "OnInitialize"}, name)
	case urfave2, urfave3:
		return name == "OsExiter="
	default:
		return false
	}
}

// asksViper reports whether a name of package viper is that of a type, or of a function that
// only tells of settings or makes others.
func asksViper(name string) bool {
	if strings.HasPrefix(name, "Get") {
		return name != "GetViper"
	}
	return slices.Contains([]string{
		"AllKeys", "AllSettings", "ConfigFileNotFoundError", "ConfigFileUsed", "ConfigParseError", "Debug", "DecodeHook", "DecoderConfigOption",
		"InConfig", "IsSet", "New", "NewWithOptions", "Option", "Sub", "Unmarshal", "UnmarshalExact", "UnmarshalKey", "Viper",
	}, name)
}

// table returns one function for all names, which follow prefix.
func table(prefix string, f Function, names ...string) map[string]Function {
	functions := make(map[string]Function)
	for _, name := range names {
		functions[prefix+name] = f
	}
	return functions
}

// leavesReceiver is the model of a method that tells something or sets what
// doesn't decide which functions run: the receiver stays as it is. The arguments
// are exposed, the functions among them too.
func leavesReceiver(c *Call) (value.Value, bool) {
	why := value.UnknownResult(c.At)
	c.Expose(c.At, c.Args, why)
	return results(c), true
}

// tellsOfCommands is leavesReceiver for a method of a command, whose results the
// command line decides.
func tellsOfCommands(c *Call) (value.Value, bool) {
	told, ok := leavesReceiver(c)
	parts, isTuple := told.(value.Tuple)
	if !isTuple {
		parts = value.Tuple{told}
	}
	for _, part := range parts {
		part.(*value.Unknown).CommandLine = true
	}
	return told, ok
}

// leavesAll is the model of a function that has no part in what runs, and keeps
// the functions that it gets for later: completions, texts.
func leavesAll(c *Call) (value.Value, bool) { return results(c), true }

// results returns what isn't known of a call's results. The standard library's aren't nil, but
// for errors and flags that are looked up.
func results(c *Call) value.Value {
	list := c.Fn.Obj.Signature().Results()
	tuple := make(value.Tuple, list.Len())
	for i := range tuple {
		u := value.UnknownResult(c.At)
		t, path := list.At(i).Type(), c.Fn.Obj.Pkg().Path()
		u.NonNil = !value.IsErrorType(t) && (isNeverNil(t) || c.VersionOf(path) == "" && path != "flag")
		tuple[i] = u
	}
	if len(tuple) == 1 {
		return tuple[0]
	}
	return tuple
}

// leadingResults is results that may lead to some values.
func leadingResults(c *Call, values []value.Value) value.Value {
	told := results(c)
	parts, isTuple := told.(value.Tuple)
	if !isTuple {
		parts = value.Tuple{told}
	}
	for _, part := range parts {
		part.(*value.Unknown).Of(values...)
	}
	return told
}

// isNeverNil reports whether no function with a model returns nil for a type: a set of flags, a
// reader or a writer.
func isNeverNil(t types.Type) bool {
	return isDeclared(value.Pointee(t), pflag, "FlagSet") || isDeclared(t, "io", "Writer") || isDeclared(t, "io", "Reader")
}

// mayPanic is a model of a function that panics where it gets what is wrong.
func mayPanic(model Function) Function {
	return func(c *Call) (value.Value, bool) {
		c.Risk(c.At)
		return model(c)
	}
}

// NilableOfModules returns what a function of another module with a model gets that may be nil
// where it panics then: the receiver, a pointer, or a context that surely is.
func NilableOfModules(fn *value.Func, args []value.Value) []value.Value {
	var nilable []value.Value
	sig := fn.Obj.Signature()
	if recv := sig.Recv(); recv != nil && value.IsNil(fn.Recv) {
		nilable = append(nilable, fn.Recv)
	}
	for i, v := range args[:min(len(args), sig.Params().Len())] {
		t := sig.Params().At(i).Type()
		_, isPointer := t.Underlying().(*types.Pointer)
		if isPointer && !value.IsNonNil(v) || value.IsNilInterface(v) && isDeclared(t, "context", "Context") {
			nilable = append(nilable, v)
		}
	}
	return nilable
}

// isOfConstants reports whether a value is a constant or nil, or a struct of such.
func isOfConstants(v value.Value) bool {
	switch v := v.(type) {
	case value.Const, value.Nil:
		return true
	case *value.Struct:
		return !slices.ContainsFunc(v.Fields, func(cell *value.Cell) bool { return !isOfConstants(cell.Load()) })
	}
	return false
}

// lendRest lends to a framework what the exported fields of a struct hold, but for those that are
// followed, and some others: it may call the functions and methods there. What is wrong with them
// is a panic.
func (c *Call) lendRest(s *value.Struct, followed []string, others ...string) {
	u, ok := s.Type.Underlying().(*types.Struct)
	if !ok {
		return
	}
	var rest []value.Value
	for i, cell := range s.Fields {
		name, held := u.Field(i).Name(), cell.Load()
		if isOfConstants(held) {
			continue
		}
		if u.Field(i).Exported() && !slices.Contains(followed, name) || slices.Contains(others, name) {
			rest = append(rest, held)
		}
	}
	if len(rest) > 0 {
		c.Risk(c.At)
		c.Lend(c.At, rest, value.UnknownResult(c.At))
	}
}

// extend sets a variable that holds a slice to one with more elements. One
// that isn't known stays so, and may lead to them too.
func extend(c *Call, cell *value.Cell, t types.Type, more ...value.Value) {
	if u, isUnknown := cell.Load().(*value.Unknown); isUnknown {
		c.Set(cell, u.Bare().Of(append(more[:len(more):len(more)], u)...))
		return
	}
	s := &value.Slice{Type: t}
	if old, ok := cell.Load().(*value.Slice); ok {
		s.Elems = slices.Clone(old.Elems)
	}
	for _, v := range more {
		s.Elems = append(s.Elems, value.NewCell(v))
	}
	s.Elems = slices.Clip(s.Elems)
	c.Set(cell, s)
}

// try calls a function of the program by which a framework goes on only if it
// returns no error: else the framework's own function ends by otherwise. It reports
// false where that is sure.
func (c *Call) try(fn value.Value, args []value.Value, otherwise func(err value.Value) []value.Value) (value.Value, bool) {
	f, ok := fn.(*value.Func)
	if !ok {
		return c.Call(c.At, fn, args), true
	}
	sig, ok := f.Type.Underlying().(*types.Signature)
	if last := sig.Results().Len() - 1; !ok || last < 0 || !value.IsErrorType(sig.Results().At(last).Type()) {
		return c.Call(c.At, fn, args), true
	}
	return c.Try(c.At, func() value.Value { return c.Kept(c.At, fn, args) }, otherwise)
}

// fallible runs what a framework's function does that ends by the first error of the
// functions which it calls, and returns its results: the others aren't known then.
// body reports false where such an error is sure.
func (c *Call) fallible(body func(failed func(err value.Value) []value.Value) (normal []value.Value, ok bool)) value.Value {
	failed := c.withError
	if c.Fn.Obj.Signature().Results().Len() == 0 {
		failed = c.exits
	}
	return c.Function(c.At, c.Fn.Obj.Signature().Results(), nil, func() []value.Value {
		ret, ok := body(failed)
		if !ok {
			return failed(c.errorOfFailure())
		}
		return ret
	})
}

// wrapping returns the end of a framework's function by an error of the program's, which it
// wraps: the result is another error, which may lead to it.
func (c *Call) wrapping(failed func(err value.Value) []value.Value) func(err value.Value) []value.Value {
	return func(err value.Value) []value.Value {
		return failed(c.errorOfCall(err))
	}
}

// rescuing returns the end of a framework's function that recovers from a panic: by an error,
// which says the value of the panic.
func (c *Call) rescuing(failed func(err value.Value) []value.Value) func(panicked value.Value) []value.Value {
	return func(panicked value.Value) []value.Value {
		c.Lend(c.At, []value.Value{panicked}, value.UnknownResult(c.At))
		return failed(c.errorOfCall(panicked))
	}
}

// exitsOnError is the model of a function that ends the program if its first argument,
// an error, isn't nil.
func exitsOnError(c *Call) (value.Value, bool) {
	if value.HoldsSomething(c.Args[0]) {
		c.Exit()
	}
	return value.Tuple{}, true
}

// exits ends the program, by an error.
func (c *Call) exits(value.Value) []value.Value {
	c.Exit()
	return nil
}

// A command is one of those that a framework's function runs. run reports whether it
// doesn't surely fail, by an error by which it ends that function otherwise.
type command struct {
	name string
	run  func(otherwise func(err value.Value) []value.Value) bool
}

// isCommandLine reports whether words are those that the program is started with, unchanged.
func isCommandLine(words value.Value) bool {
	_, ok := value.PartOf(words, value.Words)
	return ok
}

// lostWords says that a framework gets words that the program makes.
func lostWords(c *Call) {
	c.Lost(c.At, value.UnknownAt(c.At.Pos(), "that the program gives the command its arguments by itself"), "leave them to the command line")
}

// hasOwnWords reports whether the program has changed os.Args.
func (c *Call) hasOwnWords() bool { return !isCommandLine(c.Variable("os.Args").Load()) }

// runOneOf runs one of the commands, another one on each start, or none: then it
// isn't known whether the command line was wrong.
func (c *Call) runOneOf(commands []command) value.Value {
	return c.fallible(func(failed func(value.Value) []value.Value) ([]value.Value, bool) {
		ret, ok := c.withError(value.UnknownResult(c.At)), true
		for _, v := range ret[:max(len(ret)-1, 0)] { // the command that ran
			v.(*value.Unknown).Of(c.Fn.Recv)
		}
		ways := make([]Way, len(commands), len(commands)+1)
		for i, cmd := range commands {
			ways[i] = Way{Name: cmd.name, Run: func() { ret, ok = append(ret[:max(len(ret)-1, 0):max(len(ret)-1, 0)], noError()), cmd.run(failed) }}
		}
		c.Alternatives(c.At, append(ways, Way{Run: func() {}}))
		return ret, ok
	})
}

// withError returns results of the call of which only the last is known, an error.
func (c *Call) withError(err value.Value) []value.Value {
	ret, ok := results(c).(value.Tuple)
	if !ok {
		return []value.Value{err}
	}
	if len(ret) > 0 {
		ret[len(ret)-1] = err
	}
	return ret
}

// ErrorOf returns the last of a call's results.
func ErrorOf(result value.Value) value.Value {
	if tuple, ok := result.(value.Tuple); ok && len(tuple) > 0 {
		return tuple[len(tuple)-1]
	}
	return result
}

// WithoutError returns a call's results, the last of them being no error.
func WithoutError(result value.Value) value.Value {
	tuple, ok := result.(value.Tuple)
	if !ok {
		return noError()
	}
	tuple = slices.Clone(tuple)
	tuple[len(tuple)-1] = noError()
	return tuple
}

// refuseTwins refuses commands of one parent of which one has the name of another one, or its
// alias: which of them a word means, or whether that is an error, depends on the framework.
func (c *Call) refuseTwins(commands []value.Value, nameOf func(*value.Struct) string) {
	seen := make(map[string]bool)
	for _, cmd := range commands {
		s := pointedStruct(cmd)
		if s == nil {
			continue
		}
		names := []string{nameOf(s)}
		aliases, known := elements(loaded(s, "Aliases"))
		for _, alias := range aliases {
			text, isKnown := value.TextOf(alias)
			names, known = append(names, text), known && isKnown
		}
		for _, name := range names {
			if !known || seen[name] {
				c.Lost(c.At, value.UnknownAt(c.At.Pos(), "several commands, or aliases, that may have the name "+strconv.Quote(name)), "give each command names of its own")
			}
			seen[name] = true
		}
	}
}

// lostCommand says that a command isn't known. One that a library has made which doesn't
// know of routes registers none, but one of the program's that it may have changed may, and so may the
// functions that the program has put into it.
func lostCommand(c *Call, v value.Value) {
	why := value.Because(c.At, v)
	if why.Unread == "" && !value.IsNil(v) || why.Field != nil {
		c.Lost(c.At, why, "build the commands in every case, from values that the code determines")
		return
	}
	c.Expose(c.At, []value.Value{v}, why)
}

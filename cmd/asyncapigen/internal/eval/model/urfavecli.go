package model

import (
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Commands of urfave/cli, versions 2 and 3. The tree of them is in the fields of
// App and Command; Run runs one of them, and the command line decides which.

const (
	urfave2 = "github.com/urfave/cli/v2"
	urfave3 = "github.com/urfave/cli/v3"

	urfaveApp     = "(*" + urfave2 + ".App)."
	urfaveCommand = "(*" + urfave3 + ".Command)."
)

var urfaveFunctions = merged(
	map[string]Function{
		urfave2 + ".Exit":   errorValue,
		urfave2 + ".NewApp": urfaveNewApp,
		urfave3 + ".Exit":   errorValue,

		urfaveApp + "Run":               urfaveRun,
		urfaveApp + "RunAndExitOnError": urfaveRun,
		urfaveApp + "RunContext":        urfaveRun,
		urfaveCommand + "Root":          urfaveRoot,
		urfaveCommand + "Run":           urfaveRun,
	},
	table(urfaveApp, tellsOfCommands,
		"Command", "Setup", "VisibleCategories", "VisibleCommands", "VisibleFlagCategories", "VisibleFlags"),
	table(urfaveCommand, tellsOfCommands,
		"Args", "Bool", "Count", "Duration", "FlagNames", "Float", "Float32", "Float32Slice", "Float64", "Float64Slice",
		"FloatSlice", "FullName", "Generic", "HasName", "Int", "Int16", "Int16Slice", "Int32", "Int32Slice", "Int64", "Int64Slice",
		"Int8", "Int8Slice", "IntSlice", "IsSet", "Lineage", "LocalFlagNames", "NArg", "Names", "NumFlags", "Path", "String",
		"StringMap", "StringSlice", "Text", "Timestamp", "Uint", "Uint16", "Uint16Slice", "Uint32", "Uint32Slice", "Uint64",
		"Uint64Slice", "Uint8", "Uint8Slice", "UintSlice", "Value", "VisibleCategories", "VisibleCommands",
		"VisibleFlagCategories", "VisibleFlags", "VisiblePersistentFlags"),
)

// errorValue is the model of a function that returns an error which isn't nil.
func errorValue(c *Call) (value.Value, bool) {
	u := value.UnknownResult(c.At)
	u.NonNil = true
	return u, true
}

// urfaveNewApp is the model of NewApp. Its fields are zero as far as they decide what runs;
// it is named after the file of the program.
func urfaveNewApp(c *Call) (value.Value, bool) {
	t := c.Fn.Obj.Signature().Results().At(0).Type()
	app := value.Pointer{Type: t, To: value.NewCell(c.Zero(value.Pointee(t)))}
	for _, told := range []string{"Name", "Usage"} {
		c.setField(app, told, value.UnknownResult(c.At))
	}
	return app, true
}

// urfaveRun is the model of Run: each command that calls something is a way to go on,
// and to print a help text is one that does nothing.
func urfaveRun(c *Call) (value.Value, bool) {
	t := urfaveTree{call: c, root: c.Fn.Recv}
	t.collect(c.Fn.Recv, nil)
	t.parse()
	return c.runOneOf(t.commands), true
}

// urfaveRoot is the model of Root for a command that the command line has chosen.
func urfaveRoot(c *Call) (value.Value, bool) {
	cmd, ok := c.Fn.Recv.(*value.Unknown)
	return cmd, ok && cmd.CommandLine
}

// urfaveTree is a tree of commands that is run.
type urfaveTree struct {
	call     *Call
	root     value.Value
	commands []command

	// otherwise has Run end by the error of a function.
	otherwise func(err value.Value) []value.Value
}

// collect finds the commands that can run below and at cmd. above has its
// parents, the root first.
func (t *urfaveTree) collect(cmd value.Value, above []*value.Struct) {
	s := pointedStruct(cmd)
	if s == nil {
		lostCommand(t.call, cmd)
		return
	}
	chain := append(above[:len(above):len(above)], s)
	calls := slices.ContainsFunc(chain, func(s *value.Struct) bool {
		return !value.IsNil(loaded(s, "Before")) || !value.IsNil(loaded(s, "After"))
	})
	if !value.IsNil(loaded(s, "Action")) || calls { // without an action it prints its help
		t.commands = append(t.commands, command{urfaveName(chain), func(otherwise func(value.Value) []value.Value) bool {
			t.otherwise = otherwise
			return t.run(chain)
		}})
	}
	for _, name := range []string{"Commands", "Subcommands"} {
		children, ok := elements(loaded(s, name))
		if !ok {
			lostCommand(t.call, loaded(s, name))
		}
		for _, child := range children {
			t.collect(child, chain)
		}
	}
}

// urfaveName returns how the command line names the last command of a chain: the
// root isn't a part of it.
func urfaveName(chain []*value.Struct) string {
	if len(chain) == 1 {
		if name, _ := value.TextOf(loaded(chain[0], "Name")); name != "" {
			return name
		}
		return "(without a command)"
	}
	var names []string
	for _, s := range chain[1:] {
		name, _ := value.TextOf(loaded(s, "Name"))
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

// run does what the package does for the last command of a chain, and reports whether
// no function surely fails. Version 3 enters all commands of the chain before it calls
// the first Before, version 2 one after the other.
func (t *urfaveTree) run(chain []*value.Struct) bool {
	args, entered := t.args(chain), chain
	for i, s := range chain {
		if len(args) == 1 {
			entered = chain[:i+1]
		}
		result, ok := t.step(s, "Before", args, entered)
		if !ok {
			return false
		}
		tuple, isTuple := result.(value.Tuple)
		switch {
		case !isTuple || len(tuple) != 2 || len(args) != 2 || value.IsNil(tuple[0]): // nil for the context as it was
		case value.IsNonNil(tuple[0]):
			args = []value.Value{tuple[0], args[1]}
		default:
			why := t.call.because(tuple[0])
			args = []value.Value{value.Merge(why, []value.Value{tuple[0], args[0]}), args[1]}
		}
	}
	if _, ok := t.step(chain[len(chain)-1], "Action", args, chain); !ok {
		return false
	}
	left := true
	for i, s := range slices.Backward(chain) {
		_, ok := t.step(s, "After", args, chain[:i])
		left = left && ok
	}
	return left
}

// leave calls the functions After of the commands that were entered, where one of their
// functions has failed.
func (t *urfaveTree) leave(entered []*value.Struct, args []value.Value) {
	for _, s := range slices.Backward(entered) {
		if after := loaded(s, "After"); !value.IsNil(after) {
			t.call.Call(t.call.At, after, args)
		}
	}
}

// step calls one of a command's functions, if there is one, and reports whether
// the command goes on. Where that fails, the commands that were entered are left.
func (t *urfaveTree) step(s *value.Struct, name string, args []value.Value, entered []*value.Struct) (value.Value, bool) {
	f := loaded(s, name)
	switch {
	case value.IsNil(f):
		return nil, true
	case value.IsUnknown(f):
		lostCommand(t.call, f)
		return nil, true
	}
	result, ok := t.call.try(f, args, func(err value.Value) []value.Value {
		t.leave(entered, args)
		return t.otherwise(err)
	})
	if !ok && name != "After" {
		t.leave(entered, args)
	}
	return result, ok
}

// args returns what the functions of a chain's commands get: a Context in version 2, a
// context and the command in version 3. Of the program's own values, that leads to the
// metadata.
func (t *urfaveTree) args(chain []*value.Struct) []value.Value {
	c := t.call
	cmd := &value.Unknown{Reason: "the command line", Pos: c.At.Pos(), NonNil: true, CommandLine: true}
	for _, s := range chain {
		if metadata, ok := loaded(s, "Metadata").(*value.Map); ok {
			cmd.Targets = append(cmd.Targets, metadata)
		}
	}
	if c.Fn.Obj.Pkg().Path() == urfave2 {
		return []value.Value{cmd}
	}
	return []value.Value{c.Args[0], cmd}
}

// urfaveHandlers are the fields of commands with functions that may be called for what is
// wrong with the command line, or with a command.
var urfaveHandlers = []string{"ArgValidator", "CommandNotFound", "ExitErrHandler", "InvalidFlagAccessHandler", "OnUsageError", "SuggestCommandFunc"}

// parse makes unknown what the flags and arguments of all commands are bound to.
// The functions that check them may be called, and those that handle errors.
func (t *urfaveTree) parse() {
	c := t.call
	var bound []*value.Struct
	var handlers []value.Value
	w := value.Walk{Visit: func(_ *value.Cell, v value.Value) {
		s, ok := v.(*value.Struct)
		if ok && fieldNamed(s, "Destination") != nil {
			bound = append(bound, s)
		}
		if !ok || fieldNamed(s, "Action") == nil {
			return
		}
		for _, name := range urfaveHandlers {
			if f, ok := loaded(s, name).(*value.Func); ok {
				handlers = append(handlers, f)
			}
		}
	}}
	w.All([]value.Value{t.root})
	if len(handlers) > 0 {
		c.Expose(c.At, handlers, value.UnknownResult(c.At))
	}
	for _, s := range bound {
		name, _ := value.TextOf(loaded(s, "Name"))
		why := value.UnknownAt(s.Pos, "the value of the flag --"+name)
		why.CommandLine = true
		c.FromOutside(loaded(s, "Destination"), nil, why)
		for _, check := range []string{"Action", "Validator"} {
			if f, ok := loaded(s, check).(*value.Func); ok {
				c.Expose(c.At, []value.Value{f}, why)
			}
		}
	}
}

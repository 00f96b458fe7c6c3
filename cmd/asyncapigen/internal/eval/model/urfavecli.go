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
		urfave2 + ".NewApp": newZero,
		urfave3 + ".Exit":   errorValue,

		urfaveApp + "Run":               urfaveRun,
		urfaveApp + "RunAndExitOnError": urfaveRun,
		urfaveApp + "RunContext":        urfaveRun,
		urfaveCommand + "Run":           urfaveRun,
	},
	table(urfaveApp, tellsOfCommands,
		"Command", "Setup", "VisibleCategories", "VisibleCommands", "VisibleFlagCategories", "VisibleFlags"),
	table(urfaveCommand, tellsOfCommands,
		"Args", "Bool", "Count", "Duration", "FlagNames", "Float", "Float64", "FullName", "Generic", "HasName", "Int",
		"Int64", "IntSlice", "IsSet", "Lineage", "LocalFlagNames", "NArg", "Names", "NumFlags", "String", "StringMap",
		"StringSlice", "Timestamp", "Uint", "Uint64", "Value", "VisibleCategories", "VisibleCommands", "VisibleFlags"),
)

// errorValue is the model of a function that returns an error which isn't nil.
func errorValue(c *Call) (value.Value, bool) {
	u := value.UnknownResult(c.At)
	u.NonNil = true
	return u, true
}

// newZero is the model of a function that makes a struct whose fields, as far as
// they decide what runs, are zero.
func newZero(c *Call) (value.Value, bool) {
	t := c.Fn.Obj.Signature().Results().At(0).Type()
	return value.Pointer{Type: t, To: value.NewCell(c.Zero(value.Pointee(t)))}, true
}

// urfaveRun is the model of Run: each command with an action is a way to go on,
// and to print a help text is one that does nothing.
func urfaveRun(c *Call) (value.Value, bool) {
	t := urfaveTree{call: c, root: c.Fn.Recv}
	t.collect(c.Fn.Recv, nil)
	return c.runOneOf(t.commands), true
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
	if !value.IsNil(loaded(s, "Action")) {
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
// no function surely fails.
func (t *urfaveTree) run(chain []*value.Struct) bool {
	t.parse()
	args := t.args()
	for i, s := range chain {
		result, ok := t.step(s, "Before", args, chain[:i+1])
		if !ok {
			return false
		}
		if tuple, isTuple := result.(value.Tuple); isTuple && len(tuple) == 2 && len(args) == 2 {
			args = []value.Value{tuple[0], args[1]}
		}
	}
	if _, ok := t.step(chain[len(chain)-1], "Action", args, chain); !ok {
		return false
	}
	t.leave(chain, args)
	return true
}

// leave calls the functions After of the commands that were entered.
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
	if !ok {
		t.leave(entered, args)
	}
	return result, ok
}

// args returns what the functions of commands get: a Context in version 2, a
// context and the command in version 3.
func (t *urfaveTree) args() []value.Value {
	c := t.call
	cmd := &value.Unknown{Reason: "the command line", Pos: c.At.Pos(), NonNil: true, CommandLine: true}
	if c.Fn.Obj.Pkg().Path() == urfave2 {
		return []value.Value{cmd}
	}
	return []value.Value{c.Args[0], cmd}
}

// parse makes unknown what the flags and arguments of all commands are bound to.
// The functions that check them may be called.
func (t *urfaveTree) parse() {
	c := t.call
	var bound []*value.Struct
	w := value.Walk{Visit: func(_ *value.Cell, v value.Value) {
		if s, ok := v.(*value.Struct); ok && fieldNamed(s, "Destination") != nil {
			bound = append(bound, s)
		}
	}}
	w.All([]value.Value{t.root})
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

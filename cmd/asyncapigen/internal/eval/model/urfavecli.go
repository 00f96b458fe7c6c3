package model

import (
	"go/types"
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
	urfaveContext = "(*" + urfave2 + ".Context)."
	urfaveCommand = "(*" + urfave3 + ".Command)."
)

var urfaveFunctions = merged(
	map[string]Function{
		urfave2 + ".Exit":         urfaveExit,
		urfave2 + ".NewApp":       urfaveNewApp,
		urfave2 + ".NewExitError": urfaveExit,
		urfave3 + ".Exit":         urfaveExit,

		urfaveApp + "Run":               urfaveRun,
		urfaveApp + "RunAndExitOnError": urfaveRun,
		urfaveApp + "RunContext":        urfaveRun,
		urfaveCommand + "Root":          urfaveRoot,
		urfaveCommand + "Run":           urfaveRun,
	},
	table(urfaveApp, urfaveSetup, "Setup"),
	table(urfaveApp, tellsOfTree, "Command", "VisibleCategories", "VisibleCommands", "VisibleFlagCategories", "VisibleFlags"),
	table(urfaveContext, tellsOfCommands,
		"Args", "Bool", "Count", "Duration", "FlagNames", "Float64", "Float64Slice", "Int", "Int64", "Int64Slice", "IntSlice",
		"IsSet", "LocalFlagNames", "NArg", "NumFlags", "Path", "String", "StringSlice", "Timestamp", "Uint", "Uint64",
		"Uint64Slice", "UintSlice"),
	table(urfaveContext, tellsOfTree, "Generic", "Lineage", "Value"),
	table(urfaveCommand, tellsOfCommands,
		"Args", "Bool", "Count", "Duration", "FlagNames", "Float", "Float32", "Float32Slice", "Float64", "Float64Slice",
		"FloatSlice", "FullName", "HasName", "Int", "Int16", "Int16Slice", "Int32", "Int32Slice", "Int64", "Int64Slice",
		"Int8", "Int8Slice", "IntSlice", "IsSet", "LocalFlagNames", "NArg", "Names", "NumFlags", "Path", "String",
		"StringMap", "StringSlice", "Text", "Timestamp", "Uint", "Uint16", "Uint16Slice", "Uint32", "Uint32Slice", "Uint64",
		"Uint64Slice", "Uint8", "Uint8Slice", "UintSlice"),
	table(urfaveCommand, tellsOfTree,
		"Command", "Generic", "Lineage", "Value", "VisibleCategories", "VisibleCommands", "VisibleFlagCategories", "VisibleFlags",
		"VisiblePersistentFlags"),
)

// tellsOfTree is tellsOfCommands for a method whose result may lead to the commands, or to
// what their flags hold.
func tellsOfTree(c *Call) (value.Value, bool) {
	told, ok := tellsOfCommands(c)
	return told.(*value.Unknown).Of(c.Fn.Recv), ok
}

// urfaveExit is the model of Exit, which returns an error that isn't nil. Its type isn't
// exported: what it is known by are its methods.
func urfaveExit(c *Call) (value.Value, bool) {
	pkg := c.Fn.Obj.Pkg()
	t := types.NewNamed(types.NewTypeName(c.At.Pos(), pkg, "exitError", nil), types.NewStruct(nil, nil), nil)
	self := types.NewVar(c.At.Pos(), pkg, "", types.NewPointer(t))
	for name, result := range map[string]types.Type{
		"Error": types.Typ[types.String], "ExitCode": types.Typ[types.Int], "Unwrap": errorResult.At(0).Type(),
	} {
		results := types.NewTuple(types.NewVar(c.At.Pos(), pkg, "", result))
		t.AddMethod(types.NewFunc(c.At.Pos(), pkg, name, types.NewSignatureType(self, nil, nil, nil, results, false)))
	}
	u := value.UnknownResult(c.At)
	u.NonNil, u.Type = true, self.Type()
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
	if n := len(c.Args); n > 0 && !isCommandLine(c.Args[n-1]) || n == 0 && c.hasOwnWords() {
		lostWords(c)
	}
	t := urfaveTree{call: c, root: c.Fn.Recv}
	t.collect(c.Fn.Recv, nil)
	t.parse()
	t.setUp()
	for _, s := range t.all { // it calls the methods of flags and of their values
		c.Lend(c.At, []value.Value{loaded(s, "Flags")}, value.UnknownResult(c.At))
	}
	return c.runOneOf(t.commands), true
}

// urfaveSetup is the model of Setup, which adds to the commands what Run does.
func urfaveSetup(c *Call) (value.Value, bool) {
	t := urfaveTree{call: c, root: c.Fn.Recv}
	t.collect(c.Fn.Recv, nil)
	t.setUp()
	return value.Tuple{}, true
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
	all      []*value.Struct // the App and the commands
	commands []command

	given [][]value.Value // what the functions of each command of the chain that runs get

	// otherwise has Run end by the error of a function.
	otherwise func(err value.Value) []value.Value
}

// urfaveNode is a command in the tree, and the pointer to it.
type urfaveNode struct {
	*value.Struct
	at value.Value
}

// collect finds the commands that can run below and at cmd. above has its
// parents, the root first.
func (t *urfaveTree) collect(cmd value.Value, above []urfaveNode) {
	s := pointedStruct(cmd)
	if s == nil {
		lostCommand(t.call, cmd)
		return
	}
	t.all = append(t.all, s)
	chain := append(above[:len(above):len(above)], urfaveNode{s, cmd})
	calls := slices.ContainsFunc(chain, func(n urfaveNode) bool {
		return !value.IsNil(loaded(n.Struct, "Before")) || !value.IsNil(loaded(n.Struct, "After"))
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

// setUp makes unknown what the package adds to the commands, and what it has in place of
// fields that are empty.
func (t *urfaveTree) setUp() {
	for _, s := range t.all {
		for _, name := range []string{"Commands", "Flags", "Subcommands"} {
			if f := fieldNamed(s, name); f != nil {
				t.call.Set(f, t.mayBeNil("a list that the package adds to").Of(f.Load()))
			}
		}
		for _, name := range []string{"Authors", "Compiled", "ErrWriter", "HelpName", "Metadata", "Name", "Reader", "Usage", "UsageText", "Writer"} {
			f := fieldNamed(s, name)
			if f == nil {
				continue
			}
			if text, isText := value.TextOf(f.Load()); value.IsNil(f.Load()) || isText && text == "" {
				t.call.Set(f, t.mayBeNil("a field that the package fills"))
			}
		}
		for _, name := range []string{"BashComplete", "HideVersion", "ShellComplete", "SuggestCommandFunc"} {
			if f := fieldNamed(s, name); f != nil {
				t.call.Set(f, t.mayBeNil("a field that the package may fill").Of(f.Load()))
			}
		}
	}
}

// urfaveName returns how the command line names the last command of a chain: the
// root isn't a part of it.
func urfaveName(chain []urfaveNode) string {
	if len(chain) == 1 {
		if name, _ := value.TextOf(loaded(chain[0].Struct, "Name")); name != "" {
			return name
		}
		return "(without a command)"
	}
	var names []string
	for _, n := range chain[1:] {
		name, _ := value.TextOf(loaded(n.Struct, "Name"))
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

// run does what the package does for the last command of a chain, and reports whether
// no function surely fails. Version 3 enters all commands of the chain before it calls
// the first Before, version 2 one after the other.
func (t *urfaveTree) run(chain []urfaveNode) bool {
	args, entered, read := t.args(chain), chain, t.readEarly(chain)
	t.given = nil
	for i, n := range chain {
		if len(args) == 1 {
			entered = chain[:i+1]
			if i > 0 {
				args = []value.Value{t.below(args[0])}
			}
		}
		t.given = append(t.given, args)
		result, ok := t.step(n.Struct, "Before", args, entered)
		if !ok {
			return false
		}
		t.checkRead(read, chain, "Before")
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
	_, ok := t.step(chain[len(chain)-1].Struct, "Action", args, chain)
	t.checkRead(read, chain, "Action")
	if !ok {
		return false
	}
	left := true
	for i, n := range slices.Backward(chain) {
		_, ok := t.step(n.Struct, "After", t.givenTo(i, args), chain[:i])
		left = left && ok
	}
	return left
}

// checkRead refuses commands of which a function changes what was read before.
func (t *urfaveTree) checkRead(read []value.Value, chain []urfaveNode, step string) {
	if !slices.EqualFunc(read, t.readEarly(chain), func(a, b value.Value) bool { return value.IsUnknown(b) || value.Same(a, b) }) {
		t.call.Lost(t.call.At, value.UnknownAt(t.call.At.Pos(), "that "+step+" changes the commands"),
			"build the commands before "+t.call.name()+" is called")
	}
}

// readEarly returns what the package reads before it calls a Before, or after it has, and this
// model at another time: whether there is a function After, and in version 2 the functions of
// the root, which it copies, and the commands below each other one.
func (t *urfaveTree) readEarly(chain []urfaveNode) []value.Value {
	var read []value.Value
	for _, n := range chain {
		read = append(read, loaded(n.Struct, "After"))
	}
	if t.call.Fn.Obj.Pkg().Path() != urfave2 {
		return read
	}
	read = append(read, loaded(chain[0].Struct, "Before"), loaded(chain[0].Struct, "Action"))
	for _, n := range chain[1:] {
		read = append(read, loaded(n.Struct, "Subcommands"))
	}
	return read
}

// leave calls the functions After of the commands that were entered, where one of their
// functions has failed.
func (t *urfaveTree) leave(entered []urfaveNode, args []value.Value) {
	for i, n := range slices.Backward(entered) {
		if after := loaded(n.Struct, "After"); !value.IsNil(after) {
			t.call.Call(t.call.At, after, t.givenTo(i, args))
		}
	}
}

// step calls one of a command's functions, if there is one, and reports whether
// the command goes on. Where that fails, the commands that were entered are left.
func (t *urfaveTree) step(s *value.Struct, name string, args []value.Value, entered []urfaveNode) (value.Value, bool) {
	f := loaded(s, name)
	switch {
	case value.IsNil(f):
		return nil, true
	case value.IsUnknown(f):
		lostCommand(t.call, f)
		return nil, true
	}
	result, ok := t.call.try(f, args, func(err value.Value) []value.Value {
		t.exit(name, err)
		t.leave(entered, args)
		return t.otherwise(err)
	})
	if !ok {
		t.exit(name, ErrorOf(result))
	}
	if !ok && name != "After" {
		t.leave(entered, args)
	}
	return result, ok
}

// exit ends the program where a command's function has failed by an error that has an
// exit code. Version 2 leaves that of After to the caller of Run. An error of which it isn't
// known goes on: where it doesn't, nothing is served.
func (t *urfaveTree) exit(step string, err value.Value) {
	pkg := t.call.Fn.Obj.Pkg()
	if step == "After" && pkg.Path() == urfave2 || !t.exitsByDefault(pkg.Path()) {
		return
	}
	for _, name := range []string{"ExitCoder", "MultiError"} {
		if value.HasType(err, pkg.Scope().Lookup(name).Type()) == value.Yes {
			t.call.Exit()
		}
	}
}

// exitsByDefault reports whether the program sets neither function that says how errors with
// an exit code end it.
func (t *urfaveTree) exitsByDefault(pkg string) bool {
	s := pointedStruct(t.root)
	return s != nil && value.IsNil(loaded(s, "ExitErrHandler")) && value.IsNil(t.call.Variable(pkg+".OsExiter").Load())
}

// args returns what the functions of a chain's commands get: a Context in version 2, a
// context and the command in version 3. What is in a command isn't known, as the package
// adds to it, but it leads to what was there.
func (t *urfaveTree) args(chain []urfaveNode) []value.Value {
	c := t.call
	at := make([]value.Value, len(chain))
	for i, n := range chain {
		at[i] = n.at
	}
	cmd := t.unknown("the command line").Of(at...)
	pkg := c.Fn.Obj.Pkg()
	if pkg.Path() == urfave3 {
		return []value.Value{c.Args[0], cmd}
	}
	of := pkg.Scope().Lookup("Context").Type()
	p := value.Pointer{Type: types.NewPointer(of), To: value.NewCell(c.Zero(of))}
	c.setField(p, "App", t.unknown("the command line").Of(t.root))
	c.setField(p, "Command", cmd)
	c.setField(p, "Context", t.unknown("the context of the command"))
	if c.Fn.Obj.Name() == "RunContext" {
		c.setField(p, "Context", c.Args[0])
	}
	return []value.Value{p}
}

// givenTo returns what the functions of the i-th command of the chain get where those of the last
// one get args: in version 2 the Context of the command, in version 3 the same.
func (t *urfaveTree) givenTo(i int, args []value.Value) []value.Value {
	if len(args) == 1 {
		return t.given[i]
	}
	return args
}

// below returns the Context of a command whose parent has one: another one with the same context.
func (t *urfaveTree) below(parent value.Value) value.Value {
	above := pointedStruct(parent)
	p := value.Pointer{Type: value.TypeOf(parent), To: value.NewCell(t.call.Zero(above.Type))}
	for _, name := range []string{"App", "Command", "Context"} {
		t.call.setField(p, name, loaded(above, name))
	}
	t.call.setField(p, "parentContext", parent)
	return p
}

// unknown returns an argument that isn't known, and isn't nil.
func (t *urfaveTree) unknown(what string) *value.Unknown {
	return &value.Unknown{Reason: what, Pos: t.call.At.Pos(), NonNil: true, CommandLine: true}
}

// mayBeNil returns what isn't known of a field.
func (t *urfaveTree) mayBeNil(what string) *value.Unknown {
	u := t.unknown(what)
	u.NonNil = false
	return u
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

package model

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/mod/semver"

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
	c.Lend(c.At, c.Args[:1], value.UnknownResult(c.At)) // it prints what isn't an error
	u := value.UnknownResult(c.At).Of(c.Args[0])
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

// urfaveReleased is the oldest version of urfave/cli 3 that was looked at and runs commands as here:
// before its release, each one's flags were parsed when those around it had run.
const urfaveReleased = "v3.1.0"

// urfaveRun is the model of Run: each command that calls something is a way to go on,
// and to print a help text is one that does nothing.
func urfaveRun(c *Call) (value.Value, bool) {
	if version := c.VersionOf(urfave3); c.Fn.Obj.Pkg().Path() == urfave3 && semver.Compare(version, urfaveReleased) < 0 {
		c.Lost(c.At, value.UnknownAt(c.At.Pos(), "version "+version+" of urfave/cli, which runs commands otherwise than those that are released"), "update it to "+urfaveReleased+" or later")
	}
	if n := len(c.Args); n > 0 && !isCommandLine(c.Args[n-1]) || n == 0 && c.hasOwnWords() {
		lostWords(c)
	}
	t := urfaveTree{call: c, root: c.Fn.Recv}
	t.collect(c.Fn.Recv, nil)
	t.parse()
	for _, s := range t.all {
		c.lendRest(s, urfaveFollowed)
	}
	t.setUp()
	if n := len(c.Args); n > 1 {
		c.Lend(c.At, c.Args[:n-1], value.UnknownResult(c.At)) // the context
	}
	result := c.runOneOf(t.commands)
	t.fillActions()
	return result, true
}

// urfaveSetup is the model of Setup, which adds to the commands what Run does.
func urfaveSetup(c *Call) (value.Value, bool) {
	t := urfaveTree{call: c, root: c.Fn.Recv}
	t.collect(c.Fn.Recv, nil)
	t.setUp()
	t.fillActions()
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
	if value.IsNil(cmd) {
		t.call.Fail(t.call.At, NilDereference)
	}
	if s == nil {
		lostCommand(t.call, cmd)
		return
	}
	t.all = append(t.all, s)
	t.refuseUnfollowed(s)
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
		t.call.refuseTwins(children, func(s *value.Struct) string {
			name, _ := value.TextOf(loaded(s, "Name"))
			return name
		})
		for _, child := range children {
			t.collect(child, chain)
		}
	}
}

// refuseUnfollowed refuses a command that runs another one in place of its own Action, and one
// whose flags are those of package flag as well.
func (t *urfaveTree) refuseUnfollowed(s *value.Struct) {
	c := t.call
	if other, known := value.TextOf(loaded(s, "DefaultCommand")); (other != "" || !known) && !value.IsNil(loaded(s, "Action")) && fieldNamed(s, "DefaultCommand") != nil {
		c.Lost(c.At, value.UnknownAt(c.At.Pos(), "an Action beside DefaultCommand"), "leave out one of them")
	}
	if suggests := loaded(s, "SuggestCommandFunc"); suggests != nil && !value.IsNil(suggests) && !value.IsUnknown(suggests) {
		c.Lost(c.At, value.UnknownAt(c.At.Pos(), "a SuggestCommandFunc, which may name another command"), "leave it to the package")
	}
	if fieldNamed(s, "AllowExtFlags") != nil {
		if extends, known := value.Truth(loaded(s, "AllowExtFlags")); extends || !known {
			c.Lost(c.At, value.UnknownAt(c.At.Pos(), "a command with AllowExtFlags"), "declare the flags at the command")
		}
	}
}

// setUp makes unknown what the package adds to the commands, and what it has in place of
// fields that are empty.
func (t *urfaveTree) setUp() {
	for i, s := range t.all {
		if parent := fieldNamed(s, "parent"); parent != nil && i > 0 {
			t.call.Set(parent, t.mayBeNil("the command above").Of(t.root))
		}
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
		for _, name := range []string{"BashComplete", "HelpName", "HideVersion", "ShellComplete", "SuggestCommandFunc", "UseShortOptionHandling"} {
			if f := fieldNamed(s, name); f != nil {
				t.call.Set(f, t.mayBeNil("a field that the package may fill").Of(f.Load()))
			}
		}
	}
}

// fillActions makes unknown the actions that commands haven't: the package may have one for them.
func (t *urfaveTree) fillActions() {
	for _, s := range t.all {
		if f := fieldNamed(s, "Action"); f != nil && value.IsNil(f.Load()) {
			t.call.Set(f, t.mayBeNil("an action that the package may have"))
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
	r := urfaveChain{urfaveTree: t, nodes: chain, read: t.readEarly(chain)}
	if t.call.Fn.Obj.Pkg().Path() == urfave2 {
		return r.enter(0, t.context(chain))
	}
	r.ctx, r.cmd = value.NewCell(value.Nil{}), t.command(chain)
	t.call.Set(r.ctx, t.call.Args[0])
	return r.enterAll(0)
}

// urfaveChain is a command that runs, below its parents.
type urfaveChain struct {
	*urfaveTree
	nodes []urfaveNode
	read  []value.Value // see readEarly

	ctx *value.Cell // in version 3, the context that the functions get
	cmd value.Value // and the command
}

// enter runs the i-th command of a chain of version 2, whose functions get a Context.
func (r *urfaveChain) enter(i int, ctx value.Value) bool {
	args := []value.Value{ctx}
	get := func() []value.Value { return args }
	return r.leaving(i, get, get, func() bool {
		if _, ok := r.step(i, "Before", args); !ok {
			return false
		}
		if i < len(r.nodes)-1 {
			r.parseAgain(loaded(r.nodes[i+1].Struct, "Flags"))
		}
		if i == len(r.nodes)-1 {
			_, ok := r.step(i, "Action", args)
			return ok
		}
		return r.enter(i+1, r.below(ctx))
	})
}

// enterAll enters the commands of a chain of version 3 from the i-th one on, and then calls the
// functions of all. What a command has left by a panic doesn't tell those around it its context.
func (r *urfaveChain) enterAll(i int) bool {
	if i == len(r.nodes) {
		return r.act()
	}
	panicked := r.args
	if i < len(r.nodes)-1 {
		panicked = func() []value.Value { return []value.Value{r.call.Args[0], r.cmd} }
	}
	return r.leaving(i, r.args, panicked, func() bool { return r.enterAll(i + 1) })
}

// args returns what the functions of version 3 get.
func (r *urfaveChain) args() []value.Value { return []value.Value{r.ctx.Load(), r.cmd} }

// act calls the functions of the commands of a chain of version 3. Before returns nil for
// the context as it was.
func (r *urfaveChain) act() bool {
	for i := range r.nodes {
		result, ok := r.step(i, "Before", r.args())
		if !ok {
			return false
		}
		tuple, isTuple := result.(value.Tuple)
		if !isTuple || len(tuple) != 2 || value.IsNilInterface(tuple[0]) {
			continue
		}
		ctx := tuple[0]
		if !value.HoldsSomething(ctx) {
			ctx = value.Merge(r.call.because(ctx), []value.Value{ctx, r.ctx.Load()})
		}
		r.call.Set(r.ctx, ctx)
	}
	for _, n := range r.nodes {
		r.parseAgain(loaded(n.Struct, "Arguments"))
	}
	_, ok := r.step(len(r.nodes)-1, "Action", r.args())
	return ok
}

// leaving runs what the i-th command of a chain does, and then its function After, also where
// that fails or panics. It reports whether none surely fails.
func (r *urfaveChain) leaving(i int, args, panicked func() []value.Value, run func() bool) bool {
	c, after, fails := r.call, loaded(r.nodes[i].Struct, "After"), r.otherwise
	switch {
	case value.IsNil(after):
		return run()
	case value.IsUnknown(after):
		lostCommand(c, after)
		return run()
	}
	rescue := func(v value.Value) []value.Value {
		c.Call(c.At, after, panicked())
		c.Panic(c.At, v)
		return nil
	}
	r.otherwise = onlyError
	_, ok := c.Try(c.At, func() value.Value {
		return c.Function(c.At, errorResult, rescue, func() []value.Value {
			if !run() {
				return onlyError(c.errorOfFailure())
			}
			return onlyError(noError())
		})
	}, func(err value.Value) []value.Value {
		both := func(another value.Value) []value.Value {
			return fails(c.errorOfCall(err, another))
		}
		if !r.after(after, args(), both) {
			return both(noError())
		}
		return fails(err)
	})
	r.otherwise = fails
	return r.after(after, args(), fails) && ok
}

// after calls a function After and reports whether it doesn't surely fail.
func (r *urfaveChain) after(f value.Value, args []value.Value, otherwise func(err value.Value) []value.Value) bool {
	result, ok := r.call.try(f, args, func(err value.Value) []value.Value {
		r.exit("After", err)
		return otherwise(err)
	})
	if !ok {
		r.exit("After", ErrorOf(result))
	}
	return ok
}

// step calls one of the functions of the i-th command, if there is one, and reports whether
// the command goes on.
func (r *urfaveChain) step(i int, name string, args []value.Value) (value.Value, bool) {
	f := loaded(r.nodes[i].Struct, name)
	switch {
	case value.IsNil(f):
		return nil, true
	case value.IsUnknown(f):
		lostCommand(r.call, f)
		return nil, true
	}
	result, ok := r.call.try(f, args, func(err value.Value) []value.Value {
		r.exit(name, err)
		return r.otherwise(err)
	})
	if !ok {
		r.exit(name, ErrorOf(result))
	}
	r.checkRead(r.read, r.nodes, name)
	return result, ok
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

// command returns what isn't known of the last command of a chain when its functions get it:
// the package adds to it, but it leads to what was there.
func (t *urfaveTree) command(chain []urfaveNode) value.Value {
	at := make([]value.Value, len(chain))
	for i, n := range chain {
		at[i] = n.at
	}
	return t.unknown("the command line").Of(at...)
}

// context returns the Context of version 2 that the root's functions get.
func (t *urfaveTree) context(chain []urfaveNode) value.Value {
	c := t.call
	of := c.Fn.Obj.Pkg().Scope().Lookup("Context").Type()
	p := value.Pointer{Type: types.NewPointer(of), To: value.NewCell(c.Zero(of))}
	c.setField(p, "App", t.unknown("the command line").Of(t.root))
	c.setField(p, "Command", t.command(chain))
	c.setField(p, "Context", t.unknown("the context of the command"))
	if c.Fn.Obj.Name() == "RunContext" && !value.IsNilInterface(c.Args[0]) {
		c.setField(p, "Context", c.Args[0])
	}
	return p
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

// urfaveFollowed are the fields of commands that decide what runs, and those that parse follows.
var urfaveFollowed = append([]string{"Action", "After", "Before", "Commands", "Subcommands"}, urfaveHandlers...)

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
			if f := fieldNamed(s, name); f != nil && !value.IsNil(f.Load()) {
				handlers = append(handlers, f.Load())
			}
		}
	}}
	w.All([]value.Value{t.root})
	if len(handlers) > 0 {
		c.Expose(c.At, handlers, value.UnknownResult(c.At))
	}
	for _, s := range bound {
		t.bind(s)
	}
}

// parseAgain makes unknown what flags and arguments are bound to that are only parsed now.
func (t *urfaveTree) parseAgain(of value.Value) {
	w := value.Walk{Visit: func(_ *value.Cell, v value.Value) {
		if s, ok := v.(*value.Struct); ok && fieldNamed(s, "Destination") != nil {
			t.bind(s)
		}
	}}
	w.All([]value.Value{of})
}

// bind makes unknown what a flag or an argument is bound to, and calls the functions that check
// it.
func (t *urfaveTree) bind(s *value.Struct) {
	c := t.call
	name, _ := value.TextOf(loaded(s, "Name"))
	why := value.UnknownAt(s.Pos, "the value of the flag --"+name)
	why.CommandLine = true
	c.FromOutside(loaded(s, "Destination"), nil, why)
	for _, of := range []*value.Struct{s, pointedStruct(loaded(s, "Config"))} {
		if of != nil && fieldNamed(of, "Count") != nil {
			c.FromOutside(loaded(of, "Count"), nil, why)
		}
	}
	for _, set := range []string{"HasBeenSet", "Value"} {
		if f := fieldNamed(s, set); f != nil && c.setsVariables() {
			c.Set(f, why)
		}
	}
	for _, check := range []string{"Action", "Validator"} {
		if f := fieldNamed(s, check); f != nil && !value.IsNil(f.Load()) {
			c.Expose(c.At, []value.Value{f.Load()}, why)
		}
	}
}

package model

import (
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Commands of spf13/cobra. The tree of them is in the fields of cobra.Command, as
// cobra itself has it; Execute runs one of them, and the command line decides
// which.

const (
	cobraPackage = "github.com/spf13/cobra"
	cobraCommand = "(*" + cobraPackage + ".Command)."

	cobraInitializers = cobraPackage + ".initializers"
	cobraFinalizers   = cobraPackage + ".finalizers"
	cobraTraverse     = cobraPackage + ".EnableTraverseRunHooks"
)

var cobraFunctions = merged(
	map[string]Function{
		cobraCommand + "AddCommand":                 cobraAddCommand,
		cobraCommand + "SetGlobalNormalizationFunc": cobraNormalization,
		cobraCommand + "Context":                    cobraField("ctx"),
		cobraCommand + "Name":                       cobraNameOf,
		cobraCommand + "Parent":                     cobraField("parent"),
		cobraCommand + "Root":                       cobraRootOf,
		cobraCommand + "SetArgs":                    cobraSetArgs,
		cobraCommand + "SetContext":                 cobraSetContext,
		cobraCommand + "Execute":                    cobraExecute,
		cobraCommand + "ExecuteC":                   cobraExecute,
		cobraCommand + "ExecuteContext":             cobraExecute,
		cobraCommand + "ExecuteContextC":            cobraExecute,

		cobraPackage + ".CheckErr":     exitsOnError,
		cobraPackage + ".OnFinalize":   cobraLater(cobraFinalizers),
		cobraPackage + ".OnInitialize": cobraLater(cobraInitializers),
	},
	table(cobraCommand, tellsOfCommands,
		"ArgsLenAtDash", "CalledAs", "CommandPath", "ErrOrStderr", "Flag", "Flags", "HasParent", "HasSubCommands", "Help",
		"InOrStdin", "InheritedFlags", "LocalFlags", "LocalNonPersistentFlags", "NonInheritedFlags", "OutOrStderr",
		"OutOrStdout", "PersistentFlags", "Print", "PrintErr", "PrintErrf", "PrintErrln", "Printf", "Println",
		"Runnable", "SetErr", "SetIn", "SetOut", "SetOutput", "Usage", "UsageString", "UseLine"),
	table(cobraCommand, parseWords, "ParseFlags"),
	table(cobraCommand, cobraTraverseWords, "Traverse"),
	table(cobraPackage+".", leavesReceiver, "AddTemplateFunc", "AddTemplateFuncs"),
	cobraSetters(leavesAll, map[string]string{
		"AddGroup": "commandgroups", "SetCompletionCommandGroupID": "completionCommandGroupID", "SetErrPrefix": "errPrefix",
		"SetHelpCommandGroupID": "helpCommandGroupID", "SetHelpTemplate": "helpTemplate", "SetUsageTemplate": "usageTemplate",
		"SetVersionTemplate": "versionTemplate",
	}),
	cobraSetters(leavesReceiver, map[string]string{
		"SetFlagErrorFunc": "flagErrorFunc", "SetHelpFunc": "helpFunc", "SetUsageFunc": "usageFunc",
	}),
	table(cobraCommand, mayPanic(leavesAll), "MarkFlagsMutuallyExclusive", "MarkFlagsOneRequired", "MarkFlagsRequiredTogether"),
	table(cobraCommand, leavesAll,
		"MarkFlagDirname", "MarkFlagFilename", "MarkFlagRequired", "MarkPersistentFlagDirname", "MarkPersistentFlagFilename", "MarkPersistentFlagRequired",
		"RegisterFlagCompletionFunc"),
	table(cobraCommand, leavesReceiver,
		"GenBashCompletion", "GenFishCompletion", "GenPowerShellCompletion", "GenZshCompletion"),
)

// cobraSetters are models of methods that set a field of a command which has no part in what
// runs: it isn't known then.
func cobraSetters(model Function, fields map[string]string) map[string]Function {
	functions := make(map[string]Function)
	for method, field := range fields {
		functions[cobraCommand+method] = func(c *Call) (value.Value, bool) {
			if s := pointedStruct(c.Fn.Recv); s != nil && fieldNamed(s, field) != nil {
				c.Set(fieldNamed(s, field), value.UnknownAt(c.At.Pos(), "what "+method+" sets").Of(append(c.Args, loaded(s, field))...))
			}
			return model(c)
		}
	}
	return functions
}

// cobraTraverseWords notes that Traverse may set flags.
func cobraTraverseWords(c *Call) (value.Value, bool) {
	if !isCommandLine(c.Args[0]) {
		c.Set(c.Variable(setFlags), boolean(true))
	}
	return nil, false
}

// cobraNormalization is the model of SetGlobalNormalizationFunc, which sets the function of all
// commands below as well.
func cobraNormalization(c *Call) (value.Value, bool) {
	if s := pointedStruct(c.Fn.Recv); s != nil {
		c.normalizes(s)
	}
	return leavesReceiver(c)
}

func (c *Call) normalizes(s *value.Struct) {
	c.Work(1)
	if set := fieldNamed(s, "globNormFunc"); !value.IsUnknown(set.Load()) {
		c.Set(set, value.UnknownAt(c.At.Pos(), "what SetGlobalNormalizationFunc sets"))
		children, _ := elements(loaded(s, "commands"))
		for _, child := range children {
			if s := pointedStruct(child); s != nil {
				c.normalizes(s)
			}
		}
	}
}

// cobraAddCommand is the model of AddCommand.
func cobraAddCommand(c *Call) (value.Value, bool) {
	parent := pointedStruct(c.Fn.Recv)
	if parent == nil {
		return nil, false
	}
	commands := fieldNamed(parent, "commands")
	children, ok := elements(c.Args[0])
	if !ok {
		c.Set(commands, value.Because(c.At, c.Args[0]))
		return value.Tuple{}, true
	}
	for _, child := range children {
		s := pointedStruct(child)
		if value.IsNil(child) {
			c.Fail(c.At, NilDereference)
		}
		if s == parent {
			c.panics("Command can't be a child of itself")
		}
		if s != nil {
			c.Set(fieldNamed(s, "parent"), c.Fn.Recv)
			if !value.IsNil(loaded(parent, "globNormFunc")) {
				c.normalizes(s)
			}
		}
	}
	for _, longest := range []string{"commandsMaxCommandPathLen", "commandsMaxNameLen", "commandsMaxUseLen"} {
		c.setField(c.Fn.Recv, longest, value.UnknownAt(c.At.Pos(), "the length of the longest command"))
	}
	c.setField(c.Fn.Recv, "commandsAreSorted", boolean(false))
	extend(c, commands, c.Fn.Obj.Signature().Params().At(0).Type(), children...)
	return value.Tuple{}, true
}

// cobraField is the model of a method that returns a field of a command. Of one that isn't
// known, the source of cobra says more.
func cobraField(name string) Function {
	return func(c *Call) (value.Value, bool) {
		s := pointedStruct(c.Fn.Recv)
		if s == nil {
			return nil, false
		}
		return loaded(s, name), true
	}
}

// cobraNameOf is the model of Name: the first word of Use. Which command the receiver is, the
// command line may decide.
func cobraNameOf(c *Call) (value.Value, bool) {
	s := pointedStruct(c.Fn.Recv)
	if s == nil {
		return tellsOfCommands(c)
	}
	use, known := value.TextOf(loaded(s, "Use"))
	if !known {
		return c.because(loaded(s, "Use")), true
	}
	name, _, _ := strings.Cut(use, " ")
	return text(name), true
}

func cobraRootOf(c *Call) (value.Value, bool) { return cobraRoot(c, c.Fn.Recv) }

func cobraSetContext(c *Call) (value.Value, bool) {
	if pointedStruct(c.Fn.Recv) == nil {
		return nil, false
	}
	c.setField(c.Fn.Recv, "ctx", c.Args[0])
	return value.Tuple{}, true
}

// cobraSetArgs is the model of SetArgs. Arguments that aren't the command line's choose the
// command.
func cobraSetArgs(c *Call) (value.Value, bool) {
	if !isCommandLine(c.Args[0]) {
		lostWords(c)
	}
	return value.Tuple{}, true
}

// cobraRoot returns the root of a command's tree. Where it isn't known, it returns what
// is in its place.
func cobraRoot(c *Call, cmd value.Value) (root value.Value, known bool) {
	for ; ; c.Work(1) {
		s := pointedStruct(cmd)
		if s == nil {
			return cmd, false
		}
		parent := loaded(s, "parent")
		if value.IsNil(parent) {
			return cmd, true
		}
		cmd = parent
	}
}

// cobraLater is the model of OnInitialize and OnFinalize.
func cobraLater(variable string) Function {
	return func(c *Call) (value.Value, bool) {
		functions, known := elements(c.Args[0])
		if !known {
			c.Set(c.Variable(variable), c.because(c.Args[0]))
		}
		extend(c, c.Variable(variable), c.Fn.Obj.Signature().Params().At(0).Type(), functions...)
		return value.Tuple{}, true
	}
}

// cobraExecute is the model of Execute: each command that can run is a way to go
// on, and to print a help text is one that does nothing.
func cobraExecute(c *Call) (value.Value, bool) {
	root, known := cobraRoot(c, c.Fn.Recv)
	if !known {
		lostCommand(c, root)
		return results(c), true
	}
	if c.hasOwnWords() {
		lostWords(c)
	}
	if s := pointedStruct(c.Fn.Recv); strings.Contains(c.Fn.Obj.Name(), "Context") && s != nil {
		c.Set(fieldNamed(s, "ctx"), c.Args[0])
	}
	for _, cmd := range []value.Value{c.Fn.Recv, root} {
		if s := pointedStruct(cmd); s != nil && value.IsNil(loaded(s, "ctx")) {
			background := value.UnknownAt(c.At.Pos(), "the context of the command")
			background.NonNil = true
			c.Set(fieldNamed(s, "ctx"), background)
		}
	}
	t := cobraTree{call: c}
	t.collect(root, nil)
	if commands := fieldNamed(pointedStruct(root), "commands"); !value.IsNil(commands.Load()) {
		more := value.UnknownAt(c.At.Pos(), "the commands, to which cobra adds")
		c.Set(commands, more.Of(commands.Load()))
	}
	parseFlags(c)
	return c.runOneOf(t.commands), true
}

// cobraTree is a tree of commands that is executed.
type cobraTree struct {
	call     *Call
	commands []command
	args     *value.Unknown // the words after the command that runs

	// otherwise has Execute end by the error of a function.
	otherwise func(err value.Value) []value.Value
}

// collect finds the commands that can run below and at cmd. above has its
// parents, the root first.
func (t *cobraTree) collect(cmd value.Value, above []value.Value) {
	s := pointedStruct(cmd)
	if s == nil {
		lostCommand(t.call, cmd)
		return
	}
	chain := append(above[:len(above):len(above)], cmd)
	if !value.IsNil(loaded(s, "Run")) || !value.IsNil(loaded(s, "RunE")) {
		t.commands = append(t.commands, command{cobraName(chain), func(otherwise func(value.Value) []value.Value) bool {
			t.otherwise = otherwise
			return t.run(chain)
		}})
	}
	t.call.lendRest(s, cobraFollowed, cobraSet...)
	if group, known := value.TextOf(loaded(s, "GroupID")); !known || group != "" {
		t.call.Risk(t.call.At) // where the parent has no such group
	}
	children, ok := elements(loaded(s, "commands"))
	if !ok {
		lostCommand(t.call, loaded(s, "commands"))
	}
	if help := loaded(s, "helpCommand"); len(above) == 0 && len(children) > 0 && !value.IsNil(help) {
		children = append(children[:len(children):len(children)], help)
	}
	t.call.refuseTwins(children, cobraWord)
	for _, child := range children {
		t.collect(child, chain)
	}
}

// cobraFollowed are the exported fields of commands that decide what runs.
var cobraFollowed = []string{
	"Args", "PersistentPostRun", "PersistentPostRunE", "PersistentPreRun", "PersistentPreRunE", "PostRun", "PostRunE", "PreRun", "PreRunE",
	"Run", "RunE",
}

// cobraSet are the other fields that methods of commands set, and that cobra calls, or that may be wrong.
var cobraSet = []string{
	"commandgroups", "errWriter", "flagErrorFunc", "flags", "globNormFunc", "helpFunc", "inReader", "outWriter", "pflags", "usageFunc",
}

// cobraWord returns the word by which the command line names a command, "" where it isn't known.
func cobraWord(s *value.Struct) string {
	use, _ := value.TextOf(loaded(s, "Use"))
	name, _, _ := strings.Cut(use, " ")
	return name
}

// cobraName returns how the command line names the last command of a chain: the
// root isn't a part of it.
func cobraName(chain []value.Value) string {
	var names []string
	for _, cmd := range chain {
		names = append(names, cobraWord(pointedStruct(cmd)))
	}
	if len(names) > 1 {
		names = names[1:]
	}
	return strings.Join(names, " ")
}

// run does what cobra does for the last command of a chain, and reports whether no
// function surely fails.
func (t *cobraTree) run(chain []value.Value) bool {
	c, cmd := t.call, chain[len(chain)-1]
	s, name := pointedStruct(cmd), cobraName(chain)
	t.args = c.Arguments(value.UnknownAt(c.At.Pos(), "the arguments of the command line"), "the arguments of "+name, len(strings.Fields(name)))
	t.args.NonNil = true
	t.inherit(chain)
	t.all(cobraInitializers)
	if value.IsNil(c.Variable(cobraFinalizers).Load()) {
		ok := t.steps(cmd, s)
		if added, _ := elements(c.Variable(cobraFinalizers).Load()); len(added) > 0 {
			c.Lost(c.At, value.UnknownAt(c.At.Pos(), "that a command calls cobra.OnFinalize"), "call it before the command runs")
		}
		return ok
	}
	return t.finalized(func() bool { return t.steps(cmd, s) })
}

// finalized runs the steps of a command, and then the functions of OnFinalize, also where
// a step fails or panics. It reports whether none surely fails.
func (t *cobraTree) finalized(steps func() bool) bool {
	c, fails := t.call, t.otherwise
	t.otherwise = onlyError
	rescue := func(panicked value.Value) []value.Value {
		t.all(cobraFinalizers)
		c.Panic(c.At, panicked)
		return nil
	}
	_, ok := c.Try(c.At, func() value.Value {
		return c.Function(c.At, errorResult, rescue, func() []value.Value {
			if !steps() {
				return onlyError(c.errorOfFailure())
			}
			return onlyError(noError())
		})
	}, func(err value.Value) []value.Value {
		t.all(cobraFinalizers)
		return fails(err)
	})
	t.all(cobraFinalizers)
	return ok
}

// steps calls the functions of a command and reports whether none surely fails.
func (t *cobraTree) steps(cmd value.Value, s *value.Struct) bool {
	if !t.validate(cmd, s) || !t.persistent(cmd, "PersistentPreRun") {
		return false
	}
	for _, step := range []string{"PreRun", "Run", "PostRun"} {
		if !t.first(cmd, s, step) {
			return false
		}
	}
	return t.persistent(cmd, "PersistentPostRun")
}

// persistent calls the function of a step of the nearest of a command and its parents, and reports
// whether the command goes on. Whether cobra calls those of the others too matters only
// where there are any.
func (t *cobraTree) persistent(cmd value.Value, step string) bool {
	var having []*value.Struct
	for at := cmd; !value.IsNil(at); t.call.Work(1) {
		s := pointedStruct(at)
		if s == nil {
			lostCommand(t.call, at)
			break
		}
		at = loaded(s, "parent")
		if !value.IsNil(loaded(s, step)) || !value.IsNil(loaded(s, step+"E")) {
			having = append(having, s)
		}
	}
	if len(having) == 0 {
		return true
	}
	if len(having) > 1 && !t.nearestOnly() {
		t.call.Lost(t.call.At, value.UnknownAt(t.call.At.Pos(), "that cobra.EnableTraverseRunHooks may be set"),
			"call what comes first from what comes later")
	}
	return t.first(cmd, having[0], step)
}

// nearestOnly reports whether of the functions of a step that several commands of a
// chain have, cobra calls only that of the last one.
func (t *cobraTree) nearestOnly() bool {
	traverse := t.call.Variable(cobraTraverse).Load()
	holds, known := value.Truth(traverse)
	return value.IsNil(traverse) || known && !holds
}

// inherit gives the command the root's context.
func (t *cobraTree) inherit(chain []value.Value) {
	root, cmd := pointedStruct(chain[0]), pointedStruct(chain[len(chain)-1])
	if value.IsNil(loaded(cmd, "ctx")) {
		t.call.Set(fieldNamed(cmd, "ctx"), loaded(root, "ctx"))
	}
}

// all calls the functions in a variable of the package.
func (t *cobraTree) all(variable string) {
	held := t.call.Variable(variable).Load()
	functions, known := elements(held)
	if !known {
		lostCommand(t.call, held)
	}
	for _, f := range functions {
		t.call.Call(t.call.At, f, nil)
	}
}

// validate calls the program's own function in Args.
func (t *cobraTree) validate(cmd value.Value, s *value.Struct) bool {
	args := loaded(s, "Args")
	f, ok := args.(*value.Func)
	if !ok && !value.IsNil(args) {
		lostCommand(t.call, args)
	}
	if !ok || f.Obj != nil && f.Obj.Pkg() != nil && f.Obj.Pkg().Path() == cobraPackage {
		return true
	}
	return t.mayHelp(f, cmd)
}

// mayHelp calls a function of a command that may end by the help text, and reports whether the
// command goes on.
func (t *cobraTree) mayHelp(f, cmd value.Value) bool {
	result, ok := t.call.try(f, []value.Value{cmd, t.args}, func(err value.Value) []value.Value {
		t.refuseHelp(err)
		return t.otherwise(err)
	})
	if !ok {
		t.refuseHelp(ErrorOf(result))
	}
	return ok
}

// first calls the function of a step that can fail, or else the other, and
// reports whether the command goes on.
func (t *cobraTree) first(cmd value.Value, s *value.Struct, step string) bool {
	for _, name := range []string{step + "E", step} {
		f := loaded(s, name)
		if value.IsNil(f) {
			continue
		}
		if value.IsUnknown(f) {
			lostCommand(t.call, f)
			return true
		}
		return t.mayHelp(f, cmd)
	}
	return true
}

// helpText is the text of pflag.ErrHelp.
const helpText = "pflag: help requested"

// refuseHelp refuses a step that ends by pflag.ErrHelp, or by an error that says that it is that
// one: cobra prints the help then, and returns no error. The variable isn't known where pflag isn't
// read, and else is found by its text.
func (t *cobraTree) refuseHelp(err value.Value) {
	c := t.call
	for ; !value.IsNil(err); c.Work(1) {
		if t.isHelp(err) {
			c.Lost(c.At, value.UnknownAt(c.At.Pos(), "that a command returns pflag.ErrHelp"), "call cmd.Help there")
			return
		}
		unwrap := c.Method(c.At, err, "Unwrap")
		if unwrap == nil {
			return
		}
		err = c.Call(c.At, unwrap, nil)
		if several, known := elements(err); known {
			for _, err := range several {
				t.refuseHelp(err)
			}
			return
		}
	}
}

// isHelp reports whether an error may be, or lead to, pflag.ErrHelp, or says so.
func (t *cobraTree) isHelp(err value.Value) (found bool) {
	c := t.call
	w := value.Walk{Visit: func(_ *value.Cell, v value.Value) {
		u, isUnknown := v.(*value.Unknown)
		said, isText := value.TextOf(v)
		found = found || isUnknown && u.Foreign && u.Reason == "the variable pflag.ErrHelp" || isText && said == helpText
	}}
	w.All([]value.Value{err})
	is := c.Method(c.At, err, "Is")
	if found || is == nil {
		return found
	}
	help := value.UnknownAt(c.At.Pos(), "the variable pflag.ErrHelp")
	help.NonNil = true
	says, known := value.Truth(c.Call(c.At, is, []value.Value{help}))
	return says || !known
}

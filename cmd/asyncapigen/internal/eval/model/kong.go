package model

import (
	"go/types"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Commands of alecthomas/kong. They are the fields of a struct with the tag cmd;
// Context.Run calls the method Run of one of them, and the command line decides
// which.

const (
	kongPackage = "github.com/alecthomas/kong"
	kongParser  = "(*" + kongPackage + ".Kong)."
	kongContext = "(*" + kongPackage + ".Context)."
)

var kongFunctions = merged(
	map[string]Function{
		kongPackage + ".Bind":          kongBindOption,
		kongPackage + ".BindTo":        kongBindToOption,
		kongPackage + ".Configuration": kongConfiguration,
		kongPackage + ".Exit":          kongExit,
		kongPackage + ".Must":          kongNew,
		kongPackage + ".New":           kongNew,
		kongPackage + ".Parse":         kongParse,
		kongParser + "FatalIfErrorf":   kongFatal,
		kongParser + "Parse":           kongParse,
		kongContext + "Bind":           kongBind,
		kongContext + "BindTo":         kongBindTo,
		kongContext + "Command":        kongCommand,
		kongContext + "Run":            kongRun,
		kongContext + "Validate":       kongValidate,
	},
	table(kongPackage+".", newKongOption,
		"BindSingletonProvider", "BindToProvider", "ClearResolvers", "ConfigureHelp", "DefaultEnvars", "Description",
		"DynamicCommand", "Embed", "ExplicitGroups", "FlagNamer", "Groups", "Help", "HelpFormatter", "IgnoreFields", "KindMapper", "Name",
		"NamedMapper", "NoDefaultHelp", "PostBuild", "Resolvers", "ShortHelp", "ShortUsageOnError", "TypeMapper", "UsageOnError",
		"ValueFormatter", "ValueMapper", "Vars", "WithBeforeApply", "Writers"),
	table(kongParser, tellsOfCommands, "Errorf", "Printf"),
	table(kongContext, tellsOfCommands, "PrintUsage"),
)

const (
	// kongChanged says whether the program may change the defaults of flags.
	kongChanged = kongPackage + ".changed"

	// kongReturns says whether the program gives the function by which kong ends it, which
	// may return.
	kongReturns = kongPackage + ".returns"
)

// kongFatal is the model of FatalIfErrorf.
func kongFatal(c *Call) (value.Value, bool) {
	if value.IsNil(c.Variable(kongReturns).Load()) {
		return exitsOnError(c)
	}
	if !value.IsNilInterface(c.Args[0]) {
		c.Lend(c.At, c.Args, value.UnknownResult(c.At))
		c.MayExit(c.At)
	}
	return value.Tuple{}, true
}

// kongOther is the model of methods of kong that aren't followed.
func kongOther(c *Call) (value.Value, bool) {
	g, ok := c.Fn.Recv.(kongGrammar)
	if ok && !slices.Contains(kongTelling, c.Fn.Obj.Name()) {
		c.Lost(c.At, value.UnknownAt(c.At.Pos(), "what "+c.name()+" does"), "leave it to Parse and Run")
	}
	if ok {
		c.Lose(g.cli)
	}
	return nil, false
}

// kongTelling are the methods that only tell of a command line.
var kongTelling = []string{"Args", "Empty", "Fatalf", "Path", "Selected", "String", "Value", "FlagValue"}

// kongValidate is the model of Validate, which calls those of the grammar.
func kongValidate(c *Call) (value.Value, bool) {
	if g, ok := c.Fn.Recv.(kongGrammar); ok {
		c.MayCall(c.At, g.cli, "Validate")
	}
	return tellsOfCommands(c)
}

// kongGrammar is a parser, or what it has parsed.
type kongGrammar struct {
	cli      value.Value // the pointer that was given
	typ      types.Type
	defaults bool        // the tags say what the defaults are
	names    bool        // the tags and the fields say what the commands are
	binds    *kongBinds  // by options, nil for none
	chosen   *value.Cell // the index of the command that runs, once it was chosen
	bound    *value.Cell // a slice of what Bind and BindTo of a context were given
}

// DynamicType implements [value.Atom].
func (g kongGrammar) DynamicType() types.Type { return g.typ }

// Closed implements [value.Closed]: what the fields of a parser lead to changes what it does.
func (g kongGrammar) Closed() bool { return true }

// Held implements [value.Holder].
func (g kongGrammar) Held() []value.Value { return append(g.binds.values(), g.cli) }

func kongNew(c *Call) (value.Value, bool) {
	g := newKongGrammar(c)
	if s := pointedStruct(g.cli); s != nil {
		makeCommands(c, s)
	}
	return withNoError(c, g), true
}

// makeCommands makes unknown the pointers that New replaces by those to commands that it makes.
func makeCommands(c *Call, s *value.Struct) {
	for _, f := range kongFields(s, "") {
		switch node := f.node(); {
		case f.isMade():
			makeCommand(c, f)
		case node != nil:
			makeCommands(c, node)
		}
	}
}

func makeCommand(c *Call, f kongField) {
	c.Set(f.cell, value.UnknownAt(f.field.Pos(), "a command that kong makes; a struct in place of the pointer is followed"))
}

func newKongGrammar(c *Call) kongGrammar {
	options, known := optionsOf(c)
	binds, others := boundBy(c)
	if s := pointedStruct(c.Args[0]); s == nil || takesBound(s.Type) {
		others = append(others, binds.values()...)
	}
	c.Expose(c.At, others, value.UnknownResult(c.At))
	c.MayCall(c.At, c.Args[0], "Help")
	c.Risk(c.At) // where the grammar is wrong
	g := kongGrammar{cli: c.Args[0], defaults: known, names: known, binds: binds}
	for _, name := range options {
		g.defaults = g.defaults && slices.Contains(kongOptions, name)
		g.names = g.names && !slices.Contains(kongNaming, name)
		if name == "DynamicCommand" || name == "Embed" {
			c.Lost(c.At, value.UnknownAt(c.At.Pos(), "commands that the option "+name+" adds"), "declare them in the grammar")
		}
	}
	return g
}

// withNoError returns the grammar as the first result of a call.
func withNoError(c *Call, g kongGrammar) value.Value {
	list := c.Fn.Obj.Signature().Results()
	var bound value.Value = value.Nil{}
	if s := pointedStruct(g.cli); s != nil && takesContext(s.Type) && c.UsersMention(kongPackage, "Bind") {
		bound = value.UnknownAt(c.At.Pos(), "what a hook binds")
	}
	g.typ, g.chosen, g.bound = list.At(0).Type(), value.NewCell(value.Nil{}), value.NewCell(bound)
	if list.Len() == 1 {
		return g
	}
	return value.Tuple{g, &value.Unknown{Reason: "the result of " + value.Source(c.At), Pos: c.At.Pos()}}
}

// kongParse is the model of Parse: it makes unknown what isn't a command.
func kongParse(c *Call) (value.Value, bool) {
	var g kongGrammar
	switch recv := c.Fn.Recv.(type) {
	case kongGrammar:
		g = recv
	case nil:
		g = newKongGrammar(c)
	default:
		return nil, false
	}
	if isMethod := c.Fn.Recv != nil; isMethod && !isCommandLine(c.Args[0]) && (!setsNoFlags(c.Args[0]) || countCommands(g.cli) > 1) || !isMethod && c.hasOwnWords() {
		lostWords(c)
	}
	if s := pointedStruct(g.cli); s != nil {
		refuseKongMethods(c, s.Type, make(map[*types.Func]bool))
		nodes := kongStructs(g.cli, s)
		mayCallHook(c, nodes, kongHooksOfParse[0])
		g.fill(c, s)
		for _, hook := range kongHooksOfParse[1:] {
			mayCallHook(c, nodes, hook)
		}
		c.MayCall(c.At, g.cli, "Help", "Validate", "Vars") // to check the command line, and to tell of it
	} else {
		lostCommand(c, g.cli)
	}
	return withNoError(c, g), true
}

// setsNoFlags reports whether words are those of the program, of which none sets a flag: they only
// choose a command.
func setsNoFlags(words value.Value) bool {
	list, known := elements(words)
	return known && !slices.ContainsFunc(list, func(v value.Value) bool {
		word, isKnown := value.TextOf(v)
		return !isKnown || strings.HasPrefix(word, "-")
	})
}

// countCommands returns how many commands without others a grammar has.
func countCommands(cli value.Value) (n int) {
	s := pointedStruct(cli)
	if s == nil {
		return 0
	}
	for _, f := range kongFields(s, "") {
		within := 0
		if node := f.node(); node != nil {
			within = countCommands(node)
		}
		if within == 0 && f.keys["cmd"] {
			within = 1
		}
		n += within
	}
	return n
}

// kongHooksOfParse are the methods that kong calls by their names while it parses the command line, in
// this order. After the first one it gives flags and arguments their defaults, and before the last one what
// the command line says.
var kongHooksOfParse = []string{"BeforeReset", "BeforeResolve", "BeforeApply", "AfterApply"}

// kongHooks returns the methods of a type that kong calls by their names.
func kongHooks(t types.Type) []*types.Func {
	var hooks []*types.Func
	for m := range types.NewMethodSet(t).Methods() {
		if fn := m.Obj().(*types.Func); fn.Name() == "AfterRun" || slices.Contains(kongHooksOfParse, fn.Name()) {
			hooks = append(hooks, fn)
		}
	}
	return hooks
}

// kongStructs returns pointers to the structs of a grammar that aren't flags or arguments, p to s among them.
func kongStructs(p value.Value, s *value.Struct) []value.Value {
	all := []value.Value{p}
	u := s.Type.Underlying().(*types.Struct)
	for i, cell := range s.Fields {
		f := kongField{field: u.Field(i), keys: kongTag(u.Tag(i)), cell: cell}
		part, isStruct := cell.Load().(*value.Struct)
		if isStruct && !f.keys["-"] && (f.embeds() || f.node() != nil) {
			all = append(all, kongStructs(value.Pointer{Type: types.NewPointer(f.field.Type()), To: cell}, part)...)
		}
	}
	return all
}

// mayCallHook calls the methods of one name that structs of a grammar have: kong does that for those of
// the command that is chosen.
func mayCallHook(c *Call, structs []value.Value, name string) {
	for _, p := range structs {
		obj, _, _ := types.LookupFieldOrMethod(value.TypeOf(p), false, nil, name)
		if fn, isMethod := obj.(*types.Func); isMethod && fn.Pkg().Path() != kongPackage {
			c.MayCallFunction(c.At, c.Method(c.At, p, name))
		}
	}
}

func kongHookCalls(fn *types.Func) *value.Unknown {
	return value.UnknownAt(fn.Pos(), "the method "+fn.Name()+", which kong calls at a time of its own")
}

// refuseKongMethods says that methods of commands aren't followed which kong calls by their names after
// Run, or which make values or tags.
func refuseKongMethods(c *Call, t types.Type, said map[*types.Func]bool) {
	for m := range types.NewMethodSet(types.NewPointer(t)).Methods() {
		fn := m.Obj().(*types.Func)
		name := fn.Name()
		if !said[fn] && (name == "AfterRun" || name == "Signature" || strings.HasPrefix(name, "Provide")) {
			c.Lost(c.At, kongHookCalls(fn), "call it from Run by another name")
		}
		said[fn] = true
	}
	u := t.Underlying().(*types.Struct)
	for i := range u.NumFields() {
		f := kongField{field: u.Field(i), keys: kongTag(u.Tag(i))}
		_, isStruct := f.field.Type().Underlying().(*types.Struct)
		if isStruct && (f.embeds() || f.keys["cmd"] || f.keys["arg"]) && !readsItself(f.field.Type()) {
			refuseKongMethods(c, f.field.Type(), said)
		}
	}
}

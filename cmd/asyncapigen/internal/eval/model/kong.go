package model

import (
	"go/types"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/mod/semver"

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

// kongConfiguration is the model of Configuration. A loader that isn't kong's may give each
// flag a value, whatever its file holds.
func kongConfiguration(c *Call) (value.Value, bool) {
	loader, ok := c.Args[0].(*value.Func)
	if !ok || loader.Obj == nil || loader.Obj.Pkg() == nil || !isOfKong(loader.Obj.Pkg().Path()) {
		c.Set(c.Variable(kongChanged), boolean(true))
	}
	return newKongOption(c)
}

// isOfKong reports whether a package is kong, or one of its loaders.
func isOfKong(path string) bool {
	return path == kongPackage || strings.HasPrefix(path, kongPackage+"-")
}

// kongExit is the model of Exit.
func kongExit(c *Call) (value.Value, bool) {
	c.Set(c.Variable(kongReturns), boolean(true))
	return newKongOption(c)
}

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
	if s := pointedStruct(c.Args[0]); s == nil || checksByContext(s.Type) {
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

var (
	// kongOptions are those that don't change how a default is read.
	kongOptions = []string{
		"Bind", "BindSingletonProvider", "BindTo", "BindToProvider", "Configuration", "ConfigureHelp", "DefaultEnvars", "Description",
		"Exit", "ExplicitGroups", "FlagNamer", "Groups", "Help", "HelpFormatter", "Name", "NoDefaultHelp", "ShortHelp",
		"ShortUsageOnError", "UsageOnError", "ValueFormatter", "Vars", "Writers",
	}

	// kongSettled are those that neither bind anything nor call functions with what is bound.
	kongSettled = []string{
		"ConfigureHelp", "DefaultEnvars", "Description", "Exit", "ExplicitGroups", "FlagNamer", "Groups", "Help", "HelpFormatter", "Name",
		"NoDefaultHelp", "ShortHelp", "ShortUsageOnError", "UsageOnError", "ValueFormatter", "Vars", "Writers",
	}

	// kongNaming are those that may change what the commands are, or their names.
	kongNaming = []string{"DynamicCommand", "Embed", "FlagNamer", "IgnoreFields", "OptionFunc", "PostBuild"}
)

// kongOption is an option that a function of kong has made.
type kongOption struct {
	name  string
	typ   types.Type
	binds value.Value // the list that Bind was given, the kongBound of BindTo, nil for others
}

// DynamicType implements [value.Atom].
func (o kongOption) DynamicType() types.Type { return o.typ }

// Held implements [value.Holder].
func (o kongOption) Held() []value.Value {
	switch bound := o.binds.(type) {
	case nil:
		return nil
	case kongBound:
		return []value.Value{bound.v}
	default:
		return []value.Value{bound}
	}
}

// kongOptionOf returns the option that a function of kong makes.
func kongOptionOf(c *Call, binds value.Value) kongOption {
	return kongOption{c.Fn.Obj.Name(), c.Fn.Obj.Signature().Results().At(0).Type(), binds}
}

// boundBy returns what the options of a call bind, and the other options. Those that aren't
// known, or call functions, may bind values of any types, after all others.
func boundBy(c *Call) (binds *kongBinds, others []value.Value) {
	options, known := elements(c.Args[1])
	binds = new(kongBinds)
	for _, v := range options {
		o, _ := v.(kongOption)
		switch bound := o.binds.(type) {
		case nil:
			others = append(others, v)
			known = known && slices.Contains(kongSettled, optionName(v))
		case kongBound:
			binds.all = append(binds.all, bound)
		default:
			list, isKnown := elements(bound)
			known = known && isKnown
			for _, v := range list {
				binds.all = append(binds.all, kongBound{value.TypeOf(v), v})
			}
		}
	}
	if !known {
		others = append(append(others, c.Args[1]), binds.values()...)
		binds.all = append(binds.all, kongBound{nil, value.UnknownAt(c.At.Pos(), "a value that kong binds")})
	}
	return binds, others
}

// kongBindOption is the model of Bind, whose list is looked at when the parser is made.
func kongBindOption(c *Call) (value.Value, bool) { return kongOptionOf(c, c.Args[0]), true }

// kongBindToOption is the model of BindTo, whose second argument is a pointer to the interface.
func kongBindToOption(c *Call) (value.Value, bool) {
	t := value.TypeOf(c.Args[1])
	if t == nil || value.Pointee(t) == nil {
		return newKongOption(c)
	}
	return kongOptionOf(c, kongBound{value.Pointee(t), c.Args[0]}), true
}

// newKongOption is the model of a function that makes an option, and gets functions for later.
func newKongOption(c *Call) (value.Value, bool) {
	c.Expose(c.At, c.Args, value.UnknownResult(c.At))
	return kongOptionOf(c, nil), true
}

// optionsOf returns the names of the options of a call, which follow its first argument. It reports
// false where one isn't known.
func optionsOf(c *Call) (names []string, ok bool) {
	options, known := elements(c.Args[1])
	for _, v := range options {
		name := optionName(v)
		if name == "" {
			return nil, false
		}
		names = append(names, name)
	}
	return names, known
}

// optionName returns the name of the function of kong that has made an option, or of its type; ""
// for others.
func optionName(v value.Value) string {
	if o, isMade := v.(kongOption); isMade {
		return o.name
	}
	named, isNamed := types.Unalias(value.TypeOf(v)).(*types.Named)
	if value.IsUnknown(v) || !isNamed || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != kongPackage {
		return ""
	}
	return named.Obj().Name()
}

// withNoError returns the grammar as the first result of a call.
func withNoError(c *Call, g kongGrammar) value.Value {
	list := c.Fn.Obj.Signature().Results()
	g.typ, g.chosen, g.bound = list.At(0).Type(), value.NewCell(value.Nil{}), value.NewCell(value.Nil{})
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
		refuseKongHooks(c, s.Type, make(map[*types.Func]bool))
		g.fill(c, s)
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

// kongField is a field of a struct, or of one that it embeds.
type kongField struct {
	field *types.Var
	tag   string
	keys  map[string]bool // of the tag
	name  string          // on the command line
	cell  *value.Cell
}

// kongFields returns the fields that say what the command line is.
func kongFields(s *value.Struct, prefix string) []kongField {
	u := s.Type.Underlying().(*types.Struct)
	var all []kongField
	ignored := make(map[string]bool)
	for i, cell := range s.Fields {
		f := kongField{field: u.Field(i), tag: u.Tag(i), keys: kongTag(u.Tag(i)), cell: cell}
		own := prefix + reflect.StructTag(f.tag).Get("prefix")
		f.name = own + kongName(f.field.Name(), f.tag)
		part, isStruct := cell.Load().(*value.Struct)
		switch embeds := f.embeds(); {
		case f.keys["-"]:
			ignored[f.field.Name()] = true
		case !embeds && !f.field.Exported():
		case embeds && isStruct:
			all = append(all, kongFields(part, own)...)
		default:
			all = append(all, f)
		}
	}
	return slices.DeleteFunc(all, func(f kongField) bool { return ignored[f.field.Name()] })
}

// embeds reports whether the fields of a field are taken for those of the struct around it.
func (f kongField) embeds() bool { return f.keys["embed"] || f.field.Embedded() }

// node returns the struct that declares a command, or an argument after which others
// come; nil for other fields.
func (f kongField) node() *value.Struct {
	s, _ := f.cell.Load().(*value.Struct)
	if s == nil || !f.keys["cmd"] && !f.keys["arg"] || readsItself(f.field.Type()) {
		return nil
	}
	return s
}

// isMade reports whether kong itself makes a field's value, in which others may be.
func (f kongField) isMade() bool {
	_, isStruct := f.cell.Load().(*value.Struct)
	return !isStruct && (f.keys["cmd"] || f.keys["embed"] || f.field.Embedded() && !value.IsNil(f.cell.Load()))
}

// readsItself reports whether a type has a method by which kong reads a text.
func readsItself(t types.Type) bool {
	m := mirroring{methods: methodNames{"Decode", "Signature", "UnmarshalText", "UnmarshalBinary", "UnmarshalJSON"}}
	return m.hasMethod(t)
}

// fill gives the flags and arguments below a struct what they have from outside.
func (g kongGrammar) fill(c *Call, s *value.Struct) {
	for _, f := range kongFields(s, "") {
		switch node := f.node(); {
		case node != nil:
			g.fill(c, node)
		case f.isMade():
			makeCommand(c, f)
		default:
			g.fillValue(c, f)
		}
	}
}

// fillValue gives a flag or an argument what it has from outside. kong may call methods
// of its type.
func (g kongGrammar) fillValue(c *Call, f kongField) {
	t := f.field.Type()
	p := value.Pointer{Type: types.NewPointer(t), To: f.cell}
	why := value.UnknownAt(f.field.Pos(), "the value of the flag or argument "+f.field.Name())
	why.CommandLine = true
	fallback := g.fallback(f.tag, t)
	if c.setsVariables() || !value.IsNil(c.Variable(kongChanged).Load()) {
		fallback = nil
	}
	c.decodesInto(t)
	c.FromOutside(p, fallback, why)
	for _, fn := range kongHooks(p.Type) {
		if fn.Pkg().Path() != kongPackage {
			c.Expose(c.At, append(g.binds.values(), c.Method(c.At, p, fn.Name())), kongHookCalls(fn))
		}
	}
}

// kongAppliesOnce is the version of kong as of which Run doesn't set flags and arguments again.
const kongAppliesOnce = "v1.6.1"

// fillAgain gives the flags and arguments below a struct, to which the program may have assigned
// other values, what the command line gives them: or else they keep those.
func (g kongGrammar) fillAgain(c *Call, s *value.Struct) {
	for _, f := range kongFields(s, "") {
		if node := f.node(); node != nil {
			g.fillAgain(c, node)
		} else if !f.isMade() && !g.isFilled(f) {
			why := value.UnknownAt(f.field.Pos(), "the value of the flag or argument "+f.field.Name()+", which this version of kong sets again")
			why.CommandLine = true
			c.FromOutside(value.Pointer{Type: types.NewPointer(f.field.Type()), To: f.cell}, nil, why)
		}
	}
}

// isFilled reports whether a flag or an argument still has what it has from outside.
func (g kongGrammar) isFilled(f kongField) bool {
	v := f.cell.Load()
	if u, ok := v.(*value.Unknown); ok && u.CommandLine {
		return true
	}
	fallback := g.fallback(f.tag, f.field.Type())
	if fallback == nil {
		return false
	}
	same, _ := value.Compare(v, fallback)
	return same == value.Yes
}

// fallback returns the default that a flag's tag gives, nil for none, and where
// the tag says more of how it is read.
func (g kongGrammar) fallback(tag string, t types.Type) value.Value {
	for _, special := range []string{"arg", "format", "kong", "required", "sep", "type"} {
		if _, has := reflect.StructTag(tag).Lookup(special); has {
			return nil
		}
	}
	text := reflect.StructTag(tag).Get("default")
	_, isSlice := t.Underlying().(*types.Slice) // its capacity depends on how it grows
	if text == "" || isSlice || !g.defaults || readsItself(t) || !isEnumerated(text, tag) {
		return nil
	}
	return parseDefault(text, t, "")
}

// isEnumerated reports whether a default is one of the texts that its tag allows: else it
// isn't the value of any start.
func isEnumerated(text, tag string) bool {
	enum := reflect.StructTag(tag).Get("enum")
	return enum == "" || slices.ContainsFunc(strings.Split(enum, ","), func(allowed string) bool { return strings.TrimSpace(allowed) == text })
}

// kongTag returns the keys of a field's tag, written as kong:"cmd,help='...'" or
// as tags of their own.
func kongTag(tag string) map[string]bool {
	keys := make(map[string]bool)
	for _, key := range []string{"arg", "cmd", "default", "embed", "hidden", "optional"} {
		_, keys[key] = reflect.StructTag(tag).Lookup(key)
	}
	for _, item := range strings.Split(reflect.StructTag(tag).Get("kong"), ",") {
		key, _, _ := strings.Cut(item, "=")
		keys[key] = true
	}
	return keys
}

// kongBind is the model of Context.Bind.
func kongBind(c *Call) (value.Value, bool) {
	g, ok := c.Fn.Recv.(kongGrammar)
	values, known := elements(c.Args[0])
	if !ok || !known {
		lostCommand(c, value.Because(c.At, c.Fn.Recv, c.Args[0]))
		return value.Tuple{}, true
	}
	for _, v := range values {
		extend(c, g.bound, nil, kongBound{value.TypeOf(v), v})
	}
	return value.Tuple{}, true
}

// kongBindTo is the model of Context.BindTo, whose second argument is a pointer to the
// interface.
func kongBindTo(c *Call) (value.Value, bool) {
	g, ok := c.Fn.Recv.(kongGrammar)
	t := value.TypeOf(c.Args[1])
	if !ok || t == nil || value.Pointee(t) == nil {
		lostCommand(c, value.Because(c.At, c.Fn.Recv, c.Args[1]))
		return value.Tuple{}, true
	}
	extend(c, g.bound, nil, kongBound{value.Pointee(t), c.Args[0]})
	return value.Tuple{}, true
}

// kongBound is a value that methods Run get for their parameters of a type.
type kongBound struct {
	typ types.Type
	v   value.Value
}

// DynamicType implements [value.Atom].
func (b kongBound) DynamicType() types.Type { return b.typ }

// boundByKong are the values that kong itself binds after what options do.
func boundByKong(c *Call) (binds []kongBound) {
	unknown := value.UnknownAt(c.At.Pos(), "a value that kong binds")
	for _, name := range []string{"Kong", "Vars"} {
		if obj := c.Fn.Obj.Pkg().Scope().Lookup(name); obj != nil { // older versions have no Vars
			binds = append(binds, kongBound{obj.Type(), unknown}, kongBound{types.NewPointer(obj.Type()), unknown})
		}
	}
	return binds
}

// checksByContext reports whether kong calls methods Validate of a grammar with its context, by
// which they may have functions called with what is bound.
func checksByContext(t types.Type) bool {
	seen := make(map[types.Type]bool)
	var visit func(t types.Type) bool
	visit = func(t types.Type) bool {
		if seen[t] {
			return false
		}
		seen[t] = true
		obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), false, nil, "Validate")
		if fn, isMethod := obj.(*types.Func); isMethod && fn.Signature().Params().Len() > 0 {
			return true
		}
		switch u := t.Underlying().(type) {
		case *types.Struct:
			for i := range u.NumFields() {
				isSeen := u.Field(i).Exported() || u.Field(i).Embedded()
				if isSeen && !kongTag(u.Tag(i))["-"] && visit(u.Field(i).Type()) {
					return true
				}
			}
		case *types.Map:
			return visit(u.Key()) || visit(u.Elem())
		case interface{ Elem() types.Type }:
			return visit(u.Elem())
		case *types.Interface:
			return true // it may hold a value that does
		}
		return false
	}
	return visit(t)
}

// kongBinds are what options bind.
type kongBinds struct{ all []kongBound }

func (b *kongBinds) values() (values []value.Value) {
	if b == nil {
		return nil
	}
	for _, bound := range b.all {
		values = append(values, bound.v)
	}
	return values
}

// kongRun is the model of Context.Run: each command that can run is a way to go on.
func kongRun(c *Call) (value.Value, bool) {
	g, t, chosen := kongChosen(c)
	if chosen == nil {
		return results(c), true
	}
	t.bind(g)
	if semver.Compare(c.VersionOf(kongPackage), kongAppliesOnce) < 0 {
		g.fillAgain(c, pointedStruct(g.cli))
	}
	return c.fallible(func(failed func(value.Value) []value.Value) ([]value.Value, bool) {
		return []value.Value{noError()}, t.run(chosen.chain, c.wrapping(failed))
	}), true
}

// kongCommand is the model of Context.Command, which returns the words of the
// command with the names of its arguments that are given.
func kongCommand(c *Call) (value.Value, bool) {
	g, _, chosen := kongChosen(c)
	if chosen == nil || !g.names {
		return tellsOfCommands(c)
	}
	return text(chosen.usage), true
}

// kongChosen returns what has been parsed, and the command that the command line
// chooses: another one on each start. That is nil where it isn't known, which is said.
func kongChosen(c *Call) (kongGrammar, *kongTree, *kongStart) {
	g, _ := c.Fn.Recv.(kongGrammar)
	if pointedStruct(g.cli) == nil {
		lostCommand(c, c.Fn.Recv)
		return g, nil, nil
	}
	t := kongTreeOf(c, g.cli)
	if value.IsNil(g.chosen.Load()) {
		var ways []Way
		for i, start := range t.starts {
			ways = append(ways, Way{Name: kongWords(start.chain), Arguments: start.arguments, Run: func() { c.Set(g.chosen, integer(i)) }})
		}
		c.Alternatives(c.At, ways)
	}
	i, known := value.IntOf(g.chosen.Load())
	if !known { // it was chosen in one of several branches
		lostCommand(c, g.chosen.Load())
		return g, nil, nil
	}
	return g, t, &t.starts[i]
}

// kongStart is a command that can run, after its parents, what Command says then, and
// the [Way.Arguments] of it.
type kongStart struct {
	chain            []kongNode
	usage, arguments string
}

// kongNode is a command, or the whole command line.
type kongNode struct {
	at   value.Pointer
	s    *value.Struct
	name string
	keys map[string]bool // of its tag
}

// kongTree is a tree of commands of which one runs.
type kongTree struct {
	call   *Call
	bound  []kongBound
	starts []kongStart
}

func kongTreeOf(c *Call, cli value.Value) *kongTree {
	t := &kongTree{call: c}
	p, _ := cli.(value.Pointer)
	t.collect(kongNode{at: p, s: pointedStruct(cli)}, nil)
	return t
}

// collect finds the commands below a node. above has its parents, the root first.
func (t *kongTree) collect(n kongNode, above []kongNode) {
	chain := append(above[:len(above):len(above)], n)
	below := t.commands(n.s)
	for _, command := range below {
		t.collect(command, chain)
	}
	if n.runsAlone(below) {
		t.starts = append(t.starts, kongUsages(chain)...)
	}
}

// runsAlone reports whether a command can run without one of those below it.
func (n kongNode) runsAlone(below []kongNode) bool {
	for _, b := range below {
		isAsked := !b.keys["hidden"] && !b.keys["optional"] && (b.keys["arg"] || !n.hasRun())
		if isAsked || b.keys["default"] {
			return false
		}
	}
	return true
}

// withoutNilPointer returns what kong takes the result of a method Run for: an error that holds
// a nil pointer is none.
func withoutNilPointer(err value.Value) value.Value {
	if t := value.TypeOf(err); value.IsNil(err) && t != nil && value.Pointee(t) != nil {
		return noError()
	}
	return err
}

// kongWords returns the words of the last command of a chain.
func kongWords(chain []kongNode) string {
	var names []string
	for _, n := range chain[1:] {
		names = append(names, n.word())
	}
	if len(names) == 0 {
		return "(without a command)"
	}
	return strings.Join(names, " ")
}

// word returns how a command is named, or in brackets the argument that it is.
func (n kongNode) word() string {
	if n.keys["arg"] {
		return "<" + n.name + ">"
	}
	return n.name
}

// kongUsages returns the ways to run the last command of a chain: Command says its words,
// each with the names of its arguments that are given. The last of those may be left out.
func kongUsages(chain []kongNode) []kongStart {
	starts := []kongStart{{}}
	for _, n := range chain {
		required, optional := n.arguments()
		if n.keys["arg"] { // the first is its own value
			required = required[1:]
		}
		words := append([]string{n.word()}, required...)
		var all []kongStart
		for i := range len(optional) + 1 {
			given := optional[:i:i]
			arguments := given
			if i < len(optional) {
				arguments = append(given, NoWord)
			}
			for _, above := range starts {
				all = append(all, kongStart{chain, spaced(above.usage, slices.Concat(words, given)...), spaced(above.arguments, arguments...)})
			}
		}
		starts = all
	}
	return starts
}

// spaced returns a text with words after it.
func spaced(text string, words ...string) string {
	return strings.TrimSpace(text + " " + strings.TrimSpace(strings.Join(words, " ")))
}

// arguments returns the names of the arguments that a command takes, in brackets:
// those that it must get, and those after them.
func (n kongNode) arguments() (required, optional []string) {
	for _, f := range kongFields(n.s, "") {
		switch name := "<" + f.name + ">"; {
		case !f.keys["arg"] || f.node() != nil:
		case f.keys["optional"] || f.keys["default"]:
			optional = append(optional, name)
		default:
			required = append(required, name)
		}
	}
	return required, optional
}

// commands returns those that a struct declares, in embedded structs too.
func (t *kongTree) commands(s *value.Struct) []kongNode {
	var all []kongNode
	for _, f := range kongFields(s, "") {
		if node := f.node(); node != nil {
			at := value.Pointer{Type: types.NewPointer(f.field.Type()), To: f.cell}
			all = append(all, kongNode{at: at, s: node, name: f.name, keys: f.keys})
		} else if f.isMade() {
			lostCommand(t.call, f.cell.Load())
		}
	}
	return all
}

// kongName returns how the command line names a field: as its tag says, or in
// lower case with a hyphen between words.
func kongName(field, tag string) string {
	if name := reflect.StructTag(tag).Get("name"); name != "" {
		return name
	}
	for _, item := range strings.Split(reflect.StructTag(tag).Get("kong"), ",") {
		if name, ok := strings.CutPrefix(item, "name="); ok {
			return strings.Trim(name, "'")
		}
	}
	var b strings.Builder
	runes := []rune(field)
	for i, r := range runes {
		if i > 0 && beginsWord(runes[i-1], r, runes[i+1:]) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// beginsWord reports whether a character of a name in camel case begins a word.
func beginsWord(before, r rune, after []rune) bool {
	switch {
	case unicode.IsUpper(r) && len(after) > 0 && unicode.IsLower(after[0]):
		return true
	case unicode.IsUpper(before) && unicode.IsLower(r):
		return false
	}
	return class(before) != class(r)
}

// class returns a number that is the same for characters which words are made of.
func class(r rune) int {
	return slices.IndexFunc([]func(rune) bool{unicode.IsLower, unicode.IsUpper, unicode.IsDigit}, func(is func(rune) bool) bool { return is(r) })
}

// kongHooks returns the methods of a type that kong calls by their names.
func kongHooks(t types.Type) []*types.Func {
	var hooks []*types.Func
	for m := range types.NewMethodSet(t).Methods() {
		switch fn := m.Obj().(*types.Func); fn.Name() {
		case "BeforeReset", "BeforeResolve", "BeforeApply", "AfterApply", "AfterRun":
			hooks = append(hooks, fn)
		}
	}
	return hooks
}

func kongHookCalls(fn *types.Func) *value.Unknown {
	return value.UnknownAt(fn.Pos(), "the method "+fn.Name()+", which kong calls at a time of its own")
}

// refuseKongHooks says that methods of commands aren't followed which kong calls by
// their names: some run while the command line is parsed, and some make values or tags.
func refuseKongHooks(c *Call, t types.Type, said map[*types.Func]bool) {
	hooks := kongHooks(types.NewPointer(t))
	for m := range types.NewMethodSet(types.NewPointer(t)).Methods() {
		if name := m.Obj().Name(); name == "Signature" || strings.HasPrefix(name, "Provide") {
			hooks = append(hooks, m.Obj().(*types.Func))
		}
	}
	for _, fn := range hooks {
		if !said[fn] {
			c.Lost(c.At, kongHookCalls(fn), "call it from Run by another name")
		}
		said[fn] = true
	}
	u := t.Underlying().(*types.Struct)
	for i := range u.NumFields() {
		f := kongField{field: u.Field(i), keys: kongTag(u.Tag(i))}
		_, isStruct := f.field.Type().Underlying().(*types.Struct)
		if isStruct && (f.embeds() || f.keys["cmd"] || f.keys["arg"]) && !readsItself(f.field.Type()) {
			refuseKongHooks(c, f.field.Type(), said)
		}
	}
}

// run calls the methods Run of the last node of a chain and of its parents, and
// reports whether none of them surely fails. kong fails where there are none.
func (t *kongTree) run(chain []kongNode, otherwise func(err value.Value) []value.Value) bool {
	runs := false
	for _, n := range slices.Backward(chain) {
		if !n.hasRun() {
			continue
		}
		runs = true
		fn := t.call.Method(t.call.At, n.at, "Run")
		if results := fn.Obj.Signature().Results(); results.Len() != 1 || !value.IsErrorType(results.At(0).Type()) {
			t.call.Lost(t.call.At, value.UnknownAt(fn.Obj.Pos(), "a method Run that returns no error"), "have it return one")
		}
		args := t.args(fn.Obj, chain)
		call := func() value.Value { return withoutNilPointer(t.call.Kept(t.call.At, fn, args)) }
		if _, ok := t.call.Try(t.call.At, call, otherwise); !ok {
			return false
		}
	}
	return runs
}

// hasRun reports whether a command has the method Run.
func (n kongNode) hasRun() bool {
	obj, _, _ := types.LookupFieldOrMethod(n.at.Type, false, nil, "Run")
	_, ok := obj.(*types.Func)
	return ok
}

// bind notes what methods Run get: what Run was given, the context itself, and what was
// bound to it, the later the rather.
func (t *kongTree) bind(g kongGrammar) {
	given, _ := elements(t.call.Args[0])
	bound, known := elements(g.bound.Load())
	if !known { // it may be of any type
		return
	}
	if g.binds != nil {
		t.bound = append(t.bound, g.binds.all...)
		t.bound = append(t.bound, boundByKong(t.call)...)
	}
	for _, v := range append(given, g) {
		t.bound = append(t.bound, kongBound{value.TypeOf(v), v})
	}
	for _, v := range bound {
		t.bound = append(t.bound, v.(kongBound))
	}
}

// args returns what a method Run gets: what is bound under the type of each parameter.
func (t *kongTree) args(fn *types.Func, chain []kongNode) []value.Value {
	params := fn.Signature().Params()
	args := make([]value.Value, params.Len())
	for i := range args {
		unknown := value.UnknownAt(t.call.At.Pos(), "a value that kong binds")
		for _, b := range t.bound {
			switch {
			case b.typ == nil: // it may be of this type
				args[i] = unknown
			case value.SameType(b.typ, params.At(i).Type()):
				args[i] = b.v
			}
		}
		for _, n := range slices.Backward(chain) {
			if value.SameType(n.at.Type, params.At(i).Type()) {
				args[i] = n.at
			}
		}
		if args[i] == nil {
			t.call.Lost(t.call.At, value.UnknownAt(fn.Pos(), "a parameter of the method Run for which neither Run nor Bind has a value"), "bind a value of its type by Run")
			args[i] = unknown
		}
	}
	return args
}

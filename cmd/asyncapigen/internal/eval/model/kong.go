package model

import (
	"go/ast"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"unicode"

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

var kongFunctions = kongTable()

func kongTable() map[string]Function {
	functions := map[string]Function{
		kongPackage + ".Must":      kongNew,
		kongPackage + ".New":       kongNew,
		kongPackage + ".Parse":     kongParse,
		kongParser + "Parse":       kongParse,
		kongContext + "Run":        kongRun,
		kongContext + "BindTo":     tellsOfCommands,
		kongContext + "Bind":       tellsOfCommands,
		kongContext + "Command":    kongCommand,
		kongContext + "Validate":   tellsOfCommands,
		kongContext + "PrintUsage": tellsOfCommands,
	}
	return table(functions, kongParser, tellsOfCommands, "Errorf", "FatalIfErrorf", "Printf")
}

// kongGrammar is a parser, or what it has parsed.
type kongGrammar struct {
	cli      value.Value // the pointer that was given
	typ      types.Type
	defaults bool        // the tags say what the defaults are
	chosen   *value.Cell // what Command returns, once it was called
}

// DynamicType implements [value.Atom].
func (g kongGrammar) DynamicType() types.Type { return g.typ }

func kongNew(c *Call) (value.Value, bool) {
	c.Expose(c.At, c.Args[1:], value.UnknownResult(c.At))
	return withNoError(c, kongGrammar{cli: c.Args[0], defaults: keepsDefaults(c)}), true
}

// kongOptions are those that don't change how a default is read.
var kongOptions = []string{
	"Bind", "BindSingletonProvider", "BindTo", "BindToProvider", "Configuration", "ConfigureHelp", "DefaultEnvars", "Description",
	"Exit", "ExplicitGroups", "FlagNamer", "Groups", "Help", "HelpFormatter", "Name", "NoDefaultHelp", "ShortHelp",
	"ShortUsageOnError", "UsageOnError", "ValueFormatter", "Vars", "Writers",
}

// keepsDefaults reports whether the options of a call are all of kongOptions.
func keepsDefaults(c *Call) bool {
	call, ok := c.At.(*ast.CallExpr)
	for i := 1; ok && i < len(call.Args); i++ {
		option, isCall := call.Args[i].(*ast.CallExpr)
		if !isCall {
			return false
		}
		name, isSelector := option.Fun.(*ast.SelectorExpr)
		ok = isSelector && slices.Contains(kongOptions, name.Sel.Name)
	}
	return ok
}

// withNoError returns the grammar as the first result of a call.
func withNoError(c *Call, g kongGrammar) value.Value {
	list := c.Fn.Obj.Signature().Results()
	g.typ, g.chosen = list.At(0).Type(), value.NewCell(value.Nil{})
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
		g = kongGrammar{cli: c.Args[0], defaults: keepsDefaults(c)}
		c.Expose(c.At, c.Args[1:], value.UnknownResult(c.At))
	default:
		return nil, false
	}
	if s := pointedStruct(g.cli); s != nil {
		g.fill(c, s)
	} else {
		lostCommand(c, g.cli)
	}
	return withNoError(c, g), true
}

// fill gives the flags and arguments below a struct what they have from outside.
func (g kongGrammar) fill(c *Call, s *value.Struct) {
	u := s.Type.Underlying().(*types.Struct)
	for i, cell := range s.Fields {
		tag := kongTag(u.Tag(i))
		part, isStruct := cell.Load().(*value.Struct)
		switch {
		case tag["-"]:
		case isStruct && (tag["cmd"] || tag["embed"] || u.Field(i).Embedded()):
			g.fill(c, part)
		case tag["cmd"]:
			c.Set(cell, value.UnknownAt(u.Field(i).Pos(), "a command that kong makes; a struct in place of the pointer is followed"))
		default:
			why := value.UnknownAt(u.Field(i).Pos(), "the value of the flag or argument "+u.Field(i).Name())
			why.CommandLine = true
			t := u.Field(i).Type()
			c.FromOutside(value.Pointer{Type: types.NewPointer(t), To: cell}, g.fallback(u.Tag(i), t), why)
		}
	}
}

// fallback returns the default that a flag's tag gives, nil for none, and where
// the tag says more of how it is read.
func (g kongGrammar) fallback(tag string, t types.Type) value.Value {
	text, ok := reflect.StructTag(tag).Lookup("default")
	keys := kongTag(tag)
	for _, special := range []string{"arg", "type", "sep", "required", "format"} {
		_, has := reflect.StructTag(tag).Lookup(special)
		ok = ok && !has && !keys[special]
	}
	m := mirroring{methods: methodNames{"Decode", "UnmarshalText", "UnmarshalBinary", "UnmarshalJSON"}}
	_, isSlice := t.Underlying().(*types.Slice) // its capacity depends on how it grows
	if _, own := reflect.StructTag(tag).Lookup("kong"); own || isSlice || !g.defaults || !ok || text == "" || m.hasMethod(t) {
		return nil
	}
	return parseDefault(text, t)
}

// kongTag returns the keys of a field's tag, written as kong:"cmd,help='...'" or
// as tags of their own.
func kongTag(tag string) map[string]bool {
	keys := make(map[string]bool)
	for _, key := range []string{"cmd", "embed", "arg", "default", "optional"} {
		_, keys[key] = reflect.StructTag(tag).Lookup(key)
	}
	own, _ := reflect.StructTag(tag).Lookup("kong")
	for _, item := range strings.Split(own, ",") {
		key, _, _ := strings.Cut(item, "=")
		keys[key] = true
	}
	return keys
}

// kongRun is the model of Context.Run: each command without others below it is a
// way to go on.
func kongRun(c *Call) (value.Value, bool) {
	g, ok := c.Fn.Recv.(kongGrammar)
	if !ok || pointedStruct(g.cli) == nil {
		lostCommand(c, c.Fn.Recv)
		return results(c), true
	}
	t := kongTreeOf(c, g.cli)
	t.binds, _ = elements(c.Args[0])
	if !value.IsNil(g.chosen.Load()) {
		chosen, _ := value.TextOf(g.chosen.Load())
		i := slices.IndexFunc(t.leaves, func(chain []kongNode) bool { return slices.Contains(kongUsages(chain), chosen) })
		if i < 0 { // it was called in one of several branches
			lostCommand(c, g.chosen.Load())
			return results(c), true
		}
		return c.fallible(func(failed func(value.Value) []value.Value) ([]value.Value, bool) {
			return []value.Value{noError()}, t.run(t.leaves[i], failed)
		}), true
	}
	return c.fallible(func(failed func(value.Value) []value.Value) ([]value.Value, bool) {
		ways, ok := make([]Way, len(t.leaves)), true
		for i, chain := range t.leaves {
			ways[i] = Way{Name: kongWords(chain), Run: func() { ok = t.run(chain, failed) }}
		}
		c.Alternatives(c.At, ways)
		return []value.Value{noError()}, ok
	}), true
}

// kongCommand is the model of Context.Command, which returns the words of the
// command with the names of its arguments.
func kongCommand(c *Call) (value.Value, bool) {
	g, ok := c.Fn.Recv.(kongGrammar)
	if !ok || pointedStruct(g.cli) == nil {
		lostCommand(c, c.Fn.Recv)
		return results(c), true
	}
	if !value.IsNil(g.chosen.Load()) {
		return g.chosen.Load(), true
	}
	t := kongTreeOf(c, g.cli)
	var ways []Way
	for _, chain := range t.leaves {
		for _, usage := range kongUsages(chain) {
			ways = append(ways, Way{Name: kongWords(chain), Run: func() { c.Set(g.chosen, text(usage)) }})
		}
	}
	c.Alternatives(c.At, ways)
	return g.chosen.Load(), true
}

// kongNode is a command, or the whole command line.
type kongNode struct {
	at   value.Pointer
	s    *value.Struct
	name string
	arg  bool // it is an argument, after which others come
}

// kongTree is a tree of commands of which one runs.
type kongTree struct {
	call   *Call
	binds  []value.Value
	leaves [][]kongNode // the commands without others below them, each after its parents
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
	t.refuseHooks(n)
	below := t.commands(n.s)
	for _, command := range below {
		t.collect(command, chain)
	}
	if len(below) == 0 {
		t.leaves = append(t.leaves, chain)
	}
}

// kongWords returns the words of the last command of a chain.
func kongWords(chain []kongNode) string {
	var names []string
	for _, n := range chain[1:] {
		names = append(names, n.name)
	}
	if len(names) == 0 {
		return "(without a command)"
	}
	return strings.Join(names, " ")
}

// kongUsages returns what Command says where the last command of a chain runs: its
// words, each with the names of its arguments that are given. The last of those
// may be left out.
func kongUsages(chain []kongNode) []string {
	usages := []string{""}
	for i, n := range chain {
		switch {
		case n.arg:
			usages = joined(usages, []string{"<" + n.name + ">"})
		case i > 0:
			usages = joined(usages, []string{n.name})
		}
		required, optional := n.arguments()
		tails := []string{strings.Join(required, " ")}
		for _, name := range optional {
			tails = append(tails, tails[len(tails)-1]+" "+name)
		}
		usages = joined(usages, tails)
	}
	return usages
}

// joined returns each of the heads with each of the tails after it.
func joined(heads, tails []string) []string {
	var all []string
	for _, head := range heads {
		for _, tail := range tails {
			all = append(all, strings.TrimSpace(head+" "+strings.TrimSpace(tail)))
		}
	}
	return all
}

// arguments returns the names of the arguments that a command takes, in brackets:
// those that it must get, and those after them.
func (n kongNode) arguments() (required, optional []string) {
	u := n.s.Type.Underlying().(*types.Struct)
	for i, cell := range n.s.Fields {
		tag, f := kongTag(u.Tag(i)), u.Field(i)
		part, isStruct := cell.Load().(*value.Struct)
		switch {
		case tag["-"] || tag["cmd"]:
		case isStruct && !tag["arg"] && (tag["embed"] || f.Embedded()):
			r, o := kongNode{s: part}.arguments()
			required, optional = append(required, r...), append(optional, o...)
		case tag["arg"] && !isStruct && (tag["optional"] || tag["default"]):
			optional = append(optional, "<"+kongName(f.Name(), u.Tag(i))+">")
		case tag["arg"] && !isStruct:
			required = append(required, "<"+kongName(f.Name(), u.Tag(i))+">")
		}
	}
	return required, optional
}

// commands returns those that a struct declares, in embedded structs too.
func (t *kongTree) commands(s *value.Struct) []kongNode {
	u := s.Type.Underlying().(*types.Struct)
	var all []kongNode
	for i, cell := range s.Fields {
		tag, f := kongTag(u.Tag(i)), u.Field(i)
		part, isStruct := cell.Load().(*value.Struct)
		switch {
		case tag["-"]:
		case isStruct && (tag["cmd"] || tag["arg"]):
			all = append(all, kongNode{at: value.Pointer{Type: types.NewPointer(f.Type()), To: cell}, s: part, name: kongName(f.Name(), u.Tag(i)), arg: tag["arg"]})
		case isStruct && (tag["embed"] || f.Embedded()):
			all = append(all, t.commands(part)...)
		case tag["cmd"]:
			lostCommand(t.call, cell.Load())
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
	var b strings.Builder
	runes := []rune(field)
	for i, r := range runes {
		if i > 0 && unicode.IsUpper(r) && !unicode.IsUpper(runes[i-1]) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// refuseHooks says that a method isn't followed which kong calls by its name:
// some run while the command line is parsed, and some make values.
func (t *kongTree) refuseHooks(n kongNode) {
	methods := types.NewMethodSet(n.at.Type)
	for i := range methods.Len() {
		fn, ok := methods.At(i).Obj().(*types.Func)
		if !ok {
			continue
		}
		switch name := fn.Name(); {
		case name == "BeforeReset", name == "BeforeResolve", name == "BeforeApply", name == "AfterApply", name == "AfterRun",
			strings.HasPrefix(name, "Provide"):
			why := value.UnknownAt(fn.Pos(), "the method "+name+", which kong calls at a time of its own")
			t.call.Lost(t.call.At, why, "call it from Run by another name")
		}
	}
}

// run calls the methods Run of the last node of a chain and of its parents, and
// reports whether none of them surely fails.
func (t *kongTree) run(chain []kongNode, otherwise func(err value.Value) []value.Value) bool {
	for i := len(chain) - 1; i >= 0; i-- {
		obj, index, _ := types.LookupFieldOrMethod(chain[i].at.Type, true, nil, "Run")
		fn, ok := obj.(*types.Func)
		if !ok {
			continue
		}
		if len(index) != 1 {
			t.call.Lost(t.call.At, value.UnknownAt(fn.Pos(), "a method Run of an embedded struct"), "declare Run for the command itself")
			return true
		}
		if _, ok := t.call.try(t.method(chain[i], fn), t.args(fn, chain), otherwise); !ok {
			return false
		}
	}
	return true
}

func (t *kongTree) method(n kongNode, fn *types.Func) *value.Func {
	recv := value.Value(n.at)
	if _, isPointer := fn.Signature().Recv().Type().(*types.Pointer); !isPointer {
		recv = t.call.Copied(n.at.To.Load())
	}
	return &value.Func{Type: fn.Type(), Obj: fn, Recv: recv, Bound: true}
}

// args returns what a method Run gets: what is bound under the type of each
// parameter, the later the rather.
func (t *kongTree) args(fn *types.Func, chain []kongNode) []value.Value {
	params := fn.Signature().Params()
	args := make([]value.Value, params.Len())
	for i := range args {
		args[i] = &value.Unknown{Reason: "a value that kong binds", Pos: t.call.At.Pos(), NonNil: true}
		for _, v := range t.binds {
			if bound := value.TypeOf(v); bound != nil && types.Identical(bound, params.At(i).Type()) {
				args[i] = v
			}
		}
		for _, n := range chain {
			if types.Identical(n.at.Type, params.At(i).Type()) {
				args[i] = n.at
			}
		}
	}
	return args
}

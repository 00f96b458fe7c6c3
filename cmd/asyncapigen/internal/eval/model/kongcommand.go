package model

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// The commands that a grammar of kong declares, of which one runs.

// kongRun is the model of Context.Run: each command that can run is a way to go on.
func kongRun(c *Call) (value.Value, bool) {
	g, t, chosen := kongChosen(c)
	if chosen == nil { // where it was lost, it was said
		return results(c), value.Because(c.At, c.Fn.Recv).Unread == ""
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
	if !known {
		t.bound = append(t.bound, kongBound{}) // it may be of any type
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

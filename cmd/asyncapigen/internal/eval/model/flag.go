package model

import (
	"flag"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Flags of the standard library. What a flag is bound to has its default until
// Parse, and what the command line says from there on. A FlagSet is its struct:
// formal has what its flags are bound to, so that code that gets the set leads
// there, actual has their definitions, and undef has the names of those that were set.

const (
	flagSet         = "(*flag.FlagSet)."
	flagCommandLine = "flag.CommandLine"
)

var flagFunctions = merged(
	map[string]Function{
		"flag.NewFlagSet": flagNewSet,
		flagSet + "Init":  flagInit,
		flagSet + "Name":  leavesAll,
	},
	flagSetFunctions("flag."), flagSetFunctions(flagSet),
)

// flagSetFunctions returns the functions of a set, whose names follow prefix.
func flagSetFunctions(prefix string) map[string]Function {
	return merged(
		table(prefix, flagVar,
			"BoolVar", "DurationVar", "Float64Var", "Int64Var", "IntVar", "StringVar", "Uint64Var", "UintVar"),
		table(prefix, flagNew, "Bool", "Duration", "Float64", "Int", "Int64", "String", "Uint", "Uint64"),
		table(prefix, flagCalling, "BoolFunc", "Func"),
		table(prefix, flagVisit, "Visit", "VisitAll"),
		table(prefix, flagArgs, "Args", "NArg"),
		table(prefix, leavesAll, "ErrorHandling", "Output", "UnquoteUsage"),
		map[string]Function{
			prefix + "Arg":           flagArg,
			prefix + "Lookup":        flagLookup,
			prefix + "NFlag":         flagNumber,
			prefix + "Parse":         flagParse,
			prefix + "Parsed":        flagParsed,
			prefix + "PrintDefaults": flagPrint,
			prefix + "Set":           flagSetOne,
			prefix + "SetOutput":     leavesReceiver,
			prefix + "TextVar":       flagText,
			prefix + "Var":           flagOwn,
		},
	)
}

// flagDefinition is a flag: its name, the function that defined it, and why what it is bound to
// isn't known after Parse.
type flagDefinition struct {
	name value.Value
	by   string
	why  *value.Unknown
}

// DynamicType implements [value.Atom].
func (flagDefinition) DynamicType() types.Type { return types.Typ[types.Invalid] }

// notDefined is the by of a flag that Set was called for before it was defined: package flag
// panics if it is later.
const notDefined = "Set"

// flagsOf returns the FlagSet that a call is of, nil where it isn't known. A copy of one shares
// its flags with it, which isn't followed.
func flagsOf(c *Call) (set value.Value, s *value.Struct) {
	set = c.Fn.Recv
	if set == nil {
		set = commandLineFlags(c)
	}
	if s = pointedStruct(set); s == nil || fieldNamed(s, "formal") == nil || fieldNamed(s, "actual") == nil {
		return set, nil
	}
	home, isUsed := loaded(s, "name").(value.Pointer)
	if isUsed && home.To != set.(value.Pointer).To {
		return set, nil
	}
	return set, s
}

// commandLineFlags returns what the variable flag.CommandLine holds.
func commandLineFlags(c *Call) value.Value {
	cell := c.Variable(flagCommandLine)
	if value.IsNil(cell.Load()) {
		set, ok := c.Fn.Obj.Pkg().Scope().Lookup("CommandLine").(*types.Var)
		if !ok {
			return nil
		}
		c.Early(func() {
			flags := newFlagSet(c, set.Type(), integer(int(flag.ExitOnError)))
			c.setField(flags, "Usage", commandLineUsage(c, flags))
			c.Set(cell, flags)
		})
	}
	return cell.Load()
}

// flagUsage is the variable that the Usage of flag.CommandLine calls.
const flagUsage = "flag.Usage"

// commandLineUsage returns the Usage that the flags of the command line have at first.
func commandLineUsage(c *Call, set value.Value) value.Value {
	return &value.Func{Bound: true, Recv: set, Native: func([]value.Value) value.Value {
		usage := c.Variable(flagUsage).Load()
		if value.IsNil(usage) {
			usage = c.Method(c.At, set, "PrintDefaults")
		}
		return c.Call(c.At, usage, nil)
	}}
}

// usageOfProgram returns the Usage of a set that is the program's own, nil for one that
// only prints.
func usageOfProgram(c *Call, set value.Value, s *value.Struct) value.Value {
	usage := loaded(s, "Usage")
	if f, ok := usage.(*value.Func); ok && f.Native != nil && value.Same(f.Recv, set) {
		usage = c.Variable(flagUsage).Load()
	}
	f, _ := usage.(*value.Func)
	if value.IsNil(usage) || f != nil && f.Obj != nil && f.Obj.Name() == "PrintDefaults" && (f.Recv == nil || value.Same(f.Recv, set)) {
		return nil
	}
	return usage
}

// newFlagSet returns a set of flags that does something where the command line is wrong.
func newFlagSet(c *Call, t types.Type, onError value.Value) value.Value {
	set := value.Pointer{Type: t, To: value.NewCell(c.Zero(value.Pointee(t)))}
	c.setField(set, "errorHandling", onError)
	return set
}

// flagNewSet is the model of NewFlagSet.
func flagNewSet(c *Call) (value.Value, bool) {
	set := newFlagSet(c, c.Fn.Obj.Signature().Results().At(0).Type(), c.Args[1])
	c.setField(set, "Usage", c.Method(c.At, set, "PrintDefaults"))
	return set, true
}

// flagInit is the model of Init.
func flagInit(c *Call) (value.Value, bool) {
	set, s := flagsOf(c)
	if s == nil {
		return nil, false
	}
	c.setField(set, "errorHandling", c.Args[1])
	return value.Tuple{}, true
}

// define adds a flag to the set that a call is of, with the default of a variable
// that it is bound to, nil for none. Any code may parse the flags of the whole
// program, so what they are bound to escapes. The flags may have been parsed
// before: a package is initialised when it is needed, and the caller of a library
// isn't known.
func define(c *Call, bound, name, initial value.Value) bool {
	set, s := flagsOf(c)
	if s == nil {
		return false
	}
	if value.Same(set, c.Variable(flagCommandLine).Load()) {
		c.Escape(bound)
	}
	if p, ok := bound.(value.Pointer); ok && initial != nil {
		c.Store(p.To, value.Retyped(initial, value.Pointee(p.Type)), value.Pointee(p.Type))
	}
	requireFlagName(c, s, name)
	c.Set(fieldNamed(s, "name"), set)
	text, _ := value.TextOf(name)
	why := value.UnknownAt(c.At.Pos(), "the value of the flag -"+text)
	why.CommandLine = true
	extend(c, fieldNamed(s, "formal"), nil, bound)
	definition := flagDefinition{name, c.Fn.Obj.Name(), why}
	extend(c, fieldNamed(s, "actual"), nil, definition)
	if c.IsPart() || value.IsUnknown(loaded(s, "args")) {
		definition.fill(c, bound, true)
	}
	return true
}

// requireFlagName fails where a flag can't have a name, or another one has it.
func requireFlagName(c *Call, s *value.Struct, name value.Value) {
	text, known := value.TextOf(name)
	if known && isNoFlagName(text) {
		c.Panic(c.At, flagPanic(c))
	}
	defined, alsoKnown := elements(loaded(s, "actual"))
	for _, v := range defined {
		other, _ := v.(flagDefinition) // whose name isn't known where it isn't one
		taken, isText := value.TextOf(other.name)
		if known && isText && taken == text {
			c.Panic(c.At, flagPanic(c))
		}
		alsoKnown = alsoKnown && isText
	}
	if !known || !alsoKnown {
		c.Risk(c.At)
	}
}

// isNoFlagName reports whether package flag panics for a name, before it asks for the
// default.
func isNoFlagName(name string) bool {
	return strings.HasPrefix(name, "-") || strings.Contains(name, "=")
}

// flagPanic is what package flag panics with: a text that has the name of the set.
func flagPanic(c *Call) value.Value {
	u := value.UnknownAt(c.At.Pos(), "the panic of "+value.Source(c.At))
	u.NonNil = true
	return u
}

// fill makes what a flag is bound to what the command line says, or the program itself.
func (f flagDefinition) fill(c *Call, bound value.Value, commandLine bool) {
	why := f.why
	if !commandLine {
		given := *why
		given.CommandLine, why = false, &given
	}
	if p, isPointer := bound.(value.Pointer); !isPointer || isOwnValue(p) {
		c.Expose(c.At, []value.Value{bound}, why)
	}
	c.FromOutside(bound, nil, why)
}

// flagVar is the model of StringVar and its like.
func flagVar(c *Call) (value.Value, bool) {
	p, ok := c.Args[0].(value.Pointer)
	if !ok || !define(c, p, c.Args[1], c.Args[2]) {
		return nil, false
	}
	return value.Tuple{}, true
}

// flagNew is the model of String and its like, which return a pointer.
func flagNew(c *Call) (value.Value, bool) {
	t := c.Fn.Obj.Signature().Results().At(0).Type()
	p := value.Pointer{Type: t, To: value.NewCell(c.Zero(value.Pointee(t)))}
	if !define(c, p, c.Args[0], c.Args[1]) {
		return nil, false
	}
	return p, true
}

// flagText is the model of TextVar. What the default is encoded and decoded to
// isn't followed.
func flagText(c *Call) (value.Value, bool) {
	c.Expose(c.At, []value.Value{c.Args[0], c.Args[2]}, value.UnknownResult(c.At))
	if !define(c, c.Args[0], c.Args[1], nil) {
		return nil, false
	}
	return value.Tuple{}, true
}

// flagOwn is the model of Var, which asks a value of the program's own for its
// text.
func flagOwn(c *Call) (value.Value, bool) {
	if text, known := value.TextOf(c.Args[1]); known && isNoFlagName(text) {
		c.Panic(c.At, flagPanic(c))
	}
	if isNilInterface(c.Args[0]) {
		c.Fail(c.At, NilDereference)
	}
	if method := c.Method(c.At, c.Args[0], "String"); method != nil {
		c.Call(c.At, method, nil)
	} else {
		c.MayCall(c.At, c.Args[0], "String")
		c.Risk(c.At)
	}
	if !define(c, c.Args[0], c.Args[1], nil) {
		return nil, false
	}
	return value.Tuple{}, true
}

// flagCalling is the model of Func and BoolFunc.
func flagCalling(c *Call) (value.Value, bool) {
	if !define(c, c.Args[2], c.Args[0], nil) {
		return nil, false
	}
	return value.Tuple{}, true
}

// flagParse is the model of Parse.
func flagParse(c *Call) (value.Value, bool) {
	set, s := flagsOf(c)
	if s == nil {
		return nil, false
	}
	var words value.Value
	if len(c.Args) == 1 {
		words = c.Args[0]
	} else {
		words = programWords(c)
	}
	c.Set(fieldNamed(s, "parsed"), boolean(true))
	if parseKnown(c, s, words) {
		return value.Nil{Type: errorType}, true
	}
	if usage := usageOfProgram(c, set, s); usage != nil {
		c.Expose(c.At, []value.Value{usage}, value.UnknownResult(c.At))
	}
	onError, known := value.IntOf(loaded(s, "errorHandling"))
	if !known || onError == int(flag.PanicOnError) {
		c.Risk(c.At)
	}
	if !known || onError == int(flag.ExitOnError) {
		c.MayExit(c.At)
	}
	fillFlags(c, set, s, func(f flagDefinition, to value.Value) { f.fill(c, to, IsCommandLine(words)) })
	c.Set(fieldNamed(s, "undef"), value.UnknownResult(c.At))
	c.Set(fieldNamed(s, "args"), wordsAfterFlags(c, set, words))
	return results(c), true
}

// afterFlags is the reason why words aren't known that follow flags.
const afterFlags = "what follows the flags on the command line"

// IsCommandLine reports whether the command line decides what words are, and not the
// program, which may have two lists of its own.
func IsCommandLine(words value.Value) bool {
	u, ok := words.(*value.Unknown)
	return ok && u.CommandLine && (u.Part != nil || u.Reason == afterFlags || slices.ContainsFunc(u.Among, IsCommandLine))
}

// fillFlags fills what the flags of a set are bound to.
func fillFlags(c *Call, set value.Value, s *value.Struct, fill func(f flagDefinition, to value.Value)) {
	bound, known := elements(loaded(s, "formal"))
	defined, _ := elements(loaded(s, "actual"))
	known = known && len(bound) == len(defined)
	for i := 0; known && i < len(bound); i++ {
		definition, isFlag := defined[i].(flagDefinition)
		if known = isFlag && !value.IsUnknown(bound[i]); known && definition.by != notDefined {
			fill(definition, bound[i])
		}
	}
	if !known {
		c.Expose(c.At, []value.Value{set}, value.UnknownResult(c.At))
	}
}

// isOwnValue reports whether a pointer has the methods of a flag.Value.
func isOwnValue(p value.Pointer) bool {
	return types.NewMethodSet(p.Type).Lookup(nil, "Set") != nil
}

// flagSetOne is the model of Set.
func flagSetOne(c *Call) (value.Value, bool) {
	set, s := flagsOf(c)
	if s == nil {
		return nil, false
	}
	isDefined := false
	fillFlags(c, set, s, func(f flagDefinition, to value.Value) {
		is := c.compare(f.name, c.Args[0])
		isDefined = isDefined || is == value.Yes
		if is != value.No {
			f.fill(c, to, false)
		}
	})
	if !isDefined {
		extend(c, fieldNamed(s, "formal"), nil, c.Args[0])
		extend(c, fieldNamed(s, "actual"), nil, flagDefinition{c.Args[0], notDefined, nil})
	}
	c.Set(fieldNamed(s, "undef"), value.UnknownResult(c.At))
	return results(c), true
}

// flagPrint is the model of PrintDefaults, which asks values of the program's own for their
// texts.
func flagPrint(c *Call) (value.Value, bool) {
	set, s := flagsOf(c)
	if s == nil {
		return nil, false
	}
	fillFlags(c, set, s, func(f flagDefinition, to value.Value) {
		if f.by == "Var" || f.by == "TextVar" {
			c.Expose(c.At, []value.Value{to}, value.UnknownResult(c.At))
		}
	})
	return value.Tuple{}, true
}

// flagVisit is the model of Visit and VisitAll, which call a function with flags
// by which what they are bound to can be set.
func flagVisit(c *Call) (value.Value, bool) {
	set, s := flagsOf(c)
	if s == nil {
		return nil, false
	}
	c.Expose(c.At, c.Args, value.UnknownResult(c.At).Of(boundOf(c, set, s)...))
	return value.Tuple{}, true
}

// flagLookup is the model of Lookup, by whose result what flags are bound to can be set.
func flagLookup(c *Call) (value.Value, bool) {
	set, s := flagsOf(c)
	if s == nil {
		return nil, false
	}
	return value.UnknownResult(c.At).Of(boundOf(c, set, s)...), true
}

// boundOf makes unknown what the flags of a set are bound to, and returns that.
func boundOf(c *Call, set value.Value, s *value.Struct) (bound []value.Value) {
	fillFlags(c, set, s, func(f flagDefinition, to value.Value) {
		f.fill(c, to, true)
		bound = append(bound, to)
	})
	return bound
}

// flagNumber is the model of NFlag.
func flagNumber(c *Call) (value.Value, bool) {
	if _, known := wordsLeft(c); known {
		if names, known := flagsThatAreSet(c); known {
			return integer(len(names)), true
		}
	}
	told := value.UnknownResult(c.At)
	told.CommandLine = flagWords(c).CommandLine
	return told, true
}

// flagParsed is the model of Parsed. Code that isn't read may have parsed the flags.
func flagParsed(c *Call) (value.Value, bool) {
	if _, s := flagsOf(c); s != nil {
		if parsed, known := value.Truth(loaded(s, "parsed")); known && parsed {
			return boolean(true), true
		}
	}
	return value.UnknownResult(c.At), true
}

// programWords returns what os.Args holds after the program's name.
func programWords(c *Call) value.Value {
	v := c.Variable("os.Args").Load()
	words, ok := value.PartOf(v, value.Words)
	if !ok {
		c.Risk(c.At) // there may be no program's name
		return value.Because(c.At, v)
	}
	words.At++
	return v.(*value.Unknown).UnknownPart(words)
}

// wordsAfterFlags returns the words that Parse leaves in a set. Of two sets that
// are given the same words, they are another list for the second.
func wordsAfterFlags(c *Call, set, words value.Value) value.Value {
	why := value.UnknownAt(c.At.Pos(), afterFlags)
	if why.CommandLine = IsCommandLine(words); !why.CommandLine {
		why.Reason = "what follows the flags among the words that Parse is given"
	}
	given, ok := value.PartOf(words, value.Words)
	if !ok {
		return why
	}
	name := "the words after the flags in " + given.Of.Name + "[" + strconv.Itoa(given.At) + ":]"
	owner := c.Variable(name)
	p, isPointer := set.(value.Pointer)
	switch first, taken := owner.Load().(value.Pointer); {
	case !isPointer || taken && first.To != p.To:
		return why
	case !taken:
		c.Set(owner, p)
	}
	list := c.Arguments(why, name, given.At+given.Of.Offset)
	list.Part.Of.Base = given.Of
	return list
}

// flagArgs is the model of Args and NArg.
func flagArgs(c *Call) (value.Value, bool) {
	isList := c.Fn.Obj.Name() == "Args"
	if left, known := wordsLeft(c); known {
		if isList {
			return left, true
		}
		words, _ := elements(left)
		return integer(len(words)), true
	}
	list := flagWords(c)
	words, ok := value.PartOf(list, value.Words)
	if !ok || isList {
		return list, true
	}
	words.Kind = value.WordCount
	return list.UnknownPart(words), true
}

// flagArg is the model of Arg.
func flagArg(c *Call) (value.Value, bool) {
	list := flagWords(c)
	i, known := value.IntOf(c.Args[0])
	if left, alsoKnown := wordsLeft(c); known && alsoKnown {
		words, _ := elements(left)
		if i < 0 || i >= len(words) {
			return text(""), true
		}
		return words[i], true
	}
	if !known {
		return list.Bare(), true
	}
	return c.WordOf(list, i), true
}

// flagWords returns the words that Parse has left, as they are seen from a call.
func flagWords(c *Call) *value.Unknown {
	var list *value.Unknown
	if _, s := flagsOf(c); s != nil {
		list, _ = loaded(s, "args").(*value.Unknown)
	}
	if list == nil {
		list = value.UnknownResult(c.At)
		list.CommandLine = c.IsPart() // a caller may have parsed it
		return list
	}
	here := *list
	here.CommandLine = IsCommandLine(list)
	here.Pos, here.Reason = c.At.Pos(), "the result of "+value.Source(c.At)
	return &here
}

package model

import (
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Flags of spf13/pflag. What a flag is bound to isn't known from there on: the
// command line decides it, at a time that is as unknown.

const pflag = "github.com/spf13/pflag"

var pflagFunctions = merged(
	table(pflag+".", changesFlags(boundFlag), pflagNames("Var", "VarP")...),
	table(pflag+".", changesFlags(newFlag), pflagNames("", "P")...),
	table("(*"+pflag+".FlagSet).", changesFlags(boundFlag), pflagNames("Var", "VarP")...),
	table("(*"+pflag+".FlagSet).", changesFlags(newFlag), pflagNames("", "P")...),
	table(pflag+".", changesFlags(leavesReceiver), "BoolFunc", "BoolFuncP", "Func", "FuncP"),
	table(pflag+".", leavesReceiver, "Lookup", "ShorthandLookup", "Visit", "VisitAll"),
	table(pflag+".", setsFlags(parseWords), "Parse", "ParseAll"),
	table("(*"+pflag+".FlagSet).", leavesReceiver, "Lookup", "ShorthandLookup", "Visit", "VisitAll"),
	table("(*"+pflag+".FlagSet).", setsFlags(parseWords), "Parse", "ParseAll"),
	table(pflag+".", setsFlags(setFlag), "Set"),
	table("(*"+pflag+".FlagSet).", setsFlags(setFlag), "Set"),
	table("(*"+pflag+".FlagSet).", changesFlags(leavesReceiver), "BoolFunc", "BoolFuncP", "Func", "FuncP"),
)

// changesFlags is the model of a function that changes a set of flags, the receiver or else
// CommandLine, of which no more is known: the methods without a model look into it.
func changesFlags(model Function) Function {
	return func(c *Call) (value.Value, bool) {
		c.Havoc(value.UnknownAt(c.At.Pos(), "a set of flags"), setOfFlags(c))
		c.Risk(c.At) // where a flag is defined twice, for one
		return model(c)
	}
}

// setsFlags is changesFlags for a function that sets flags: it calls their values' methods Set.
func setsFlags(model Function) Function {
	return func(c *Call) (value.Value, bool) {
		c.Expose(c.At, []value.Value{setOfFlags(c)}, value.UnknownResult(c.At))
		return changesFlags(model)(c)
	}
}

// setOfFlags returns the set whose method is called, or the package's own.
func setOfFlags(c *Call) value.Value {
	if c.Fn.Recv != nil {
		return c.Fn.Recv
	}
	return c.Variable(pflag + ".CommandLine").Load()
}

// pflagNames returns the names of the functions for all kinds of flags.
func pflagNames(suffixes ...string) []string {
	var names []string
	for _, kind := range []string{
		"Bool", "BoolSlice", "BytesBase64", "BytesHex", "Duration", "DurationSlice", "Float32", "Float32Slice", "Float64",
		"Float64Slice", "IP", "IPMask", "IPNet", "IPSlice", "Int", "Int16", "Int32", "Int32Slice", "Int64", "Int64Slice",
		"Int8", "IntSlice", "String", "StringArray", "StringSlice", "StringToInt", "StringToInt64", "StringToString",
		"Uint", "Uint16", "Uint32", "Uint64", "Uint8", "UintSlice", "Count",
	} {
		for _, suffix := range suffixes {
			names = append(names, kind+suffix)
		}
	}
	return names
}

// boundFlags are the flags that are defined so far.
const boundFlags = pflag + ".bound"

// setFlags says whether the program sets flags by itself.
const setFlags = pflag + ".set"

// setFlag notes that the program sets a flag, of which no more is known. What flags are bound
// to has escaped.
func setFlag(c *Call) (value.Value, bool) {
	c.Set(c.Variable(setFlags), boolean(true))
	return leavesReceiver(c)
}

// AssignedVariable returns the name of what notes that the program assigns to a field of a
// type, "" for none: a flag that says that it was set counts as one that was, and what leads
// to the flags of kong may have another default.
func AssignedVariable(t types.Type) string {
	if isDeclared(t, pflag, "Flag") {
		return setFlags
	}
	if isDeclared(t, kongPackage, "Kong") || isDeclared(t, kongPackage, "Context") { // it may have another function Exit
		return kongReturns
	}
	for _, name := range []string{"Application", "Flag", "Node", "Tag", "Value"} {
		if isDeclared(t, kongPackage, name) {
			return kongChanged
		}
	}
	return ""
}

// parseWords is the model of a function that parses words: those that the program makes set
// flags.
func parseWords(c *Call) (value.Value, bool) {
	if isMethod := c.Fn.Recv != nil; isMethod && !isCommandLine(c.Args[0]) || !isMethod && c.hasOwnWords() {
		return setFlag(c)
	}
	return leavesReceiver(c)
}

// flagVariable is a variable that a flag is bound to.
type flagVariable struct {
	to  value.Value
	why *value.Unknown
}

// DynamicType implements [value.Atom].
func (f flagVariable) DynamicType() types.Type { return value.TypeOf(f.to) }

// boundFlag is the model of StringVar and its like.
func boundFlag(c *Call) (value.Value, bool) {
	bindFlag(c, c.Args[0], c.Args[1])
	return value.Tuple{}, true
}

// newFlag is the model of String and its like, which return a pointer.
func newFlag(c *Call) (value.Value, bool) {
	t := c.Fn.Obj.Signature().Results().At(0).Type()
	p := value.Pointer{Type: t, To: value.NewCell(c.Zero(value.Pointee(t)))}
	bindFlag(c, p, c.Args[0])
	return p, true
}

func bindFlag(c *Call, p, name value.Value) {
	text, _ := value.TextOf(name)
	f := flagVariable{p, value.UnknownAt(c.At.Pos(), "the value of the flag --"+text)}
	f.why.CommandLine = true
	extend(c, c.Variable(boundFlags), nil, f)
	c.FromOutside(f.to, nil, f.why)
	c.Escape(f.to)
}

// parseFlags makes unknown again what flags are bound to: the program may have
// assigned to it since. Flags that aren't followed have functions to call.
func parseFlags(c *Call) {
	c.MayExit(c.At)
	c.Expose(c.At, nil, value.UnknownResult(c.At))
	bound, known := elements(c.Variable(boundFlags).Load())
	if !known {
		c.Lost(c.At, value.Because(c.At, c.Variable(boundFlags).Load()), "define the flags in every case")
	}
	for _, f := range bound {
		if f, ok := f.(flagVariable); ok {
			c.FromOutside(f.to, nil, f.why)
		}
	}
}

package model

import (
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Flags of spf13/pflag. What a flag is bound to isn't known from there on: the
// command line decides it, at a time that is as unknown.

const pflag = "github.com/spf13/pflag"

var pflagFunctions = pflagTable()

func pflagTable() map[string]Function {
	functions := make(map[string]Function)
	for _, kind := range []string{
		"Bool", "BoolSlice", "BytesBase64", "BytesHex", "Duration", "DurationSlice", "Float32", "Float32Slice", "Float64",
		"Float64Slice", "IP", "IPMask", "IPNet", "IPSlice", "Int", "Int16", "Int32", "Int32Slice", "Int64", "Int64Slice",
		"Int8", "IntSlice", "String", "StringArray", "StringSlice", "StringToInt", "StringToInt64", "StringToString",
		"Uint", "Uint16", "Uint32", "Uint64", "Uint8", "UintSlice", "Count",
	} {
		for _, prefix := range []string{pflag + ".", "(*" + pflag + ".FlagSet)."} {
			table(functions, prefix, boundFlag, kind+"Var", kind+"VarP")
			table(functions, prefix, newFlag, kind, kind+"P")
		}
	}
	return functions
}

// boundFlags are the variables that flags are bound to.
const boundFlags = pflag + ".bound"

// boundFlag is the model of StringVar and its like.
func boundFlag(c *Call) (value.Value, bool) {
	if len(c.Args) < 2 {
		return nil, false
	}
	appended(c, c.Variable(boundFlags), nil, c.Args[0])
	c.Havoc(flagValue(c, c.Args[1]), c.Args[0])
	return value.Tuple{}, true
}

// newFlag is the model of String and its like, which return a pointer.
func newFlag(c *Call) (value.Value, bool) {
	t := c.Fn.Obj.Signature().Results().At(0).Type()
	p := value.Pointer{Type: t, To: value.NewCell(flagValue(c, c.Args[0]))}
	appended(c, c.Variable(boundFlags), nil, p)
	return p, true
}

func flagValue(c *Call, name value.Value) *value.Unknown {
	text, _ := value.TextOf(name)
	return value.UnknownAt(c.At.Pos(), "the value of the flag --"+text)
}

// parseFlags makes unknown again what flags are bound to: the program may have
// assigned to it since.
func parseFlags(c *Call) {
	bound, _ := elements(c.Variable(boundFlags).Load())
	for _, p := range bound {
		if p, ok := p.(value.Pointer); ok && !value.IsUnknown(p.To.Load()) {
			c.Havoc(value.UnknownAt(c.At.Pos(), "the value of a flag"), p)
		}
	}
}

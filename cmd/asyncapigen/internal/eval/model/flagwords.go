package model

import (
	"flag"
	"go/types"
	"io"
	"reflect"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// parseKnown sets flags to what words that are known say, where that is no error: it reports
// whether it is none. Package flag of this program parses them, with flags that do what those
// of the evaluated program do.
func parseKnown(c *Call, s *value.Struct, list value.Value) bool {
	words, known := texts(list)
	bound, knownFlags := elements(loaded(s, "formal"))
	defined, alsoKnown := elements(loaded(s, "actual"))
	if known && len(words) == 0 {
		c.Set(fieldNamed(s, "args"), list)
		return true
	}
	if !known || !knownFlags || !alsoKnown || len(bound) != len(defined) {
		return false
	}
	p := &knownParse{Call: c, set: flag.NewFlagSet("", flag.ContinueOnError)}
	p.set.SetOutput(io.Discard)
	p.set.Usage = func() {} // else flags are asked what they are
	for i, v := range bound {
		definition, isFlag := defined[i].(flagDefinition)
		if isFlag && definition.by == notDefined {
			continue
		}
		if !isFlag || !p.define(definition, v) {
			return false
		}
	}
	before := loaded(s, "undef")
	meanwhile := value.UnknownResult(c.At) // as methods of the program see them
	for _, name := range []string{"args", "undef"} {
		c.Set(fieldNamed(s, name), meanwhile)
	}
	mark := c.Mark()
	if p.set.Parse(words) != nil || p.unknown {
		return false
	}
	if loaded(s, "args") != meanwhile || loaded(s, "undef") != meanwhile || haveCommon(list.(*value.Slice).Elems, c.ChangedSince(mark)) {
		return false // a method has parsed or set flags of this set, or changed the words
	}
	c.Set(fieldNamed(s, "args"), lastOf(list, p.set.NArg()))
	c.Set(fieldNamed(s, "undef"), before)
	p.set.Visit(func(f *flag.Flag) { extend(c, fieldNamed(s, "undef"), nil, text(f.Name)) })
	return true
}

// texts returns the texts that a slice holds, and false where one isn't known.
func texts(list value.Value) (all []string, known bool) {
	values, known := elements(list)
	for _, v := range values {
		text, isText := value.TextOf(v)
		all, known = append(all, text), known && isText
	}
	return all, known
}

// lastOf returns the last n elements of a slice.
func lastOf(list value.Value, n int) value.Value {
	all := list.(*value.Slice)
	last := &value.Slice{Type: stringsType, Elems: all.Elems[len(all.Elems)-n:], Open: all.Open}
	if all.Caps != nil {
		last.Elems, last.Open = slices.Clip(last.Elems), true
	}
	return last
}

// knownParse is the parsing of words that are known.
type knownParse struct {
	*Call
	set     *flag.FlagSet
	unknown bool // what the program's own code does isn't
}

// define adds a flag to the set of this program. It reports false for one that isn't followed.
func (p *knownParse) define(d flagDefinition, bound value.Value) bool {
	name, known := value.TextOf(d.name)
	if !known || value.IsUnknown(bound) {
		return false
	}
	switch d.by {
	case "TextVar": // its variable decodes itself
		return false
	case "Func", "BoolFunc":
		p.set.Var(&followedFlag{
			set:    func(word string) error { return p.failure(p.Call.Call(p.At, bound, []value.Value{text(word)})) },
			isBool: func() bool { return d.by == "BoolFunc" },
		}, name, "")
		return true
	case "Var":
		p.set.Var(&followedFlag{
			set: func(word string) error {
				result, _ := p.callMethod(bound, "Set", text(word))
				return p.failure(result)
			},
			isBool: func() bool { return p.isBool(bound) },
		}, name, "")
		return true
	}
	to, ok := bound.(value.Pointer)
	return ok && p.defineGo(to, name)
}

// failure returns an error where the evaluated program's may be one.
func (p *knownParse) failure(result value.Value) error {
	if isNilInterface(result) {
		return nil
	}
	p.unknown = true
	return errUnknown
}

// isBoolFlag is the type of the method by which a flag.Value says that it needs no word.
var isBoolFlag = types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(types.NewParam(0, nil, "", boolType)), false)

// isBool reports whether a flag.Value says that it needs no word.
func (p *knownParse) isBool(v value.Value) bool {
	method := types.NewMethodSet(value.TypeOf(v)).Lookup(nil, "IsBoolFlag")
	if method == nil || !types.Identical(method.Type(), isBoolFlag) {
		return false
	}
	result, _ := p.callMethod(v, "IsBoolFlag")
	is, known := value.Truth(result)
	p.unknown = p.unknown || !known
	return is
}

// defineGo adds a flag that sets a variable. It reports false for a type of which package flag
// has none.
func (p *knownParse) defineGo(to value.Pointer, name string) bool {
	set, t := p.set, value.Pointee(to.Type)
	switch types.TypeString(t, nil) {
	case "bool":
		set.Bool(name, false, "")
	case "float64":
		set.Float64(name, 0, "")
	case "int":
		set.Int(name, 0, "")
	case "int64":
		set.Int64(name, 0, "")
	case "string":
		set.String(name, "", "")
	case "time.Duration":
		set.Duration(name, 0, "")
	case "uint":
		set.Uint(name, 0, "")
	case "uint64":
		set.Uint64(name, 0, "")
	default:
		return false
	}
	f := set.Lookup(name)
	v := f.Value.(flag.Getter)
	f.Value = &followedFlag{
		set: func(word string) error {
			err := v.Set(word)
			p.Store(to.To, p.fromGo(reflect.ValueOf(v.Get()), t), t)
			return err
		},
		isBool: func() bool { _, is := v.Get().(bool); return is },
	}
	return true
}

// A followedFlag is a flag of this program that does what one of the evaluated program does.
type followedFlag struct {
	set    func(word string) error
	isBool func() bool
}

// String implements [flag.Value].
func (*followedFlag) String() string { return "" }

// Set implements [flag.Value].
func (f *followedFlag) Set(word string) error { return f.set(word) }

// IsBoolFlag tells package flag which flags need no word.
func (f *followedFlag) IsBoolFlag() bool { return f.isBool() }

// wordsLeft returns the words that a set has left of words that are known.
func wordsLeft(c *Call) (list value.Value, known bool) {
	_, s := flagsOf(c)
	if s == nil {
		return nil, false
	}
	parsed, _ := value.Truth(loaded(s, "parsed"))
	list = loaded(s, "args")
	_, known = elements(list)
	return list, parsed && known
}

// flagsThatAreSet returns the names of the flags that were set.
func flagsThatAreSet(c *Call) (names []string, known bool) {
	_, s := flagsOf(c)
	names, known = texts(loaded(s, "undef"))
	slices.Sort(names)
	return slices.Compact(names), known
}

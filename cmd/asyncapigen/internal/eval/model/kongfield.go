package model

import (
	"go/types"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// The fields of a grammar of kong: what they declare, and what they are filled with.

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
			mayCallMadeHooks(c, f)
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
	var of value.Value = p
	if value.Pointee(t) != nil { // kong makes what it points to
		made := *why
		made.Type = t
		of = &made
	}
	for _, fn := range kongHooks(value.TypeOf(of)) {
		if fn.Pkg().Path() != kongPackage {
			c.Expose(c.At, append(g.binds.values(), c.Method(c.At, of, fn.Name())), kongHookCalls(fn))
		}
	}
}

// mayCallMadeHooks calls the methods that what kong makes for a field may have, and what is in that: kong
// calls them by their names.
func mayCallMadeHooks(c *Call, f kongField) {
	made := value.UnknownAt(f.field.Pos(), "a command that kong makes")
	made.Type, made.NonNil = f.field.Type(), true
	c.MayCallAny(c.At, made, kongHooksOfParse...)
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

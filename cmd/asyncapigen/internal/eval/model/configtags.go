package model

import (
	"cmp"
	"go/constant"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/semver"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// configTags is how a library names, by the tags of a struct's fields, the
// variables of the environment that it fills them from, and their defaults. A
// default is what the program has where nothing outside of it says otherwise, as
// that of runtime.Env is.
type configTags struct {
	name     string // the tag that names the variable; its options follow after commas
	fallback string // the tag of the default, or the option of name that has it
	option   bool   // fallback is an option
	remedy   string // how a default is written

	separator string // the tag of what separates the elements of a slice in place of a comma, "" for none

	options []string                     // those of name that don't change what the default means
	skips   func(reflect.StructTag) bool // whether a field is left out, as of the version skipsSince
	needs   func(reflect.StructTag) bool // whether the variable has to be set, in spite of a default; nil for never

	skipsSince string

	unnamed  bool        // fields without the tag are filled by their own names
	follows  bool        // structs behind pointers are filled
	keeps    bool        // what isn't the zero value before is kept
	makes    bool        // a nil pointer to a struct becomes one to a new struct
	ownTypes methodNames // types with one of these methods read themselves
}

func hasTag(key string) func(reflect.StructTag) bool {
	return func(tag reflect.StructTag) bool {
		_, ok := tag.Lookup(key)
		return ok
	}
}

func never(reflect.StructTag) bool { return false }

var (
	caarlosTags = &configTags{
		name: "env", fallback: "envDefault", remedy: "add envDefault:\"...\" to its tag",
		options:  []string{"", "required", "notEmpty", "unset"},
		skips:    func(tag reflect.StructTag) bool { return tag.Get("env") == "-" },
		needs:    never,
		follows:  true,
		ownTypes: methodNames{"UnmarshalText"},

		separator:  "envSeparator",
		skipsSince: "v11.3.0",
	}
	cleanenvTags = &configTags{
		name: "env", fallback: "env-default", remedy: "add env-default:\"...\" to its tag",
		skips: never, needs: hasTag("env-required"), keeps: true,
		ownTypes: methodNames{"UnmarshalText", "SetValue"},

		separator: "env-separator",
	}
	kelseyTags = &configTags{
		name: "envconfig", fallback: "default", remedy: "add default:\"...\" to its tag",
		skips: func(tag reflect.StructTag) bool {
			ignored, _ := strconv.ParseBool(tag.Get("ignored"))
			return ignored
		},
		needs: never, unnamed: true, follows: true, makes: true,
		ownTypes: methodNames{"Decode", "Set", "UnmarshalText", "UnmarshalBinary"},
	}
	sethvargoTags = &configTags{
		name: "env", fallback: "default=", option: true, remedy: "add the option default=... to its tag env",
		options: []string{"prefix="},
		skips:   never, needs: never, follows: true, keeps: true, makes: true,
		ownTypes: methodNames{"EnvDecode", "UnmarshalText", "UnmarshalJSON", "UnmarshalBinary", "GobDecode"},
	}
)

// variable is what a field's tag says.
type variable struct {
	named    bool // it is filled from outside
	hasText  bool // it has a default
	text     string
	between  string // what separates the elements of a slice in it
	followed bool   // the tag says nothing else that changes the value
}

// read reads a field's tag.
func (l *configTags) read(tag reflect.StructTag) variable {
	text, named := tag.Lookup(l.name)
	v := variable{named: named && text != "" || l.unnamed, followed: !l.needs(tag)}
	if l.option {
		text, v.text, v.hasText = strings.Cut(text, l.fallback)
		text = strings.TrimRight(text, ", ")
	} else {
		v.text, v.hasText = tag.Lookup(l.fallback)
	}
	if l.options != nil {
		for _, option := range strings.Split(text, ",")[1:] {
			v.followed = v.followed && l.knows(strings.TrimSpace(option))
		}
	}
	v.between = cmp.Or(tag.Get(l.separator), ",")
	_, hasLayout := tag.Lookup("env-layout")
	v.followed = v.followed && !hasLayout
	return v
}

func (l *configTags) knows(option string) bool {
	for _, known := range l.options {
		if option == known || strings.HasSuffix(known, "=") && strings.HasPrefix(option, known) {
			return true
		}
	}
	return false
}

// filling is a call that fills a struct.
type filling struct {
	*Call
	tags    *configTags
	source  string // completes "the field X of ..."
	failing bool   // the call has failed: no default counts
}

// fill fills the fields of a struct.
func (f *filling) fill(s *value.Struct) {
	u, ok := s.Type.Underlying().(*types.Struct)
	if !ok {
		return
	}
	f.Work(len(s.Fields))
	for i, cell := range s.Fields {
		tag := reflect.StructTag(u.Tag(i))
		switch {
		case !u.Field(i).Exported():
		case !f.skips(tag):
			f.field(cell, u.Field(i), tag)
		case f.tags == caarlosTags && !value.IsNil(cell.Load()) && leadsToStruct(u.Field(i).Type()): // which it may fill all the same
			f.set(cell, u.Field(i), nil, "")
		}
	}
}

// skips reports whether the version of the library that the program has leaves out a field.
func (f *filling) skips(tag reflect.StructTag) bool {
	return f.tags.skips(tag) && (f.tags.skipsSince == "" || semver.Compare(f.VersionOf(f.Fn.Obj.Pkg().Path()), f.tags.skipsSince) >= 0)
}

func (f *filling) field(cell *value.Cell, field *types.Var, tag reflect.StructTag) {
	v := f.tags.read(tag)
	if nested := f.nested(cell, field); nested != nil {
		if f.tags.unnamed || !v.hasText && v.followed {
			f.fill(nested)
			return
		}
	} else if !v.named && !v.hasText {
		f.untagged(cell, field)
		return
	}
	var fallback value.Value
	if !f.failing && v.followed {
		fallback = f.fallback(cell, field.Type(), v)
	}
	remedy := ""
	if !v.hasText && !f.failing {
		remedy = f.tags.remedy
	}
	f.set(cell, field, fallback, remedy)
}

// untagged leaves a field without a tag as it is. Structs behind it may be filled, and one that
// reads itself too.
func (f *filling) untagged(cell *value.Cell, field *types.Var) {
	switch held := cell.Load().(type) {
	case *value.Slice, *value.Array, value.Pointer:
		if leadsToStruct(field.Type()) {
			f.set(cell, field, nil, "")
		}
	case *value.Struct:
		u := held.Type.Underlying().(*types.Struct)
		if f.tags != kelseyTags && slices.ContainsFunc(slices.Collect(u.Fields()), (*types.Var).Exported) {
			f.set(cell, field, nil, "")
		}
	}
}

func leadsToStruct(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return leadsToStruct(u.Elem())
	case *types.Slice:
		return leadsToStruct(u.Elem())
	case *types.Array:
		return leadsToStruct(u.Elem())
	case *types.Struct:
		return true
	default:
		return false
	}
}

// nested returns the struct whose fields are filled in place of a field.
func (f *filling) nested(cell *value.Cell, field *types.Var) *value.Struct {
	t := field.Type()
	if elem := value.Pointee(t); elem != nil {
		if !f.tags.follows {
			return nil
		}
		t = elem
		if value.Pointee(t) != nil { // and so on, to any number of pointers
			f.Havoc(value.UnknownAt(f.At.Pos(), f.source), cell.Load())
		}
		if _, isStruct := t.Underlying().(*types.Struct); isStruct && f.tags.makes && value.IsNil(cell.Load()) && !f.readsItself(t) {
			f.Set(cell, value.Pointer{Type: field.Type(), To: value.NewCell(f.Zero(t))})
		}
	}
	if f.readsItself(t) {
		return nil
	}
	return pointedStruct(cell.Load())
}

func (f *filling) readsItself(t types.Type) bool {
	m := mirroring{methods: f.tags.ownTypes}
	return m.hasMethod(t)
}

// fallback returns what a field holds where nothing outside of the program gives
// it another value, nil where that isn't known.
func (f *filling) fallback(cell *value.Cell, t types.Type, v variable) value.Value {
	before := cell.Load()
	wasZero := f.isZero(before, t)
	switch {
	case value.IsUnknown(before) && (f.tags.keeps || !v.hasText):
		return nil
	case !wasZero && (f.tags.keeps || !v.hasText):
		return before
	case !v.hasText || f.readsItself(t):
		return nil
	case v.text == "":
		return before
	}
	return parseDefault(v.text, t, v.between)
}

func (f *filling) isZero(v value.Value, t types.Type) bool {
	if value.IsNil(v) {
		return true
	}
	if _, isPointer := v.(value.Pointer); isPointer {
		return false
	}
	same, _ := value.Compare(v, f.Zero(t))
	return same == value.Yes
}

// set gives a field the value that it has from outside.
func (f *filling) set(cell *value.Cell, field *types.Var, fallback value.Value, remedy string) {
	why := &value.Unknown{Reason: f.source, Pos: f.At.Pos(), Field: field, Remedy: remedy, Foreign: true}
	f.FromOutside(value.Pointer{Type: types.NewPointer(field.Type()), To: cell}, fallback, why)
}

// parseDefault reads the text of a default in the way that all libraries do, where between separates
// the elements of a slice. It returns nil for what they read differently.
func parseDefault(text string, t types.Type, between string) value.Value {
	if strings.ContainsAny(text, `$\`) || strings.TrimSpace(text) != text {
		return nil
	}
	if named := value.NamedOf(t); named != nil && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "time" {
		d, err := time.ParseDuration(text)
		if err != nil || named.Obj().Name() != "Duration" {
			return nil
		}
		return value.NewConst(constant.MakeInt64(int64(d)), t)
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return parseBasic(text, t, u)
	case *types.Slice:
		return parseElements(strings.Split(text, between), t, u.Elem())
	}
	return nil
}

// parseElements reads the elements of a slice. Those that are bytes are read as one text.
func parseElements(parts []string, t, elem types.Type) value.Value {
	basic, isBasic := elem.(*types.Basic)
	if isBasic && basic.Kind() == types.Uint8 || !isBasic && !isDeclared(elem, "time", "Duration") {
		return nil
	}
	s := &value.Slice{Type: t}
	for _, part := range parts {
		v := parseDefault(part, elem, "")
		if part == "" || v == nil {
			return nil
		}
		s.Elems = append(s.Elems, value.NewCell(v))
	}
	s.Elems = s.Elems[:len(s.Elems):len(s.Elems)]
	return s
}

func parseBasic(text string, t types.Type, basic *types.Basic) value.Value {
	switch info := basic.Info(); {
	case info&types.IsString != 0:
		return value.NewConst(constant.MakeString(text), t)
	case info&types.IsBoolean != 0 && (text == "true" || text == "false"):
		return value.NewConst(constant.MakeBool(text == "true"), t)
	case info&types.IsInteger != 0:
		bits := min(32, int(types.SizesFor("gc", "amd64").Sizeof(basic))*8) // int has 32 for one of them
		n, err := strconv.ParseInt(text, 10, bits)
		if err == nil && strconv.FormatInt(n, 10) == text && (n >= 0 || info&types.IsUnsigned == 0) {
			return value.NewConst(constant.MakeInt64(n), t)
		}
	}
	return nil
}

package model

import (
	"go/ast"
	"go/constant"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// settings are what a program's store of settings holds, of viper or of koanf:
// the defaults that the code gives. What the environment and optional files may
// put in their places doesn't count, as for runtime.Env.
type settings struct {
	typ    types.Type
	values map[string]value.Value // by key
	set    map[string]value.Value // by key, what goes before everything else
	hidden []string               // keys whose parts may be hidden by something else
	fold   bool                   // keys are in lower case, as those of viper
	env    bool                   // variables of the environment are asked for
	flags  bool                   // flags are
	file   *value.Cell            // whether the program has surely read a file
}

// DynamicType implements [value.Atom].
func (s *settings) DynamicType() types.Type { return s.typ }

// Closed implements [value.Closed].
func (s *settings) Closed() bool { return true }

// Held implements [value.Holder].
func (s *settings) Held() []value.Value { return s.all() }

// newSettings returns a pointer to an empty store.
func newSettings(c *Call, t types.Type, fold bool) value.Value {
	no := value.NewCell(boolean(false))
	return value.Pointer{Type: t, To: value.NewCell(&settings{typ: value.Pointee(t), fold: fold, file: no})}
}

// settingsAt returns a store, nil where it isn't known, and its variable.
func settingsAt(v value.Value) (*settings, *value.Cell) {
	p, ok := v.(value.Pointer)
	if !ok {
		return nil, nil
	}
	s, _ := p.Load().(*settings)
	return s, p.To
}

// with returns a store with one more default.
func (s *settings) with(key string, v value.Value) *settings {
	changed := *s
	changed.values = withKey(s.values, s.key(key), v)
	return &changed
}

// withSet returns a store with a setting that goes before everything else.
func (s *settings) withSet(key string, v value.Value) *settings {
	changed := *s
	changed.set = withKey(s.set, s.key(key), v)
	return &changed
}

// withKey returns a map with one more key.
func withKey(m map[string]value.Value, key string, v value.Value) map[string]value.Value {
	changed := make(map[string]value.Value, len(m)+1)
	maps.Copy(changed, m)
	changed[key] = v
	return changed
}

// all returns the values that the code gives, by their keys' order.
func (s *settings) all() []value.Value {
	var all []value.Value
	for _, m := range []map[string]value.Value{s.values, s.set} {
		for _, key := range slices.Sorted(maps.Keys(m)) {
			all = append(all, m[key])
		}
	}
	return all
}

func (s *settings) key(key string) string {
	if s.fold {
		return strings.ToLower(key)
	}
	return key
}

// readsFile is the model of a method that reads a file of settings. Where the
// program can't go on without one, the file decides.
func (c *Call) readsFile(s *settings) value.Value {
	before := s.file.Load()
	c.Set(s.file, boolean(true))
	c.MayFail(c.At, c.errorOfCall(), func() { c.Set(s.file, before) })
	return noError()
}

const settingsDelimiter = "."

// lookup returns the default of a key, nil where it isn't known, or the program itself has
// given another value.
func (s *settings) lookup(c *Call, key string) value.Value {
	key = s.key(key)
	if v, decides := valueOf(s.set, key); decides {
		return v
	}
	if s.env && c.setsVariables() || s.flags && !value.IsNil(c.Variable(setFlags).Load()) {
		return nil
	}
	if required, known := value.Truth(s.file.Load()); required && known {
		return nil
	}
	for _, other := range s.hidden {
		if strings.HasPrefix(key, other+settingsDelimiter) || other == "" && strings.Contains(key, settingsDelimiter) {
			return nil
		}
	}
	v, _ := valueOf(s.values, key)
	return v
}

// valueOf returns the value of a key, nil where a related key hides it or is hidden by it, or where it is nil,
// which the stores take for no value in one place and for one in another, and whether there is either.
func valueOf(values map[string]value.Value, key string) (found value.Value, isThere bool) {
	for other, v := range values {
		switch {
		case other == key && !value.IsNil(v):
			found, isThere = v, true
		case strings.EqualFold(other, key), strings.HasPrefix(other, key+settingsDelimiter), strings.HasPrefix(key, other+settingsDelimiter):
			return nil, true
		}
	}
	return found, isThere
}

// mayHave reports whether a store may have a value of a key, or of a part of it, that the program
// gives: a default, a variable of the environment that it sets, or a flag, which has a default.
func (s *settings) mayHave(c *Call, key string) bool {
	if s.env && c.setsVariables() {
		return true
	}
	key = strings.ToLower(key)
	isPart := func(of, key string) bool {
		return of == "" || key == of || strings.HasPrefix(key, of+settingsDelimiter)
	}
	related := func(other string) bool {
		other = strings.ToLower(other)
		return isPart(other, key) || isPart(key, other)
	}
	if s.flags && slices.ContainsFunc(s.hidden, related) {
		return true
	}
	return slices.ContainsFunc(slices.Concat(slices.Collect(maps.Keys(s.values)), slices.Collect(maps.Keys(s.set))), related)
}

// differInCase reports whether a key, or a part of one at its beginning, is another one's, or
// prefix, but for its case: a decoder tells these apart where they lead to other keys.
func (s *settings) differInCase(prefix string) bool {
	spelled := make(map[string]string)
	differs := false
	for key := range s.values {
		for _, path := range []string{key + settingsDelimiter, prefix} {
			for end := range path {
				if !strings.HasPrefix(path[end:], settingsDelimiter) {
					continue
				}
				folded := strings.ToLower(path[:end])
				before, isThere := spelled[folded]
				differs = differs || isThere && before != path[:end]
				spelled[folded] = path[:end]
			}
		}
	}
	return differs
}

// folded returns the key that a decoder finds for another one.
func (s *settings) folded(key string) string {
	for other := range s.values {
		if strings.EqualFold(other, key) {
			return other
		}
	}
	return key
}

// converted returns a default as a method returns it that gives settings of type t, nil
// where it is read in a way that isn't followed.
func converted(v value.Value, t types.Type) value.Value {
	text, isText := value.TextOf(v)
	from := value.TypeOf(v)
	switch {
	case from == nil || value.IsUnknown(v):
		return nil
	case value.SameType(from, t) && isPlain(t):
		return v
	case value.NamedOf(from) != nil: // whose methods may say what it is as a text
		return nil
	case isText && value.NamedOf(t) != nil && !value.IsBasic(t, types.IsString):
		return parseDuration(text, t)
	}
	c, ok := v.(value.Const)
	basic, isBasic := t.Underlying().(*types.Basic)
	if !ok || !isBasic {
		return nil
	}
	switch info := basic.Info(); {
	case info&types.IsString != 0 && isText, info&types.IsBoolean != 0 && c.Value.Kind() == constant.Bool:
		return value.Retyped(c, t)
	case info&types.IsInteger != 0 && c.Value.Kind() == constant.Int && value.NamedOf(t) == nil:
		return parseBasic(c.Value.ExactString(), t, basic)
	}
	return nil
}

// parseDuration returns the duration that a text says, nil for other types.
func parseDuration(text string, t types.Type) value.Value {
	if value.NamedOf(t).Obj().Name() != "Duration" {
		return nil
	}
	return parseDefault(text, t, "")
}

// isPlain reports whether values of a type are basic ones, or slices of those.
func isPlain(t types.Type) bool {
	if slice, ok := t.Underlying().(*types.Slice); ok {
		t = slice.Elem()
	}
	_, ok := t.Underlying().(*types.Basic)
	return ok
}

// copiedSlice returns a slice over an array of its own; other values as they are.
func copiedSlice(v value.Value) value.Value {
	s, ok := v.(*value.Slice)
	if !ok {
		return v
	}
	own := &value.Slice{Type: s.Type, Elems: make([]*value.Cell, len(s.Elems))}
	for i, cell := range s.Elems {
		own.Elems[i] = value.NewCell(cell.Load())
	}
	return own
}

// getSetting is the model of a method that returns the setting of a key.
func getSetting(store func(*Call) value.Value, remedy string) Function {
	return func(c *Call) (value.Value, bool) {
		s, _ := settingsAt(store(c))
		key, known := value.TextOf(c.Args[0])
		if s == nil || !known {
			u := value.UnknownResult(c.At)
			u.Foreign = true
			c.Lend(c.At, []value.Value{store(c)}, u) // what options have put into it, for one
			if why, ok := value.BehindPointer(store(c)).(*value.Unknown); ok && known {
				u.Reason += ", which depends on " + why.Reason
				if why.Unread != c.Fn.Obj.Pkg().Path() { // whose fields tell nothing
					u.Unread = why.Unread
				}
			}
			return u, true
		}
		t := c.Fn.Obj.Signature().Results().At(0).Type()
		must := strings.HasPrefix(c.Fn.Obj.Name(), "Must")
		if v := converted(s.lookup(c, key), t); v != nil {
			list, isList := v.(*value.Slice)
			if same, _ := value.Compare(v, c.Zero(t)); must && (same == value.Yes || isList && len(list.Elems) == 0) {
				c.Panic(c.At, &value.Unknown{Reason: "the panic of " + c.name(), Pos: c.At.Pos(), NonNil: true})
			}
			if !s.fold {
				v = copiedSlice(v)
			}
			return v, true
		}
		if must {
			c.Risk(c.At)
		}
		u := value.UnknownResult(c.At)
		c.Lend(c.At, s.all(), u) // it converts what has methods
		u.Foreign, u.Remedy = true, s.remedy(c, remedy, key)
		return u, true
	}
}

// remedy says how a default is given to a key, "" where it has one.
func (s *settings) remedy(c *Call, how, key string) string {
	required, known := value.Truth(s.file.Load())
	_, hasDefault := s.values[s.key(key)]
	if _, isSet := valueOf(s.set, s.key(key)); hasDefault || isSet || required && known {
		return ""
	}
	call, ok := c.At.(*ast.CallExpr)
	if !ok {
		return ""
	}
	receiver := ""
	if selector, ok := call.Fun.(*ast.SelectorExpr); ok {
		receiver = value.Source(selector.X) + "."
	}
	return strings.NewReplacer("RECEIVER.", receiver, "KEY", strconv.Quote(key)).Replace(how)
}

// decodingSettings is a call that decodes settings into a struct.
type decodingSettings struct {
	*Call
	store   *settings
	tag     string // that names the keys
	how     string // to give a default
	failing bool
}

// decodeSettings is the model of a method Unmarshal, which decodes what is below a
// key into the struct behind a pointer.
func (c *Call) decodeSettings(store value.Value, prefix string, target value.Value, tag, how string) (value.Value, bool) {
	s, _ := settingsAt(store)
	to := pointedStruct(target)
	if s == nil || to == nil || s.differInCase(prefix) {
		return nil, false
	}
	c.decodesInto(to.Type)
	d := decodingSettings{Call: c, store: s, tag: tag, how: how}
	d.fields(to, prefix)
	d.failing = true
	c.MayFail(c.At, c.errorOfCall(), func() { d.fields(to, prefix) })
	return noError(), true
}

func (d *decodingSettings) fields(s *value.Struct, prefix string) {
	u, ok := s.Type.Underlying().(*types.Struct)
	if !ok {
		return
	}
	d.Work(len(s.Fields))
	for i, cell := range s.Fields {
		name, options, _ := strings.Cut(reflect.StructTag(u.Tag(i)).Get(d.tag), ",")
		isSquashed := slices.Contains(strings.Split(options, ","), "squash")
		if !u.Field(i).Exported() && !(isSquashed && u.Field(i).Embedded()) {
			continue // but the exported fields of an embedded struct are set, whatever its name
		}
		if strings.Contains(name, settingsDelimiter) {
			continue // no name has a delimiter: the settings of its parts are below each other
		}
		if name == "" {
			name = u.Field(i).Name()
		}
		key := prefix + name
		nested, isStruct := cell.Load().(*value.Struct)
		switch {
		case isStruct && options == "squash":
			d.fields(nested, prefix)
		case isStruct && options == "" && d.store.lookup(d.Call, d.store.folded(key)) == nil:
			d.fields(nested, key+settingsDelimiter)
		default:
			d.field(cell, u.Field(i), key, options)
		}
	}
}

// fallback returns the default of a key, or what the program has set before.
func (d *decodingSettings) fallback(cell *value.Cell, t types.Type, key string) value.Value {
	if v := d.store.lookup(d.Call, key); v != nil {
		return d.decoded(v, t, cell.Load())
	}
	if d.store.mayHave(d.Call, key) {
		return nil
	}
	before, isConst := cell.Load().(value.Const)
	if !isConst || d.store.remedy(d.Call, d.how, key) == "" {
		return nil
	}
	if zero, _ := value.Compare(before, d.Zero(t)); zero == value.No {
		return before
	}
	return nil
}

// decoded returns a default as the decoder puts it into a variable, nil where that isn't
// followed: where the variable has a slice, its elements are written to, and koanf calls
// the methods of types that read texts.
func (d *decodingSettings) decoded(v value.Value, t types.Type, before value.Value) value.Value {
	text, isText := value.TextOf(v)
	slice, isSlice := t.Underlying().(*types.Slice)
	readsText := mirroring{methods: methodNames{"UnmarshalText"}}
	switch {
	case isSlice && !value.IsNil(before), !d.store.fold && readsText.hasMethod(t):
		return nil
	case isSlice && isText && d.store.fold && types.Identical(slice.Elem(), types.Typ[types.String]):
		return parseDefault(text, t, ",")
	case isSlice && isText && d.store.fold:
		return nil
	case isText: // of whatever type
		v = value.NewConst(constant.MakeString(text), types.Typ[types.String])
	}
	return copiedSlice(converted(v, t))
}

func (d *decodingSettings) field(cell *value.Cell, field *types.Var, key, options string) {
	key = d.store.folded(key)
	why := &value.Unknown{Reason: "what " + d.name() + " reads", Pos: d.At.Pos(), Field: field, Foreign: true, Remedy: d.store.remedy(d.Call, d.how, key)}
	var fallback value.Value
	if !d.failing && options == "" {
		fallback = d.fallback(cell, field.Type(), key)
	}
	d.FromOutside(value.Pointer{Type: types.NewPointer(field.Type()), To: cell}, fallback, why)
}

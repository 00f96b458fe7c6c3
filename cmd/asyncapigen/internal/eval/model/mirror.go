package model

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/types"
	"log/slog"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// A mirror is a type of this program that has the parts of one of the evaluated
// program, for the functions of the library that look into values by reflection.
// It has no methods: a type with one that such a function calls has no mirror.
// Fields that aren't exported are there for their size alone. Mirrors of two defined types
// are two types where they are structs; else they may be one.

// lacking is the reason why a value has no mirror: the first of its types that has none.
func (m *mirroring) lacking() *value.Unknown {
	return &value.Unknown{Reason: "a value of the type " + typeText(m.lacks) + ", which isn't followed"}
}

// methodNames are the methods that a function of the library looks for. Where it
// may call each method, and prints what isn't exported, they are anyMethod.
type methodNames []string

var anyMethod = methodNames{"*"}

func (names methodNames) any() bool { return len(names) == 1 && names[0] == "*" }

// likeness says where mirrors have the types of others.
type likeness struct {
	renamed bool // a defined type has the mirror of another one
	blurred bool // so has one of an array's elements, or of a map's keys: one that is compared
}

func (l *likeness) add(other likeness) {
	l.renamed, l.blurred = l.renamed || other.renamed, l.blurred || other.blurred
}

type mirroring struct {
	methods   methodNames
	isLibrary func(types.Type) bool // tells types of the standard library
	within    []types.Type          // the defined types around
	lacks     types.Type            // the first type that has no mirror
	likeness
}

// of returns the mirror of a type, nil where it has none.
func (m *mirroring) of(t types.Type) reflect.Type {
	r := m.made(types.Unalias(t))
	if r == nil && m.lacks == nil {
		m.lacks = t
	}
	return r
}

func (m *mirroring) made(t types.Type) reflect.Type {
	if named, ok := t.(*types.Named); ok {
		if r, special := specialMirror(named); special {
			return r
		}
		if slices.Contains(m.within, t) {
			return nil
		}
		if _, isStruct := t.Underlying().(*types.Struct); !isStruct {
			m.renamed = true
		}
		m.within = append(m.within, t)
		defer func() { m.within = m.within[:len(m.within)-1] }()
	}
	if r := m.capturing(t); r != nil {
		return r
	}
	if p, ok := t.(*types.Pointer); m.hasMethod(t) && (!ok || m.capturing(types.Unalias(p.Elem())) == nil) {
		return nil
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return value.GoTypes[u.Kind()]
	case *types.Pointer:
		if elem := m.of(u.Elem()); elem != nil && (t == u || !m.captures(u)) { // a type of its own has none of the methods
			return reflect.PointerTo(elem)
		}
	case *types.Slice:
		if elem := m.of(u.Elem()); elem != nil && !(isByte(u.Elem()) && m.captures(u.Elem())) { // which may be a text in base64
			return reflect.SliceOf(elem)
		}
	case *types.Array:
		if elem := m.compared(u.Elem()); elem != nil && u.Len() <= value.MaxElements {
			return reflect.ArrayOf(int(u.Len()), elem)
		}
	case *types.Map:
		return m.mapping(u)
	case *types.Interface:
		if u.Empty() {
			return reflect.TypeFor[any]()
		}
	case *types.Struct:
		return m.structure(u, t)
	}
	return nil
}

// compared is of for a type of values that may be compared with those of another type.
func (m *mirroring) compared(t types.Type) reflect.Type {
	around := m.renamed
	m.renamed = false
	r := m.of(t)
	m.blurred = m.blurred || m.renamed
	m.renamed = m.renamed || around
	return r
}

func (m *mirroring) mapping(u *types.Map) reflect.Type {
	key, elem := m.compared(u.Key()), m.of(u.Elem())
	if key == nil || elem == nil || !isBasicKind(key.Kind()) {
		return nil
	}
	return reflect.MapOf(key, elem)
}

// specialMirror returns the mirror of a type that the library knows by itself.
func specialMirror(named *types.Named) (r reflect.Type, special bool) {
	switch types.TypeString(named, nil) {
	case "time.Time":
		return reflect.TypeFor[time.Time](), true
	case "time.Duration":
		return reflect.TypeFor[time.Duration](), true
	case "encoding/json.RawMessage":
		return reflect.TypeFor[json.RawMessage](), true
	case "encoding/json.Number":
		return reflect.TypeFor[json.Number](), true
	case "log/slog.Level":
		return reflect.TypeFor[slog.Level](), true
	}
	return nil, false
}

func (m *mirroring) hasMethod(t types.Type) bool {
	if types.IsInterface(t) {
		return false
	}
	if m.methods.any() {
		return types.NewMethodSet(types.NewPointer(t)).Len() > 0
	}
	return slices.ContainsFunc(m.methods, func(name string) bool {
		obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
		_, isMethod := obj.(*types.Func)
		return isMethod
	})
}

// structure returns the mirror of a struct, of type t.
func (m *mirroring) structure(u *types.Struct, t types.Type) reflect.Type {
	fields := make([]reflect.StructField, u.NumFields())
	for i := range fields {
		f := u.Field(i)
		fields[i] = reflect.StructField{Name: f.Name(), Tag: reflect.StructTag(u.Tag(i)), Anonymous: f.Embedded()}
		switch {
		case f.Name() == "_":
			return nil
		case m.isJSON() && fields[i].Tag.Get("json") == "-": // as one that isn't exported
			fields[i] = reflect.StructField{Name: "leftOut" + strconv.Itoa(i), PkgPath: f.Pkg().Path(), Type: layout(f.Type())}
		case m.captures(f.Type()) && (f.Embedded() || isQuoted(u.Tag(i))): // the mirror has neither fields nor a text
			return nil
		case m.isJSON() && isEmbeddedStruct(f) && !f.Exported() && fields[i].Tag.Get("json") == "": // package reflect makes none
			fields[i].Name, fields[i].Type = "Embedded"+strconv.Itoa(i), m.of(f.Type())
		case f.Exported():
			fields[i].Type = m.of(f.Type())
		case f.Embedded() || m.methods.any():
			return nil
		default:
			fields[i].PkgPath = f.Pkg().Path()
			fields[i].Type = layout(f.Type())
		}
		if fields[i].Type == nil || f.Embedded() && hasOwnMethods(fields[i].Type) || m.omitsZero(u.Tag(i)) && isCoarse(fields[i].Type) {
			return nil
		}
	}
	named, ok := t.(*types.Named)
	m.blurred = m.blurred || ok && len(fields) == 0
	if ok && len(fields) > 0 && !mark(fields, named) {
		return nil
	}
	return structOf(fields)
}

// mark has the struct with some fields be another type than that of each other defined type:
// by the tag of a field, in which those who read tags don't find it. It reports false where
// there is none to mark: package yaml takes a tag without a colon as a whole.
func mark(fields []reflect.StructField, named *types.Named) bool {
	name := types.TypeString(named, nil)
	if obj := named.Obj(); obj.Pkg() != nil && obj.Parent() != obj.Pkg().Scope() {
		name += " " + strconv.Itoa(int(obj.Pos()))
	}
	for i := range fields {
		if tag := &fields[i].Tag; *tag == "" || strings.Contains(string(*tag), ":") {
			*tag = reflect.StructTag(strings.TrimSpace("warren:" + strconv.Quote(name) + " " + string(*tag)))
			return true
		}
	}
	return false
}

// omitsZero reports whether package json leaves out a field with a tag whose value is zero.
func (m *mirroring) omitsZero(tag string) bool {
	return slices.Equal(m.methods, encoding) && hasOption(tag, "omitzero")
}

// isJSON reports whether package json is to look into values. The names of structs that are
// embedded, and have no name in a tag, are nothing to it.
func (m *mirroring) isJSON() bool {
	return slices.Equal(m.methods, decoding) || slices.Equal(m.methods, encoding)
}

func isEmbeddedStruct(f *types.Var) bool {
	_, isStruct := f.Type().Underlying().(*types.Struct)
	return f.Embedded() && isStruct
}

// hasOwnMethods reports whether a mirror has methods, or what it points to: what embeds it
// would have them, which package reflect doesn't support.
func hasOwnMethods(r reflect.Type) bool {
	return r.NumMethod() > 0 || r.Kind() != reflect.Pointer && reflect.PointerTo(r).NumMethod() > 0
}

// isByte reports whether a type is one of bytes.
func isByte(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Kind() == types.Uint8
}

// isQuoted reports whether a field with a tag may be a text that holds its JSON.
func isQuoted(tag string) bool { return hasOption(tag, "string") }

// hasOption reports whether a tag tells package json an option.
func hasOption(tag, option string) bool {
	_, options, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
	return slices.Contains(strings.Split(options, ","), option)
}

// structOf is reflect.StructOf, nil where it panics: it doesn't support each kind
// of embedded field.
func structOf(fields []reflect.StructField) (r reflect.Type) {
	defer func() { _ = recover() }()
	return reflect.StructOf(fields)
}

// layout returns a type of the size of t.
func layout(t types.Type) reflect.Type {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Kind() == types.UnsafePointer {
			return reflect.TypeFor[*struct{}]()
		}
		return value.GoTypes[u.Kind()]
	case *types.Slice:
		return reflect.TypeFor[[]struct{}]()
	case *types.Interface:
		return reflect.TypeFor[any]()
	case *types.Array:
		if elem := layout(u.Elem()); elem != nil && u.Len() <= value.MaxElements {
			return reflect.ArrayOf(int(u.Len()), elem)
		}
		return nil
	case *types.Struct:
		fields := make([]reflect.StructField, u.NumFields())
		for i := range fields {
			fields[i] = reflect.StructField{Name: "F" + strconv.Itoa(i), Type: layout(u.Field(i).Type())}
			if fields[i].Type == nil {
				return nil
			}
		}
		return structOf(fields)
	default:
		return reflect.TypeFor[*struct{}]()
	}
}

// reflecting copies values between the program and their mirrors.
type reflecting struct {
	c       *Call
	methods methodNames
	seen    map[*value.Cell]bool // what pointers lead to
	levels  int

	// shared says that a variable, or a map, was met twice: it has several mirrors, and
	// what is written to one of them isn't seen in the others.
	shared bool
	met    map[*value.Cell]bool

	decoding bool // a decoder is to write to the mirror
	decoded
	largest int // of the numbers and lengths
	likeness

	calls  []capturedCall // of methods that decode
	after  []func()       // what comes after them
	moving bool           // what is stored is an element that the decoder moves
}

func (c *Call) reflecting(methods methodNames) *reflecting {
	return &reflecting{
		c: c, methods: methods, seen: make(map[*value.Cell]bool), met: make(map[*value.Cell]bool),
	}
}

// meet notes that a variable is mirrored.
func (m *reflecting) meet(cell *value.Cell) {
	m.shared = m.shared || m.met[cell]
	m.met[cell] = true
}

// mirrored returns the mirror of a value, or the part of it that isn't known.
func (m *reflecting) mirrored(v value.Value) (reflect.Value, *value.Unknown) {
	if isNilInterface(v) {
		return reflect.Zero(reflect.TypeFor[any]()), nil
	}
	t := value.TypeOf(v)
	if t == nil {
		return reflect.Value{}, m.c.because(v)
	}
	mirroring := mirroring{methods: m.methods, isLibrary: m.c.IsOfLibrary}
	r := mirroring.of(types.Default(t))
	if r == nil {
		return reflect.Value{}, mirroring.lacking()
	}
	m.likeness.add(mirroring.likeness)
	to := reflect.New(r).Elem()
	return to, m.copy(to, v)
}

const maxMirrored = 1000 // levels

// copy sets a mirror to a value. It is long but flat: a case for each kind.
func (m *reflecting) copy(to reflect.Value, v value.Value) *value.Unknown {
	m.c.Work(1)
	if m.levels++; m.levels > maxMirrored {
		return m.c.because()
	}
	defer func() { m.levels-- }()
	if to.Type() == reflect.TypeFor[time.Time]() {
		r, unknown := m.c.hostedToGo(v, to.Type())
		if unknown == nil {
			to.Set(r)
		}
		return unknown
	}
	if to.Type() == reflect.TypeFor[capturedJSON]() || to.Type() == reflect.TypeFor[capturedText]() {
		return nil // the variable keeps what it holds
	}
	if to.Kind() == reflect.Interface {
		if m.decoding {
			return m.keep(to, v)
		}
		r, unknown := m.mirrored(v)
		if unknown == nil {
			to.Set(r)
		}
		return unknown
	}
	switch v := v.(type) {
	case value.Nil:
		return nil
	case value.Const:
		if isBasicKind(to.Kind()) {
			to.Set(value.GoValueOf(v, to.Type()))
			n, _ := value.IntOf(v)
			m.largest = max(m.largest, n)
			return nil
		}
	case *value.Struct:
		return m.copyFields(to, v)
	case *value.Array:
		m.largest = max(m.largest, len(v.Elems))
		if m.decoding && isCoarse(to.Type().Elem()) && !isZeroValue(v) { // decoders set elements to zero
			return m.c.because(v)
		}
		return m.copyElements(to, v.Elems)
	case *value.Slice:
		m.largest = max(m.largest, len(v.Elems))
		to.Set(reflect.MakeSlice(to.Type(), len(v.Elems), cap(v.Elems)))
		if m.decoding {
			return m.copyRoom(to, v)
		}
		return m.copyElements(to, v.Elems)
	case *value.Map:
		m.meet(v.Identity())
		if unknown := m.copyEntries(to, v); unknown != nil || !m.decoding {
			return unknown
		}
		return m.leadTo(to, v)
	case value.Pointer:
		if to.Kind() != reflect.Pointer || m.seen[v.To] { // what two pointers lead to has no mirror
			return m.c.because()
		}
		m.seen[v.To] = true
		m.meet(v.To)
		to.Set(reflect.New(to.Type().Elem()))
		if unknown := m.copy(to.Elem(), v.Load()); unknown != nil || !m.decoding {
			return unknown
		}
		return m.pointTo(to, v)
	}
	return m.c.because(v)
}

func (m *reflecting) copyFields(to reflect.Value, v *value.Struct) *value.Unknown {
	if to.Kind() != reflect.Struct || to.NumField() != len(v.Fields) {
		return m.c.because()
	}
	for i, cell := range v.Fields {
		m.meet(cell)
		if to.Type().Field(i).PkgPath != "" {
			continue
		}
		if unknown := m.copy(to.Field(i), cell.Load()); unknown != nil {
			return unknown
		}
	}
	return nil
}

func (m *reflecting) copyElements(to reflect.Value, cells []*value.Cell) *value.Unknown {
	if to.Len() != len(cells) {
		return m.c.because()
	}
	for i, cell := range cells {
		m.meet(cell)
		if unknown := m.copy(to.Index(i), cell.Load()); unknown != nil {
			return unknown
		}
	}
	return nil
}

func (m *reflecting) copyEntries(to reflect.Value, v *value.Map) *value.Unknown {
	n, known := v.Size()
	if !known {
		return m.c.because(v.Uncounted())
	}
	m.largest = max(m.largest, n)
	to.Set(reflect.MakeMap(to.Type()))
	for key, held := range v.Sorted() {
		k, elem := reflect.New(to.Type().Key()).Elem(), reflect.New(to.Type().Elem()).Elem()
		if unknown := m.copy(k, key); unknown != nil {
			return unknown
		}
		if unknown := m.copy(elem, held); unknown != nil {
			return unknown
		}
		to.SetMapIndex(k, elem)
	}
	return nil
}

// An entry is one of a mirror's map.
type entry struct{ key, elem reflect.Value }

// sortedEntries returns the entries of a map in one order, but for those of NaNs, which can't be
// looked up.
func sortedEntries(r reflect.Value) []entry {
	var entries []entry
	for key, elem := range r.Seq2() {
		entries = append(entries, entry{key, elem})
	}
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.text(), b.text()) })
	return entries
}

func (e entry) text() string { return fmt.Sprintf("%[1]v %[1]T", e.key.Interface()) }

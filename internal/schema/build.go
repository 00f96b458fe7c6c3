package schema

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/token"
	"reflect"
	"slices"
	"strings"

	"github.com/warrenmq/warren/internal/diagnostic"
)

// A Set is the description of the payloads of one document.
type Set struct {
	// Payloads has a schema for each type given to Build, at the same index. It
	// is empty (see [Schema.IsEmpty]) for a type that can be any JSON, and for
	// bodies that aren't JSON: nil and []byte.
	Payloads []*Schema

	// Components are the defined types that the payloads refer to, by key.
	Components []Component

	// Problems are in the order in which the types were found.
	Problems []Problem

	// ByHand reports whether an author wrote one of the schemas, which may be no
	// valid schema.
	ByHand bool

	origins map[*Schema]origin
}

// Knows reports whether s is the schema of a Go type or of one of its fields,
// rather than a part of it.
func (set *Set) Knows(s *Schema) bool {
	_, ok := set.origins[s]
	return ok
}

// A Component is the schema of a defined type, which schemas refer to as
// "#/components/schemas/" + Key. The key is also the schema's title.
type Component struct {
	Key    string
	Schema *Schema

	Type     string         // the Go type, packages by name
	GoName   string         // its name after its import path, without type arguments
	Position token.Position // of its declaration, zero where it isn't known
}

// Build describes the types of message bodies. A pointer body is described as
// what it points to, because a message always has a body.
//
// Components have the shortest keys that tell them apart: the type's name, with
// the package's name before it where two types share theirs, with the import
// path where that isn't enough. Types that even so share their full name (those
// that functions declare for themselves, and instances that differ in a type
// literal) are numbered in the order in which the payloads lead to them. Nothing
// else depends on the order of payloads.
//
// A method with a pointer receiver is taken to be called, as json.Marshal does
// for what is given to it by pointer.
//
// Build is safe for concurrent use if the types are. The set is the caller's.
// See docs/decisions/0005.
func Build(payloads []Type) *Set { return Options{}.Build(payloads) }

// Build is [Build] with options.
func (o Options) Build(payloads []Type) *Set {
	b := newBuilder(o)
	set := &Set{}
	for i, t := range payloads {
		b.payload = i
		set.Payloads = append(set.Payloads, b.body(t))
	}
	b.finishUnions()
	assignKeys(b.components)
	b.resolve()
	b.titleEnums()
	for _, c := range b.components {
		set.Components = append(set.Components, Component{
			Key: c.key, Schema: c.schema, Type: c.t.String(), GoName: c.t.Name().qualified(), Position: c.t.Position(),
		})
	}
	slices.SortFunc(set.Components, func(a, b Component) int { return strings.Compare(a.Key, b.Key) })
	set.Problems, set.ByHand, set.origins = b.problems, b.byHand, b.origins
	if o.Check != nil {
		set.Problems = append(set.Problems, o.Check(set)...)
	}
	return set
}

// A builder collects the components that schemas refer to. Keys can be chosen
// only when all are known, so references are resolved last.
type builder struct {
	Options
	payload    int
	components []*component // in the order of first use
	byID       map[any]*component
	refs       map[*Schema]reference
	origins    map[*Schema]origin // of schemas that their author has a part in
	unions     map[any]*union     // by the ID of the interface
	opening    map[string]int     // generic types being described, by maxInstances
	problems   []Problem
	byHand     bool
}

func newBuilder(o Options) *builder {
	b := &builder{
		Options: o,
		byID:    map[any]*component{},
		refs:    map[*Schema]reference{},
		origins: map[*Schema]origin{},
		unions:  map[any]*union{},
		opening: map[string]int{},
	}
	for _, u := range o.Unions {
		b.addUnion(u)
	}
	return b
}

type component struct {
	t      Type
	number int    // among the types of one full name, from 1
	key    string // from assignKeys
	schema *Schema

	// zero says that the zero value is written where a member isn't set, so that
	// an enumeration has to have it.
	zero bool

	asked bool // acceptsNull is computing its result
}

// An origin is where a schema comes from.
type origin struct {
	payload int
	t       Type
	at      place
}

// A reference is what an unresolved schema will refer to.
type reference struct {
	target *component
	orNull bool
}

// A place is where a type was found.
type place struct {
	path     string // Go fields
	position token.Position

	// present says that nil is left out, by omitempty or omitzero.
	present bool

	// oneWay says that a method writes the type, or reads it, and that the other
	// way has a method of its own.
	oneWay bool

	// handled says that the type around reads or writes its parts by a method, which
	// may do what encoding/json can't.
	handled bool
}

func (at place) within(suffix string) place {
	return place{path: at.path + suffix, position: at.position, handled: at.handled}
}

// field returns the place of a field, or that of the type around it where its own isn't known.
func (at place) field(path string, f Field) place {
	return place{path: at.path + "." + path, position: cmp.Or(f.Position, at.position), handled: at.handled}
}

func (b *builder) body(t Type) *Schema {
	if t == nil || IsBytes(t) {
		return &Schema{}
	}
	for t.Kind() == reflect.Pointer && !t.Name().Defined() {
		t = t.Elem()
	}
	path := t.Name().Ident
	if path == "" {
		path = t.String()
	}
	at := place{path: path, position: t.Position()}
	at.present = t.Kind() == reflect.Interface
	s := b.value(t, at)
	b.origins[s] = origin{b.payload, t, at}
	return s
}

// IsBytes reports whether t is exactly []byte: such a body isn't JSON. Nil is not.
func IsBytes(t Type) bool {
	return t != nil && t.Kind() == reflect.Slice && !t.Name().Defined() &&
		t.Elem().Kind() == reflect.Uint8 && !t.Elem().Name().Defined()
}

// value describes what t is wherever a value of it stands.
func (b *builder) value(t Type, at place) *Schema {
	if known := b.wellKnown(t.Name()); known != nil {
		return known
	}
	if !t.Name().Defined() {
		return b.describe(t, at)
	}
	if at.handled && t.Kind() == reflect.Interface && t.NumMethod() > 0 && b.unions[t.ID()] == nil {
		return b.handled(t, at)
	}
	c := b.byID[t.ID()]
	if c == nil {
		if !b.enter(t, at) {
			return &Schema{}
		}
		c = b.open(t, at)
		b.leave(t)
	}
	ref := &Schema{}
	b.refs[ref] = reference{target: c}
	if b.unions[t.ID()] != nil && !at.present {
		return b.orNull(ref)
	}
	return ref
}

// part is value for what lies within another value. Reading takes null for
// anything, and leaves the Go value as it is.
func (b *builder) part(t Type, at place) *Schema {
	s := b.value(t, at)
	if b.Direction == Decode && !readsNoNull(t.Name()) {
		return b.orNull(s)
	}
	return s
}

// open describes a defined type that is found for the first time.
func (b *builder) open(t Type, at place) *component {
	c := &component{t: t}
	b.components = append(b.components, c)
	b.byID[t.ID()] = c
	at = place{path: at.path, position: at.position}
	c.schema = b.describe(t, at)
	b.origins[c.schema] = origin{b.payload, t, at}
	b.addConstants(c.schema, t)
	b.addDoc(c.schema, t.Doc())
	b.addExamples(c.schema, t, b.directives(t, ExampleDirective))
	return c
}

// maxInstances bounds how deep instances of one generic type may lie in each
// other. A type such as type T[A any] struct{ Next *T[[]A] } has no end: the
// compiler refuses it, but source code may hold it (rule 41).
const maxInstances = 6

// enter reports whether t may be described; leave ends what it began.
func (b *builder) enter(t Type, at place) bool {
	name := t.Name()
	if len(name.Args) == 0 {
		return true
	}
	origin := name.PkgPath + "." + name.Ident
	if b.opening[origin] == maxInstances {
		b.report(diagnostic.EndlessType, t, at, "the generic type expands into ever new instances of itself",
			"let it refer to itself by its own type parameters")
		return false
	}
	b.opening[origin]++
	return true
}

func (b *builder) leave(t Type) {
	if name := t.Name(); len(name.Args) > 0 {
		b.opening[name.PkgPath+"."+name.Ident]--
	}
}

// resolve makes every reference a $ref, now that components have their keys.
func (b *builder) resolve() {
	for _, c := range b.components {
		c.schema.Title = c.key
		b.addZero(c)
	}
	widened := map[*Schema]bool{} // asked of all before any is changed
	for s, r := range b.refs {
		widened[s] = r.orNull && (s.Title != "" || !b.acceptsNull(r.target.schema))
	}
	for s, r := range b.refs {
		ref := &Schema{Ref: RefPrefix + r.target.key}
		switch {
		case widened[s]:
			s.AnyOf = append(s.AnyOf, ref, &Schema{Type: Types{"null"}})
		case s.saysNothing():
			*s = *ref
		default: // nothing may stand beside a $ref
			s.AllOf = append(s.AllOf, ref)
		}
	}
}

// saysNothing reports whether s has no keyword but a description, which isn't
// worth a schema of its own. See docs/decisions/0006.
func (s *Schema) saysNothing() bool {
	bare := *s
	bare.Description = ""
	return bare.IsEmpty()
}

// isRef reports whether s will be a $ref.
func (b *builder) isRef(s *Schema) bool {
	_, ok := b.refs[s]
	return ok
}

// acceptsNull is asked before references are resolved.
func (b *builder) acceptsNull(s *Schema) bool {
	if r, ok := b.refs[s]; ok && !b.targetAcceptsNull(r) {
		return false
	}
	null := func(s *Schema) bool { return b.acceptsNull(s) }
	switch {
	case s.Ref != "", s.Not != nil, s.If != nil, s.Const != nil:
		return false // written by hand; one null more does no harm
	case len(s.Type) > 0 && !s.Type.Has("null"),
		len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, isNull),
		len(s.AnyOf) > 0 && !slices.ContainsFunc(s.AnyOf, null),
		len(s.OneOf) > 0 && !slices.ContainsFunc(s.OneOf, null):
		return false
	}
	return !slices.ContainsFunc(s.AllOf, func(s *Schema) bool { return !b.acceptsNull(s) })
}

func (b *builder) targetAcceptsNull(r reference) bool {
	if r.orNull || r.target.asked { // a type that is written as itself never ends
		return r.orNull
	}
	r.target.asked = true
	defer func() { r.target.asked = false }()
	return b.acceptsNull(r.target.schema)
}

func isNull(value json.RawMessage) bool { return string(value) == "null" }

// orNull widens s by null.
func (b *builder) orNull(s *Schema) *Schema {
	if r, ok := b.refs[s]; ok {
		b.refs[s] = reference{target: r.target, orNull: true}
		return s
	}
	switch {
	case b.acceptsNull(s):
		return s
	case len(s.Type) == 0 || len(s.Enum)+len(s.AllOf)+len(s.AnyOf)+len(s.OneOf) > 0:
		return &Schema{AnyOf: []*Schema{s, {Type: Types{"null"}}}}
	}
	s.Type = append(s.Type, "null")
	return s
}

// anything accepts any JSON, and reports why: such a schema is never silent.
func (b *builder) anything(code diagnostic.Code, t Type, at place, what, remedy string, values ...any) *Schema {
	b.report(code, t, at, fmt.Sprintf(what, values...), remedy)
	return &Schema{}
}

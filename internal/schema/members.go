package schema

import (
	"cmp"
	"reflect"
	"slices"
)

// A member is a struct field that encoding/json writes, perhaps promoted from an
// embedded struct.
type member struct {
	name     string // the JSON name
	path     string // the Go name, with those of the embedded structs before it
	field    Field
	tag      JSONTag
	index    []int // of the field in the struct, embedded ones before it
	optional bool  // promoted through a pointer, and absent when that is nil
}

// A fault is an embedded field that encoding/json can write but not read.
type fault struct {
	path  string
	field Field
}

// structure is what encoding/json sees of a struct.
type structure struct {
	members  []member // in their order
	fallback *member  // takes members of other names; nil for none
	faults   []fault
}

// members returns the fields that encoding/json writes for the struct t, by Go's
// dominance rule with tags (rules 20 to 25).
func members(t Type) structure {
	s := candidates(t)
	found := s.found
	slices.SortStableFunc(found, func(a, b member) int {
		return cmp.Or(
			cmp.Compare(a.name, b.name),
			cmp.Compare(len(a.index), len(b.index)),
			compareTagged(a, b),
			slices.Compare(a.index, b.index),
		)
	})
	var dominant []member
	for len(found) > 0 {
		n := 1
		for n < len(found) && found[n].name == found[0].name {
			n++
		}
		if n == 1 || dominates(found[0], found[1]) {
			dominant = append(dominant, found[0])
		}
		found = found[n:]
	}
	slices.SortFunc(dominant, func(a, b member) int { return slices.Compare(a.index, b.index) })
	return structure{members: dominant, fallback: fallback(s.others), faults: s.faults}
}

// fallback returns the least deep of the fields, nil where there are two.
func fallback(found []member) *member {
	slices.SortStableFunc(found, func(a, b member) int { return cmp.Compare(len(a.index), len(b.index)) })
	if len(found) == 0 || len(found) > 1 && len(found[0].index) == len(found[1].index) {
		return nil
	}
	return &found[0]
}

func compareTagged(a, b member) int {
	switch {
	case a.isTagged() == b.isTagged():
		return 0
	case a.isTagged():
		return -1
	default:
		return 1
	}
}

func (m member) isTagged() bool { return m.tag.Name != "" }

// dominates reports whether a, sorted before b, hides it. Two of one depth, both
// tagged or both not, hide each other.
func dominates(a, b member) bool {
	return len(a.index) != len(b.index) || a.isTagged() != b.isTagged()
}

// A search goes breadth-first through a struct and the structs it embeds, each
// once, at its least depth.
type search struct {
	found   []member // before names hide each other
	others  []member // those that take members of any name
	faults  []fault
	visited map[any]bool
	next    []level
	queued  map[any]int // the place in next of a struct, by type ID
}

// A level is a struct that the search will come to.
type level struct {
	t        Type
	path     string // Go names before those of its fields
	index    []int
	optional bool
	repeated bool // embedded more than once at this depth: its fields hide each other
}

func candidates(t Type) search {
	s := search{visited: map[any]bool{}, next: []level{{t: t}}}
	for len(s.next) > 0 {
		current := s.next
		s.next, s.queued = nil, map[any]int{}
		for _, l := range current {
			if !s.visited[l.t.ID()] {
				s.visited[l.t.ID()] = true
				s.scan(l)
			}
		}
	}
	return s
}

func (s *search) scan(l level) {
	for i, field := range l.t.Fields() {
		tag := ParseJSONTag(field.Tag)
		if tag.Skip || !visible(field) {
			continue
		}
		m := member{
			name: cmp.Or(tag.Name, field.Name), path: l.path + field.Name, field: field, tag: tag,
			index: append(slices.Clone(l.index), i), optional: l.optional,
		}
		if unreadable(field) {
			s.faults = append(s.faults, fault{path: m.path, field: field})
		}
		if tag.Inline || tag.Unknown {
			s.inline(m)
			continue
		}
		if target, promoted := promotion(field, tag); promoted {
			s.enqueue(target, m)
			continue
		}
		s.found = append(s.found, m)
		if l.repeated {
			s.found = append(s.found, m)
		}
	}
}

// inline notes a field with an option that only the engine of encoding/json/v2
// knows (rule 47). It leaves out those that can't be inlined.
func (s *search) inline(m member) {
	t := behindPointer(m.field.Type)
	switch {
	case m.tag.Name != "":
	case t.Kind() == reflect.Struct && !m.tag.Unknown:
		s.enqueue(t, m)
	case t.Kind() != reflect.Struct && m.field.Exported && isFallback(m.field):
		s.others = append(s.others, m)
	}
}

// enqueue notes the struct embedded as m for the next depth. That it is repeated
// isn't handed down to what it embeds: encoding/json doesn't either.
func (s *search) enqueue(target Type, m member) {
	if at, again := s.queued[target.ID()]; again {
		s.next[at].repeated = true
		return
	}
	s.queued[target.ID()] = len(s.next)
	s.next = append(s.next, level{
		t: target, path: m.path + ".", index: m.index,
		optional: m.optional || m.field.Type.Kind() == reflect.Pointer,
	})
}

// visible reports whether encoding/json looks at the field: it is exported, or
// an embedded struct whose own fields may be (rules 22 and 23).
func visible(f Field) bool {
	return f.Exported || f.Embedded && behindPointer(f.Type).Kind() == reflect.Struct
}

// unreadable reports whether decoding would have to set an embedded pointer of
// an unexported type, which reflection can't (rule 24).
func unreadable(f Field) bool {
	return f.Embedded && !f.Exported && f.Type.Kind() == reflect.Pointer
}

// promotion returns the embedded struct whose fields take the place of f. A name
// in the tag makes f a field of its own (rule 25).
func promotion(f Field, tag JSONTag) (Type, bool) {
	if !f.Embedded || tag.Name != "" {
		return nil, false
	}
	t := behindPointer(f.Type)
	return t, t.Kind() == reflect.Struct
}

// behindPointer returns the element of an unnamed pointer, else t itself.
func behindPointer(t Type) Type {
	if t.Kind() == reflect.Pointer && !t.Name().Defined() {
		return t.Elem()
	}
	return t
}

// optionalMember reports whether encoding/json may leave the member out. The
// option omitempty never leaves out a struct, nor an array with elements
// (rule 27).
func optionalMember(m member) bool {
	return m.optional || m.tag.OmitZero || m.tag.OmitEmpty && canBeEmpty(m.field.Type)
}

func canBeEmpty(t Type) bool {
	switch t.Kind() {
	case reflect.Struct:
		return false
	case reflect.Array:
		return t.Len() == 0
	default:
		return true
	}
}

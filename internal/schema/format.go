package schema

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/warrenmq/warren/internal/diagnostic"
)

// formatted describes a member with the option format, which the engine of
// encoding/json/v2 obeys (rule 48). It returns nil where the option says nothing.
func (b *builder) formatted(m member, at place) *Schema {
	t := b.formattedType(m)
	if t == nil {
		return nil
	}
	isPointer := m.field.Type.Kind() == reflect.Pointer
	within := place{path: at.path, position: at.position, present: at.present && !isPointer, handled: at.handled}
	tag := m.tag
	tag.Quoted = tag.Quoted && behindPointer(m.field.Type).Kind() != reflect.Pointer
	s := b.byFormat(t, tag, within)
	writesNil := (t.Kind() == reflect.Slice || t.Kind() == reflect.Map) && tag.Format != "emitempty"
	switch {
	case s == nil:
		return b.anything(diagnostic.NoJSON, m.field.Type, at, "encoding/json has no format %q for a %s",
			"correct the option format in the tag, or remove it", tag.Format, t)
	case b.Direction == Decode, beginsWithNil(m.field.Type, at.present), writesNil && !within.present:
		return b.withNull(s)
	case tag.Format == "emitempty" && !isPointer:
		b.dropNull(s, t)
	}
	return s
}

// formattedType returns the type that the option format of a member is for, the
// one behind all pointers. It returns nil where there is no such option, and
// where a method of the type, or its having no JSON form at all, makes the
// option meaningless.
func (b *builder) formattedType(m member) Type {
	if m.tag.Format == "" {
		return nil
	}
	t := behindPointers(m.field.Type)
	switch kind := t.Kind(); {
	case isTime(t), isDuration(t), kind == reflect.Interface: // the option comes before their methods
		return t
	case kind == reflect.Pointer, kind == reflect.Invalid, kind == reflect.Chan, kind == reflect.Func,
		kind == reflect.UnsafePointer, kind == reflect.Complex64, kind == reflect.Complex128,
		isJSONNumber(t.Name()),
		b.Direction == Encode && writesItself(t), b.Direction == Decode && readsItself(t):
		return nil
	}
	return t
}

// behindPointers returns the type that a chain of pointers ends with: a pointer where
// it has no end.
func behindPointers(t Type) Type {
	for seen := map[any]bool{}; t.Kind() == reflect.Pointer && !seen[t.ID()]; t = t.Elem() {
		seen[t.ID()] = true
	}
	return t
}

func isTime(t Type) bool     { return t.Name().qualified() == "time.Time" }
func isDuration(t Type) bool { return t.Name().qualified() == "time.Duration" }

// beginsWithNil reports whether one of the pointers that t begins with may be
// written as null. The first may not where nil is left out.
func beginsWithNil(t Type, present bool) bool {
	return t.Kind() == reflect.Pointer && (!present || t.Elem().Kind() == reflect.Pointer)
}

// withNull is orNull for what may be an anyOf, which gets one branch more.
func (b *builder) withNull(s *Schema) *Schema {
	if len(s.AnyOf) > 0 && !b.acceptsNull(s) {
		s.AnyOf = append(s.AnyOf, &Schema{Type: Types{"null"}})
		return s
	}
	return b.orNull(s)
}

// reshaped reports whether the option format gives a member another JSON than
// that of its Go value, so that rules about the value aren't rules about the
// JSON.
func (b *builder) reshaped(m member) bool {
	t := b.formattedType(m)
	return t != nil && (isTime(t) || isDuration(t) || isBytes(t))
}

// isBytes reports whether t is a slice or an array of bytes.
func isBytes(t Type) bool {
	return (t.Kind() == reflect.Slice || t.Kind() == reflect.Array) && t.Elem().Kind() == reflect.Uint8
}

// byFormat describes a t that isn't nil, or is a nil slice or map written as an
// empty one. It returns nil for a format that encoding/json refuses.
func (b *builder) byFormat(t Type, tag JSONTag, at place) *Schema {
	switch kind := t.Kind(); {
	case isTime(t):
		return b.timeFormat(tag.Format)
	case isDuration(t):
		return b.durationFormat(tag)
	case isBytes(t):
		return b.bytesFormat(t, tag.Format, at)
	case (kind == reflect.Float32 || kind == reflect.Float64) && tag.Format == "nonfinite":
		return b.nonfinite(t, tag, at)
	case (kind == reflect.Slice || kind == reflect.Map) && tag.Format == "emitempty":
		at.present = true
		return b.value(t, at)
	case (kind == reflect.Slice || kind == reflect.Map) && tag.Format == "emitnull":
		return b.value(t, at)
	default:
		return nil
	}
}

// nonfinite describes a number for which the infinities and NaN have names.
func (b *builder) nonfinite(t Type, tag JSONTag, at place) *Schema {
	switch {
	case tag.Quoted && b.Direction == Encode:
		return &Schema{Type: Types{"string"}, Pattern: `^(-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?|NaN|-?Infinity)$`}
	case tag.Quoted: // strconv reads the names
		return &Schema{Type: Types{"string"}, Pattern: b.quotedPattern(t)}
	}
	names := []json.RawMessage{json.RawMessage(`"NaN"`), json.RawMessage(`"Infinity"`), json.RawMessage(`"-Infinity"`)}
	return &Schema{AnyOf: []*Schema{b.value(t, at), {Type: Types{"string"}, Enum: names}}}
}

// An alphabet is that of bytes written as text: letters in groups, the last of
// which may have fewer, and padding instead. Tails are the numbers of letters
// that a last group may have.
type alphabet struct {
	encoding string // as RFC 4648 names it
	letters  string // a class of characters
	group    int
	size     int // bytes that a group stands for
	tails    []int
}

var alphabets = map[string]alphabet{
	"base64url": {"base64url", "[A-Za-z0-9_-]", 4, 3, []int{2, 3}},
	"base32":    {"base32", "[A-Z2-7]", 8, 5, []int{2, 4, 5, 7}},
	"base32hex": {"base32hex", "[0-9A-V]", 8, 5, []int{2, 4, 5, 7}},
}

// bytesFormat describes bytes as text, or as an array.
func (b *builder) bytesFormat(t Type, format string, at place) *Schema {
	s := &Schema{Type: Types{"string"}}
	group, size := 4, 3
	switch format {
	case "array":
		if t.Kind() == reflect.Array {
			return b.array(t, at)
		}
		return &Schema{Type: Types{"array"}, Items: b.part(t.Elem(), at.within("[]"))}
	case "base64":
		s.ContentEncoding = "base64"
	case "base16", "hex":
		group, size = 2, 1
		s.ContentEncoding, s.Pattern = "base16", `^([0-9a-f]{2})*$`
		if b.Direction == Decode {
			s.Pattern = `^([0-9a-fA-F]{2})*$`
		}
	default:
		a, known := alphabets[format]
		if !known {
			return nil
		}
		group, size = a.group, a.size
		s.ContentEncoding, s.Pattern = a.encoding, a.pattern(b.Direction)
	}
	if t.Kind() == reflect.Array && b.Direction == Encode { // reading fills up a shorter text, and drops the rest of a longer one
		length := (int(t.Len()) + size - 1) / size * group
		s.MinLength, s.MaxLength = &length, &length
	}
	return s
}

// pattern is that of the whole text. Reading skips line breaks.
func (a alphabet) pattern(d Direction) string {
	breaks := ""
	if d == Decode {
		breaks = `[\r\n]*`
	}
	letter, padding := a.letters+breaks, "="+breaks
	if d == Decode {
		letter, padding = "("+letter+")", "("+padding+")"
	}
	pattern := fmt.Sprintf("^%s(%s{%d})*(", breaks, letter, a.group)
	for i, n := range a.tails {
		if i > 0 {
			pattern += "|"
		}
		pattern += fmt.Sprintf("%s{%d}%s{%d}", letter, n, padding, a.group-n)
	}
	return pattern + ")?$"
}

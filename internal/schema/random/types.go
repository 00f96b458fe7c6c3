package random

import (
	"fmt"
	"reflect"
	"time"
)

// Type returns a random type: a literal of the scalar types, of those in pool,
// and of structs, pointers, slices, arrays and maps of them, all of which
// encoding/json can write and read.
func (s Source) Type(pool []reflect.Type) reflect.Type { return s.typeAt(pool, 0) }

var scalars = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[string](),
	reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](), reflect.TypeFor[int64](),
	reflect.TypeFor[uint](), reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](),
	reflect.TypeFor[uintptr](), reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[any](),
}

var keys = []reflect.Type{reflect.TypeFor[string](), reflect.TypeFor[int8](), reflect.TypeFor[int](), reflect.TypeFor[uint16]()}

func (s Source) typeAt(pool []reflect.Type, depth int) reflect.Type {
	choice := s.Rand.IntN(10)
	if s.deep(depth + 2) {
		choice = s.Rand.IntN(4)
	}
	switch choice {
	case 0, 1:
		return scalars[s.Rand.IntN(len(scalars))]
	case 2, 3:
		return pool[s.Rand.IntN(len(pool))]
	case 4:
		return reflect.PointerTo(s.typeAt(pool, depth+1))
	case 5:
		return reflect.SliceOf(s.typeAt(pool, depth+1))
	case 6:
		return reflect.ArrayOf(s.Rand.IntN(3), s.typeAt(pool, depth+1))
	case 7:
		return reflect.MapOf(keys[s.Rand.IntN(len(keys))], s.typeAt(pool, depth+1))
	default:
		return s.structAt(pool, depth+1)
	}
}

// structAt makes a struct whose tags have options in all combinations, and names
// that clash with each other.
func (s Source) structAt(pool []reflect.Type, depth int) reflect.Type {
	fields := make([]reflect.StructField, s.Rand.IntN(6))
	for i := range fields {
		t := s.typeAt(pool, depth)
		fields[i] = reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: t, Tag: s.tag(t)}
	}
	return reflect.StructOf(fields)
}

var (
	names   = []string{"", "", "", "f0", "F1", "F2", "with space", "a'b", "a/b~c", "ключ", "-"}
	options = []string{"", "", "", ",omitempty", ",omitzero", ",string", ",omitempty,string", ",omitzero,omitempty", ",unknown", ","}
)

func (s Source) tag(t reflect.Type) reflect.StructTag {
	if s.Rand.IntN(4) == 0 {
		return ""
	}
	text := names[s.Rand.IntN(len(names))] + options[s.Rand.IntN(len(options))]
	if fitting := formats(t); len(fitting) > 0 && s.Rand.IntN(2) == 0 {
		text += ",format:" + fitting[s.Rand.IntN(len(fitting))]
	}
	return reflect.StructTag(fmt.Sprintf("json:%q", text))
}

// formats are the values of the option format that a type may have. Only the
// engine of encoding/json/v2 obeys them.
func formats(t reflect.Type) []string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch kind := t.Kind(); {
	case t == reflect.TypeFor[time.Time]():
		return []string{"unix", "unixmilli", "unixmicro", "unixnano", "RFC3339", "RFC3339Nano", "RFC1123Z", "DateOnly", "Kitchen", "'2006-01-02'", "'Jan 2, 06'"}
	case t == reflect.TypeFor[time.Duration]():
		return []string{"units", "sec", "milli", "micro", "nano", "iso8601"}
	case kind == reflect.Float32, kind == reflect.Float64:
		return []string{"nonfinite"}
	case (kind == reflect.Slice || kind == reflect.Array) && t.Elem().Kind() == reflect.Uint8:
		return []string{"base64", "base64url", "base32", "base32hex", "base16", "hex", "array"}
	case kind == reflect.Slice, kind == reflect.Map:
		return []string{"emitnull", "emitempty"}
	default:
		return nil
	}
}

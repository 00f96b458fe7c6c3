package model

import (
	"go/types"
	"reflect"
	"slices"
	"time"
	"unsafe"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// A decoder finds what its target leads to: it writes to elements of slices, to entries of
// maps and to what pointers lead to, which others may have too, keeps them or puts others in
// their place. The mirrors of the references that were there are noted, so that each of them
// is known for what it is wherever it has come, and what they lead to is stored there.
type decoded struct {
	references map[place]value.Value
	held       []value.Value         // the same
	back       []func()              // store what the decoder has left where the references lead to
	coarse     map[reflect.Type]bool // types of slices whose elements their mirrors don't have all of
	lost       bool                  // such an element may have been copied
}

// A place is what the mirror of a reference leads to.
type place struct {
	kind reflect.Kind
	at   unsafe.Pointer
}

// note notes a reference that isn't nil, and what stores what it leads to.
func (d *decoded) note(r reflect.Value, v value.Value, store func()) {
	if d.references == nil {
		d.references, d.coarse = make(map[place]value.Value), make(map[reflect.Type]bool)
	}
	d.references[place{r.Kind(), r.UnsafePointer()}] = v
	d.held = append(d.held, v)
	d.back = append(d.back, store)
}

// referenceOf returns the reference of the evaluated program that a mirror is one of, nil for
// one that a decoder has made.
func (d *decoded) referenceOf(r reflect.Value) value.Value {
	switch r.Kind() {
	case reflect.Pointer, reflect.Map:
		return d.references[place{r.Kind(), r.UnsafePointer()}]
	case reflect.Slice:
		held, ok := d.references[place{r.Kind(), r.UnsafePointer()}].(*value.Slice)
		if !ok {
			return nil
		}
		d.lost = d.lost || r.Cap() != cap(held.Elems)
		if len(held.Elems) == r.Len() {
			return held
		}
		return &value.Slice{Type: held.Type, Elems: held.Elems[:r.Len()]}
	default:
		return nil
	}
}

// copyRoom copies the elements of a slice, and those that it has room for: encoding/json
// decodes into them as they are.
func (m *reflecting) copyRoom(to reflect.Value, v *value.Slice) *value.Unknown {
	elem := to.Type().Elem()
	if v.Caps != nil || v.Open || elem.Size() == 0 {
		return m.c.because(v)
	}
	all, cells := to.Slice(0, to.Cap()), v.Elems[:cap(v.Elems)]
	if len(cells) == 0 {
		return nil
	}
	m.note(all, v, func() {
		for i, cell := range cells {
			m.store(cell, all.Index(i), value.SliceElem(v.Type))
		}
	})
	if isCoarse(elem) {
		m.coarse[to.Type()] = true
	}
	return m.copyElements(all, cells)
}

// leadTo notes a map.
func (m *reflecting) leadTo(to reflect.Value, v *value.Map) *value.Unknown {
	if to.Len() > 0 && isCoarse(to.Type().Elem()) {
		return m.c.because(v)
	}
	was := reflect.ValueOf(to.Interface())
	m.note(was, v, func() { m.fill(v, was, v.Type) })
	return nil
}

// pointTo notes a pointer.
func (m *reflecting) pointTo(to reflect.Value, v value.Pointer) *value.Unknown {
	elem := to.Elem()
	if elem.Type().Size() == 0 { // pointers to it can't be told from others
		return m.c.because(v)
	}
	m.note(to, v, func() { m.store(v.To, elem, value.Pointee(v.Type)) })
	return nil
}

// kept stands for what is in an interface, and is no pointer: decoders don't look into it.
type kept struct{ v value.Value }

// keep puts a value that isn't looked into in an interface.
func (m *reflecting) keep(to reflect.Value, v value.Value) *value.Unknown {
	if isNilInterface(v) {
		return nil
	}
	t := value.TypeOf(v)
	if t == nil || value.IsUnknown(v) {
		return m.c.because(v)
	}
	if _, isPointer := t.Underlying().(*types.Pointer); isPointer {
		return m.c.because(v)
	}
	to.Set(reflect.ValueOf(kept{v}))
	return nil
}

// isCoarse reports whether a mirror doesn't have all of what a value holds itself: a field
// that isn't exported, or what decodes itself.
func isCoarse(t reflect.Type) bool {
	return holds(t, func(f reflect.StructField) bool { return f.PkgPath != "" })
}

// isZeroValue reports whether a value surely is the zero value of its type.
func isZeroValue(v value.Value) bool {
	holdsMore := func(cell *value.Cell) bool { return !isZeroValue(cell.Load()) }
	switch v := v.(type) {
	case value.Nil:
		return true
	case value.Const:
		same, _ := value.Compare(v, value.Zero(v.Type))
		return same == value.Yes
	case *value.Struct:
		return !slices.ContainsFunc(v.Fields, holdsMore)
	case *value.Array:
		return !slices.ContainsFunc(v.Elems, holdsMore)
	default:
		return false
	}
}

// captures reports whether a mirror holds one of what decodes itself.
func captures(t reflect.Type) bool {
	return holds(t, func(f reflect.StructField) bool { return f.Type == reflect.TypeFor[[]capture]() })
}

// holds reports whether a value of a type itself has a field that is one.
func holds(t reflect.Type, is func(reflect.StructField) bool) bool {
	switch t.Kind() {
	case reflect.Array:
		return holds(t.Elem(), is)
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); t != reflect.TypeFor[time.Time]() && (is(f) || holds(f.Type, is)) {
				return true
			}
		}
	}
	return false
}

// growsAs reports whether slices with elements of type t grow to a capacity as those of their
// mirrors do: what decodes itself has another size.
func growsAs(mirror reflect.Type, t types.Type, capacity int) bool {
	if !captures(mirror) {
		return true
	}
	own := layout(t)
	if own == nil {
		return false
	}
	a, b := reflect.New(reflect.SliceOf(mirror)).Elem(), reflect.New(reflect.SliceOf(own)).Elem()
	for a.Cap() < capacity && a.Cap() == b.Cap() {
		for _, s := range []reflect.Value{a, b} {
			s.SetLen(s.Cap())
			s.Grow(1)
		}
	}
	return a.Cap() == capacity && b.Cap() == capacity
}

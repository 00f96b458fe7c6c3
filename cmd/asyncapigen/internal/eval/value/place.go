package value

import "go/types"

// A Place is what can be assigned to.
type Place interface {
	Load() Value // what is there
	Store(Value) // assign
}

// A Variable is a variable, a field or an element.
type Variable struct {
	State *State
	Cell  *Cell
	Type  types.Type // of the variable; nil where it isn't known
}

// Load implements Place.
func (p Variable) Load() Value { return p.Cell.loadAs(p.Type) }

// Store implements Place.
func (p Variable) Store(v Value) { p.State.Store(p.Cell, Retyped(v, p.Type), p.Type) }

// Nowhere takes what is assigned to the blank identifier, or through a pointer
// that isn't known.
type Nowhere struct{ Value Value }

// Load implements Place.
func (p Nowhere) Load() Value { return p.Value }

// Store implements Place.
func (p Nowhere) Store(Value) {}

// Inside is a part of what an unknown reference leads to: a field of an element, of which
// nothing is known but that of the whole.
type Inside struct {
	State *State
	Of    *Unknown
}

// Load implements Place.
func (p Inside) Load() Value { return p.Of }

// Store implements Place.
func (p Inside) Store(v Value) { p.State.WriteThrough(p.Of, v) }

// Behind is what an unknown reference leads to: what is assigned to it may change
// what any of the references leads to that it may be.
type Behind struct {
	State *State
	Of    *Unknown
	Type  types.Type // nil where it isn't known

	// Parts are the values that one of the references leads to there; false where they
	// aren't known.
	Parts func(Value) ([]Value, bool)
}

// Load implements Place. What isn't basic may be what is there of any of the references.
func (p Behind) Load() Value {
	part := p.Of.Bare()
	if p.Type != nil && isBasic(p.Type) {
		return part
	}
	var all []Value
	for _, target := range p.Of.Targets {
		parts, known := p.Parts(target)
		if !known {
			part.Targets = p.Of.Targets
			return part
		}
		all = append(all, parts...)
	}
	return part.Of(all...)
}

// Pointed returns the Parts of *p, of a type.
func Pointed(t types.Type) func(Value) ([]Value, bool) {
	return func(v Value) ([]Value, bool) {
		p, ok := v.(Pointer)
		if !ok {
			return nil, false
		}
		return partsOf(p.Load(), func(v Value) ([]Value, bool) { return []Value{v}, SameType(TypeOf(v), t) })
	}
}

// Elements returns the Parts of x[i], of a type, whichever i is.
func Elements(t types.Type) func(Value) ([]Value, bool) {
	return func(v Value) ([]Value, bool) {
		return partsOf(BehindPointer(v), func(v Value) ([]Value, bool) {
			has, ok := orInvalid(TypeOf(v)).Underlying().(interface{ Elem() types.Type })
			if !ok || !SameType(has.Elem(), t) {
				return nil, false
			}
			switch v := v.(type) {
			case *Slice:
				return loaded(v.Elems[:cap(v.Elems)]), true
			case *Array:
				return loaded(v.Elems), true
			case *Map:
				return v.values(), true
			}
			return nil, false
		})
	}
}

// FieldOf returns the Parts of p.f, of field n of structs of a type.
func FieldOf(t types.Type, n int) func(Value) ([]Value, bool) {
	return func(v Value) ([]Value, bool) {
		return partsOf(BehindPointer(v), func(v Value) ([]Value, bool) {
			s, ok := v.(*Struct)
			if !ok || !SameType(s.Type, t) {
				return nil, false
			}
			return []Value{s.Fields[n].Load()}, true
		})
	}
}

// BehindPointer returns what a pointer leads to, other values as they are.
func BehindPointer(v Value) Value {
	if p, ok := v.(Pointer); ok {
		return p.Load()
	}
	return v
}

// partsOf returns the parts of a value. Those of one that isn't known lead to what it
// leads to.
func partsOf(v Value, of func(Value) ([]Value, bool)) ([]Value, bool) {
	if IsUnknown(v) {
		return []Value{v}, true
	}
	return of(v)
}

// ElementsOf returns the elements of a slice, and what isn't one as it is.
func ElementsOf(v Value) []Value {
	if s, ok := v.(*Slice); ok {
		return loaded(s.Elems)
	}
	return []Value{v}
}

func loaded(cells []*Cell) []Value {
	all := make([]Value, len(cells))
	for i, cell := range cells {
		all[i] = cell.Load()
	}
	return all
}

// Store implements Place.
func (p Behind) Store(v Value) { p.State.WriteThrough(p.Of, v) }

// Address returns a pointer to where the reference leads, or into it.
func (p Behind) Address() *Unknown {
	u := p.Load().(*Unknown)
	u.NonNil, u.Targets = true, p.Of.Targets
	return u
}

// OneOf is one of several variables, it isn't known which: what is assigned to it
// may be in any.
type OneOf struct {
	State *State
	Cells []*Cell
	Type  types.Type // of each
	Why   *Unknown
}

// Load implements Place.
func (p OneOf) Load() Value {
	if p.Why.Exact {
		return Merge(p.Why, loaded(p.Cells))
	}
	may := *p.Why
	return may.Of(append(loaded(p.Cells), p.Why)...)
}

// Store implements Place.
func (p OneOf) Store(v Value) {
	v = Retyped(v, p.Type)
	for _, cell := range p.Cells {
		p.State.StorePerhaps(cell, v, p.Type, p.Why)
	}
}

// Address returns the pointer to the variable.
func (p OneOf) Address() *Unknown {
	address := &Unknown{Reason: p.Why.Reason, Pos: p.Why.Pos, Unread: p.Why.Unread, NonNil: true}
	for _, cell := range p.Cells {
		address.Targets = append(address.Targets, Pointer{Type: types.NewPointer(p.Type), To: cell})
	}
	if len(address.Targets) <= maxAmong {
		address.Among = address.Targets
	}
	return address
}

// An Entry is an entry of a map.
type Entry struct {
	State *State
	Map   *Map
	Key   Value
	Type  types.Type // of the entry
}

// Load implements Place.
func (p Entry) Load() Value {
	v, _ := p.State.Lookup(p.Map, p.Key, p.Type)
	return v
}

// Store implements Place.
func (p Entry) Store(v Value) { p.State.SetEntry(p.Map, p.Key, Retyped(v, p.Type)) }

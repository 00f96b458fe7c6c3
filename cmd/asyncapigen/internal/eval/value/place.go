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
func (p Variable) Load() Value { return p.Cell.Load() }

// Store implements Place.
func (p Variable) Store(v Value) { p.State.Store(p.Cell, Retyped(v, p.Type)) }

// Nowhere takes what is assigned to the blank identifier, or through a pointer
// that isn't known.
type Nowhere struct{ Value Value }

// Load implements Place.
func (p Nowhere) Load() Value { return p.Value }

// Store implements Place.
func (p Nowhere) Store(Value) {}

// Behind is what an unknown reference leads to: what is assigned to it may change
// what any of the references leads to that it may be.
type Behind struct {
	State *State
	Of    *Unknown
}

// Load implements Place.
func (p Behind) Load() Value {
	return p.Of.Bare()
}

// Store implements Place.
func (p Behind) Store(v Value) {
	p.Of.changeArguments()
	why := p.Of.Bare()
	why.Env, why.Targets = "", targets(v)
	p.State.Havoc(why, p.Of.Targets...)
	if p.Of.Foreign {
		p.State.callable = p.State.Escape()
		p.State.HavocEscaped(why)
	}
}

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
	Why   *Unknown
}

// Load implements Place.
func (p OneOf) Load() Value {
	may := *p.Why
	for _, cell := range p.Cells {
		may.Targets = append(may.Targets, targets(cell.Load())...)
		if u, ok := cell.Load().(*Unknown); ok {
			may.Foreign = may.Foreign || u.Foreign
		}
	}
	return &may
}

// Store implements Place.
func (p OneOf) Store(v Value) {
	for _, cell := range p.Cells {
		p.State.StorePerhaps(cell, v, p.Why)
	}
}

// Address returns the pointer to the variable.
func (p OneOf) Address() *Unknown {
	address := &Unknown{Reason: p.Why.Reason, Pos: p.Why.Pos, Unread: p.Why.Unread, NonNil: true}
	for _, cell := range p.Cells {
		address.Targets = append(address.Targets, Pointer{To: cell})
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

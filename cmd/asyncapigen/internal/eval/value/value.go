package value

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/internal/diagnostic"
)

// A Value is what an expression evaluates to: an [*Unknown], [Const], [Nil],
// [*Struct], [*Array], [*Slice], [*Map], [Pointer], [UnsafePointer],
// [Channel], [*Func], [Tuple] or [Atom].
// Values of interface types are represented by their dynamic value.
type Value interface{}

// Const is a known boolean, number or string.
type Const struct {
	Value  constant.Value
	Type   types.Type
	Origin *diagnostic.Origin // where it comes from; nil unless the evaluation explains
}

// Nil is the nil of a pointer, slice, map, function, channel or interface type.
type Nil struct{ Type types.Type }

// Struct is a struct; its fields are variables of their own.
type Struct struct {
	Type   types.Type
	Fields []*Cell
	Pos    token.Pos // the composite literal that made it
}

// Array is an array.
type Array struct {
	Type  types.Type
	Elems []*Cell
}

// Slice is a slice that isn't nil. The capacity of Elems is the slice's: the cells
// up to it are shared with the slices over the same array.
type Slice struct {
	Type  types.Type
	Elems []*Cell
	Caps  []int // the capacities that it may have, of which Elems has the largest; nil for one
	Open  bool  // the capacity may be larger than that of Elems, by any number
}

// SureCap returns the capacity that a slice surely has.
func (s *Slice) SureCap() int {
	if s.Caps == nil {
		return cap(s.Elems)
	}
	return slices.Min(s.Caps)
}

// Pointer points to a variable, a field or an element.
type Pointer struct {
	Type types.Type // the pointer's own type
	To   *Cell
}

// Load returns what is there, as a value of the type that the pointer is to.
func (p Pointer) Load() Value {
	if p.To.typ == nil {
		return p.To.Load()
	}
	return p.To.loadAs(Pointee(p.Type))
}

// As returns a pointer of type t to the same variable, which goes on to hold values of its own type:
// a method of theirs may be called, and an interface tells which it is.
func (p Pointer) As(t types.Type) Pointer {
	if of := Pointee(p.Type); p.To.typ == nil && !SameType(of, Pointee(t)) {
		p.To.typ = of
	}
	return Pointer{t, p.To}
}

// UnsafePointer is a pointer that was converted to unsafe.Pointer.
type UnsafePointer struct {
	Type types.Type // unsafe.Pointer, or a type made of it
	Of   Pointer
}

// first returns the first element, or the one that append adds first; nil where there is
// room for none.
func (s *Slice) first() *Cell {
	if cap(s.Elems) == 0 {
		return nil
	}
	return s.Elems[:1][0]
}

// Func is a function that isn't nil: declared, a literal, or built in to the
// evaluation.
type Func struct {
	Type types.Type

	Obj   *types.Func  // of a declared function or method
	TArgs []types.Type // its type arguments

	Closure any // of a literal: what its evaluator knows of it

	Native func(args []Value) Value // of neither

	Late func() *Func // of a method that an interface led to, binds it again when it is called; else nil

	Recv     Value // bound by a method value, or what a Native one leads to
	Bound    bool
	Indirect bool // Recv isn't known: it is what a pointer leads to that may be nil
	MayBeNil bool // Recv isn't known: it is what an interface holds that may be nil
	NoWay    bool // the way to Recv leads through nil: the call panics
	Generic  bool // instantiated with a type parameter of the function around it
}

// An Atom is a value of a kind that the evaluator doesn't know: one without
// parts, which can be passed on and compared by identity.
type Atom interface{ DynamicType() types.Type }

// Joinable is an Atom that may be joined with another one where branches join.
type Joinable interface {
	Atom
	// Join returns what holds for both, which is the receiver where that says no more; nil where
	// the two have too little in common. It isn't known, for the reason, in what they differ.
	Join(other Atom, why *Unknown) Atom
}

// Holder is an Atom that holds other values: code that isn't read finds them in it.
type Holder interface {
	Atom
	Held() []Value
}

// Closed is an Atom that a model keeps in a variable in place of a library's own
// struct. Where the library's code is read that looks into it, the model doesn't
// know what becomes of it: the variable is unknown from there on.
type Closed interface {
	Atom
	Closed() bool // whether a copy of the struct would share what the model keeps
}

// Feed is an Atom that is a channel into which code that isn't followed sends. Next
// returns what is received next, and false where nothing more comes, which is so after a few.
type Feed interface {
	Atom
	Next() (v Value, more bool)
}

// Retypable is an Atom whose type can be converted to another.
type Retypable interface {
	Atom
	Retyped(t types.Type) Value
}

// Describing is a value that describes a type: with it, code that isn't followed can
// make values of the type.
type Describing interface{ Described() types.Type }

// Tuple is the result of a call with none or several results.
type Tuple []Value

// A Cell is a variable, or a part of one.
type Cell struct {
	v       Value
	escaped bool // code that isn't followed may lead to it, see escape.go
	walked  bool // and so does what it held then, on this way through the program
	dirty   bool // it is among State.dirty
	shared  bool // a goroutine has written to it, see share.go
	read    bool // it was looked at, see Reads
	written bool // it was assigned to, see Uses
	watched bool // its changes are noted, see Stirred
	entry   bool // it is the entry of a map, which may be deleted
	box     bool // it is of an interface type, and known to be: what it holds is never changed in place
	plain   bool // it is of another type, and known to be
	stirred bool // it is among State.stirred

	number uint32 // of its first change, see Writes.cells

	field *types.Var // the field that it is, where it was made unknown with its struct
	typ   types.Type // of what it holds, noted where a pointer to it was made one to another type

	// made is the struct or the array that it last held: the parts of a variable are always
	// the same variables, to which others may point, also on another way through the program.
	made Value

	keys     uint32 // how many keys were ever added, of a map whose vague it is
	declared uint32 // the number of its making; 0 for one that counts as older than all
}

// IsOf notes the type of a variable, nil where it isn't known.
func (c *Cell) IsOf(t types.Type) *Cell {
	if t != nil && !IsTypeParam(t) {
		isInterface := types.IsInterface(t)
		c.box, c.plain = c.box || isInterface, c.plain || !isInterface
	}
	return c
}

// hold has the variable hold v.
func (c *Cell) hold(v Value) {
	switch c.v.(type) {
	case *Struct, *Array:
		c.made = c.v
	}
	c.v = v
}

// consists returns the struct or the array whose parts are those of the variable, which
// it needn't hold now; nil where none are known.
func (c *Cell) consists() Value {
	switch c.v.(type) {
	case *Struct, *Array:
		return c.v
	default:
		return c.made
	}
}

// Load returns what the variable holds.
func (c *Cell) Load() Value {
	c.read = true
	return c.v
}

// loadAs is Load where the expression or the pointer that says so is of type t.
func (c *Cell) loadAs(t types.Type) Value {
	v := c.Load()
	if c.typ != nil {
		v = Retyped(v, t)
	}
	return v
}

// Peek returns what the variable holds, without counting as a look at it.
func (c *Cell) Peek() Value { return c.v }

// NewCell returns a variable that holds v. It is the caller's own, so nothing
// needs to be remembered to undo it.
func NewCell(v Value) *Cell { return &Cell{v: v} }

// NewEscaped is NewCell for a variable of code that isn't read, which comes to what is
// assigned to it.
func NewEscaped(v Value) *Cell { return &Cell{v: v, escaped: true} }

// TypeOf returns the dynamic type of v, nil where it isn't known.
func TypeOf(v Value) types.Type {
	switch v := v.(type) {
	case Const:
		return v.Type
	case Nil:
		return v.Type
	case *Struct:
		return v.Type
	case *Array:
		return v.Type
	case *Slice:
		return v.Type
	case *Map:
		return v.Type
	case Pointer:
		return v.Type
	case UnsafePointer:
		return v.Type
	case Channel:
		return v.Type
	case *Func:
		return v.Type
	case Atom:
		return v.DynamicType()
	case *Unknown:
		return v.Type
	default:
		return nil
	}
}

// Retyped returns v as a value of type t, to which it is assignable or
// convertible without a change of its contents. Interfaces keep the dynamic
// type.
func Retyped(v Value, t types.Type) Value {
	if t == nil || types.IsInterface(t) {
		return v
	}
	switch v := v.(type) {
	case Const:
		if IsUntyped(v.Type) {
			return Represented(v.Value, t)
		}
		v.Type = t
		return v
	case Nil:
		return Nil{t}
	case *Struct:
		return &Struct{Type: t, Fields: v.Fields, Pos: v.Pos}
	case *Array:
		return &Array{Type: t, Elems: v.Elems}
	case *Slice:
		return &Slice{Type: t, Elems: v.Elems, Caps: v.Caps, Open: v.Open}
	case *Map:
		return &Map{Type: t, entries: v.entries, vague: v.vague}
	case Pointer:
		return Pointer{t, v.To}
	case UnsafePointer:
		return UnsafePointer{t, v.Of}
	case Channel:
		return Channel{t, v.State}
	case *Func:
		f := *v
		f.Type = t
		return &f
	case Retypable:
		return v.Retyped(t)
	case *Unknown:
		return v.retyped(t)
	default:
		return v
	}
}

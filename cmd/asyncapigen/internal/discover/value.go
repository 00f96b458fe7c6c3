package discover

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"

	"github.com/warrenmq/warren/internal/diagnostic"
)

// A Value is what an expression evaluates to: one of the types of this file.
// Values of interface types are represented by their dynamic value.
type Value interface{}

// Unknown is a value that isn't determined before the program runs. It is the
// top of the lattice: whatever is computed from it is unknown for the same
// reason, and a diagnostic can name the place where the knowledge ended.
type Unknown struct {
	Reason string    // completes "it is ..."
	Pos    token.Pos // the expression that isn't known
	NonNil bool      // it is something, though it isn't known what
	Env    string    // it is the value of this environment variable
	Absent bool      // it is a map entry that may not be there

	wants string // the path of a package whose source would tell more, see demand.go

	// pointee is what the value points to, once somebody has written through
	// it: copies of one unknown pointer lead to the same variable.
	pointee *Cell
}

// Const is a known boolean, number or string.
type Const struct {
	Value constant.Value
	Type  types.Type
	from  *diagnostic.Origin // where it comes from; nil unless the evaluation explains
}

// constOf returns a constant that comes from nowhere yet.
func constOf(v constant.Value, t types.Type) Const { return Const{Value: v, Type: t} }

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

// Slice is a slice that isn't nil. The capacity of Elems is the slice's: the
// cells up to it exist and are shared with the slices over the same array.
type Slice struct {
	Type  types.Type
	Elems []*Cell
}

// Map is a map that isn't nil.
type Map struct {
	Type    types.Type
	entries map[string]*mapEntry
	vague   *Cell // holds an *Unknown once a key that isn't known was written
}

func newMap(t types.Type) *Map {
	return &Map{Type: t, entries: make(map[string]*mapEntry), vague: newCell(nil)}
}

type mapEntry struct {
	key   Value
	cell  *Cell // holds absent when the key was deleted
	order int   // among the entries, as they came
}

// absent is the value of a map entry that isn't there.
type absent struct{}

// Pointer points to a variable, a field or an element.
type Pointer struct {
	Type types.Type // the pointer's own type
	To   *Cell
}

// Func is a function that isn't nil: declared, a literal, or built in to the
// evaluation.
type Func struct {
	Type types.Type

	Obj   *types.Func  // of a declared function or method
	TArgs []types.Type // its type arguments

	Lit   *ast.FuncLit // of a literal
	Pkg   *load.Package
	scope *scope // the variables around the literal
	targs typeArgs

	Native func(args []Value) Value // of neither

	Recv    Value // bound by a method value
	Bound   bool
	Generic bool // instantiated with a type parameter of the function around it
}

// Handler is a runtime.Handler.
type Handler struct {
	Type  types.Type
	Body  types.Type
	Reply types.Type // nil of a Consume handler
	Name  string     // "" where the program can't derive one
	Pos   token.Pos
}

// Tuple is the result of a call with none or several results.
type Tuple []Value

// A Cell is a variable, or a part of one.
type Cell struct{ v Value }

// newCell returns a variable that holds v. It is the caller's own, so nothing
// needs to be remembered to undo it.
func newCell(v Value) *Cell { return &Cell{v: v} }

// zero returns the zero value of t.
func (in *interp) zero(t types.Type) Value {
	n := cellCount(t, 0)
	if n > maxElements {
		return &Unknown{Reason: "a value of more elements than are looked at", NonNil: true}
	}
	in.work(n)
	return zero(t)
}

// cellCount returns the number of variables that a value of type t has, or a
// number greater than maxElements.
func cellCount(t types.Type, n int) int {
	if n > maxElements || t == nil {
		return n
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for field := range u.Fields() {
			n = cellCount(field.Type(), n+1)
		}
	case *types.Array:
		size := cellCount(u.Elem(), 1)
		if size > maxElements || u.Len() > maxElements {
			return maxElements + 1
		}
		n += size * int(u.Len())
	}
	return n
}

func zero(t types.Type) Value {
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Basic:
		return zeroBasic(t, u)
	case *types.Struct:
		s := &Struct{Type: t, Fields: make([]*Cell, u.NumFields())}
		for i := range s.Fields {
			s.Fields[i] = newCell(zero(u.Field(i).Type()))
		}
		return s
	case *types.Array:
		a := &Array{Type: t, Elems: make([]*Cell, u.Len())}
		for i := range a.Elems {
			a.Elems[i] = newCell(zero(u.Elem()))
		}
		return a
	default:
		return Nil{Type: t}
	}
}

// maxElements bounds the arrays and slices that are followed element by
// element. A table of routes is far smaller.
const maxElements = 1 << 16

func zeroBasic(t types.Type, basic *types.Basic) Value {
	switch info := basic.Info(); {
	case info&types.IsBoolean != 0:
		return constOf(constant.MakeBool(false), t)
	case info&types.IsString != 0:
		return constOf(constant.MakeString(""), t)
	case info&types.IsInteger != 0:
		return constOf(constant.MakeInt64(0), t)
	case info&types.IsFloat != 0:
		return constOf(constant.ToFloat(constant.MakeInt64(0)), t)
	case info&types.IsComplex != 0:
		return constOf(constant.ToComplex(constant.MakeInt64(0)), t)
	default:
		return Nil{Type: t}
	}
}

// copied returns v as an assignment makes it: structs and arrays are copied,
// everything else is shared.
func (in *interp) copied(v Value) Value {
	switch v := v.(type) {
	case *Struct:
		return &Struct{Type: v.Type, Fields: in.copiedCells(v.Fields), Pos: v.Pos}
	case *Array:
		return &Array{Type: v.Type, Elems: in.copiedCells(v.Elems)}
	default:
		return v
	}
}

func (in *interp) copiedCells(cells []*Cell) []*Cell {
	in.work(len(cells))
	copies := make([]*Cell, len(cells))
	for i, cell := range cells {
		copies[i] = newCell(in.copied(cell.v))
	}
	return copies
}

// typeOf returns the dynamic type of v, nil where it isn't known.
func typeOf(v Value) types.Type {
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
	case *Func:
		return v.Type
	case *Handler:
		return v.Type
	default:
		return nil
	}
}

// retyped returns v as a value of type t, to which it is assignable or
// convertible without a change of its contents. Interfaces keep the dynamic
// type.
func retyped(v Value, t types.Type) Value {
	if t == nil || types.IsInterface(t) {
		return v
	}
	switch v := v.(type) {
	case Const:
		v.Type = t
		return v
	case Nil:
		return Nil{t}
	case *Struct:
		return &Struct{Type: t, Fields: v.Fields, Pos: v.Pos}
	case *Array:
		return &Array{Type: t, Elems: v.Elems}
	case *Slice:
		return &Slice{Type: t, Elems: v.Elems}
	case *Map:
		return &Map{Type: t, entries: v.entries, vague: v.vague}
	case Pointer:
		return Pointer{t, v.To}
	case *Func:
		f := *v
		f.Type = t
		return &f
	default:
		return v
	}
}

// same reports whether a and b are surely one value. Values nested deeper than
// any table are not.
func same(a, b Value) bool { return sameWithin(maxNesting, a, b) }

const maxNesting = 100

func sameWithin(levels int, a, b Value) bool {
	switch a := a.(type) {
	case Const:
		b, ok := b.(Const)
		return ok && a.Value.Kind() == b.Value.Kind() && constant.Compare(a.Value, token.EQL, b.Value) && sameType(a.Type, b.Type)
	case Nil:
		_, ok := b.(Nil)
		return ok
	case *Struct:
		b, ok := b.(*Struct)
		return ok && (a == b || sameType(a.Type, b.Type) && sameCells(levels-1, a.Fields, b.Fields))
	case *Array:
		b, ok := b.(*Array)
		return ok && (a == b || sameCells(levels-1, a.Elems, b.Elems))
	case *Slice:
		b, ok := b.(*Slice)
		return ok && len(a.Elems) == len(b.Elems) && (len(a.Elems) == 0 || a.Elems[0] == b.Elems[0])
	case *Map:
		b, ok := b.(*Map)
		return ok && a.vague == b.vague
	case Pointer:
		b, ok := b.(Pointer)
		return ok && a.To == b.To
	case *Func:
		b, ok := b.(*Func)
		return ok && (a == b || a.Obj != nil && a.Obj == b.Obj && !a.Bound && !b.Bound && len(a.TArgs) == 0)
	case *Handler:
		b, ok := b.(*Handler)
		return ok && a == b
	case *Unknown:
		b, ok := b.(*Unknown)
		return ok && a == b
	case absent:
		_, ok := b.(absent)
		return ok
	case nil:
		return b == nil
	default:
		return false
	}
}

func sameCells(levels int, a, b []*Cell) bool {
	if len(a) != len(b) || levels < 0 {
		return false
	}
	for i := range a {
		if a[i] != b[i] && !sameWithin(levels, a[i].v, b[i].v) {
			return false
		}
	}
	return true
}

// sameType compares types by what they are called with full package paths: a
// type may have been read twice, from export data and from source.
func sameType(a, b types.Type) bool {
	if a == nil || b == nil {
		return a == b
	}
	return types.Identical(a, b) || types.TypeString(a, nil) == types.TypeString(b, nil)
}

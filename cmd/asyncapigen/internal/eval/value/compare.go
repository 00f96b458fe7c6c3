package value

import (
	"go/constant"
	"go/token"
	"go/types"
)

// Answer is what can be said of a question about a value.
type Answer int

const (
	No Answer = iota
	Perhaps
	Yes
)

// Compare reports whether two values are equal. Nested deeper than any table may
// be, they perhaps are. A type that can't be compared is returned where the
// comparison meets two values of it, and so panics.
func Compare(x, y Value) (Answer, types.Type) {
	var c comparison
	answer := c.compare(maxNesting, x, y)
	return answer, c.uncomparable
}

// comparison is a comparison of two values.
type comparison struct{ uncomparable types.Type }

// compare is long but flat: a case for each kind of value.
func (c *comparison) compare(levels int, x, y Value) Answer {
	if levels < 0 || isAbsent(x) || isAbsent(y) {
		return Perhaps
	}
	if IsUnknown(x) || IsUnknown(y) {
		if answer := compareTexts(x, y); answer != Perhaps {
			return answer
		}
		return c.compareTypes(x, y)
	}
	if IsNil(x) || IsNil(y) {
		return c.compareNil(x, y)
	}
	if t, other := TypeOf(x), TypeOf(y); t != nil && other != nil {
		if !IsUntyped(t) && !IsUntyped(other) && !SameType(t, other) {
			return No
		}
		if !types.Comparable(t) {
			c.uncomparable = t
			return Perhaps
		}
	}
	if isNumber(x) || isNumber(y) {
		return compareNumbers(x, y)
	}
	switch x := x.(type) {
	case Const:
		if y, ok := y.(Const); ok {
			return answerOf(constant.Compare(x.Value, token.EQL, y.Value))
		}
	case Pointer:
		if y, ok := y.(Pointer); ok {
			return comparePointers(x, y)
		}
	case Channel:
		if y, ok := y.(Channel); ok {
			return answerOf(x.State == y.State)
		}
	case *Struct:
		if y, ok := y.(*Struct); ok {
			return c.compareFields(levels-1, x, y)
		}
	case *Array:
		if y, ok := y.(*Array); ok {
			return c.compareCells(levels-1, x.Elems, y.Elems)
		}
	case Describing:
		if y, ok := y.(Describing); ok && !HasTypeParam(x.Described()) && !HasTypeParam(y.Described()) {
			return answerOf(SameType(x.Described(), y.Described()))
		}
	case Atom:
		if x == y {
			return Yes
		}
	}
	return Perhaps
}

// compareTypes compares values of which one isn't known, as far as their types tell.
func (c *comparison) compareTypes(x, y Value) Answer {
	if IsNilInterface(x) || IsNilInterface(y) {
		return answerIf(No, hasKnownType(x) || hasKnownType(y))
	}
	t, other := TypeOf(x), TypeOf(y)
	switch {
	case t == nil || other == nil || IsUntyped(t) || IsUntyped(other):
		return Perhaps
	case !SameType(t, other):
		return No
	case !types.Comparable(t):
		c.uncomparable = t
	}
	return Perhaps
}

// compareTexts compares texts of which one isn't known.
func compareTexts(x, y Value) Answer {
	a, ok := x.(*Unknown)
	if !ok {
		a, y = y.(*Unknown), x
	}
	if b, ok := y.(*Unknown); ok {
		return answerIf(Yes, isStable(a, b))
	}
	text, isText := TextOf(y)
	return answerIf(No, isText && a.IsNot(text))
}

// hasKnownType reports whether v isn't known but for its type.
func hasKnownType(v Value) bool {
	u, ok := v.(*Unknown)
	return ok && u.Type != nil
}

// answerIf returns the answer where it is known to hold.
func answerIf(answer Answer, holds bool) Answer {
	if holds {
		return answer
	}
	return Perhaps
}

func isNumber(v Value) bool {
	_, ok := v.(Number)
	return ok
}

// compareNumbers compares numbers of which one is no constant.
func compareNumbers(x, y Value) Answer {
	a, ok := ComplexOf(x)
	b, ok2 := ComplexOf(y)
	if !ok || !ok2 {
		return Perhaps
	}
	return answerOf(a == b)
}

// comparePointers knows that pointers to variables without a size may be equal or
// not.
func comparePointers(x, y Pointer) Answer {
	if x.To != y.To && x.toEmpty() {
		return Perhaps
	}
	return answerOf(x.identity() == y.identity())
}

// toEmpty reports whether a pointer is one to a variable without a size.
func (p Pointer) toEmpty() bool {
	elem := Pointee(p.Type)
	return elem != nil && isEmpty(elem)
}

// identity returns what tells a pointer from others of its type. An array that is a
// part of a slice's has no variable of its own: its first element tells it. An interface
// that holds an array has one.
func (p Pointer) identity() *Cell {
	if array, ok := p.Load().(*Array); ok && len(array.Elems) > 0 && !p.To.IsOf(Pointee(p.Type)).box {
		return array.Elems[0]
	}
	return p.To
}

// isIdentified reports whether a pointer's identity stays as it is. A variable for an array
// that isn't known gets the elements with the first known one.
func (p Pointer) isIdentified() bool {
	_, toArray := orInvalid(Pointee(p.Type)).Underlying().(*types.Array)
	_, known := p.To.v.(*Array)
	return known || !toArray
}

// isEmpty reports whether values of a type have no size.
func isEmpty(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for field := range u.Fields() {
			if !isEmpty(field.Type()) {
				return false
			}
		}
		return true
	case *types.Array:
		return u.Len() == 0 || isEmpty(u.Elem())
	default:
		return false
	}
}

// compareNil compares values of which one is nil. A nil that an interface holds
// isn't the interface's own.
func (c *comparison) compareNil(x, y Value) Answer {
	a, ok := x.(Nil)
	if !ok {
		a, y = y.(Nil), x
	}
	b, ok := y.(Nil)
	switch {
	case !ok:
		if t := TypeOf(y); t != nil && SameType(a.Type, t) && !types.Comparable(t) {
			c.uncomparable = t
			return Perhaps
		}
		return No
	case IsNilInterface(a) && IsNilInterface(b):
		return Yes
	case a.Type == nil || b.Type == nil:
		return Perhaps
	case IsNilInterface(a) != IsNilInterface(b) || !SameType(a.Type, b.Type):
		return No
	case !types.Comparable(a.Type):
		c.uncomparable = a.Type
		return Perhaps
	default:
		return Yes
	}
}

func answerOf(holds bool) Answer {
	if holds {
		return Yes
	}
	return No
}

// compareFields compares structs, but for the fields called _.
func (c *comparison) compareFields(levels int, x, y *Struct) Answer {
	t, ok := x.Type.Underlying().(*types.Struct)
	if !ok || t.NumFields() != len(x.Fields) || IsKeptOtherwise(x.Type) {
		return Perhaps
	}
	var a, b []*Cell
	for i := range min(len(x.Fields), len(y.Fields)) {
		if t.Field(i).Name() != "_" {
			a, b = append(a, x.Fields[i]), append(b, y.Fields[i])
		}
	}
	return c.compareCells(levels, a, b)
}

// compareCells compares one by one, and no further than to the first that differ.
func (c *comparison) compareCells(levels int, a, b []*Cell) Answer {
	if len(a) != len(b) {
		return No
	}
	result := Yes
	for i := range a {
		answer := c.compare(levels, a[i].Load(), b[i].Load())
		if c.uncomparable != nil && result == Perhaps {
			c.uncomparable = nil // it isn't known whether the comparison comes there
		}
		if answer == No || c.uncomparable != nil {
			return answer
		}
		result = min(result, answer)
	}
	return result
}

// Uncomparable returns the type in a value that lets it be no key of a map, nil
// where there is none.
func Uncomparable(v Value) types.Type {
	switch v.(type) {
	case Const, Pointer:
		return nil
	}
	_, t := Compare(v, v)
	return t
}

// MayBeUncomparable reports whether a comparison of v, a value of the static type t,
// with another of its type may panic: it may be, or have, an interface that holds what
// can't be compared.
func MayBeUncomparable(v Value, t types.Type) bool {
	if dynamic := TypeOf(v); dynamic != nil && !IsUntyped(dynamic) && !types.IsInterface(dynamic) {
		t = dynamic
	}
	if !IsUnknown(v) && types.IsInterface(t) {
		return false // nil
	}
	switch v := v.(type) {
	case *Struct:
		return cellsMayBeUncomparable(v.Fields, func(i int) types.Type { return FieldType(v.Type, i) })
	case *Array:
		return cellsMayBeUncomparable(v.Elems, func(int) types.Type { return ArrayOf(v.Type).Elem() })
	case *Unknown:
		return !v.Library && hasInterface(t)
	}
	return !types.Comparable(t)
}

func cellsMayBeUncomparable(cells []*Cell, typeAt func(i int) types.Type) bool {
	for i, cell := range cells {
		if t := typeAt(i); t == nil || hasInterface(t) && MayBeUncomparable(cell.Load(), t) {
			return true
		}
	}
	return false
}

// hasInterface reports whether values of a type are, or have, values of interfaces.
func hasInterface(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return true
	case *types.Array:
		return hasInterface(u.Elem())
	case *types.Struct:
		for field := range u.Fields() {
			if hasInterface(field.Type()) {
				return true
			}
		}
	}
	return false
}

// HasType reports whether the dynamic type of v is t, or implements it.
func HasType(v Value, t types.Type) Answer {
	if u, ok := v.(*Unknown); ok && u.Among != nil {
		return haveType(u.Among, t)
	}
	dynamic := TypeOf(v)
	if IsNil(v) && (dynamic == nil || types.IsInterface(dynamic) || types.Identical(dynamic, types.Typ[types.UntypedNil])) {
		if types.Identical(t, types.Typ[types.UntypedNil]) {
			return Yes
		}
		return No
	}
	if dynamic == nil {
		return Perhaps
	}
	iface, toInterface := t.Underlying().(*types.Interface)
	if toInterface && Implements(dynamic, iface) {
		return Yes
	}
	if _, isAtom := v.(Atom); isAtom && types.IsInterface(dynamic) { // the type that it has isn't known
		return Perhaps
	}
	if toInterface {
		return No
	}
	if SameType(dynamic, t) {
		return Yes
	}
	return No
}

// haveType is HasType for one of several values.
func haveType(values []Value, t types.Type) Answer {
	answer := HasType(values[0], t)
	for _, v := range values[1:] {
		if HasType(v, t) != answer {
			return Perhaps
		}
	}
	return answer
}

// IsNil reports whether v is surely nil.
func IsNil(v Value) bool {
	_, ok := v.(Nil)
	return ok
}

package value

import "slices"

import (
	"go/constant"
	"go/token"
)

// Same reports whether a and b are surely one value. Values nested deeper than
// any table are not.
func Same(a, b Value) bool { return same(a, b) }

func same(a, b Value) bool { return sameWithin(maxNesting, a, b) }

const maxNesting = 100

// sameWithin is long but flat: a case for each kind of value.
func sameWithin(levels int, a, b Value) bool {
	switch a := a.(type) {
	case Const:
		b, ok := b.(Const)
		return ok && a.Value.Kind() == b.Value.Kind() && constant.Compare(a.Value, token.EQL, b.Value) && SameType(a.Type, b.Type)
	case Nil:
		b, ok := b.(Nil)
		return ok && (IsNilInterface(a) && IsNilInterface(b) || SameType(a.Type, b.Type))
	case *Struct:
		b, ok := b.(*Struct)
		return ok && SameType(a.Type, b.Type) && (a == b || sameCells(levels-1, a.Fields, b.Fields))
	case *Array:
		b, ok := b.(*Array)
		return ok && SameType(a.Type, b.Type) && (a == b || sameCells(levels-1, a.Elems, b.Elems))
	case *Slice:
		b, ok := b.(*Slice)
		return ok && SameType(a.Type, b.Type) && len(a.Elems) == len(b.Elems) && cap(a.Elems) == cap(b.Elems) && slices.Equal(a.Caps, b.Caps) && a.Open == b.Open && a.first() == b.first()
	case *Map:
		b, ok := b.(*Map)
		return ok && a.vague == b.vague && SameType(a.Type, b.Type)
	case Pointer:
		b, ok := b.(Pointer)
		return ok && a.identity() == b.identity() && SameType(a.Type, b.Type)
	case Channel:
		b, ok := b.(Channel)
		return ok && a.State == b.State && SameType(a.Type, b.Type)
	case UnsafePointer:
		b, ok := b.(UnsafePointer)
		return ok && SameType(a.Type, b.Type) && same(a.Of, b.Of)
	case *Func:
		b, ok := b.(*Func)
		return ok && (a == b || a.Obj != nil && a.Obj == b.Obj && !a.Bound && !b.Bound && len(a.TArgs) == 0 && SameType(a.Type, b.Type))
	case *Unknown:
		b, ok := b.(*Unknown)
		return ok && a.first() == b.first()
	case absent:
		_, ok := b.(absent)
		return ok
	case nil:
		return b == nil
	case Atom:
		return a == b
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

package value

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTwin_HasWhatWasAssignedToTheOther(t *testing.T) {
	done := 0
	s := &State{Work: func(n int) { done += n }}
	why := &Unknown{Reason: "c"}
	a, b, c := NewCell(number(1)), NewCell(number(1)), NewCell(number(1))
	s.Twin(a, b, typeOfInt, why)
	s.Twin(a, b, typeOfInt, why)
	s.Twin(a, c, typeOfInt, why)
	done = 0
	s.Store(a, number(2), typeOfInt)
	require.Equal(t, 3, done, "each of the cells is looked at once")
	require.Equal(t, Value(number(2)), a.v)
	require.Equal(t, "c", b.v.(*Unknown).Reason)
	require.Equal(t, "c", c.v.(*Unknown).Reason)
}

func TestTwin_PartsAreTwins(t *testing.T) {
	s := newState()
	a, b := NewCell(structOf(pair(), number(1), number(2))), NewCell(structOf(pair(), number(1), number(2)))
	s.Twin(a, b, pair(), &Unknown{Reason: "c"})
	s.Store(a.v.(*Struct).Fields[1], number(3), typeOfInt)
	require.Equal(t, Value(number(1)), b.v.(*Struct).Fields[0].v)
	require.True(t, IsUnknown(b.v.(*Struct).Fields[1].v))
}

// What an interface holds never changes: its parts are no variables.
func TestTwin_PartsOfInterfacesAreNoTwins(t *testing.T) {
	box := func() *Cell { return NewCell(structOf(pair(), number(1), number(2))) }
	s := newState()
	s.Twin(box(), box(), typeOfAny, &Unknown{})
	require.Len(t, s.twins, 2)
	s.Twin(box().IsOf(typeOfAny), box(), nil, &Unknown{})
	require.Len(t, s.twins, 4)
}

func TestStorePerhaps_IsEither(t *testing.T) {
	why := &Unknown{Reason: "c"}
	s := newState()
	a := NewCell(structOf(pair(), number(1), number(2)))
	x, y := a.v.(*Struct).Fields[0], a.v.(*Struct).Fields[1]
	s.StorePerhaps(a, structOf(pair(), number(1), number(3)), pair(), why)
	require.Equal(t, Value(number(1)), x.v)
	require.Equal(t, "c", y.v.(*Unknown).Reason)
	s.StorePerhaps(a, UnknownAt(1, "z"), pair(), why)
	require.True(t, IsUnknown(x.v))
}

// A variable that isn't known has parts as soon as it may be one that has.
func TestTwin_OfWhatIsNotKnown(t *testing.T) {
	for _, isFirst := range []bool{true, false} {
		s := newState()
		a, b := NewCell(structOf(pair(), number(1), number(2))), NewCell(&Unknown{Reason: "x"})
		known, lost := a, b
		if !isFirst {
			a, b = b, a
		}
		s.Twin(a, b, pair(), &Unknown{Reason: "c"})
		s.Store(lost.v.(*Struct).Fields[0], number(3), typeOfInt)
		require.True(t, IsUnknown(known.v.(*Struct).Fields[0].v))
	}
}

func TestParts_AreInOnePieceOfMemory(t *testing.T) {
	a, b := NewCell(nil), NewCell(nil)
	cells := []*Cell{a, b}
	require.Equal(t, cells, Parts(&Slice{Elems: cells[:1]}))
	require.Equal(t, cells, Parts(&Array{Elems: cells}))
	require.Nil(t, Parts(number(1)))
	require.Equal(t, []*Cell{a}, Led(Pointer{typeOfPointer, a}))
	require.Equal(t, []*Cell{a}, Led(UnsafePointer{nil, Pointer{typeOfPointer, a}}))
	require.Equal(t, cells, Led(&Slice{Elems: cells[:1]}))
	require.Equal(t, 2, (&Slice{Elems: cells[:1]}).SureCap())
	require.Equal(t, 1, (&Slice{Elems: cells[:1], Caps: []int{2, 1}}).SureCap())
}

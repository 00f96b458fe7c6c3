package value

import (
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"
)

// twoWays runs two ways from one state and joins what they leave.
func twoWays(s *State, ways ...func()) {
	var left []Writes
	for _, way := range ways {
		mark := s.Mark()
		way()
		left = append(left, s.Undo(mark))
	}
	s.Join(UnknownAt(1, "a condition"), left)
}

func TestJoin_KeepsThePartsOfAVariable(t *testing.T) {
	s, of := newState(), pair()
	a := NewCell(UnknownAt(1, "a struct"))
	var x *Cell
	twoWays(s, func() {
		s.Store(a, structOf(of, number(1), number(2)), of)
		x = a.Load().(*Struct).Fields[0]
	}, func() {})

	require.Same(t, x, a.Load().(*Struct).Fields[0])
	require.True(t, IsUnknown(x.Load()))
	s.Store(a, structOf(of, number(3), number(4)), of)
	require.Equal(t, number(3), x.Load())
}

func TestJoin_ComparesPartsAsEachWayLeavesThem(t *testing.T) {
	s, of := newState(), pair()
	a := NewCell(UnknownAt(1, "a struct"))
	twoWays(s, func() {
		s.Store(a, structOf(of, number(1), number(2)), of)
	}, func() {
		s.Store(a, structOf(of, number(1), number(2)), of)
		s.Set(a.Load().(*Struct).Fields[0], number(7))
	})

	require.True(t, IsUnknown(a.Load().(*Struct).Fields[0].Load()))
	require.Equal(t, number(2), a.Load().(*Struct).Fields[1].Load())
}

func TestJoin_LeavesWhatAnInterfaceHoldsWhole(t *testing.T) {
	s, of, empty := newState(), pair(), types.NewInterfaceType(nil, nil)
	a := NewCell(UnknownAt(1, "any value")).IsOf(empty)
	twoWays(s, func() { s.Store(a, structOf(of, number(1), number(2)), empty) }, func() {})

	require.True(t, IsUnknown(a.Load()))
}

func TestGuess_OfAnElement(t *testing.T) {
	s, array, number3 := newState(), types.NewArray(types.Typ[types.Int], 2), number(3)
	why := UnknownAt(1, "a value that may be another one")
	a, p := NewCell(UnknownAt(1, "an array")), NewCell(UnknownAt(1, "an int"))
	s.Guess(a, array, why)
	s.Guess(p, types.Typ[types.Int], why)
	s.OpenAs(a.IsOf(array), array)
	s.Store(a.Load().(*Array).Elems[0], number3, types.Typ[types.Int])
	require.Equal(t, number3, a.Load().(*Array).Elems[0].Load())

	s.Store(p, number(9), types.Typ[types.Int])
	require.True(t, IsUnknown(a.Load().(*Array).Elems[0].Load()))
	s.Store(a.Load().(*Array).Elems[1], number3, types.Typ[types.Int])
	require.True(t, IsUnknown(p.Load()))
}

func TestGuess_OfALongArrayIsNotKnown(t *testing.T) {
	s, array := newState(), types.NewArray(types.Typ[types.Int], maxGuessed+1)
	a := NewCell(UnknownAt(1, "an array")).IsOf(array)
	s.Guess(a, array, UnknownAt(1, "a value that may be another one"))
	s.Store(a, Zero(array), array)

	require.True(t, IsUnknown(a.Load()))
}

func TestGuess_ForgetsWhatAnInterfaceHolds(t *testing.T) {
	s, of, empty := newState(), pair(), types.NewInterfaceType(nil, nil)
	why := UnknownAt(1, "a value that may be another one")
	a, b := NewCell(UnknownAt(1, "any value")), NewCell(UnknownAt(1, "any value"))
	s.Guess(a, empty, why)
	s.Guess(b, empty, why)
	s.Store(a, structOf(of, number(1), number(2)), empty)
	s.Store(b, structOf(of, number(3), number(4)), empty)

	require.True(t, IsUnknown(a.Load()))
}

func TestStorePerhaps_KnowsNothingOfThePartsOfAnUnknown(t *testing.T) {
	s, of := newState(), pair()
	a := NewCell(structOf(of, &Unknown{NonNil: true}, number(2))).IsOf(of)
	s.StorePerhaps(a, &Unknown{Reason: "a struct", NonNil: true}, of, UnknownAt(1, "a condition"))

	require.False(t, IsNonNil(a.Load().(*Struct).Fields[0].Load()))
}

// Where a way leaves something unknown in a variable that has parts after another, each part
// is what it would be of that, in whatever order variables are joined.
func TestJoin_OfPartsThatOneWayDoesNotKnow(t *testing.T) {
	why, lost := UnknownAt(1, "a condition"), &Unknown{Reason: "a struct", NonNil: true}
	for range 50 {
		s, of := newState(), pair()
		v := structOf(of, number(1), number(2))
		a := NewCell(lost).IsOf(of)
		s.Join(why, []Writes{{a: v, v.Fields[0]: number(1), v.Fields[1]: number(2)}, {}})
		require.Same(t, v, a.v)
		for i, field := range v.Fields {
			part := field.v.(*Unknown)
			require.Equal(t, "a struct", part.Reason)
			require.Equal(t, of.Field(i), part.Field)
		}
	}
}

// Each part of one struct is joined with that of another.
func TestJoin_OfStructsMadeOnTwoWays(t *testing.T) {
	s, of := newState(), pair()
	a := NewCell(&Unknown{}).IsOf(of)
	v := structOf(of, number(1), number(2))
	s.Join(UnknownAt(1, "a condition"), []Writes{{a: v}, {a: structOf(of, number(1), number(3))}})
	require.Same(t, v, a.v)
	require.Equal(t, Value(number(1)), v.Fields[0].v)
	require.Equal(t, "a condition", v.Fields[1].v.(*Unknown).Reason)
}

package value

import (
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"
)

var whyGuessed = &Unknown{Reason: "it may be another one"}

// guesses returns a state with variables of types behind unknown pointers, each of which is
// assigned a value.
func guesses(ofTypes []types.Type, values []Value) (*State, []*Cell) {
	s := newState()
	cells := make([]*Cell, len(values))
	for i := range cells {
		cells[i] = NewCell(values[i])
		s.Guess(cells[i], ofTypes[i], whyGuessed)
	}
	return s, cells
}

// What is assigned to a guess may be assigned to each other one that may be of its type.
func TestGuess_MayBeAnotherOfItsType(t *testing.T) {
	own := namedIn("shop", "own", typeOfInt)
	for _, test := range []struct {
		name  string
		a, b  types.Type
		loses bool
	}{
		{"of one type", typeOfInt, typeOfInt, true},
		{"of two types", typeOfInt, typeOfText, false},
		{"of a type made of it", typeOfInt, own, false},
		{"of an interface", typeOfInt, typeOfAny, true},
		{"for an interface", typeOfAny, typeOfInt, true},
		{"of a type that isn't known", typeOfInt, nil, true},
		{"for a type that isn't known", nil, typeOfInt, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, cells := guesses([]types.Type{test.a, test.b}, []Value{number(1), number(2)})
			s.Store(cells[0], number(3), nil)
			require.Equal(t, Value(number(3)), cells[0].v)
			require.Equal(t, test.loses, IsUnknown(cells[1].v))
		})
	}
}

func TestGuess_MayBeWhatHasEscaped(t *testing.T) {
	s, cells := guesses([]types.Type{typeOfInt, typeOfText}, []Value{number(1), someText("a")})
	a, same, other, taken := NewCell(nil), NewEscaped(nil), NewEscaped(nil), NewEscaped(nil)
	s.Set(taken, number(4))
	s.Escape()
	s.Set(same, number(4))
	s.Set(other, someText("b"))
	s.Store(a, number(5), typeOfInt)
	require.Equal(t, Value(number(1)), cells[0].v, "nobody else knows the variable")

	s.Store(cells[0], number(5), typeOfInt)
	require.True(t, IsUnknown(same.v))
	require.True(t, IsUnknown(taken.v))
	require.Equal(t, Value(someText("b")), other.v)
	require.Equal(t, Value(number(5)), cells[0].v)

	s.Store(same, number(6), typeOfInt)
	require.Same(t, whyGuessed, cells[0].v)
	require.Equal(t, Value(someText("a")), cells[1].v)
}

// A guess of a struct has fields that are guesses: each may be the same field of another.
func TestGuess_OfAField(t *testing.T) {
	other := structWith(typeOfInt, typeOfInt)
	s, cells := guesses([]types.Type{pair(), pair(), other, typeOfInt, typeOfText}, []Value{
		structOf(pair(), number(1), number(2)), structOf(pair(), number(1), number(2)), structOf(other, number(1), number(2)), number(1), someText("a"),
	})
	s.Store(cells[0].v.(*Struct).Fields[0], number(9), typeOfInt)
	require.True(t, IsUnknown(cells[1].v.(*Struct).Fields[0].v), "the same field")
	require.Equal(t, Value(number(2)), cells[1].v.(*Struct).Fields[1].v, "another field")
	require.Equal(t, Value(number(1)), cells[2].v.(*Struct).Fields[0].v, "of another type")
	require.True(t, IsUnknown(cells[3].v), "a variable that may be the field")
	require.Equal(t, Value(someText("a")), cells[4].v)

	s, cells = guesses([]types.Type{pair(), typeOfInt}, []Value{structOf(pair(), number(1), number(2)), number(1)})
	s.Store(cells[1], number(9), typeOfInt)
	require.True(t, IsUnknown(cells[0].v.(*Struct).Fields[0].v), "a field that may be the variable")
}

func TestGuess_OfPartsThatAreLookedAt(t *testing.T) {
	s, cells := guesses([]types.Type{arrayOf(typeOfInt, maxGuessed)}, []Value{Zero(arrayOf(typeOfInt, maxGuessed))})
	require.Len(t, s.guesses, 1+maxGuessed)
	require.False(t, IsUnknown(cells[0].v))

	long := arrayOf(typeOfInt, maxGuessed+1)
	s, cells = guesses([]types.Type{long}, []Value{Zero(long)})
	require.Len(t, s.guesses, 1)
	require.Same(t, whyGuessed, cells[0].v)

	s = newState()
	s.Guess(NewCell(structOf(pair(), number(1), number(2))).IsOf(typeOfAny), typeOfAny, whyGuessed)
	require.Len(t, s.guesses, 1, "what an interface holds is nobody's variable")
}

// What isn't known for a reason of its own stays so.
func TestGuess_KeepsWhyAVariableIsNotKnown(t *testing.T) {
	own, said := &Unknown{Reason: "x"}, &Unknown{Reason: "y", NonNil: true}
	s, cells := guesses([]types.Type{typeOfInt, typeOfInt, typeOfInt}, []Value{number(1), own, said})
	s.Store(cells[0], number(2), typeOfInt)
	require.Same(t, own, cells[1].v)
	require.Same(t, whyGuessed, cells[2].v, "that it isn't nil may not hold any more")
}

func TestGuess_CountsTheOthers(t *testing.T) {
	s, cells := guesses([]types.Type{typeOfInt, typeOfInt, typeOfInt}, []Value{number(1), number(1), number(1)})
	done := 0
	s.Work = func(n int) { done += n }
	s.Store(cells[0], number(2), typeOfInt)
	require.Equal(t, 3, done)
}

func TestGuess_IsLostWhereItIsAssignedTo(t *testing.T) {
	s, cells := guesses([]types.Type{typeOfPointer}, []Value{&Unknown{}})
	p := Pointer{typeOfPointer, NewCell(number(1))}
	s.Store(cells[0], p, typeOfPointer)
	require.True(t, p.To.Escaped())
}

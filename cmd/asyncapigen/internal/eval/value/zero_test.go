package value

import (
	"go/constant"
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"
)

func arrayOf(elem types.Type, n int64) *types.Array { return types.NewArray(elem, n) }

// structWith returns a struct type with fields of some types.
func structWith(fields ...types.Type) *types.Struct {
	var all []*types.Var
	for _, t := range fields {
		all = append(all, types.NewField(0, nil, "F"+string(rune('A'+len(all))), t, false))
	}
	return types.NewStruct(all, nil)
}

func TestZero_OfEachType(t *testing.T) {
	zero := constant.MakeInt64(0)
	for _, test := range []struct {
		of   types.BasicKind
		want constant.Value
	}{
		{types.Bool, constant.MakeBool(false)},
		{types.String, constant.MakeString("")},
		{types.Int8, zero},
		{types.Uintptr, zero},
		{types.Float32, constant.ToFloat(zero)},
		{types.Float64, constant.ToFloat(zero)},
		{types.Complex64, constant.ToComplex(zero)},
		{types.Complex128, constant.ToComplex(zero)},
	} {
		t.Run(types.Typ[test.of].Name(), func(t *testing.T) {
			require.Equal(t, Value(NewConst(test.want, types.Typ[test.of])), Zero(types.Typ[test.of]))
		})
	}
	require.Equal(t, Value(Nil{types.Typ[types.UnsafePointer]}), Zero(types.Typ[types.UnsafePointer]))
	require.Equal(t, Value(Nil{typeOfPointer}), Zero(typeOfPointer))
}

// The zero value of a type costs one for each of its variables.
func TestZero_CountsItsVariables(t *testing.T) {
	for _, test := range []struct {
		name string
		of   types.Type
		want int
	}{
		{"a number", typeOfInt, 0},
		{"a pointer", types.NewPointer(pair()), 0},
		{"a struct", pair(), 2},
		{"a struct in another", structWith(typeOfInt, pair(), typeOfInt), 5},
		{"an array", arrayOf(typeOfInt, 7), 7},
		{"an array eight times as long", arrayOf(typeOfInt, 56), 56},
		{"an array of structs", arrayOf(pair(), 7), 21},
		{"an array in a struct", structWith(typeOfInt, arrayOf(typeOfInt, 7), typeOfInt), 10},
	} {
		t.Run(test.name, func(t *testing.T) {
			done := 0
			s := &State{Work: func(n int) { done += n }}
			s.Zero(test.of)
			require.Equal(t, test.want, done)
		})
	}
}

func TestZero_IsNotKnownOfMoreElementsThanAreLookedAt(t *testing.T) {
	s := newState()
	for _, test := range []struct {
		name  string
		of    types.Type
		known bool
	}{
		{"as many as are looked at", arrayOf(typeOfInt, MaxElements), true},
		{"one more", arrayOf(typeOfInt, MaxElements+1), false},
		{"two more behind as many", structWith(arrayOf(typeOfInt, MaxElements-2), pair()), false},
		{"arrays of as many", arrayOf(arrayOf(typeOfInt, MaxElements), 2), false},
		{"more than memory has", arrayOf(pair(), 1<<62), false},
		{"more than can be counted", arrayOf(arrayOf(arrayOf(arrayOf(typeOfInt, MaxElements), MaxElements), MaxElements), MaxElements/2), false},
		{"more in each", arrayOf(arrayOf(typeOfInt, 1<<62), 4), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			v := s.Zero(test.of)
			require.Equal(t, test.known, !IsUnknown(v))
			require.True(t, IsNonNil(v))
		})
	}
}

// What the parts of a zero value hold that was made in a round of a loop doesn't tell the
// round from the one before.
func TestZero_IsDeclaredNow(t *testing.T) {
	s := newState()
	before := s.Zero(pair()).(*Struct)
	start := s.Now()
	v := s.Zero(structWith(pair(), typeOfInt)).(*Struct)
	s.Set(v.Fields[1], number(2))
	s.Set(v.Fields[0].v.(*Struct).Fields[1], number(2))
	require.True(t, s.Unchanged(start))
	s.Set(before.Fields[0], number(2))
	require.False(t, s.Unchanged(start))
}

func TestZero_PartsOfInterfacesAreNeverChangedInPlace(t *testing.T) {
	require.True(t, Zero(structWith(typeOfAny)).(*Struct).Fields[0].box)
	require.True(t, Zero(arrayOf(typeOfAny, 1)).(*Array).Elems[0].box)
}

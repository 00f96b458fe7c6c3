package value

import (
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"
)

// What an unknown pointer leads to may be what each of the pointers leads to that it may be.
func TestBehind_IsWhatOneOfTheReferencesLeadsTo(t *testing.T) {
	q := func() Pointer { return Pointer{typeOfPointer, NewCell(number(1))} }
	x, y, z := q(), q(), q()
	toPointer, other := types.NewPointer(typeOfPointer), types.NewPointer(typeOfText)
	pointers := types.NewSlice(typeOfPointer)
	box := structWith(typeOfInt, typeOfPointer)
	toBox := types.NewPointer(box)
	keyed := NewMap(types.NewMap(typeOfInt, typeOfPointer))
	keyed.entries["1"] = &mapEntry{key: number(1), cell: &Cell{v: x, entry: true}}
	atPointer := func(v Value) Pointer { return Pointer{toPointer, NewCell(v)} }
	list := &Slice{Type: pointers, Elems: []*Cell{NewCell(x), NewCell(y)}[:1]}
	boxed := structOf(box, number(1), x)
	lost := &Unknown{Targets: []Value{z}}
	none := &Unknown{Targets: []Value{&Slice{Type: types.NewSlice(other)}}}
	for _, test := range []struct {
		name string
		to   []Value
		t    types.Type
		of   func(Value) ([]Value, bool)
		want []Value // the references themselves where it isn't known
	}{
		{"pointers", []Value{atPointer(x), atPointer(y)}, typeOfPointer, Pointed(typeOfPointer), []Value{x, y}},
		{"a pointer to what isn't known", []Value{atPointer(lost)}, typeOfPointer, Pointed(typeOfPointer), []Value{z}},
		{"pointers of two types", []Value{atPointer(x), atPointer(Pointer{other, x.To})}, typeOfPointer, Pointed(typeOfPointer), nil},
		{"a pointer and a slice", []Value{atPointer(x), list}, typeOfPointer, Pointed(typeOfPointer), nil},
		{"a pointer to a number", []Value{x}, typeOfInt, Pointed(typeOfInt), []Value{}},
		{"pointers of an unknown type", []Value{atPointer(x)}, nil, Pointed(typeOfPointer), []Value{x}},

		{"a slice, as long as it may get", []Value{list}, typeOfPointer, Elements(typeOfPointer), []Value{x, y}},
		{"an array behind a pointer", []Value{Pointer{nil, NewCell(array(typeOfPointer, x, z))}}, typeOfPointer, Elements(typeOfPointer), []Value{x, z}},
		{"a map", []Value{keyed}, typeOfPointer, Elements(typeOfPointer), []Value{x}},
		{"an array that isn't known", []Value{Pointer{nil, NewCell(lost)}}, typeOfPointer, Elements(typeOfPointer), []Value{z}},
		{"a slice of another type", []Value{list, none.Targets[0]}, typeOfPointer, Elements(typeOfPointer), nil},
		{"no list", []Value{boxed, Pointer{nil, NewCell(boxed)}}, typeOfPointer, Elements(typeOfPointer), nil},
		{"a nil slice", []Value{Nil{pointers}}, typeOfPointer, Elements(typeOfPointer), nil},

		{"a struct", []Value{Pointer{toBox, NewCell(boxed)}}, typeOfPointer, FieldOf(box, 1), []Value{x}},
		{"a struct that isn't known", []Value{Pointer{toBox, NewCell(lost)}}, typeOfPointer, FieldOf(box, 1), []Value{z}},
		{"a struct of another type", []Value{Pointer{toBox, NewCell(boxed)}}, typeOfPointer, FieldOf(pair(), 1), nil},
		{"no struct", []Value{Pointer{toBox, NewCell(number(1))}}, typeOfPointer, FieldOf(box, 1), nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			of := &Unknown{Reason: "p", Targets: test.to}
			behind := Behind{State: newState(), Of: of, Type: test.t, Parts: test.of}
			got := behind.Load().(*Unknown)
			require.Equal(t, "p", got.Reason)
			want := test.want
			if want == nil {
				want = test.to
			}
			require.ElementsMatch(t, want, got.Targets)
			address := behind.Address()
			require.True(t, address.NonNil)
			require.Equal(t, test.to, address.Targets)
		})
	}
}

func TestBehind_WritesToEachThatItMayBe(t *testing.T) {
	p := Pointer{typeOfPointer, NewCell(number(1))}
	Behind{State: newState(), Of: &Unknown{Reason: "p", Targets: []Value{p}}}.Store(number(2))
	require.Equal(t, "p", p.To.v.(*Unknown).Reason)
}

func TestOneOf_IsOneOfTheVariables(t *testing.T) {
	small := types.Typ[types.Int8]
	value := func(n int64) Value { return Retyped(number(n), small) }
	cells := []*Cell{NewCell(value(1)), NewCell(value(2))}
	why := &Unknown{Reason: "i", Pos: 3, Unread: "u", Exact: true}
	one := OneOf{State: newState(), Cells: cells, Type: small, Why: why}
	require.Equal(t, []Value{value(1), value(2)}, one.Load().(*Unknown).Among)
	one.Store(number(1))
	require.Equal(t, value(1), cells[0].v, "it is that, or becomes that")
	isUnknown(t, cells[1], "it may be")

	inexact := OneOf{State: newState(), Cells: []*Cell{NewCell(Pointer{typeOfPointer, cells[0]})}, Type: typeOfPointer, Why: &Unknown{Reason: "i"}}
	require.Equal(t, []Value{Pointer{typeOfPointer, cells[0]}}, inexact.Load().(*Unknown).Targets)

	address := one.Address()
	require.Equal(t, &Unknown{Reason: "i", Pos: 3, Unread: "u", NonNil: true, Targets: address.Among, Among: address.Among}, address)
	require.Equal(t, []Value{Pointer{types.NewPointer(small), cells[0]}, Pointer{types.NewPointer(small), cells[1]}}, address.Among)
	for range maxAmong - 2 {
		one.Cells = append(one.Cells, NewCell(value(3)))
	}
	require.Len(t, one.Address().Among, maxAmong)
	one.Cells = append(one.Cells, NewCell(value(3)))
	require.Nil(t, one.Address().Among)
	require.Len(t, one.Address().Targets, maxAmong+1)
}

func TestPlaces_HoldWhatIsAssigned(t *testing.T) {
	s := newState()
	small := types.Typ[types.Int8]
	variable := Variable{State: s, Cell: NewCell(nil), Type: small}
	entry := Entry{State: s, Map: mapWith(s), Key: number(1), Type: small}
	for _, place := range []Place{variable, entry} {
		place.Store(number(1))
		require.Equal(t, Retyped(number(1), small), place.Load())
	}
	nowhere := Nowhere{number(1)}
	nowhere.Store(number(2))
	require.Equal(t, Value(number(1)), nowhere.Load())
}

package value

import (
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHavoc_ReachesWhatEachValueLeadsTo(t *testing.T) {
	a := NewCell(number(1))
	p := Pointer{typeOfPointer, a}
	keyed := NewMap(types.NewMap(typeOfInt, typeOfPointer))
	keyed.entries["1"] = &mapEntry{key: number(1), cell: &Cell{v: p, entry: true}}
	inKey := NewMap(types.NewMap(typeOfPointer, typeOfInt))
	inKey.entries["p"] = &mapEntry{key: p, cell: &Cell{v: number(1), entry: true}}
	vague := NewMap(keyed.Type)
	vague.vague.v = &Unknown{Targets: []Value{p}}
	c := NewChannel(types.NewChan(types.SendRecv, typeOfPointer), nil, 0, 1)
	c.State.Queue.v = &Slice{Elems: []*Cell{NewCell(p)}}
	for _, test := range []struct {
		name string
		v    Value
	}{
		{"a pointer", p},
		{"an unsafe pointer", UnsafePointer{types.Typ[types.UnsafePointer], p}},
		{"a slice", &Slice{Type: types.NewSlice(typeOfInt), Elems: []*Cell{NewCell(nil), a}[:1]}},
		{"a map", keyed},
		{"a map by its key", inKey},
		{"a map of unknown keys", vague},
		{"a channel", c},
		{"a struct", structOf(structWith(typeOfPointer), p)},
		{"an array", array(typeOfPointer, p)},
		{"an unknown that leads to it", &Unknown{Pointee: a}},
		{"an unknown that may be a pointer", &Unknown{Targets: []Value{p}}},
		{"a model's value", &holder{[]Value{p}}},
		{"a pointer to a pointer", Pointer{types.NewPointer(typeOfPointer), NewCell(p)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			a.v = number(1)
			newState().Havoc(&Unknown{Reason: "x"}, test.v)
			isUnknown(t, a, "x")
		})
	}
}

// Code that isn't followed may change the words of the command line.
func TestHavoc_ChangesArguments(t *testing.T) {
	words := &Arguments{}
	newState().Havoc(&Unknown{}, &Unknown{Part: &Part{Of: words, Kind: Word}})
	require.False(t, words.isChanged())
	newState().Havoc(&Unknown{}, &Unknown{Part: &Part{Of: words, Kind: Words}})
	require.True(t, words.isChanged())
}

// A struct's fields may be more than its type says, where that isn't a struct's.
func TestHavoc_OfFieldsWithoutAType(t *testing.T) {
	for _, of := range []types.Type{typeOfInt, structWith(typeOfInt)} {
		a := NewCell(structOf(of, number(1), number(2)))
		newState().Havoc(&Unknown{Reason: "x"}, Pointer{typeOfPointer, a})
		isUnknown(t, a.v.(*Struct).Fields[1], "x")
	}
}

func TestHavoc_HasFieldsLeadToWhatWasAssigned(t *testing.T) {
	a, p := NewCell(structOf(pair(), number(1), number(2))), Pointer{typeOfPointer, NewCell(nil)}
	newState().Havoc((&Unknown{Reason: "x"}).Of(p), Pointer{types.NewPointer(pair()), a})
	require.Equal(t, []Value{p}, a.v.(*Struct).Fields[0].v.(*Unknown).Targets)
}

// An interface holds a struct whole, and so does the entry of a map.
func TestHavoc_OfWhatIsNeverChangedInPlace(t *testing.T) {
	for name, cell := range map[string]*Cell{"an interface": {box: true}, "an entry": {entry: true}} {
		for _, v := range []Value{structOf(pair(), number(1), number(2)), array(typeOfInt, number(1))} {
			cell.v = v
			newState().Havoc(&Unknown{Reason: "x"}, Pointer{nil, cell})
			isUnknown(t, cell, name)
			require.Equal(t, Value(number(1)), parts(v)[0].v, name)
			require.Equal(t, name == "an entry", cell.v.(*Unknown).Absent)
		}
	}
}

func TestHavoc_OfATwin(t *testing.T) {
	s := newState()
	a, b := NewCell(number(1)), NewCell(number(1))
	s.Twin(a, b, typeOfInt, &Unknown{Reason: "c"})
	s.Havoc(&Unknown{Reason: "x"}, Pointer{typeOfPointer, a})
	isUnknown(t, b, "it may be the same variable")
}

// A variable that is made unknown may still lead where it led, but is a copy of the same
// unknown.
func TestHavoc_KeepsWhereAVariableLed(t *testing.T) {
	why := &Unknown{Reason: "x"}
	p := Pointer{typeOfPointer, NewCell(number(1))}
	led, foreign, plain := NewCell(p), NewCell(&Unknown{Foreign: true}), NewCell(number(1))
	entry := &Cell{v: number(1), entry: true}
	newState().Havoc(why, Pointer{nil, led}, Pointer{nil, foreign}, Pointer{nil, plain}, Pointer{nil, entry})
	require.Equal(t, []Value{p}, led.v.(*Unknown).Targets)
	require.True(t, led.v.(*Unknown).IsCopyOf(why))
	require.True(t, foreign.v.(*Unknown).Foreign)
	require.Same(t, why, plain.v)
	gone := entry.v.(*Unknown)
	require.True(t, gone.Absent)
	require.True(t, gone.IsCopyOf(why))
	require.Same(t, gone, gone.orAbsent())
	require.False(t, (&Unknown{NonNil: true}).orAbsent().NonNil)

	led.v = p
	newState().Havoc(&Unknown{Foreign: true}, Pointer{nil, led})
	require.Empty(t, led.v.(*Unknown).Targets, "code that isn't followed has all")
}

// What is written through a reference of code that isn't followed may be in each variable
// that has escaped; through another one, only once something is lost.
func TestWriteThrough_ReachesWhatHasEscaped(t *testing.T) {
	for _, test := range []struct {
		name string
		ref  *Unknown
		lost bool
		want bool
	}{
		{"the program's", &Unknown{}, false, false},
		{"another's", &Unknown{Foreign: true}, false, true},
		{"the program's, of what is lost", &Unknown{}, true, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newState()
			a, b := NewEscaped(nil), NewCell(number(1))
			s.Set(a, number(1))
			s.lost = test.lost
			test.ref.Targets = []Value{Pointer{typeOfPointer, b}}
			test.ref.Env = "A"
			p := Pointer{typeOfPointer, NewCell(nil)}
			s.WriteThrough(test.ref, p)
			require.Equal(t, test.want, IsUnknown(a.v))
			isUnknown(t, b, "it may be written to")
			require.Equal(t, []Value{p}, b.v.(*Unknown).Targets)
			require.Empty(t, b.v.(*Unknown).Env)
			require.True(t, p.To.Escaped(), "it is where it isn't known")
		})
	}
}

// Of what is lost it is known which packages would tell more, each once.
func TestLostBy_HasAReferenceForEachPackage(t *testing.T) {
	s := newState()
	first, second := &Unknown{Unread: "strings"}, &Unknown{Unread: "slices"}
	s.WriteThrough(&Unknown{Unread: "sort"})
	for _, ref := range []*Unknown{{}, first, {Unread: "strings"}, second} {
		s.WriteThrough(ref, number(1))
	}
	require.Equal(t, []*Unknown{first, second}, s.LostBy())
}

func TestHavoc_OfTheElementsOfAnArray(t *testing.T) {
	a := NewCell(array(typeOfInt, number(1), number(2)))
	newState().Havoc(&Unknown{Reason: "x"}, Pointer{types.NewPointer(arrayOf(typeOfInt, 2)), a})
	isUnknown(t, a.v.(*Array).Elems[1], "x")
}

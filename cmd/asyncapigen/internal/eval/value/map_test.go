package value

import (
	"go/constant"
	"go/types"
	"iter"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	typeOfAny     = types.Universe.Lookup("any").Type()
	typeOfInt     = types.Typ[types.Int]
	typeOfText    = types.Typ[types.String]
	typeOfPointer = types.NewPointer(typeOfInt)
)

// mapWith returns a map of any keys to numbers, with some keys.
func mapWith(s *State, keys ...Value) *Map {
	m := NewMap(types.NewMap(typeOfAny, typeOfInt))
	for i, key := range keys {
		s.SetEntry(m, key, number(int64(i+1)))
	}
	return m
}

func keysIn(entries iter.Seq2[Value, Value]) (keys []Value) {
	for key := range entries {
		keys = append(keys, key)
	}
	return keys
}

func TestMap_TellsKeysApart(t *testing.T) {
	unknown := UnknownAt(0, "x")
	cell := NewCell(number(1))
	toArray := types.NewPointer(types.NewArray(typeOfInt, 1))
	two := types.NewArray(typeOfInt, 2)
	for _, test := range []struct {
		name string
		a, b Value
		want Answer
	}{
		{"a number of another type", number(1), NewConst(constant.MakeInt64(1), types.Typ[types.Int8]), No},
		{"a number without a type", number(1), NewConst(constant.MakeInt64(1), types.Typ[types.UntypedInt]), Yes},
		{"the same fraction", NewFloat(0.5, types.Typ[types.Float64]), NewConst(constant.MakeFloat64(0.5), types.Typ[types.Float64]), Yes},
		{"a number written as an integer", NewFloat(1, types.Typ[types.Float64]), NewConst(constant.MakeInt64(1), types.Typ[types.Float64]), Yes},
		{"nil, which has no type yet", Nil{}, Nil{types.Typ[types.UntypedNil]}, Yes},
		{"the nil of an interface", Nil{}, Nil{typeOfAny}, Yes},
		{"the nil of a pointer", Nil{}, Nil{typeOfPointer}, No},
		{"a pointer to the same", Pointer{typeOfPointer, cell}, Pointer{typeOfPointer, cell}, Yes},
		{"a pointer to another", Pointer{typeOfPointer, cell}, Pointer{typeOfPointer, NewCell(number(1))}, No},
		{"a pointer to an array that isn't known", number(1), Pointer{toArray, NewCell(unknown)}, Perhaps},
		{"equal structs", structOf(pair(), number(1), number(2)), structOf(pair(), number(1), number(2)), Yes},
		{"other structs", structOf(pair(), number(1), number(12)), structOf(pair(), number(11), number(2)), No},
		{"a struct with an unknown field", structOf(pair(), number(1), number(2)), structOf(pair(), number(1), unknown), Perhaps},
		{"a struct of a type that isn't known", structOf(pair(), number(1), number(2)), structOf(typeOfInt, number(1), number(2)), Perhaps},
		{"equal arrays", &Array{two, []*Cell{cell, cell}}, &Array{two, []*Cell{cell, cell}}, Yes},
		{"an array of a type that isn't known", &Array{two, []*Cell{cell, cell}}, &Array{typeOfInt, []*Cell{cell, cell}}, Perhaps},
		{"a key that isn't known", number(1), unknown, Perhaps},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newState()
			_, found := s.Lookup(mapWith(s, test.a), test.b, typeOfInt)
			require.Equal(t, test.want, found)
		})
	}
	s := newState()
	_, found := s.Lookup(&Map{Type: typeOfInt, entries: mapWith(s, number(1)).entries, vague: NewCell(nil)}, number(2), typeOfInt)
	require.Equal(t, Perhaps, found, "a map of a type that isn't known")
}

// Of an unknown key the entry is known where all entries are the zero value.
func TestMap_EntryOfAnUnknownKey(t *testing.T) {
	s := newState()
	key := UnknownAt(0, "x")
	m := mapWith(s, number(1))
	s.DeleteEntry(m, number(1))
	v, found := s.Lookup(m, key, typeOfInt)
	require.Equal(t, Value(number(0)), v)
	require.Equal(t, No, found, "it has no entry any more")
	s.SetEntry(m, number(2), number(0))
	v, found = s.Lookup(m, key, typeOfInt)
	require.Equal(t, Value(number(0)), v)
	require.Equal(t, Perhaps, found)
	s.SetEntry(m, number(2), number(5))
	v, found = s.Lookup(m, key, typeOfInt)
	require.Equal(t, "x", v.(*Unknown).Reason)
	require.Equal(t, Perhaps, found)
}

// A key says why, itself or by a part: else it is the one that was assigned before, which isn't
// known.
func TestMap_SaysWhyAnEntryIsNotKnown(t *testing.T) {
	s := newState()
	m := mapWith(s, number(1))
	v, _ := s.Lookup(m, structOf(pair(), number(1), UnknownAt(0, "y")), typeOfInt)
	require.Equal(t, "y", v.(*Unknown).Reason)
	notFollowed := &holder{}
	v, _ = s.Lookup(m, notFollowed, typeOfInt)
	require.Equal(t, "an entry of a map whose key isn't followed", v.(*Unknown).Reason)
	s.SetEntry(m, UnknownAt(0, "x"), number(2))
	v, _ = s.Lookup(m, notFollowed, typeOfInt)
	require.Equal(t, "x", v.(*Unknown).Reason)
}

func TestMap_AssignmentToAnUnknownKeyAddsNone(t *testing.T) {
	s := newState()
	m := mapWith(s, number(1), number(2))
	s.DeleteEntry(m, number(2))
	s.SetEntry(m, UnknownAt(0, "x"), number(3))
	require.Equal(t, 2, m.Added())
	require.Len(t, m.ordered(), 2)
	kept, _ := s.Lookup(m, number(1), typeOfInt)
	gone, _ := s.Lookup(m, number(2), typeOfInt)
	require.False(t, kept.(*Unknown).Absent, "what is there may be replaced, and isn't gone")
	require.True(t, gone.(*Unknown).Absent)
}

func TestMap_DeletingAnUnknownKeyMayDeleteAny(t *testing.T) {
	s := newState()
	m := mapWith(s, number(1), number(2))
	s.DeleteEntry(m, number(2))
	s.DeleteEntry(m, UnknownAt(0, "x"))
	kept, found := s.Lookup(m, number(1), typeOfInt)
	require.Equal(t, Perhaps, found)
	require.True(t, kept.(*Unknown).Absent)
	_, found = s.Lookup(m, number(2), typeOfInt)
	require.Equal(t, No, found)
	_, known := m.Size()
	require.False(t, known)
}

func TestMap_SizeCountsEntriesWhoseValueIsNotKnown(t *testing.T) {
	s := newState()
	m := mapWith(s, number(1), number(2), number(3))
	s.SetEntry(m, number(1), UnknownAt(0, "x"))
	s.DeleteEntry(m, number(2))
	n, known := m.Size()
	require.True(t, known)
	require.Equal(t, 2, n)
}

// Who ranges over a map, or deletes a key that isn't there, has looked at which keys there
// are; who deletes one that is there hasn't.
func TestMap_IsLookedAtForItsKeys(t *testing.T) {
	s := newState()
	m := mapWith(s, number(1))
	looks := func(f func()) bool { return len(Reads([]*Cell{m.Identity()}, f)) > 0 }
	require.True(t, looks(func() { m.Sorted() }))
	require.True(t, looks(func() { s.DeleteEntry(m, number(7)) }))
	require.False(t, looks(func() { s.DeleteEntry(m, number(1)) }))
}

func TestMap_IsVisitedInEachOrder(t *testing.T) {
	texts := []Value{someText("b"), someText("d"), someText("a"), someText("c")}
	numbers := []Value{number(2), number(4), NewFloat(0.5, types.Typ[types.Float64]), number(3)}
	truths := []Value{NewConst(constant.MakeBool(true), types.Typ[types.Bool]), NewConst(constant.MakeBool(false), types.Typ[types.Bool])}
	for _, test := range []struct {
		name        string
		keys        []Value
		as          Order
		ascendingly []int // the indexes of the keys
	}{
		{"texts", texts, Ascending, []int{2, 0, 3, 1}},
		{"numbers", numbers, Ascending, []int{2, 0, 3, 1}},
		{"numbers from the end", numbers, Descending, []int{1, 3, 0, 2}},
		{"numbers from the middle", numbers, From(2), []int{3, 1, 2, 0}},
		{"numbers from the last", numbers, From(3), []int{1, 2, 0, 3}},
		{"numbers from one further on than there are", numbers, From(5), []int{0, 3, 1, 2}},
		{"numbers from the middle to the start", numbers, Back(3), []int{3, 0, 2, 1}},
		{"nothing", nil, From(1), nil},
		{"booleans as they came", truths, Ascending, []int{0, 1}},
		{"complex numbers as they came", []Value{NewComplex(2i, types.Typ[types.Complex128]), NewComplex(1i, types.Typ[types.Complex128])}, Ascending, []int{0, 1}},
		{"pointers as they came", []Value{Nil{typeOfPointer}, Pointer{typeOfPointer, NewCell(nil)}}, Ascending, []int{0, 1}},
		{"texts and numbers as they came", []Value{number(9), someText("b"), number(1), someText("a")}, Ascending, []int{0, 1, 2, 3}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var want []Value
			for _, i := range test.ascendingly {
				want = append(want, test.keys[i])
			}
			require.Equal(t, want, keysIn(mapWith(newState(), test.keys...).In(test.as)))
		})
	}
}

// An entry that is deleted before it is visited isn't visited, one that is added again or
// anew is or not.
func TestMap_ChangesWhileItIsVisited(t *testing.T) {
	for _, test := range []struct {
		name   string
		as     Order
		change func(*State, *Map)
		want   []Value
	}{
		{"deleted", Descending, func(s *State, m *Map) { s.DeleteEntry(m, number(2)) }, []Value{number(3), number(1)}},
		{"not added", Ascending, func(s *State, m *Map) { s.SetEntry(m, number(4), number(4)) }, []Value{number(1), number(2), number(3)}},
		{"not added again", Ascending, func(s *State, m *Map) {
			s.DeleteEntry(m, number(2))
			s.SetEntry(m, number(2), number(2))
		}, []Value{number(1), number(3)}},
		{"added again", Descending, func(s *State, m *Map) {
			s.DeleteEntry(m, number(2))
			s.SetEntry(m, number(2), number(2))
		}, []Value{number(3), number(1), number(2)}},
		{"all that are added", Descending, func(s *State, m *Map) {
			s.SetEntry(m, number(4), number(4))
			s.SetEntry(m, number(5), number(5))
			s.SetEntry(m, number(6), number(6))
			s.DeleteEntry(m, number(5))
		}, []Value{number(3), number(2), number(1), number(4), number(6)}},
		{"the first that is added", From(1), func(s *State, m *Map) {
			s.SetEntry(m, number(4), number(4))
			s.SetEntry(m, number(5), number(5))
		}, []Value{number(2), number(3), number(1), number(4)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newState()
			m := mapWith(s, number(1), number(2), number(3))
			var visited []Value
			for key := range m.In(test.as) {
				if len(visited) == 0 {
					test.change(s, m)
				}
				visited = append(visited, key)
			}
			require.Equal(t, test.want, visited)
		})
	}
}

func TestMap_EndsVisitsAtWhatWasAdded(t *testing.T) {
	s := newState()
	m := mapWith(s, number(1))
	n := 0
	for range m.In(Descending) {
		if n++; n == 2 {
			break
		}
		s.SetEntry(m, number(2), number(2))
		s.SetEntry(m, number(3), number(3))
	}
	require.Equal(t, 2, n)
}

func TestMap_CountsHowOftenKeysWereAdded(t *testing.T) {
	s := newState()
	m := mapWith(s, number(1), number(2))
	require.Equal(t, 2, m.Added())
	s.SetEntry(m, number(1), number(5))
	require.Equal(t, 2, m.Added())
	s.DeleteEntry(m, number(1))
	s.SetEntry(m, number(1), number(5))
	require.Equal(t, 3, m.Added())
	require.EqualValues(t, 2, m.Identity().Keys())
}

func TestMap_CloneHasWhatIsKnown(t *testing.T) {
	s := newState()
	m := mapWith(s, number(2), number(1))
	clone := s.CloneMap(m)
	require.True(t, clone.Complete())
	require.NotSame(t, m.Identity(), clone.Identity())
	require.Equal(t, []Value{number(1), number(2)}, keysIn(clone.Sorted()))
	s.SetEntry(m, UnknownAt(0, "x"), number(3))
	require.True(t, clone.Complete())
	require.False(t, s.CloneMap(m).Complete())
}

func TestMap_HasNoUnknownKeyOnceItIsCleared(t *testing.T) {
	s := newState()
	m := mapWith(s, number(1))
	s.SetEntry(m, UnknownAt(0, "x"), number(3))
	s.ClearMap(m)
	n, known := m.Size()
	require.True(t, known)
	require.Zero(t, n)
	_, found := s.Lookup(m, number(1), typeOfInt)
	require.Equal(t, No, found)
}

// That a key comes from code that isn't followed says nothing of the entry.
func TestMap_EntryOfAForeignKey(t *testing.T) {
	s := newState()
	m := mapWith(s, number(1))
	v, _ := s.Lookup(m, &Unknown{Reason: "x", Foreign: true}, typeOfInt)
	require.False(t, IsForeign(v))
	s.SetEntry(m, number(1), &Unknown{Foreign: true})
	v, _ = s.Lookup(m, &Unknown{Reason: "x"}, typeOfInt)
	require.True(t, IsForeign(v))
}

func TestMap_AddsEntriesToWhatHasEscaped(t *testing.T) {
	s := newState()
	m := mapWith(s)
	m.vague.Watch()
	s.Escape(m)
	s.SetEntry(m, number(1), number(2))
	require.True(t, s.HasStirred(), "it has another key")
	s.Escape()
	s.HavocEscaped(&Unknown{Reason: "x"})
	v, found := s.Lookup(m, number(1), typeOfInt)
	require.Equal(t, Perhaps, found)
	require.Equal(t, "x", v.(*Unknown).Reason)
}

func TestMap_VisitsNoMoreThanIsAskedFor(t *testing.T) {
	s := newState()
	visited := 0
	for range mapWith(s, number(1), number(2)).Sorted() {
		visited++
		break
	}
	require.Equal(t, 1, visited)
}

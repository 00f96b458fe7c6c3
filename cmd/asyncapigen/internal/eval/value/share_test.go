package value

import (
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"
)

func isUnknown(t *testing.T, cell *Cell, why string) {
	require.True(t, IsUnknown(cell.v), why)
}

// sharedBy evaluates what a goroutine does, and takes it back.
func sharedBy(s *State, does func()) *Sharing {
	s.StartLog()
	mark, from := s.Mark(), s.Logged()
	does()
	writes := s.Touched(from)
	for cell, v := range s.Undo(mark) {
		writes[cell] = v
	}
	return s.Share(&Unknown{Reason: "g"}, from, writes)
}

func TestShare_IsNotKnownUntilItIsReleased(t *testing.T) {
	s := newState()
	a, b := NewCell(number(1)), NewCell(number(1))
	sharing := sharedBy(s, func() {
		s.Set(a, number(2)) // the first place of the log
		s.Set(b, number(3))
	})
	isUnknown(t, a, "before")
	s.Release(sharing, 0)
	isUnknown(t, a, "it has given a signal before it wrote")
	s.Release(sharing, 1)
	require.Equal(t, Value(number(2)), a.v)
	isUnknown(t, b, "written after the signal")
	s.Release(sharing, 2)
	require.Equal(t, Value(number(3)), b.v)
}

func TestShare_WhatOthersWriteIsContested(t *testing.T) {
	s := newState()
	a := NewCell(number(1))
	mark := s.Mark()
	sharing := sharedBy(s, func() { s.Set(a, number(2)) })
	s.Set(a, number(5))
	isUnknown(t, a, "the goroutine may write next")
	s.Release(sharing, 1)
	isUnknown(t, a, "it may have written last")
	s.Set(a, number(5))
	require.Equal(t, Value(number(5)), a.v)
	s.Undo(mark)
	s.Set(a, number(6))
	require.Equal(t, Value(number(6)), a.v, "it isn't started on this way")
}

func TestShare_AtTheLastWriteItMayStillWrite(t *testing.T) {
	s := newState()
	a := NewCell(number(1))
	sharing := sharedBy(s, func() { s.Set(NewCell(nil), nil); s.Set(a, number(2)) })
	s.Release(sharing, 1)
	s.Set(a, number(5))
	isUnknown(t, a, "the write at 1 wasn't waited for")
}

func TestShare_TwoGoroutinesWriteToOne(t *testing.T) {
	s := newState()
	a := NewCell(number(1))
	first := sharedBy(s, func() { s.Set(a, number(2)) })
	sharedBy(s, func() { s.Set(a, number(3)) })
	s.Release(first, s.Logged())
	isUnknown(t, a, "the other one may write")
}

func TestShare_OfWhatIsNotInTheLog(t *testing.T) {
	s := newState()
	a := NewCell(number(1))
	s.StartLog()
	s.Set(NewCell(nil), nil)
	sharing := s.Share(&Unknown{Reason: "g"}, s.Logged(), Writes{a: number(2)})
	s.Release(sharing, 1)
	isUnknown(t, a, "it isn't known when")
}

// The keys that are added to a map are no write to what stands for those it doesn't have.
func TestTouched_IsWhatWasWrittenTo(t *testing.T) {
	s := newState()
	s.StartLog()
	m := mapWith(s)
	a := NewCell(number(1))
	s.SetEntry(m, number(1), number(2))
	s.Set(a, number(1))
	require.NotContains(t, s.Touched(0), m.vague)
	require.NotContains(t, s.Touched(0), a, "it held the same")
	require.Len(t, s.Touched(0), 1)
	changes := s.Changes()
	require.Equal(t, []Value{nil, number(2)}, changes.Between(m.vague, 0, s.Logged()))
	require.Empty(t, changes.Between(a, 0, s.Logged()))
	s.Set(a, number(3))
	require.Equal(t, []Value{number(1)}, s.Changes().Between(a, 0, s.Logged()))
	require.Empty(t, s.Changes().Between(a, 0, s.Logged()-1))
}

func TestShare_KeysAreNoWritesToAMap(t *testing.T) {
	s := newState()
	m := mapWith(s)
	var left Value
	sharing := sharedBy(s, func() {
		s.SetEntry(m, UnknownAt(0, "x"), number(1))
		left = m.vague.v
		s.SetEntry(m, number(1), number(2))
	})
	require.NotSame(t, left, m.vague.v)
	s.Release(sharing, 1)
	require.Same(t, left, m.vague.v)
}

// A goroutine that another one starts is known to be started by who has waited for that.
func TestShare_OfAGoroutineThatAnotherStarts(t *testing.T) {
	s := newState()
	a := NewCell(number(1))
	var inner *Sharing
	outer := sharedBy(s, func() {
		s.Set(NewCell(nil), nil)
		inner = s.Share(&Unknown{Reason: "g"}, s.Logged(), Writes{a: number(1)})
	})
	s.Set(a, number(5))
	isUnknown(t, a, "it may write to it")
	isUnknown(t, inner.Released, "it may not be started yet")
	s.Release(outer, 1)
	isUnknown(t, inner.Released, "it is started at 1")
	s.Release(outer, 2)
	require.Equal(t, Value(number(-1)), inner.Released.v)
}

// What a goroutine has learnt is learnt by who waits for it.
func TestRelease_IsInTheLog(t *testing.T) {
	s := newState()
	a := NewCell(number(1))
	sharing := sharedBy(s, func() { s.Set(a, number(2)) })
	before := s.Logged()
	s.Release(sharing, before)
	require.Equal(t, before+2, s.Logged(), "how far it is waited for, and the variable")
	require.Empty(t, s.Touched(before), "which isn't written to")
}

func TestShare_CostsInProportion(t *testing.T) {
	cost := func(n int) (shared, released, changes int) {
		done := 0
		s := &State{Work: func(n int) { done += n }}
		s.StartLog()
		w := make(Writes)
		for range n {
			cell := NewCell(number(1))
			s.Set(cell, number(2))
			w[cell] = number(3)
		}
		done = 0
		sharing := s.Share(&Unknown{}, 0, w)
		shared, done = done, 0
		s.Changes()
		changes, done = done, 0
		s.Release(sharing, s.Logged())
		return shared, done, changes
	}
	shared, released, changes := cost(8)
	require.Equal(t, []int{8 * perWrite, 8 * perWrite, 8 + 1}, []int{shared, released, changes})
}

func TestReads_KeepsWhatWasLookedAtBefore(t *testing.T) {
	read, written, none := NewCell(nil), NewCell(nil), NewCell(nil)
	cells := []*Cell{read, written, none}
	s := newState()
	read.Load()
	s.Set(written, nil)
	require.Empty(t, Reads(cells, func() {}))
	require.Equal(t, []*Cell{read, written}, Used(cells))
	require.Equal(t, []int{2}, Reads(cells, func() { none.Load() }))
	require.Equal(t, cells, Used(cells))
}

func TestUses_AreNoLooksOfTheGoroutine(t *testing.T) {
	a, b, c := NewCell(nil), NewCell(nil), NewCell(nil)
	s := newState()
	require.Equal(t, []*Cell{a, b}, Uses([]*Cell{a, b, c}, func() {
		a.Load()
		s.Set(b, nil)
	}))
	require.Equal(t, []*Cell{b}, Used([]*Cell{a, b, c}))
}

func TestStirred_AreWatchedVariablesThatHaveChanged(t *testing.T) {
	s := newState()
	watched, other := NewCell(number(1)), NewCell(number(1))
	watched.Watch()
	s.Set(other, number(2))
	s.Set(watched, number(1))
	require.False(t, s.HasStirred())
	s.Set(watched, number(2))
	s.Set(watched, number(3))
	require.True(t, s.HasStirred())
	require.Equal(t, []*Cell{watched}, s.Stirred())
	require.False(t, s.HasStirred())
	s.Set(watched, number(4))
	require.Equal(t, []*Cell{watched}, s.Stirred())
}

func libraryError(path, name string, fields ...Value) Pointer {
	var pkg *types.Package
	if path != "" {
		pkg = types.NewPackage(path, path)
	}
	of := types.NewNamed(types.NewTypeName(0, pkg, name, nil), pair(), nil)
	return Pointer{types.NewPointer(of), NewCell(structOf(of, fields...))}
}

func TestHasReferences_OfWhatLeadsToOthers(t *testing.T) {
	p := Pointer{typeOfPointer, NewCell(number(1))}
	again := &Unknown{}
	wrapped := libraryError("fmt", "wrapError", someText("x"), again)
	again.Targets = []Value{wrapped}
	for _, test := range []struct {
		name string
		v    Value
		want bool
	}{
		{"an error that may wrap itself", wrapped, false},
		{"a number", number(1), false},
		{"nil", Nil{}, false},
		{"nothing", nil, false},
		{"an absent entry", absent{}, false},
		{"a pointer to a number", p, true},
		{"an error of errors.New", libraryError("errors", "errorString", someText("x")), false},
		{"an error of fmt.Errorf", libraryError("fmt", "wrapError", someText("x"), Nil{}), false},
		{"one that wraps an own error", libraryError("fmt", "wrapError", someText("x"), p), true},
		{"another package's error", libraryError("shop", "errorString", someText("x")), true},
		{"an error of no package", libraryError("", "errorString", someText("x")), true},
		{"a pointer to a struct without a name", Pointer{types.NewPointer(pair()), NewCell(structOf(pair(), number(1)))}, true},
		{"an unknown", &Unknown{}, false},
		{"an unknown pointer that was written through", &Unknown{Pointee: NewCell(nil)}, true},
		{"an unknown that may be a pointer", &Unknown{Targets: []Value{p}}, true},
		{"a function", &Func{}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.want, HasReferences(test.v))
			require.Equal(t, test.want, HasReferences(number(1), test.v))
			require.Equal(t, test.want, OtherReferences([]Value{Nil{}, test.v}))
		})
	}
}

func TestOtherReferences_ButForChannels(t *testing.T) {
	p := Pointer{typeOfPointer, NewCell(number(1))}
	c := NewChannel(types.NewChan(types.SendRecv, typeOfInt), nil, 0, 0)
	require.False(t, OtherReferences([]Value{p, p}))
	require.False(t, OtherReferences([]Value{p, c}))
	require.False(t, OtherReferences([]Value{p, &Unknown{Targets: []Value{c, c}}}))
	require.True(t, OtherReferences([]Value{Nil{}, &Unknown{Targets: []Value{c, p}}}))
	require.True(t, OtherReferences([]Value{Nil{}, &Unknown{Pointee: NewCell(nil), Targets: []Value{c}}}))
}

func TestBlur_MayBeWhatItIs(t *testing.T) {
	s := newState()
	p := Pointer{typeOfPointer, NewCell(number(1))}
	cell := NewCell(p)
	s.Blur(cell, &Unknown{Reason: "g"})
	u := cell.v.(*Unknown)
	require.Equal(t, []Value{p}, u.Targets)
	require.True(t, u.Foreign)
	require.False(t, u.Absent)
	m := mapWith(s, number(1))
	entry := m.ordered()[0].cell
	s.Blur(entry, &Unknown{Reason: "g"})
	require.True(t, entry.v.(*Unknown).Absent, "an entry of a map may be gone")
}

func TestSet_LosesEachChannelThatIsLent(t *testing.T) {
	s := newState()
	held := NewCell(nil)
	s.Blur(held, UnknownAt(0, "g"))
	for range 2 {
		c := NewChannel(types.NewChan(types.SendRecv, typeOfInt), nil, 0, 1)
		s.Set(held, c)
		require.True(t, IsUnknown(c.State.Queue.v))
	}
}

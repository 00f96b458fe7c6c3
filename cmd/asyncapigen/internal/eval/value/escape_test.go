package value

import (
	"go/types"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// holder is a value of a model that holds others.
type holder struct{ held []Value }

func (*holder) DynamicType() types.Type { return nil }
func (h *holder) Held() []Value         { return h.held }

// describing is a value that describes a type, and has a type with a name.
type describing struct{ t types.Type }

func (d describing) DynamicType() types.Type { return d.t }
func (d describing) Described() types.Type   { return typeOfInt }

// What escapes with a value is what it leads to, and what may be called is its functions,
// its values of named types, and what reflection comes to.
func TestEscape_IsOfWhatValuesLeadTo(t *testing.T) {
	order := namedIn("shop", "order", typeOfInt)
	reader := namedIn("shop", "reader", types.NewInterfaceType(nil, nil))
	handler := namedIn("shop", "handler", types.NewSignatureType(nil, nil, nil, nil, nil, false))
	ints, keyed := types.NewSlice(typeOfInt), types.NewMap(typeOfPointer, typeOfInt)
	a, b := NewCell(number(1)), NewCell(number(2))
	p := Pointer{typeOfPointer, a}
	f, bound := &Func{Type: handler}, &Func{Bound: true, Recv: p}
	ofOrder, ofReader := NewConst(number(1).Value, order), &Unknown{Type: reader}
	m := NewMap(keyed)
	m.entries["a"] = &mapEntry{key: p, cell: b}
	c := NewChannel(types.NewChan(types.SendRecv, typeOfInt), nil, 0, 1)
	slice := &Slice{Type: ints, Elems: []*Cell{a, b}[:1]}
	made := describing{order}
	for _, test := range []struct {
		name     string
		v        Value
		escaped  []*Cell
		callable []Value
	}{
		{"a number", number(1), nil, nil},
		{"a number of a named type", ofOrder, nil, []Value{ofOrder}},
		{"a function", f, nil, []Value{f}},
		{"a method, which alone has its receiver", bound, nil, []Value{bound}},
		{"a method that isn't bound", &Func{Recv: p}, nil, []Value{&Func{Recv: p}}},
		{"a nil pointer", Nil{typeOfPointer}, nil, []Value{Reflected{Of: typeOfPointer}}},
		{"a pointer", p, []*Cell{a}, []Value{Reflected{Of: typeOfPointer}}},
		{"two pointers", &holder{[]Value{p, Pointer{typeOfPointer, b}}}, []*Cell{a, b}, []Value{Reflected{Of: typeOfPointer}}},
		{"an unsafe pointer", UnsafePointer{types.Typ[types.UnsafePointer], p}, []*Cell{a}, nil},
		{"a slice", slice, []*Cell{a, b}, []Value{Reflected{Of: ints}}},
		{"a map", m, []*Cell{a, b, m.vague}, []Value{Reflected{Of: keyed}, Reflected{Of: typeOfPointer}}},
		{"a channel", c, c.State.cells(), nil},
		{"a struct", &Struct{Type: pair(), Fields: []*Cell{a, b}}, []*Cell{a, b}, nil},
		{"an array", &Array{Type: arrayOf(typeOfInt, 2), Elems: []*Cell{a, b}}, []*Cell{a, b}, nil},
		{"an unknown that leads to a variable", &Unknown{Pointee: a}, []*Cell{a}, nil},
		{"an unknown that may be a pointer", &Unknown{Targets: []Value{p}}, []*Cell{a}, []Value{Reflected{Of: typeOfPointer}}},
		{"an unknown in an interface", ofReader, nil, []Value{Reflected{Of: reader}}},
		{"a value that describes a type", made, nil, []Value{made}},
	} {
		t.Run(test.name, func(t *testing.T) {
			done := 0
			s := &State{Work: func(n int) { done += n }}
			all := append([]*Cell{a, b, m.vague}, c.State.cells()...)
			defer func() {
				for _, cell := range all {
					cell.escaped, cell.walked = false, false
				}
			}()
			require.Equal(t, test.callable, s.Escape(test.v))
			for _, cell := range all {
				require.Equal(t, slices.Contains(test.escaped, cell), cell.Escaped())
			}
			require.GreaterOrEqual(t, done, len(test.escaped))
			if len(test.escaped) < 3 {
				require.Equal(t, len(test.escaped), done)
			}
		})
	}
}

func TestEscape_KnowsTheTypesOfVariables(t *testing.T) {
	boxes := arrayOf(typeOfAny, 1)
	a := array(typeOfAny, number(1))
	newState().Escape(a, &Slice{Type: types.NewSlice(typeOfAny), Elems: nil})
	require.True(t, a.Elems[0].box)
	field, pointed, elem := NewCell(nil), NewCell(nil), NewCell(nil)
	newState().Escape(&Struct{Type: structWith(boxes), Fields: []*Cell{field}}, Pointer{types.NewPointer(typeOfAny), pointed}, &Slice{Type: types.NewSlice(typeOfAny), Elems: []*Cell{elem}})
	require.True(t, field.plain)
	require.True(t, pointed.box)
	require.True(t, elem.box)
}

func TestEscape_TakesTheTwinsOfAVariable(t *testing.T) {
	s := newState()
	a, b := NewCell(number(1)), NewCell(number(1))
	s.Twin(a, b, typeOfInt, &Unknown{})
	s.Escape(Pointer{typeOfPointer, a})
	require.True(t, b.Escaped())
}

// What is assigned to a variable that has escaped may be called, each value once.
func TestEscape_TakesWhatWasAssignedSince(t *testing.T) {
	s := newState()
	a := NewCell(nil)
	s.EscapeCells([]*Cell{a})
	require.Empty(t, s.Escape())
	f := &Func{}
	s.Set(a, number(1))
	s.Set(a, f)
	require.Len(t, s.dirty, 1)
	require.Equal(t, []Value{f}, s.Escape())
	require.Empty(t, s.Escape())
	s.HavocEscaped(&Unknown{Reason: "x"})
	require.Equal(t, "x", a.v.(*Unknown).Reason)
	s.Set(a, number(2))
	s.HavocEscaped(&Unknown{Reason: "y"})
	require.Equal(t, Value(number(2)), a.v, "no such code was called since")
}

// Code that isn't followed changes nothing of a value that it has left.
func TestEscape_LeavesWhatSuchCodeHasLeft(t *testing.T) {
	for _, test := range []struct {
		name  string
		v     *Unknown
		entry bool
		taken bool
	}{
		{"its own", &Unknown{Reason: "x", Foreign: true}, false, false},
		{"an entry of its own", &Unknown{Foreign: true, Absent: true}, true, false},
		{"an entry that is there", &Unknown{Foreign: true}, true, true},
		{"no entry, which may not be there", &Unknown{Foreign: true, Absent: true}, false, true},
		{"the program's", &Unknown{}, false, true},
		{"its own, of which something is known", &Unknown{Foreign: true, NonNil: true}, false, true},
		{"its own of the command line", &Unknown{Foreign: true, CommandLine: true}, false, true},
		{"its own of the environment", &Unknown{Foreign: true, Env: "A"}, false, true},
		{"its own with a remedy", &Unknown{Foreign: true, Remedy: "r"}, false, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newState()
			a := &Cell{escaped: true, entry: test.entry}
			s.Set(a, test.v)
			require.Equal(t, test.taken, len(s.dirty) > 0)
		})
	}
}

// A variable that had escaped when it was written to holds again what it held, which may
// be changed anew; one that escaped later is as it was before.
func TestUndo_RestoresWhatHadEscaped(t *testing.T) {
	s := newState()
	before, later := NewCell(number(1)), NewCell(number(1))
	s.EscapeCells([]*Cell{before})
	mark := s.Mark()
	s.Set(later, number(2))
	s.EscapeCells([]*Cell{later})
	s.Set(later, number(3))
	s.Set(before, number(3))
	require.Equal(t, []*Cell{later, later, later, before}, s.ChangedSince(mark))
	s.Escape()
	s.Undo(mark)
	require.Equal(t, []*Cell{before}, s.dirty)
}

// On another way through the program a variable hasn't escaped with what it holds.
func TestUndo_TakesBackThatAValueEscaped(t *testing.T) {
	s := newState()
	f := &Func{}
	a := NewCell(f)
	p := Pointer{typeOfPointer, a}
	mark := s.Mark()
	require.Contains(t, s.Escape(p), Value(f))
	require.NotContains(t, s.Escape(p), Value(f))
	s.Undo(mark)
	require.Contains(t, s.Escape(p), Value(f))
}

// What is lost has escaped by the next call of code that isn't followed, and once.
func TestLose_HasValuesEscape(t *testing.T) {
	s := newState()
	f := &Func{}
	a := NewCell(f)
	s.Lose(number(1))
	require.False(t, s.lost)
	s.Lose(Pointer{typeOfPointer, a})
	require.True(t, s.lost)
	require.Equal(t, []*Cell{a}, s.dirty, "what it holds may change")
	require.Contains(t, s.Escape(), Value(f))
	require.Empty(t, s.Escape())
}

// What may be called is noted in the order of a map's entries, not in any that Go has for maps.
func TestEscape_OfAMapIsInTheOrderOfItsEntries(t *testing.T) {
	s := newState()
	handler := types.NewSignatureType(nil, nil, nil, nil, nil, false)
	m := NewMap(types.NewMap(typeOfInt, handler))
	var want []Value
	for i := range 50 {
		f := &Func{Type: handler}
		s.SetEntry(m, number(int64(i)), f)
		want = append(want, f)
	}
	isFunc := func(v Value) bool { _, ok := v.(*Func); return ok }
	require.Equal(t, want, slices.DeleteFunc(s.Escape(m), func(v Value) bool { return !isFunc(v) }))
}

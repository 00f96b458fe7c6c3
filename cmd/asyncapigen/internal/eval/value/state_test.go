package value

import (
	"go/constant"
	"go/token"
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"
)

func number(n int64) Const { return NewConst(constant.MakeInt64(n), types.Typ[types.Int]) }

func newState() *State { return &State{Work: func(int) {}} }

func TestUndo_TakesBackWhatWasWrittenSinceTheMark(t *testing.T) {
	s := newState()
	a, b := NewCell(number(1)), NewCell(number(2))
	s.Set(a, number(3))
	mark := s.Mark()
	s.Set(a, number(4))
	s.Set(a, number(5))
	s.Set(b, number(6))
	left := s.Undo(mark)
	require.Equal(t, Writes{a: number(5), b: number(6)}, left)
	require.Equal(t, number(3), a.Load())
	require.Equal(t, number(2), b.Load())
}

// What goes back to a mark costs in proportion to what was written since then, however
// much was written before.
func TestState_CountsWhatWasWrittenSinceTheMark(t *testing.T) {
	done := 0
	s := &State{Work: func(n int) { done += n }}
	cell := NewCell(number(0))
	for n := range int64(100) {
		s.Set(cell, number(n))
	}
	mark := s.Mark()
	for n := range int64(3) {
		s.Set(cell, number(n))
	}
	for _, back := range []struct {
		name string
		run  func()
	}{
		{"Written", func() { s.Written(mark, s.Mark(), nil) }},
		{"Switch", func() { s.Switch(mark, nil) }},
		{"Undo", func() { s.Undo(mark) }},
	} {
		done = 0
		back.run()
		require.Equal(t, 3*perWrite, done, back.name)
	}
}

// Two arrays that are the same part of a slice's are one variable, however short.
func TestCompare_PointersToThePartsOfASlice(t *testing.T) {
	for length := 1; length < 4; length++ {
		var elems []*Cell
		for n := range int64(4) {
			elems = append(elems, NewCell(number(n)))
		}
		of := types.NewPointer(types.NewArray(types.Typ[types.Int], int64(length)))
		part := func(from int) Pointer {
			return Pointer{Type: of, To: NewCell(&Array{Type: of.Elem(), Elems: elems[from : from+length]})}
		}
		require.Equal(t, Yes, comparePointers(part(0), part(0)), length)
		require.Equal(t, No, comparePointers(part(0), part(1)), length)
	}
	none := Pointer{Type: types.NewPointer(types.NewArray(types.Typ[types.Int], 0)), To: NewCell(new(Array))}
	require.Equal(t, Yes, comparePointers(none, none))
}

func TestJoin_KeepsWhatAllBranchesAgreeOn(t *testing.T) {
	s := newState()
	agreed, differs, untouched := NewCell(number(0)), NewCell(number(0)), NewCell(number(7))
	why := UnknownAt(token.Pos(9), "a value that depends on the condition x")
	s.Join(why, []Writes{{agreed: number(1), differs: number(1)}, {agreed: number(1)}})
	require.Equal(t, number(1), agreed.Load())
	require.Equal(t, number(7), untouched.Load())
	u, ok := differs.Load().(*Unknown)
	require.True(t, ok)
	require.Equal(t, why.Reason, u.Reason)
	require.Equal(t, why.Pos, u.Pos)
}

func TestApart_ChangesAreNotUndoneByTheCodeAround(t *testing.T) {
	s := newState()
	inner, outer := NewCell(number(0)), NewCell(number(0))
	mark := s.Mark()
	s.Set(outer, number(1))
	s.Apart(func() { s.Set(inner, number(1)) })
	s.Undo(mark)
	require.Equal(t, number(0), outer.Load())
	require.Equal(t, number(1), inner.Load())
}

func structOf(t types.Type, fields ...Value) *Struct {
	s := &Struct{Type: t}
	for _, v := range fields {
		s.Fields = append(s.Fields, NewCell(v))
	}
	return s
}

func pair() *types.Struct {
	field := func(name string) *types.Var { return types.NewField(0, nil, name, types.Typ[types.Int], false) }
	return types.NewStruct([]*types.Var{field("X"), field("Y")}, nil)
}

func TestStore_AssignsStructsPartByPart(t *testing.T) {
	s := newState()
	variable := NewCell(structOf(pair(), number(1), number(2)))
	toField := variable.Load().(*Struct).Fields[1]
	assigned := structOf(pair(), number(3), number(4))
	s.Store(variable, assigned, pair())
	require.Equal(t, number(4), toField.Load(), "who points to a field sees the assignment")
	s.Set(toField, number(5))
	require.Equal(t, number(4), assigned.Fields[1].Load(), "the assigned struct is a copy")
}

// answer compares values whose types can be compared.
func answer(a, b Value) Answer {
	result, _ := Compare(a, b)
	return result
}

func TestCompare_IsOpenWhereAPartIsUnknown(t *testing.T) {
	unknown := UnknownAt(0, "x")
	for _, test := range []struct {
		name string
		a, b Value
		want Answer
	}{
		{"equal numbers", number(1), number(1), Yes},
		{"other numbers", number(1), number(2), No},
		{"an unknown", number(1), unknown, Perhaps},
		{"an unknown field beside equal ones", structOf(pair(), number(1), unknown), structOf(pair(), number(1), number(2)), Perhaps},
		{"an unknown field beside other ones", structOf(pair(), number(3), unknown), structOf(pair(), number(1), number(2)), No},
		{"pointers to one variable", Pointer{To: &Cell{}}, Pointer{To: &Cell{}}, No},
	} {
		t.Run(test.name, func(t *testing.T) { require.Equal(t, test.want, answer(test.a, test.b)) })
	}
}

func TestMap_ForgetsItsEntriesWhenAnUnknownKeyIsAssigned(t *testing.T) {
	s := newState()
	stringMap := types.NewMap(types.Typ[types.String], types.Typ[types.Int])
	key := func(text string) Value { return NewConst(constant.MakeString(text), types.Typ[types.String]) }
	m := NewMap(stringMap)
	s.SetEntry(m, key("a"), number(1))
	v, found := s.Lookup(m, key("a"), types.Typ[types.Int])
	require.Equal(t, Yes, found)
	require.Equal(t, number(1), v)
	v, found = s.Lookup(m, key("b"), types.Typ[types.Int])
	require.Equal(t, No, found)
	require.Equal(t, number(0), v)

	s.SetEntry(m, UnknownAt(0, "a key"), number(2))
	_, found = s.Lookup(m, key("b"), types.Typ[types.Int])
	require.Equal(t, Perhaps, found)
	_, known := m.Size()
	require.False(t, known)
}

func TestHavoc_ReachesWhatValuesPointTo(t *testing.T) {
	s := newState()
	inner := NewCell(number(1))
	outer := NewCell(structOf(pair(), Pointer{To: inner}, number(2)))
	why := UnknownAt(0, "a value that f may have changed")
	s.Havoc(why, Pointer{To: outer})
	x, y := pair().Underlying().(*types.Struct).Field(0), pair().Underlying().(*types.Struct).Field(1)
	require.Equal(t, why.In(x).Reason, inner.Load().(*Unknown).Reason)
	require.Equal(t, y.Name(), outer.Load().(*Struct).Fields[1].Load().(*Unknown).Field.Name())
	require.Equal(t, x.Name(), inner.Load().(*Unknown).Field.Name(), "what a field points to is a part of the field")
}

func TestHavoc_LeavesFieldsThatTheUserGives(t *testing.T) {
	s := newState()
	s.Given = func(field *types.Var) (Value, bool) { return number(7), field.Name() == "X" }
	c := NewCell(structOf(pair(), number(1), number(2)))
	s.Havoc(UnknownAt(0, "a value that f may have changed"), Pointer{To: c})
	require.Equal(t, number(7), c.Load().(*Struct).Fields[0].Load())
	require.True(t, IsUnknown(c.Load().(*Struct).Fields[1].Load()))
}

func TestHavoc_EndsOnMapsThatHoldThemselves(t *testing.T) {
	s := newState()
	key := NewConst(constant.MakeString("a"), types.Typ[types.String])
	m := NewMap(types.NewMap(types.Typ[types.String], types.Universe.Lookup("any").Type()))
	s.SetEntry(m, key, m)
	why := UnknownAt(0, "a value that f may have changed")
	s.Havoc(why, m)
	require.False(t, m.Complete())

	m = NewMap(m.Type)
	s.SetEntry(m, key, m)
	s.SetEntry(m, UnknownAt(0, "a key"), key) // now the entries are unknowns that may be the map
	s.Havoc(why, m)
	v, _ := s.Lookup(m, key, types.Typ[types.String])
	require.Equal(t, why.Reason, v.(*Unknown).Reason)
	require.True(t, v.(*Unknown).Absent, "the key may be gone")
}

// A goroutine that doesn't know a variable loses what is in a channel that is assigned to
// it, here one that leads to the variable itself.
func TestSet_EndsOnChannelsThatLeadToThemselves(t *testing.T) {
	s := newState()
	c := NewChannel(types.NewChan(types.SendRecv, types.Universe.Lookup("any").Type()), nil, 0, 1)
	held := NewCell(c)
	s.SetQueue(c.State.Queue, []Value{Pointer{Type: types.NewPointer(c.Type), To: held}})
	s.Blur(held, UnknownAt(0, "a value that another goroutine may change"))
	s.Set(held, c)
	require.Equal(t, c, held.Load())
	require.True(t, IsUnknown(c.State.Queue.Load()))
}

func TestMerge_TellsEmptySlicesOfTwoArraysApart(t *testing.T) {
	ints := types.NewSlice(types.Typ[types.Int])
	part := func() Value { return &Slice{Type: ints, Elems: []*Cell{NewCell(number(1))}[:0]} }
	a, b := part(), part()
	require.False(t, Same(a, b), "append writes to another array")
	require.True(t, Same(a, a))
	require.True(t, Same(&Slice{Type: ints}, &Slice{Type: ints}))
}

func TestHavoc_ReachesWhatKeysPointTo(t *testing.T) {
	s := newState()
	c := NewCell(number(1))
	p := Pointer{Type: types.NewPointer(types.Typ[types.Int]), To: c}
	m := NewMap(types.NewMap(p.Type, types.Typ[types.Bool]))
	s.SetEntry(m, p, NewConst(constant.MakeBool(true), types.Typ[types.Bool]))
	s.Havoc(UnknownAt(0, "a value that f may have changed"), m)
	require.True(t, IsUnknown(c.Load()))
}

func TestMerge_NamesEachTargetOnce(t *testing.T) {
	why := UnknownAt(token.Pos(9), "a value that depends on the condition x")
	p, q := Pointer{To: NewCell(number(1))}, Pointer{To: NewCell(number(2))}
	u, ok := Merge(why, []Value{p, q}).(*Unknown)
	require.True(t, ok)
	require.Equal(t, []Value{p, q}, u.Targets)
	again, ok := Merge(why, []Value{u, q, p, u}).(*Unknown)
	require.True(t, ok)
	require.Same(t, u, again)
}

// An expression such as s[:n] in a loop makes another slice in each round.
func TestMerge_NamesEachPartOfAnArrayOnce(t *testing.T) {
	array := []*Cell{NewCell(number(1)), NewCell(number(2))}
	ints, bytes := types.NewSlice(types.Typ[types.Int]), types.NewSlice(types.Typ[types.Byte])
	part := func(t types.Type, elems []*Cell) Value { return &Slice{Type: t, Elems: elems} }
	all := []Value{part(ints, array), part(ints, array[:1]), part(ints, array[1:]), part(ints, array[:1:1]), part(bytes, array)}
	again := []Value{part(ints, array), part(ints, array[:1]), part(ints, array[:1:1]), part(bytes, array)}
	u := Merge(UnknownAt(1, "x"), append(all, again...)).(*Unknown)
	require.Equal(t, all, u.Targets)
}

func TestUnchanged_TakesUnknownsForOneOfWhichTheSameIsKnown(t *testing.T) {
	s := newState()
	cell := NewCell(UnknownAt(token.Pos(9), "the result of next()"))
	start := s.Now()
	s.Set(cell, UnknownAt(token.Pos(9), "the result of next()"))
	require.True(t, s.Unchanged(start))
	s.Set(cell, &Unknown{Reason: "the result of next()", Pos: token.Pos(9), NonNil: true})
	require.False(t, s.Unchanged(start))
}

func TestUnchanged_IsSoWhateverIsDeclared(t *testing.T) {
	s := newState()
	before := s.Declared(number(1))
	start := s.Now()
	s.Set(s.Declared(number(1)), number(2))
	require.True(t, s.Unchanged(start))
	s.Set(before, number(2))
	require.False(t, s.Unchanged(start))
}

func TestSame_ArraysOfTheSameTypeWithTheSameElements(t *testing.T) {
	two := types.NewArray(types.Typ[types.Int], 2)
	own := types.NewNamed(types.NewTypeName(0, nil, "own", nil), two, nil)
	array := func(of types.Type, elems ...Value) *Array {
		a := &Array{Type: of}
		for _, v := range elems {
			a.Elems = append(a.Elems, NewCell(v))
		}
		return a
	}
	a := array(two, number(1), number(2))
	require.True(t, Same(a, a))
	require.True(t, Same(a, array(two, number(1), number(2))))
	require.False(t, Same(a, array(two, number(1), number(3))))
	require.False(t, Same(a, array(own, number(1), number(2))))
	require.False(t, Same(a, number(1)))
}

func TestSame_IsNotSureOfWhatIsNestedTooDeep(t *testing.T) {
	of := types.NewArray(types.Universe.Lookup("any").Type(), 1)
	array := func(v Value) Value { return &Array{Type: of, Elems: []*Cell{NewCell(v)}} }
	structure := func(v Value) Value { return structOf(pair(), v, number(2)) }
	for _, within := range []func(Value) Value{array, structure} {
		nested := func(levels int) (v Value) {
			v = number(1)
			for range levels {
				v = within(v)
			}
			return v
		}
		require.True(t, Same(nested(maxNesting), nested(maxNesting)))
		require.False(t, Same(nested(maxNesting+1), nested(maxNesting+1)))
	}
}

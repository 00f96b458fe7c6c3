package value

import (
	"go/constant"
	"go/token"
	"go/types"
	"strings"
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

// working returns a state, and what counts its work.
func working() (*State, *int) {
	done := 0
	return &State{Work: func(n int) { done += n }}, &done
}

func TestReset_ForgetsAllChanges(t *testing.T) {
	s, done := working()
	s.Given = func(*types.Var) (Value, bool) { return number(1), true }
	s.Set(NewEscaped(nil), number(1))
	s.Reset()
	require.Zero(t, s.Mark())
	require.Empty(t, s.dirty)
	s.Work(1)
	require.Equal(t, 1, *done)
	_, given := s.Given(nil)
	require.True(t, given)
}

func TestApart_BeginsAsIfNothingHadChanged(t *testing.T) {
	s := newState()
	s.Set(NewCell(nil), number(1))
	s.Apart(func() { require.Zero(t, s.Mark()) })
	require.Equal(t, 1, s.Mark())
}

func TestState_GoesBackToItsMark(t *testing.T) {
	s := newState()
	a := NewCell(number(1))
	s.Set(a, number(2))
	mark := s.Mark()
	s.Set(a, number(3))
	s.Undo(mark)
	require.Equal(t, mark, s.Mark())
	s.Undo(0)
	require.Equal(t, Value(number(1)), a.v)
}

// Each write counts for more than the small things that are copied.
func TestState_CountsWhatItDoes(t *testing.T) {
	a, b := NewCell(number(1)), NewCell(number(2))
	p := Pointer{typeOfPointer, a}
	for _, test := range []struct {
		name string
		want int
		run  func(*State)
	}{
		{"Since", 2 * perWrite, func(s *State) { s.Since(1) }},
		{"Apply", 2 * perWrite, func(s *State) { s.Apply(Writes{a: number(1), b: number(2)}) }},
		{"JoinWritten", 5 * perWrite, func(s *State) {
			s.JoinWritten(1, &Unknown{}, Writes{a: number(1), b: number(2)}, Writes{a: number(1)})
		}},
		{"Unchanged", 2 * perWrite, func(s *State) { s.Unchanged(Moment{mark: 1}) }},
		{"Join", 2*2*perWrite + 1, func(s *State) { s.Join(&Unknown{}, []Writes{{a: p}, {a: number(1)}}) }},
		{"Copied", 2, func(s *State) { s.Copied(structOf(pair(), number(1), number(2))) }},
		{"OpenAs", 2, func(s *State) { s.OpenAs(NewCell(&Unknown{}), pair()) }},
		{"a join of parts", 2*perWrite + 2*2, func(s *State) {
			s.Join(&Unknown{}, []Writes{{NewCell(&Unknown{}).IsOf(pair()): structOf(pair(), number(1), number(2))}, {}})
		}},
		{"SetQueue", 2, func(s *State) { s.SetQueue(NewCell(nil), []Value{number(1), number(2)}) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, done := working()
			for range 3 {
				s.Set(a, number(1))
			}
			*done = 0
			test.run(s)
			require.Equal(t, test.want, *done)
		})
	}
}

// What an interface holds is one value, which is assigned once.
func TestStore_AssignsWhatAnInterfaceHoldsWhole(t *testing.T) {
	s := newState()
	held := structOf(pair(), number(1), number(2))
	a := NewCell(held)
	s.Store(a, structOf(pair(), number(3), number(4)), typeOfAny)
	require.Equal(t, 1, s.Mark())
	require.Equal(t, Value(number(1)), held.Fields[0].v)
}

func TestStore_KeepsThePartsOfAVariable(t *testing.T) {
	s := newState()
	a := NewCell(structOf(pair(), number(1), number(2)))
	fields := a.v.(*Struct).Fields
	s.Store(a, structOf(pair(), number(3), number(4)), pair())
	require.Equal(t, 2, s.Mark(), "only the fields were written to")
	elsewhere := structOf(pair(), number(5), number(6))
	elsewhere.Pos = 7
	s.Store(a, elsewhere, pair())
	require.Equal(t, token.Pos(7), a.v.(*Struct).Pos)
	require.Equal(t, fields, a.v.(*Struct).Fields)

	b := NewCell(array(typeOfInt, number(1), number(2)))
	made := b.v
	s = newState()
	s.Store(b, array(typeOfInt, number(3), number(4)), arrayOf(typeOfInt, 2))
	require.Equal(t, 2, s.Mark(), "only the elements were written to")
	s.Set(b, &Unknown{})
	s.Store(b, array(typeOfInt, number(5), number(6)), arrayOf(typeOfInt, 2))
	require.Same(t, made, b.v)
	require.Equal(t, Value(number(6)), made.(*Array).Elems[1].v)
}

// A variable that is opened again has the parts that it had, if they are those of its type.
func TestOpen_KeepsThePartsOfAVariable(t *testing.T) {
	s := newState()
	opened := func(made, v Value) Value {
		a := &Cell{v: &Unknown{}, made: made}
		require.Same(t, s.Open(a, v), a.v)
		return a.v
	}
	of, other := pair(), structWith(typeOfInt, typeOfInt)
	made := structOf(of, number(1), number(2))
	require.Same(t, made, opened(made, structOf(of, number(3), number(4))))
	require.Equal(t, Value(number(3)), made.Fields[0].v)
	for name, v := range map[string]Value{
		"another type":   structOf(other, number(5), number(6)),
		"another length": structOf(of, number(5)),
	} {
		require.Same(t, v, opened(made, v), name)
	}
	require.Equal(t, Value(number(3)), made.Fields[0].v)
	v := structOf(of, number(5), number(6))
	require.Same(t, v, opened(nil, v))

	a := NewCell(&Unknown{Reason: "x"})
	s.OpenAs(a, typeOfInt)
	require.True(t, IsUnknown(a.v), "a number has no parts")
	b := NewCell(number(1))
	s.OpenAs(b, pair())
	require.Equal(t, Value(number(1)), b.v)

	c := NewCell(&Unknown{Reason: "x"})
	s.OpenAs(c, arrayOf(typeOfInt, MaxElements+1))
	require.True(t, IsUnknown(c.v), "no more elements are made than are looked at")
	s.OpenAs(c, arrayOf(typeOfInt, MaxElements))
	require.False(t, IsUnknown(c.v))
}

func TestCopied_KnowsTheTypesOfItsParts(t *testing.T) {
	of := structWith(typeOfAny, typeOfInt)
	copied := newState().Copied(Zero(of)).(*Struct)
	require.True(t, copied.Fields[0].box)
	require.True(t, copied.Fields[1].plain)
}

// A variable is written to only where it is to hold something else than it does.
func TestJoin_WritesWhatIsOther(t *testing.T) {
	env := &Unknown{Env: "A"}
	noted := env.or(someText("a"), 1)
	for _, test := range []struct {
		name  string
		held  Value
		ways  []Value
		write bool
	}{
		{"the same", number(1), []Value{number(1), number(1)}, false},
		{"another number", number(1), []Value{number(2), number(2)}, true},
		{"the same unknown", env, []Value{env, env}, false},
		{"a text in its place", env, []Value{env, someText("a")}, true},
		{"the same text in its place", noted, []Value{noted, noted}, false},
		{"more that is known of it", env, []Value{noNil(env), noNil(env)}, true},
		{"parts of its own", structOf(pair(), number(1), number(2)), []Value{structOf(pair(), number(1), number(2)), structOf(pair(), number(1), number(2))}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newState()
			a := NewCell(test.held)
			s.Join(&Unknown{Pos: 1}, []Writes{{a: test.ways[0]}, {a: test.ways[1]}})
			require.Equal(t, test.write, s.Mark() > 0)
		})
	}
}

func noNil(u *Unknown) *Unknown {
	known := *u
	known.NonNil, known.original = true, u
	return &known
}

// Nothing is said of what one of two values is that doesn't hold for both; what may be of
// one of them may be of both.
func TestMerge_SaysWhatHoldsForBoth(t *testing.T) {
	order := namedIn("shop", "order", typeOfInt)
	ofOrder := func(n int64) Value { return Retyped(number(n), order) }
	untyped := func(n int64) Value { return Retyped(number(n), types.Typ[types.UntypedInt]) }
	why := &Unknown{Reason: "c", Library: true, Exact: true, Closure: true, NonNil: true}
	line := &Unknown{Reason: "c", CommandLine: true}
	library := &Unknown{Reason: "u", Library: true}
	for _, test := range []struct {
		name string
		why  *Unknown
		a, b Value
		want Unknown
	}{
		{"numbers", why, number(1), number(2), Unknown{Reason: "c", NonNil: true, Type: typeOfInt, Among: []Value{number(1), number(2)}}},
		{"numbers, or others", &Unknown{Reason: "c"}, number(1), number(2), Unknown{Reason: "c", NonNil: true, Type: typeOfInt}},
		{"a number and a text", why, number(1), someText("a"), Unknown{Reason: "c", NonNil: true, Among: []Value{number(1), someText("a")}}},
		{"numbers without a type", why, untyped(1), untyped(2), Unknown{Reason: "c", NonNil: true, Among: []Value{untyped(1), untyped(2)}}},
		{"numbers of a named type", why, ofOrder(1), ofOrder(2), Unknown{Reason: "c", NonNil: true, Type: order, Among: []Value{ofOrder(1), ofOrder(2)}}},
		{"nils of interfaces and pointers", why, Nil{typeOfAny}, Nil{typeOfPointer}, Unknown{Reason: "c", Among: []Value{Nil{typeOfAny}, Nil{typeOfPointer}}}},
		{"what has no type", why, Tuple{}, number(1), Unknown{Reason: "c", NonNil: true}},
		{"a number and no entry", why, number(1), absent{}, Unknown{Reason: "c", Absent: true}},
		{"a number and what may be no entry", why, number(1), &Unknown{Reason: "u", Absent: true}, Unknown{Reason: "u", Absent: true}},
		{"what the command line decides by something else", why, number(1), &Unknown{Reason: "u", CommandLine: true}, Unknown{Reason: "u"}},
		{"what the command line decides by itself", line, number(1), &Unknown{Reason: "u", CommandLine: true}, Unknown{Reason: "u", CommandLine: true}},
		{"something else by the command line", line, number(1), &Unknown{Reason: "u"}, Unknown{Reason: "u"}},
		{"a number and what may be foreign", why, number(1), &Unknown{Reason: "u", Foreign: true}, Unknown{Reason: "u", Foreign: true}},
		{"the library's own and nil", why, library, Nil{}, Unknown{Reason: "u", Library: true}},
		{"the library's own and another", why, library, number(1), Unknown{Reason: "u"}},
		{"two of the library's own", why, library, &Unknown{Reason: "w", Library: true}, Unknown{Reason: "u", Library: true}},
		{"one of the library's own", why, library, &Unknown{Reason: "w"}, Unknown{Reason: "u"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := *Merge(test.why, []Value{test.a, test.b}).(*Unknown)
			got.Targets, got.original = nil, nil
			require.Equal(t, test.want, got)
		})
	}
}

const withMethods = `package shop

type (
	plain    int
	method   int
	fields   struct{ n int }
	embeds   struct{ n int; method }
	inMethod struct{ n int }
	iface    interface{ M() }
)

func (method) M() {}
func (inMethod) M() {}
func (inMethod) N() {}
`

// A value whose type has methods, which code may call, counts as a reference, and what a
// struct or an array has of them does too.
func TestTargets_OfTypesWithMethods(t *testing.T) {
	all := typesIn(t, withMethods)
	p := Pointer{typeOfPointer, NewCell(nil)}
	of := func(names ...string) (want []Value) {
		for _, name := range names {
			want = append(want, &Unknown{Reason: "a value of the type shop." + name, NonNil: true, Type: all[name]})
		}
		return want
	}
	methods := types.NewArray(all["method"], 1)
	list := namedIn("shop", "list", arrayOf(typeOfInt, 1))
	list.AddMethod(types.NewFunc(0, list.Obj().Pkg(), "M", types.NewSignatureType(types.NewVar(0, nil, "", list), nil, nil, nil, nil, false)))
	value := func(name string) Const { return NewConst(number(1).Value, all[name]) }
	for _, test := range []struct {
		name string
		v    Value
		want []Value
	}{
		{"a number", number(1), nil},
		{"a number of a named type", value("plain"), nil},
		{"a number with a method", value("method"), of("method")},
		{"a nil with a method", Nil{all["method"]}, of("method")},
		{"a nil interface", Nil{all["iface"]}, nil},
		{"a number that is none of constants", Number{1, all["method"]}, of("method")},
		{"a struct", structOf(all["fields"], number(1)), nil},
		{"a struct with methods", structOf(all["inMethod"], number(1)), of("inMethod")},
		{"a struct that embeds", structOf(all["embeds"], number(1), value("method")), of("embeds", "method")},
		{"a struct with a pointer", structOf(structWith(typeOfPointer), p), []Value{p}},
		{"an array", array(typeOfInt, number(1)), nil},
		{"an array of numbers with methods", &Array{methods, []*Cell{NewCell(value("method"))}}, of("method")},
		{"an array of a type with methods", &Array{list, []*Cell{NewCell(number(1))}}, []Value{&Unknown{Reason: "a value of the type shop.list", NonNil: true, Type: list}}},
		{"an array of pointers", array(typeOfPointer, p), []Value{p}},
		{"an array of a type that isn't known", &Array{typeOfInt, []*Cell{NewCell(p)}}, []Value{p}},
		{"what has no type", Reflected{}, nil},
		{"an unknown that was written through", &Unknown{Pointee: p.To}, []Value{Pointer{To: p.To}}},
		{"an unknown that may be a pointer", &Unknown{Targets: []Value{p}}, []Value{p}},
		{"an unknown", &Unknown{}, nil},
	} {
		t.Run(strings.ReplaceAll(test.name, " ", "_"), func(t *testing.T) { require.Equal(t, test.want, targets(test.v)) })
	}
}

// What a variable held at a moment is what it held before it was written to first.
func TestUnchanged_ComparesWithWhatWasThereAtTheMoment(t *testing.T) {
	s := newState()
	a, b := NewCell(number(1)), NewCell(number(1))
	start := s.Now()
	s.Set(a, number(2))
	s.Set(b, number(1))
	s.Set(a, number(1))
	require.True(t, s.Unchanged(start))
	s.Set(b, number(2))
	require.False(t, s.Unchanged(start))
}

func TestWithin_LeadsNowhereElse(t *testing.T) {
	p, q := Pointer{typeOfPointer, NewCell(nil)}, Pointer{typeOfPointer, NewCell(nil)}
	to := func(targets ...Value) *Unknown { return &Unknown{Targets: targets} }
	stable := &Unknown{Stable: true}
	one := to(p, q)
	for _, test := range []struct {
		name string
		v, w Value
		want bool
	}{
		{"fewer references", to(p), to(q, p), true},
		{"more references", to(p, q), to(p), false},
		{"itself", one, one.At(1), true},
		{"what is the same each time", stable, &Unknown{Stable: true}, false},
		{"a number", number(1), number(1), true},
		{"another number", number(1), number(2), false},
		{"a number and an unknown", number(1), to(), false},
		{"an unknown of which more is known", &Unknown{NonNil: true}, to(), false},
		{"an unknown of the command line", &Unknown{CommandLine: true}, to(), false},
		{"an unknown that was written through", &Unknown{Pointee: p.To}, to(), false},
	} {
		require.Equal(t, test.want, Within(test.v, test.w), test.name)
	}
}

func TestSwitch_TurnsTheStateIntoThatOfTheMark(t *testing.T) {
	s := newState()
	a, b, c := NewCell(number(1)), NewCell(number(1)), NewCell(number(1))
	s.Set(a, number(2))
	mark := s.Mark()
	s.Set(a, number(3))
	s.Set(a, number(4))
	s.Set(b, number(3))
	s.Set(c, number(3))
	require.Equal(t, Writes{a: number(2), b: number(7), c: number(1)}, s.Switch(mark, Writes{b: number(7)}))
	require.Equal(t, Writes{a: number(4), b: number(3), c: number(3)}, s.Since(mark))
	require.Equal(t, Writes{a: number(4), b: number(7)}, s.Written(mark, mark+3, Writes{b: number(7)}))
}

// Both ways begin with what was there at the mark, whatever is there now.
func TestJoinWritten_JoinsTwoWaysFromTheMark(t *testing.T) {
	s := newState()
	first, twice, later, neither, both := NewCell(number(1)), NewCell(number(1)), NewCell(number(1)), NewCell(number(1)), NewCell(number(1))
	s.Set(twice, number(0))
	mark := s.Mark()
	s.Set(twice, number(8))
	s.Set(twice, number(9))
	s.Set(first, number(9))
	why := &Unknown{Reason: "c", Exact: true}
	joined := s.JoinWritten(mark, why,
		Writes{first: number(1), twice: number(0), later: number(1), both: number(5)},
		Writes{later: number(2), both: number(5), neither: number(1)})
	require.Equal(t, Value(number(1)), joined[first])
	require.Equal(t, Value(number(0)), joined[twice])
	require.Equal(t, []Value{number(1), number(2)}, joined[later].(*Unknown).Among)
	require.Equal(t, Value(number(5)), joined[both])
	require.Equal(t, Value(number(1)), joined[neither])
	require.Len(t, joined, 5)
}

// What isn't known is part by part so in a variable whose parts others may point to.
func TestStore_OfWhatIsNotKnown(t *testing.T) {
	s := newState()
	p := Pointer{typeOfPointer, NewCell(nil)}
	lost := &Unknown{Reason: "x", NonNil: true, Targets: []Value{p}}
	fields, elems := structOf(pair(), number(1), number(2)), array(typeOfInt, number(1))
	a, b := NewCell(fields), NewCell(elems)
	s.Store(a, lost, pair())
	s.Store(b, lost, arrayOf(typeOfInt, 1))
	require.Same(t, fields, a.v)
	require.Same(t, elems, b.v)
	require.Equal(t, &Unknown{Reason: "x", Field: pair().Field(1), Targets: []Value{p}}, fields.Fields[1].v)
	require.Equal(t, &Unknown{Reason: "x", Targets: []Value{p}}, elems.Elems[0].v)

	s.Given = func(field *types.Var) (Value, bool) { return number(7), field.Name() == "X" }
	s.Store(a, lost, pair())
	require.Equal(t, Value(number(7)), fields.Fields[0].v)
	require.True(t, IsUnknown(fields.Fields[1].v))
}

func TestApply_WritesWhatAWayHasLeft(t *testing.T) {
	s := newState()
	a, noted := NewCell(number(1)), NewCell(nil)
	s.Apply(Writes{a: number(2)})
	s.Note(noted, number(3))
	require.Equal(t, Value(number(2)), a.v)
	require.Equal(t, Value(number(3)), noted.v)
	s.Undo(0)
	require.Equal(t, Value(number(1)), a.v)
	require.Nil(t, noted.v)
}

func TestUndo_IsAChangeOfWhatIsWatched(t *testing.T) {
	s := newState()
	a := NewCell(number(1))
	a.Watch()
	s.Set(a, number(2))
	s.Stirred()
	s.Undo(0)
	require.Equal(t, []*Cell{a}, s.Stirred())
}

func TestMerge_ForgetsWhatDoesNotHoldForBoth(t *testing.T) {
	why := &Unknown{Reason: "c"}
	words := &Arguments{}
	u := &Unknown{Prefix: "a", Suffix: "b", Not: []string{"ab"}, Stable: true, Part: &Part{Of: words, Kind: Words}}
	merged := Merge(why, []Value{u, someText("c")}).(*Unknown)
	require.True(t, merged.IsBare())
	require.True(t, words.isChanged(), "who writes through what is joined may write to it")
	require.True(t, IsForeign(Merge(why, []Value{&Unknown{}, &Unknown{Foreign: true}})))
	require.False(t, IsForeign(Merge(why, []Value{&Unknown{}, number(1)})))
}

// What ways have left is set in the order in which they changed it first, not in any that Go has
// for maps: the program is evaluated in the same way each time.
func TestJoin_IsInTheOrderOfChanges(t *testing.T) {
	s := newState()
	cells := make([]*Cell, 50)
	for i := range cells {
		cells[i] = NewCell(number(0))
	}
	way := func() Writes {
		mark := s.Mark()
		for _, cell := range cells {
			s.Set(cell, number(1))
		}
		return s.Undo(mark)
	}
	mark := s.Mark()
	s.Join(&Unknown{}, []Writes{way(), {}})
	require.Equal(t, cells, s.ChangedSince(mark))
	mark = s.Mark()
	s.Apply(way())
	require.Equal(t, cells, s.ChangedSince(mark))
}

// So are the parts of what ways have left that were never changed by themselves.
func TestJoin_OfPartsIsInTheirOrder(t *testing.T) {
	s := newState()
	var ones, twos []Value
	for range 50 {
		ones, twos = append(ones, number(1)), append(twos, number(2))
	}
	left := array(typeOfInt, ones...)
	cell := NewCell(nil).IsOf(left.Type)
	s.Join(&Unknown{}, []Writes{{cell: left}, {cell: array(typeOfInt, twos...)}})
	require.Equal(t, append([]*Cell{cell}, left.Elems...), s.ChangedSince(0))
}

package value

import (
	"go/types"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// mark is a value of a kind that the evaluator doesn't know.
type mark struct{ t types.Type }

func (m *mark) DynamicType() types.Type { return m.t }

func namedIn(path, name string, of types.Type) *types.Named {
	pkg := types.NewPackage(path, path)
	obj := types.NewTypeName(0, pkg, name, nil)
	pkg.Scope().Insert(obj)
	return types.NewNamed(obj, of, nil)
}

func array(of types.Type, values ...Value) *Array {
	a := &Array{Type: arrayOf(of, int64(len(values)))}
	for _, v := range values {
		a.Elems = append(a.Elems, NewCell(v))
	}
	return a
}

func TestCompare_Answers(t *testing.T) {
	ints, empty := types.NewSlice(typeOfInt), types.NewStruct(nil, nil)
	toEmpty := types.NewPointer(structWith(empty, arrayOf(typeOfInt, 0)))
	list := &Slice{Type: ints}
	unknown, ofInt := &Unknown{}, &Unknown{Type: typeOfInt}
	stable := &Unknown{Stable: true}
	atom := &mark{typeOfInt}
	c, directed := NewChannel(types.NewChan(types.SendRecv, typeOfInt), nil, 0, 0), types.NewChan(types.SendOnly, typeOfInt)
	mutex := namedIn("sync", "Mutex", pair())
	two := structWith(typeOfAny, typeOfAny)
	blank := types.NewStruct([]*types.Var{types.NewField(0, nil, "_", typeOfInt, false), types.NewField(0, nil, "A", typeOfInt, false)}, nil)
	infinity := NewFloat(math.Inf(1), typeOfDouble)
	for _, test := range []struct {
		name string
		a, b Value
		want Answer
		not  types.Type // that can't be compared
	}{
		{"an entry that isn't there and nil", absent{}, Nil{}, Perhaps, nil},
		{"a number and one without a type", number(1), NewConst(number(1).Value, types.Typ[types.UntypedInt]), Yes, nil},
		{"numbers of two types", number(1), NewConst(number(1).Value, types.Typ[types.Int8]), No, nil},
		{"a number and what has no type", number(1), Reflected{}, Perhaps, nil},
		{"an atom", atom, atom, Yes, nil},
		{"a channel", c, Channel{directed, c.State}, No, nil},
		{"a channel and itself", c, c, Yes, nil},
		{"two channels", c, NewChannel(c.Type, nil, 0, 0), No, nil},
		{"a channel and what has no type", c, Reflected{}, Perhaps, nil},
		{"two atoms", atom, &mark{typeOfInt}, Perhaps, nil},
		{"an infinity", infinity, infinity, Yes, nil},
		{"an infinity and a number", infinity, NewFloat(1, typeOfDouble), No, nil},
		{"NaN", NewFloat(nan(), typeOfDouble), NewFloat(nan(), typeOfDouble), No, nil},
		{"an infinity and no number", infinity, NewConst(someText("a").(Const).Value, types.Typ[types.UntypedString]), Perhaps, nil},

		{"nil and what isn't known", Nil{}, unknown, Perhaps, nil},
		{"nil and what isn't known but for its type", Nil{}, ofInt, No, nil},
		{"what isn't known and a number", ofInt, number(1), Perhaps, nil},
		{"what isn't known and a text", ofInt, someText("a"), No, nil},
		{"what isn't known and a slice", &Unknown{Type: ints}, list, Perhaps, ints},
		{"what is the same each time", stable, stable.At(1), Yes, nil},
		{"what is the same each time, and what isn't", stable, (&Unknown{}).CopyOf(stable), Perhaps, nil},
		{"two things that are the same each time", stable, &Unknown{Stable: true}, Perhaps, nil},

		{"pointers to what has no size", Pointer{toEmpty, NewCell(nil)}, Pointer{toEmpty, NewCell(nil)}, Perhaps, nil},
		{"pointers to numbers", Pointer{typeOfPointer, NewCell(nil)}, Pointer{typeOfPointer, NewCell(nil)}, No, nil},

		{"pointers to structs of numbers", Pointer{types.NewPointer(pair()), NewCell(nil)}, Pointer{types.NewPointer(pair()), NewCell(nil)}, No, nil},

		{"nil and nil", Nil{}, Nil{typeOfAny}, Yes, nil},
		{"nil and a number", Nil{}, number(1), No, nil},
		{"a nil slice and a slice", Nil{ints}, list, Perhaps, ints},
		{"a nil slice and a number", Nil{ints}, number(1), No, nil},
		{"a nil pointer and a pointer", Nil{typeOfPointer}, Pointer{typeOfPointer, NewCell(nil)}, No, nil},
		{"nil and a slice", Nil{}, list, No, nil},
		{"nil and what has no type", Nil{ints}, Reflected{}, No, nil},
		{"nil without a type and what has none", Nil{}, Reflected{}, No, nil},
		{"two nil slices", Nil{ints}, Nil{ints}, Perhaps, ints},
		{"two nil pointers", Nil{typeOfPointer}, Nil{typeOfPointer}, Yes, nil},
		{"nil pointers of two types", Nil{typeOfPointer}, Nil{types.NewPointer(typeOfText)}, No, nil},
		{"a nil pointer and the nil of an interface", Nil{typeOfPointer}, Nil{typeOfAny}, No, nil},
		{"a nil pointer and nil", Nil{typeOfPointer}, Nil{}, Perhaps, nil},

		{"structs", structOf(pair(), number(1), number(2)), structOf(pair(), number(1), number(2)), Yes, nil},
		{"structs but for a field without a name", structOf(blank, number(1), number(2)), structOf(blank, number(3), number(2)), Yes, nil},
		{"structs of a type that isn't known", structOf(typeOfInt, number(1)), structOf(typeOfInt, number(1)), Perhaps, nil},
		{"structs with more fields than their type", structOf(two, number(1), number(1), number(1)), structOf(two, number(1), number(1), number(1)), Perhaps, nil},
		{"structs whose fields aren't those of the running program", structOf(mutex, number(1), number(2)), structOf(mutex, number(1), number(2)), Perhaps, nil},
		{"arrays of two lengths", array(typeOfInt, number(1)), &Array{Type: arrayOf(typeOfInt, 1)}, No, nil},

		{"other fields before those that can't be compared", structOf(two, number(1), list), structOf(two, number(2), list), No, nil},
		{"equal fields before those that can't be compared", structOf(two, number(1), list), structOf(two, number(1), list), Perhaps, ints},
		{"other fields behind those that can't be compared", structOf(two, list, number(1)), structOf(two, list, number(2)), Perhaps, ints},
		{"fields that aren't known before those that can't be compared", structOf(two, unknown, list), structOf(two, number(1), list), Perhaps, nil},
		{"fields that aren't known behind those that can't be compared", structOf(two, list, unknown), structOf(two, list, number(1)), Perhaps, ints},
		{"fields that aren't known before other ones", structOf(two, unknown, number(1)), structOf(two, number(1), number(2)), No, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, values := range [][2]Value{{test.a, test.b}, {test.b, test.a}} {
				got, not := Compare(values[0], values[1])
				require.Equal(t, test.want, got)
				require.Equal(t, test.not, not)
			}
		})
	}
}

func TestCompare_IsOpenWhereValuesAreNestedTooDeep(t *testing.T) {
	for _, within := range []func(Value) Value{
		func(v Value) Value { return array(typeOfAny, v) },
		func(v Value) Value { return structOf(structWith(typeOfAny), v) },
	} {
		nested := func(levels int) (v Value) {
			v = number(1)
			for range levels {
				v = within(v)
			}
			return v
		}
		require.Equal(t, Yes, answer(nested(maxNesting), nested(maxNesting)))
		require.Equal(t, Perhaps, answer(nested(maxNesting+1), nested(maxNesting+1)))
	}
}

func TestMayBeUncomparable_WhereAnInterfaceMayHoldAnything(t *testing.T) {
	ints := types.NewSlice(typeOfInt)
	boxes := structWith(typeOfInt, typeOfAny)
	for _, test := range []struct {
		name string
		of   Value
		t    types.Type
		want bool
	}{
		{"a number", number(1), typeOfInt, false},
		{"a number in an interface", number(1), typeOfAny, false},
		{"a number without a type", NewConst(number(1).Value, types.Typ[types.UntypedInt]), typeOfInt, false},
		{"a slice in an interface", &Slice{Type: ints}, typeOfAny, true},
		{"nil", Nil{}, typeOfAny, false},
		{"what isn't known", &Unknown{}, typeOfAny, true},
		{"what isn't known but for its type", &Unknown{Type: typeOfInt}, typeOfAny, false},
		{"a number that isn't known", &Unknown{}, typeOfInt, false},
		{"the library's own", &Unknown{Library: true}, typeOfAny, false},
		{"a struct that isn't known", &Unknown{}, boxes, true},
		{"a struct of numbers that isn't known", &Unknown{}, pair(), false},
		{"an array that isn't known", &Unknown{}, arrayOf(typeOfAny, 1), true},
		{"a struct of numbers", structOf(pair(), number(1), number(2)), pair(), false},
		{"a struct with a number in an interface", structOf(boxes, number(1), number(2)), boxes, false},
		{"a struct with a slice in an interface", structOf(boxes, number(1), &Slice{Type: ints}), boxes, true},
		{"a struct with a number that isn't known", structOf(boxes, &Unknown{}, number(2)), boxes, false},
		{"a struct with more fields than its type", structOf(structWith(), number(1)), boxes, true},
		{"an array with a slice in an interface", array(typeOfAny, number(1), &Slice{Type: ints}), typeOfAny, true},
		{"an array with a number in an interface", array(typeOfAny, number(1)), typeOfAny, false},
	} {
		t.Run(test.name, func(t *testing.T) { require.Equal(t, test.want, MayBeUncomparable(test.of, test.t)) })
	}
	require.Equal(t, types.Type(ints), Uncomparable(&Slice{Type: ints}))
	require.Nil(t, Uncomparable(number(1)))
}

func TestHasType_OfOneOfSeveralValues(t *testing.T) {
	require.Equal(t, Yes, HasType(&Unknown{Among: []Value{number(1), number(2)}}, typeOfInt))
	require.Equal(t, No, HasType(&Unknown{Among: []Value{number(1), number(2)}}, typeOfText))
	require.Equal(t, Perhaps, HasType(&Unknown{Among: []Value{number(1), someText("a")}}, typeOfInt))
	require.Equal(t, Perhaps, HasType(&Unknown{}, typeOfInt))
	require.Equal(t, Yes, HasType(&Unknown{Type: typeOfInt}, typeOfInt))
	require.Equal(t, No, HasType(&Unknown{Type: typeOfInt}, typeOfText))
	require.Equal(t, No, HasType(Nil{}, typeOfInt))
	require.Equal(t, Yes, HasType(Nil{}, types.Typ[types.UntypedNil]))
	require.Equal(t, Yes, HasType(Nil{typeOfPointer}, typeOfPointer))
	require.Equal(t, Yes, HasType(number(1), typeOfAny))
}

// Of two texts nothing is known but what they begin and end with.
func TestUnknown_KnowsSoMuchOfATextAndNoMore(t *testing.T) {
	why := &Unknown{Reason: "x"}
	require.Same(t, why, Concatenated(why, &Unknown{}, &Unknown{}))
	require.Equal(t, "a", Concatenated(why, someText("a"), &Unknown{}).Prefix)
	require.Equal(t, "a", Concatenated(why, &Unknown{}, someText("a")).Suffix)
	long := make([]byte, MaxText-1)
	require.Len(t, Concatenated(why, someText(string(long)), someText("a")).Prefix, MaxText-1)
	require.Same(t, why, Concatenated(why, someText(string(long)), someText("ab")))

	u := &Unknown{Prefix: "a"}
	require.Same(t, u, u.Except("b"))
	texts := why
	for n := range maxNot {
		texts = texts.Except(string(rune('a' + n)))
	}
	require.Len(t, texts.Not, maxNot)
	require.Same(t, texts, texts.Except("z"))
}

func TestSameAmong_InAnyOrder(t *testing.T) {
	some := func(numbers ...int64) (all []Value) {
		for _, n := range numbers {
			all = append(all, number(n))
		}
		return all
	}
	require.True(t, sameAmong(some(1, 2), some(2, 1)))
	require.False(t, sameAmong(some(1, 2), some(1, 3)))
	require.False(t, sameAmong(some(1), some(1, 2)))
	require.Equal(t, some(1, 2), among(number(1), number(2)))
	require.Nil(t, among(number(1), &Unknown{}))
	require.Nil(t, among(&Unknown{}, number(1)))
}

func TestPartOf_IsAPartThatNobodyChanged(t *testing.T) {
	changed := &Arguments{}
	changed.Change()
	for _, test := range []struct {
		name string
		v    Value
		kind PartKind
		want bool
	}{
		{"the words", &Unknown{Part: &Part{Of: &Arguments{}, Kind: Words}}, Words, true},
		{"words that were changed", &Unknown{Part: &Part{Of: changed, Kind: Words}}, Words, false},
		{"words of a list that was changed", &Unknown{Part: &Part{Of: &Arguments{Base: changed}, Kind: Words}}, Words, false},
		{"a word of a list that was changed later", &Unknown{Part: &Part{Of: changed, Kind: Word}}, Word, true},
		{"a word for words", &Unknown{Part: &Part{Of: &Arguments{}, Kind: Word}}, Words, false},
		{"no part", &Unknown{}, Words, false},
		{"a number", number(1), Words, false},
	} {
		_, is := PartOf(test.v, test.kind)
		require.Equal(t, test.want, is, test.name)
	}
}

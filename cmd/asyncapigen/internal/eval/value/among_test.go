package value

import (
	"go/constant"
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"
)

func someInt(n int64) Value { return NewConst(constant.MakeInt64(n), types.Typ[types.Int]) }

func someText(s string) Value {
	return NewConst(constant.MakeString(s), types.Typ[types.String])
}

// What one of several branches leaves is one of what they leave, where these are all
// there can be.
func TestMerge_KnowsWhatItIsOneOf(t *testing.T) {
	exact, other := &Unknown{Reason: "c", Exact: true}, &Unknown{Reason: "c"}
	one := Merge(exact, []Value{someInt(1), someInt(2), someInt(1)}).(*Unknown)
	require.Equal(t, []Value{someInt(1), someInt(2)}, one.Among)
	require.False(t, one.Exact)
	require.Equal(t, []Value{someInt(1), someInt(2), someInt(3)}, Merge(exact, []Value{one, someInt(3)}).(*Unknown).Among)

	require.Nil(t, Merge(other, []Value{someInt(1), someInt(2)}).(*Unknown).Among)
	require.Nil(t, Merge(other, []Value{one, someInt(3)}).(*Unknown).Among)
	require.Nil(t, Merge(exact, []Value{one, UnknownAt(0, "x")}).(*Unknown).Among)
	var many []Value
	for n := range int64(maxAmong + 1) {
		many = append(many, someInt(n))
	}
	require.Len(t, Merge(exact, many[1:]).(*Unknown).Among, maxAmong)
	require.Nil(t, Merge(exact, many).(*Unknown).Among)
}

// A nil of an own type isn't the nil of an interface, nor one of another type.
func TestMerge_TellsNilsApart(t *testing.T) {
	p, q := types.NewPointer(types.Typ[types.Int]), types.NewPointer(types.Typ[types.String])
	why := &Unknown{Reason: "c"}
	require.True(t, IsUnknown(Merge(why, []Value{Nil{}, Nil{p}})))
	require.True(t, IsUnknown(Merge(why, []Value{Nil{q}, Nil{p}})))
	require.Equal(t, Value(Nil{p}), Merge(why, []Value{Nil{p}, Nil{p}}))
}

func TestUnknown_OnlySomeOfItsValues(t *testing.T) {
	u := &Unknown{Among: []Value{someInt(1), someInt(2), someInt(3)}}
	is := func(n int64) func(Value) bool { return func(v Value) bool { return same(v, someInt(n)) } }
	require.Equal(t, someInt(2), u.Only(is(2)))
	require.Same(t, u, u.Only(is(4)))
	require.Equal(t, []Value{someInt(1), someInt(3)}, u.Only(func(v Value) bool { return !is(2)(v) }).(*Unknown).Among)
	require.Same(t, u, u.Only(func(Value) bool { return true }))
}

func TestCombinations_AreOfAllOperands(t *testing.T) {
	u := &Unknown{Among: []Value{someInt(1), someInt(2)}}
	require.Equal(t, [][]Value{{someInt(1), someInt(9)}, {someInt(2), someInt(9)}}, Combinations([]Value{u, someInt(9)}))
	require.Len(t, Combinations([]Value{u, u, u, u}), maxCombinations)
	require.Nil(t, Combinations([]Value{u, u, u, u, u}))
	require.Nil(t, Combinations([]Value{someInt(9)}))
	require.Nil(t, Combinations([]Value{u, &Unknown{}}))
}

func TestUnknown_IsNotWhatItsAffixesExclude(t *testing.T) {
	why := &Unknown{Reason: "x"}
	u := Concatenated(why, someText("ab"), Concatenated(why, &Unknown{}, someText("bc")))
	require.Equal(t, []string{"ab", "bc"}, []string{u.Prefix, u.Suffix})
	for text, isNot := range map[string]bool{"abbc": false, "abxbc": false, "abc": true, "ab": true, "xabbc": true, "abbcx": true, "": true} {
		require.Equal(t, isNot, u.IsNot(text), text)
	}
	require.True(t, u.Except("abbc").IsNot("abbc"))
	require.False(t, u.IsNot("abbc"))
	require.True(t, u.Except("abbc").Except("abc2bc").IsCopyOf(u))
	require.True(t, u.Bare().IsBare())
	require.False(t, u.IsBare())
}

package value

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// knownOf are all things that can be known of an unknown value itself, one by one.
func knownOf() map[string]*Unknown {
	return map[string]*Unknown{
		"it is no nil":         {NonNil: true},
		"it may be absent":     {Absent: true},
		"it is of the library": {Library: true},
		"it is a closure":      {Closure: true},
		"its type":             {Type: typeOfInt},
		"its type is another":  {Type: typeOfText},
		"what it is among":     {Among: []Value{number(1), number(2)}},
		"its part":             {Part: &Part{}},
		"it is stable":         {Stable: true},
		"its prefix":           {Prefix: "a"},
		"its suffix":           {Suffix: "a"},
		"what it isn't":        {Not: []string{"a"}},
	}
}

func TestUnknown_IsBareWhereNothingIsKnown(t *testing.T) {
	require.True(t, (&Unknown{Reason: "x", Foreign: true, CommandLine: true, Env: "X"}).IsBare())
	for name, u := range knownOf() {
		require.False(t, u.IsBare(), name)
	}
	require.False(t, (&Unknown{Pointee: NewCell(nil)}).IsBare())
	require.False(t, (&Unknown{Targets: []Value{number(1)}}).IsBare())
}

func TestAlike_WhereTheSameIsKnown(t *testing.T) {
	for name, u := range knownOf() {
		again := *u
		require.True(t, Alike(u, &again), name)
		require.False(t, Alike(u, &Unknown{}), name)
		for other, w := range knownOf() {
			if name != other {
				require.False(t, Alike(u, w), "%s and %s", name, other)
			}
		}
	}
	require.False(t, Alike(&Unknown{Foreign: true}, &Unknown{}))
	require.True(t, Alike(&Unknown{Targets: []Value{number(1)}}, &Unknown{}), "but for the references")
	require.False(t, Alike(&Unknown{}, number(1)))
}

// Numbers such as NaN, and several values at once, are what Same does not tell.
func TestAlike_OfNumbersAndOfSeveralValues(t *testing.T) {
	double := types.Typ[types.Float64]
	n := func(re, im float64) Number { return Number{complex(re, im), double} }
	for _, test := range []struct {
		name string
		a, b Value
		want bool
	}{
		{"NaN", n(nan(), 0), n(nan(), 0), true},
		{"NaN in both parts", n(nan(), nan()), n(nan(), nan()), true},
		{"another imaginary part", n(nan(), nan()), n(nan(), 1), false},
		{"another real part", n(nan(), nan()), n(1, nan()), false},
		{"another type", n(nan(), 0), Number{complex(nan(), 0), types.Typ[types.Float32]}, false},
		{"no number", n(nan(), 0), number(1), false},
		{"several", Tuple{number(1), n(nan(), 0)}, Tuple{number(1), n(nan(), 0)}, true},
		{"others", Tuple{number(1), n(nan(), 0)}, Tuple{number(2), n(nan(), 0)}, false},
		{"fewer", Tuple{number(1)}, Tuple{number(1), number(1)}, false},
		{"one of several", Tuple{number(1)}, number(1), false},
		{"equal ones", number(1), number(1), true},
		{"other ones", number(1), number(2), false},
	} {
		t.Run(test.name, func(t *testing.T) { require.Equal(t, test.want, Alike(test.a, test.b)) })
	}
}

func nan() float64 { zero := 0.0; return zero / zero }

// Unknowns are alike for Unchanged where nothing that is said of them differs.
func TestUnchanged_LooksAtAllThatIsSaidOfAnUnknown(t *testing.T) {
	p, q := Pointer{typeOfPointer, NewCell(nil)}, Pointer{typeOfPointer, NewCell(nil)}
	differ := map[string][2]*Unknown{
		"reason":       {{Reason: "x"}, {Reason: "y"}},
		"position":     {{Pos: 1}, {Pos: 2}},
		"not nil":      {{NonNil: true}, {}},
		"library":      {{Library: true}, {}},
		"closure":      {{Closure: true}, {}},
		"environment":  {{Env: "A"}, {Env: "B"}},
		"absent":       {{Absent: true}, {}},
		"foreign":      {{Foreign: true}, {}},
		"unread":       {{Unread: "a"}, {}},
		"type":         {{Type: typeOfInt}, {Type: typeOfText}},
		"among":        {{Among: []Value{number(1)}}, {}},
		"targets":      {{Targets: []Value{p}}, {Targets: []Value{q}}},
		"pointee":      {{Pointee: p.To}, {}},
		"its pointee":  {{}, {Pointee: p.To}},
		"both pointee": {{Pointee: p.To}, {Pointee: p.To}},
	}
	for name, test := range differ {
		t.Run(name, func(t *testing.T) {
			require.False(t, alike(test[0], test[1]))
			again := *test[0]
			require.Equal(t, again.Pointee == nil, alike(test[0], &again))
			require.True(t, alike(test[0], test[0]))
		})
	}
	require.False(t, alike(&Unknown{}, number(1)))
	require.True(t, alike(number(1), number(1)))
}

func TestTargets_OfOneTypeAreOne(t *testing.T) {
	order := types.NewNamed(types.NewTypeName(0, nil, "order", nil), typeOfInt, nil)
	bill := types.NewNamed(types.NewTypeName(0, nil, "bill", nil), typeOfInt, nil)
	require.True(t, sameTarget(&Unknown{Type: order}, &Unknown{Type: order}))
	require.False(t, sameTarget(&Unknown{Type: order}, &Unknown{Type: bill}))
	p := Pointer{typeOfPointer, NewCell(nil)}
	require.True(t, sameTarget(p, p))
	require.False(t, sameTarget(p, Pointer{types.NewPointer(typeOfText), p.To}))
}

func TestUnknown_NotesTheTextThatIsInItsPlace(t *testing.T) {
	of := func(u *Unknown, v Value) string { return u.or(v, 7).Fallback.Text }
	env := &Unknown{Env: "A"}
	require.Equal(t, "a", of(env, someText("a")))
	require.EqualValues(t, 7, env.or(someText("a"), 7).Fallback.Pos)
	require.True(t, env.or(someText("a"), 7).IsCopyOf(env))
	noted := env.or(someText("a"), 7)
	require.Same(t, noted, noted.or(someText("a"), 8))
	require.Same(t, env, env.or(someText(""), 7))
	require.Same(t, env, env.or(number(1), 7))
	require.Empty(t, of(&Unknown{}, someText("a")))
}

func TestMerge_NotesTheTextOnEitherSide(t *testing.T) {
	env := &Unknown{Env: "A"}
	for _, values := range [][]Value{{env, someText("a")}, {someText("a"), env}} {
		require.Equal(t, "a", Merge(&Unknown{}, values).(*Unknown).Fallback.Text)
	}
}

func TestUnknown_FirstPosIsWhereItIsNotKnownInTheEnd(t *testing.T) {
	require.Equal(t, token.Pos(1), (&Unknown{Pos: 1}).FirstPos())
	require.Equal(t, token.Pos(2), (&Unknown{Pos: 1, Origin: 2}).FirstPos())
}

func TestBecause_NamesTheFirstUnknown(t *testing.T) {
	at, err := parser.ParseExpr("f(x)")
	require.NoError(t, err)
	x, foreign := &Unknown{Reason: "x"}, &Unknown{Reason: "y", Foreign: true}
	require.Same(t, x, Because(at, number(1), x, &Unknown{Reason: "z"}))
	require.Same(t, foreign, Because(at, foreign, x))
	both := Because(at, x, foreign)
	require.Equal(t, "x", both.Reason)
	require.True(t, both.Foreign, "it may be what code that isn't followed has")
	require.Same(t, x, Because(at, &Array{Type: arrayOf(typeOfInt, 2), Elems: []*Cell{NewCell(number(1)), NewCell(x)}}))
	require.Same(t, x, Because(at, structOf(pair(), number(1), x)))
	require.Equal(t, "the expression f(x)", Because(at, number(1)).Reason)
	require.Equal(t, "a value that isn't followed", Because(&ast.EmptyStmt{}, number(1)).Reason)
	p := Pointer{typeOfPointer, NewCell(nil)}
	require.Equal(t, []Value{p}, Because(at, x, p).Targets)
	require.False(t, Because(at, &Unknown{NonNil: true}).NonNil)
}

func TestSource_IsShort(t *testing.T) {
	name := func(n int) ast.Expr { return ast.NewIdent(strings.Repeat("ä", n)) }
	require.Equal(t, strings.Repeat("ä", 60), Source(name(60)))
	require.Equal(t, strings.Repeat("ä", 60)+"...", Source(name(61)))
}

func TestRetyped_ForgetsTheTypeOfAnUnknown(t *testing.T) {
	bare, ofInt := &Unknown{}, &Unknown{Type: typeOfInt}
	require.Same(t, bare, bare.retyped(typeOfText))
	require.Same(t, ofInt, ofInt.retyped(typeOfInt))
	require.Nil(t, ofInt.retyped(typeOfText).Type)
	require.True(t, ofInt.retyped(typeOfText).IsCopyOf(ofInt))
	small := types.Typ[types.Int8]
	among := (&Unknown{Among: []Value{number(1)}}).retyped(small)
	require.Equal(t, types.Type(small), TypeOf(among.Among[0]))
}

func TestUnknown_InAnInterface(t *testing.T) {
	u := &Unknown{Reason: "x", Foreign: true}
	held := u.InInterface(typeOfInt)
	require.True(t, held.NonNil)
	require.Equal(t, types.Type(typeOfInt), held.Type)
	unboxed := Unboxed(held, typeOfInt).(*Unknown)
	require.True(t, unboxed.IsBare(), "an interface that holds a nil pointer isn't nil")
	require.True(t, unboxed.Foreign)
	require.Equal(t, "x", unboxed.Reason)
	require.Same(t, held, Unboxed(held, typeOfAny))
	require.Same(t, u, Unboxed(u, typeOfInt))
	require.Equal(t, Value(number(1)), Unboxed(number(1), typeOfInt))
}

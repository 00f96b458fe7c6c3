package scan

import (
	"go/constant"
	"go/token"
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// What leads the program another way is found where it lies deeper, too.
func TestIsAlike_ComparesWhatLeadsTheProgram(t *testing.T) {
	number := func(n int64) value.Value { return value.NewConst(constant.MakeInt64(n), types.Typ[types.Int]) }
	unknown := func(among ...value.Value) value.Value { return &value.Unknown{Among: among} }
	fields := []*types.Var{
		types.NewField(token.NoPos, nil, "A", types.Typ[types.Int], false),
		types.NewField(token.NoPos, nil, "B", types.Typ[types.Int], false),
	}
	pair := types.NewStruct(fields, nil)
	structOf := func(t types.Type, a, b value.Value) value.Value {
		return &value.Struct{Type: t, Fields: []*value.Cell{value.NewCell(a), value.NewCell(b)}}
	}
	pointerTo := func(v value.Value) value.Value {
		return value.Pointer{Type: types.NewPointer(pair), To: value.NewCell(v)}
	}
	sliceOf := func(elem types.BasicKind) value.Value { return &value.Slice{Type: types.NewSlice(types.Typ[elem])} }
	for name, one := range map[string]struct {
		a, b  value.Value
		alike bool
	}{
		"nothing and something":                    {nil, number(1), false},
		"one number":                               {number(1), number(1), true},
		"two numbers":                              {number(1), number(2), false},
		"two unknowns":                             {unknown(), unknown(), true},
		"an unknown and one of two":                {unknown(), unknown(number(1), number(2)), false},
		"a number and an unknown":                  {number(1), unknown(), false},
		"an unknown and a number":                  {unknown(), number(1), false},
		"structs of the same":                      {structOf(pair, number(1), number(2)), structOf(pair, number(1), number(2)), true},
		"structs with another last field":          {structOf(pair, number(1), number(2)), structOf(pair, number(1), number(3)), false},
		"structs of two types":                     {structOf(types.NewStruct(fields[:1], nil), number(1), number(2)), structOf(pair, number(1), number(2)), false},
		"an unknown and a struct":                  {unknown(), structOf(pair, number(1), number(2)), false},
		"pointers to the same":                     {pointerTo(number(1)), pointerTo(number(1)), true},
		"pointers to two numbers":                  {pointerTo(number(1)), pointerTo(number(2)), false},
		"a number and a pointer to it":             {number(1), pointerTo(number(1)), false},
		"slices of one type":                       {sliceOf(types.Int), sliceOf(types.Int), true},
		"slices of two types":                      {sliceOf(types.Int), sliceOf(types.Bool), false},
		"an unknown and a slice":                   {unknown(), sliceOf(types.Int), false},
		"two numbers below as far as is looked":    {pointerTo(pointerTo(pointerTo(number(1)))), pointerTo(pointerTo(pointerTo(number(2)))), true},
		"two numbers just above as far as is seen": {pointerTo(pointerTo(number(1))), pointerTo(pointerTo(number(2))), false},
		"nothing below as far as is looked":        {pointerTo(pointerTo(pointerTo(nil))), pointerTo(pointerTo(pointerTo(number(2)))), false},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, one.alike, isAlike(3, one.a, one.b)) })
	}
}

// A text that is made of a variable isn't that of the variable.
func TestText_IsThatOfAVariableWhereItHasNothingElse(t *testing.T) {
	for name, one := range map[string]struct {
		text Text
		is   bool
	}{
		"a constant":                      {Text{Value: "orders"}, false},
		"an empty constant":               {Text{}, false},
		"a variable":                      {Text{Env: "QUEUE", Why: "the variable isn't set"}, true},
		"a variable with a fallback":      {Text{Env: "QUEUE", Value: "orders", fallback: "orders"}, true},
		"what is made of it":              {Text{Env: "QUEUE", Value: "shop.", Why: "the variable isn't set"}, false},
		"what is made of the fallback":    {Text{Env: "QUEUE", Value: "shop.orders", fallback: "orders"}, false},
		"what isn't known of a fallback":  {Text{Env: "QUEUE", Why: "it is computed", fallback: "orders"}, false},
		"a text that is the same as none": {Text{Value: "orders", fallback: "orders"}, false},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, one.is, one.text.isVariable()) })
	}
}

func TestConsumer_AddKeepsTheGapsOfBoth(t *testing.T) {
	one, other := new(Consumer), new(Consumer)
	one.addGap(Gap{What: whichPrefetch, Why: "a"})
	other.addGap(Gap{What: whenAcknowledged, Why: "b"})
	one.add(other)
	require.Equal(t, []Gap{{What: whichPrefetch, Why: "a"}, {What: whenAcknowledged, Why: "b"}}, one.Gaps)
}

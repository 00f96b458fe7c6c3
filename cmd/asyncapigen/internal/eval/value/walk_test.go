package value

import (
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"
)

// leaves returns one value for each way in which values lead to others, each of which leads
// to a number of its own, and the numbers.
func leaves(s *State) (values []Value, numbers []Value) {
	next := func() *Cell {
		numbers = append(numbers, number(int64(len(numbers)+100)))
		return NewCell(numbers[len(numbers)-1])
	}
	pointer := func() Pointer { return Pointer{typeOfPointer, next()} }
	two := types.NewArray(typeOfInt, 2)
	keyed := mapWith(s)
	s.SetEntry(keyed, pointer(), next().v)
	vague := mapWith(s)
	vague.vague.v = &Unknown{Targets: []Value{pointer()}}
	c := NewChannel(types.NewChan(types.SendRecv, typeOfInt), nil, 0, 1)
	s.SetQueue(c.State.Queue, []Value{next().v})
	return []Value{
		pointer(),
		UnsafePointer{types.Typ[types.UnsafePointer], pointer()},
		&Struct{Type: pair(), Fields: []*Cell{next(), next()}}, &Array{Type: two, Elems: []*Cell{next(), next()}},
		&Slice{Type: types.NewSlice(typeOfInt), Elems: []*Cell{next(), next()}},
		keyed, vague, c, &Unknown{Targets: []Value{pointer()}},
	}, numbers
}

func TestWalk_ComesToAll(t *testing.T) {
	values, numbers := leaves(newState())
	var visited []Value
	w := Walk{Visit: func(_ *Cell, v Value) { visited = append(visited, v) }}
	w.All(values)
	require.True(t, w.IsWhole())
	for _, n := range numbers {
		require.Contains(t, visited, n)
	}
}

func TestWalk_EndsOnCyclesAndOnVeryMuch(t *testing.T) {
	itself := NewCell(nil)
	itself.v = Pointer{typeOfPointer, itself}
	visited := 0
	w := Walk{Visit: func(*Cell, Value) { visited++ }}
	w.All([]Value{itself.v})
	require.Equal(t, 2, visited)

	many := &Slice{Type: types.NewSlice(typeOfInt)}
	for range maxWalk + 1 {
		many.Elems = append(many.Elems, NewCell(number(0)))
	}
	visited = 0
	w.All([]Value{many})
	require.Equal(t, 1+maxWalk, visited)
	require.False(t, w.IsWhole())
}

func TestReach_ComesToAll(t *testing.T) {
	values, numbers := leaves(newState())
	captured, received := NewCell(number(1)), NewCell(number(2))
	spare := NewCell(number(3))
	values = append(values,
		Tuple{&Func{Closure: captured}}, &Func{Bound: true, Recv: Pointer{typeOfPointer, received}},
		&Unknown{Pointee: NewCell(number(4))}, &Slice{Elems: []*Cell{NewCell(nil), spare}[:1]})
	var visited []Value
	r := Reach{
		Captured: func(closure any) []*Cell { return []*Cell{closure.(*Cell)} },
		Visit:    func(v Value) { visited = append(visited, v) },
	}
	r.Values(values...)
	for _, n := range append(numbers, number(1), number(2), number(3), number(4)) {
		require.Contains(t, visited, n)
	}
}

func TestReach_VisitsEachVariableAndSliceOnce(t *testing.T) {
	cells := []*Cell{NewCell(number(1)), NewCell(number(2))}
	numbers := types.NewSlice(typeOfInt)
	list := func() *Slice { return &Slice{Type: numbers, Elems: cells} }
	visited := 0
	r := Reach{Visit: func(Value) { visited++ }}
	r.Values(list(), list(), Pointer{typeOfPointer, cells[0]})
	require.Equal(t, cells, r.Cells)
	require.Equal(t, 4, visited, "the slice, its elements and the pointer")
}

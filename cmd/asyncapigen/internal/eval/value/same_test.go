package value

import (
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSame_IsOfOneValueOfOneType(t *testing.T) {
	cell, other := NewCell(number(1)), NewCell(number(1))
	action := types.NewNamed(types.NewTypeName(0, nil, "action", nil), types.NewSignatureType(nil, nil, nil, nil, nil, false), nil)
	signature := action.Underlying()
	run, stop := types.NewFunc(0, nil, "run", nil), types.NewFunc(0, nil, "stop", nil)
	unsafe := types.Typ[types.UnsafePointer]
	address := types.NewNamed(types.NewTypeName(0, nil, "address", nil), unsafe, nil)
	toText := types.NewPointer(typeOfText)
	c, sends := NewChannel(types.NewChan(types.SendRecv, typeOfInt), nil, 0, 0), types.NewChan(types.SendOnly, typeOfInt)
	m := NewMap(types.NewMap(typeOfText, typeOfInt))
	literal := &Func{Type: signature, Closure: 1}
	for _, test := range []struct {
		name string
		a, b Value
		want bool
	}{
		{"nothing", nil, nil, true},
		{"nothing and nil", nil, Nil{}, false},
		{"a function evaluated twice", &Func{Type: signature, Obj: run}, &Func{Type: signature, Obj: run}, true},
		{"functions of two types", &Func{Type: signature, Obj: run}, &Func{Type: action, Obj: run}, false},
		{"two functions", &Func{Type: signature, Obj: run}, &Func{Type: signature, Obj: stop}, false},
		{"a literal", literal, literal, true},
		{"two literals", literal, &Func{Type: signature, Closure: 1}, false},
		{"a bound method", &Func{Type: signature, Obj: run, Bound: true}, &Func{Type: signature, Obj: run}, false},
		{"a function and a bound method", &Func{Type: signature, Obj: run}, &Func{Type: signature, Obj: run, Bound: true}, false},
		{
			"instances of a generic function",
			&Func{Type: signature, Obj: run, TArgs: []types.Type{typeOfInt}}, &Func{Type: signature, Obj: run, TArgs: []types.Type{typeOfText}}, false,
		},
		{"a channel", c, Channel{c.Type, c.State}, true},
		{"a channel of another type", c, Channel{sends, c.State}, false},
		{"two channels", c, NewChannel(c.Type, nil, 0, 0), false},
		{"a channel and a number", c, number(1), false},
		{"a map", m, &Map{Type: m.Type, entries: m.entries, vague: m.vague}, true},
		{"a map of another type", m, Retyped(m, types.NewMap(typeOfInt, typeOfInt)), false},
		{"two maps", m, NewMap(m.Type), false},
		{"a map and a number", m, number(1), false},
		{"a slice and a number", &Slice{}, number(1), false},
		{"an unsafe pointer", UnsafePointer{unsafe, Pointer{typeOfPointer, cell}}, UnsafePointer{unsafe, Pointer{typeOfPointer, cell}}, true},
		{"unsafe pointers to two variables", UnsafePointer{unsafe, Pointer{typeOfPointer, cell}}, UnsafePointer{unsafe, Pointer{typeOfPointer, other}}, false},
		{"unsafe pointers of two types", UnsafePointer{unsafe, Pointer{typeOfPointer, cell}}, UnsafePointer{address, Pointer{typeOfPointer, cell}}, false},
		{"an unsafe pointer made of two", UnsafePointer{unsafe, Pointer{typeOfPointer, cell}}, UnsafePointer{unsafe, Pointer{toText, cell}}, false},
		{"an unsafe pointer and another one", UnsafePointer{unsafe, Pointer{typeOfPointer, cell}}, Pointer{typeOfPointer, cell}, false},
		{"several values", Tuple{number(1)}, Tuple{number(1)}, false},
		{"what a model made", Reflected{Of: typeOfInt}, Reflected{Of: typeOfInt}, true},
	} {
		t.Run(test.name, func(t *testing.T) { require.Equal(t, test.want, Same(test.a, test.b)) })
	}
}

package model

import (
	"go/constant"
	"go/token"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// deepEqual is the model of reflect.DeepEqual.
func deepEqual(c *Call) (value.Value, bool) {
	const levels = 100 // more than any table has
	switch c.deepEqual(levels, c.Args[0], c.Args[1]) {
	case value.Yes:
		return boolean(true), true
	case value.No:
		return boolean(false), true
	}
	for _, arg := range c.Args {
		if u := firstUnknown(arg); u != nil {
			return c.because(u), true
		}
	}
	return c.because(c.Args...), true
}

// deepEqual is long but flat: a case for each kind of value.
func (c *Call) deepEqual(levels int, x, y value.Value) value.Answer {
	c.Work(1)
	if levels == 0 || value.IsUnknown(x) || value.IsUnknown(y) {
		return value.Perhaps
	}
	if isNilInterface(x) || isNilInterface(y) {
		return answerOf(isNilInterface(x) && isNilInterface(y))
	}
	if t := value.TypeOf(y); t == nil || value.IsUntyped(t) {
		return value.Perhaps
	} else if has := value.HasType(x, t); has != value.Yes {
		return has
	}
	if value.IsNil(x) || value.IsNil(y) {
		return answerOf(value.IsNil(x) && value.IsNil(y))
	}
	switch x := x.(type) {
	case value.Const:
		if y, ok := y.(value.Const); ok {
			return answerOf(constant.Compare(x.Value, token.EQL, y.Value))
		}
	case value.Pointer:
		if y, ok := y.(value.Pointer); ok {
			if x.To == y.To {
				return value.Yes
			}
			return c.deepEqual(levels-1, x.Load(), y.Load())
		}
	case *value.Slice:
		if y, ok := y.(*value.Slice); ok {
			return c.deepEqualCells(levels-1, x.Elems, y.Elems)
		}
	case *value.Array:
		if y, ok := y.(*value.Array); ok {
			return c.deepEqualCells(levels-1, x.Elems, y.Elems)
		}
	case *value.Struct:
		if y, ok := y.(*value.Struct); ok && !value.IsKeptOtherwise(x.Type) {
			return c.deepEqualCells(levels-1, x.Fields, y.Fields)
		}
	case *value.Map:
		if y, ok := y.(*value.Map); ok {
			return c.deepEqualMaps(levels-1, x, y)
		}
	case *value.Func:
		return value.No
	}
	return value.Perhaps
}

func (c *Call) deepEqualCells(levels int, a, b []*value.Cell) value.Answer {
	if len(a) != len(b) {
		return value.No
	}
	result := value.Yes
	for i := range a {
		if a[i] != b[i] || value.IsUnknown(a[i].Load()) {
			result = min(result, c.deepEqual(levels, a[i].Load(), b[i].Load()))
		}
	}
	return result
}

func (c *Call) deepEqualMaps(levels int, x, y *value.Map) value.Answer {
	n, known := x.Size()
	m, alsoKnown := y.Size()
	switch {
	case x.Identity() == y.Identity():
		return value.Yes
	case !known || !alsoKnown:
		return value.Perhaps
	case n != m:
		return value.No
	}
	result := value.Yes
	for key, v := range x.Sorted() {
		other, present := c.Lookup(y, key, y.Type.Underlying().(*types.Map).Elem())
		if present == value.Yes {
			present = c.deepEqual(levels, v, other)
		}
		result = min(result, present)
	}
	return result
}

func answerOf(holds bool) value.Answer {
	if holds {
		return value.Yes
	}
	return value.No
}

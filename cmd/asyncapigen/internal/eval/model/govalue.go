package model

import (
	"go/constant"
	"go/types"
	"math"
	"reflect"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// goArguments turns values into those of this program, or returns the one that
// isn't known.
func (c *Call) goArguments(f reflect.Type, args []value.Value) ([]reflect.Value, *value.Unknown) {
	values := make([]reflect.Value, f.NumIn())
	if len(args) != len(values) {
		return nil, value.Because(c.At, args...)
	}
	for i, v := range args {
		value, unknown := c.toGo(v, f.In(i))
		if unknown != nil {
			return nil, unknown
		}
		values[i] = value
	}
	return values, nil
}

func (c *Call) toGo(v value.Value, t reflect.Type) (reflect.Value, *value.Unknown) {
	if t.Kind() == reflect.Interface {
		return c.operand(v)
	}
	switch v := v.(type) {
	case value.Const:
		return value.GoValueOf(v, t), nil
	case value.Nil:
		return reflect.Zero(t), nil
	case *value.Slice:
		if t.Kind() != reflect.Slice {
			return reflect.Value{}, value.Because(c.At)
		}
		return c.elementsToGo(reflect.MakeSlice(t, len(v.Elems), len(v.Elems)), v.Elems)
	default:
		return reflect.Value{}, value.Because(c.At, v)
	}
}

func (c *Call) elementsToGo(to reflect.Value, cells []*value.Cell) (reflect.Value, *value.Unknown) {
	c.Work(len(cells))
	for i, cell := range cells {
		elem, unknown := c.toGo(cell.Load(), to.Type().Elem())
		if unknown != nil {
			return reflect.Value{}, unknown
		}
		to.Index(i).Set(elem)
	}
	return to, nil
}

// goResults turns the results of the function back into values of this program.
func (c *Call) goResults(results []reflect.Value) value.Value {
	if len(results) == 1 && results[0].Kind() == reflect.String { // of Fprint too, which returns a number
		return c.fromGo(results[0], types.Typ[types.String])
	}
	tuple := make(value.Tuple, len(results))
	declared := c.Fn.Obj.Signature().Results()
	for i, r := range results {
		tuple[i] = c.fromGo(r, declared.At(i).Type())
	}
	if len(tuple) == 1 {
		return tuple[0]
	}
	return tuple
}

// fromGo turns a result back into a value of type t.
func (c *Call) fromGo(r reflect.Value, t types.Type) value.Value {
	switch r.Kind() {
	case reflect.String:
		if r.Len() > value.MaxText {
			return value.UnknownAt(c.At.Pos(), "a string longer than those that are looked at")
		}
		c.Work(r.Len())
		return value.NewConst(constant.MakeString(r.String()), t)
	case reflect.Bool:
		return value.NewConst(constant.MakeBool(r.Bool()), t)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return value.NewConst(constant.MakeInt64(r.Int()), t)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return value.NewConst(constant.MakeUint64(r.Uint()), t)
	case reflect.Float32, reflect.Float64:
		f := constant.MakeFloat64(r.Float())
		if f.Kind() == constant.Unknown || r.Float() == 0 && math.Signbit(r.Float()) {
			return value.UnknownAt(c.At.Pos(), value.NoSuchConstant)
		}
		return value.NewConst(constant.ToFloat(f), t)
	case reflect.Slice:
		return c.sliceFromGo(r, t)
	case reflect.Interface: // an error
		if r.IsNil() {
			return value.Nil{Type: t}
		}
		return &value.Unknown{Reason: "the error of " + value.Source(c.At), Pos: c.At.Pos(), NonNil: true}
	}
	return value.UnknownResult(c.At)
}

func (c *Call) sliceFromGo(r reflect.Value, t types.Type) value.Value {
	if r.IsNil() {
		return value.Nil{Type: t}
	}
	s := &value.Slice{Type: t, Elems: make([]*value.Cell, r.Len())}
	for i := range s.Elems {
		s.Elems[i] = value.NewCell(c.fromGo(r.Index(i), value.SliceElem(t)))
	}
	return s
}

package model

import (
	"encoding/base32"
	"encoding/base64"
	"go/constant"
	"go/types"
	"reflect"
	"regexp"
	"time"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// hosted is a value of a type of the library whose parts the program can't see,
// such as a time.Time: it is one of this program. It is never changed.
type hosted struct {
	t types.Type
	v any
}

// DynamicType implements [value.Atom].
func (h *hosted) DynamicType() types.Type { return h.t }

// Held implements [value.Holder].
func (h *hosted) Held() []value.Value {
	if holder, ok := h.v.(interface{ Held() []value.Value }); ok {
		return holder.Held()
	}
	return nil
}

// Closed implements [value.Closed].
func (h *hosted) Closed() bool {
	shared, ok := h.v.(interface{ Closed() bool })
	return ok && shared.Closed()
}

// Retyped implements [value.Retypable].
func (h *hosted) Retyped(t types.Type) value.Value { return &hosted{t: t, v: h.v} }

// hostedAt returns what the receiver, a pointer, points to, and the variable that
// holds it: nil where that is no T of this program.
func hostedAt[T any](c *Call) (T, *value.Cell) {
	var none T
	p, ok := c.Fn.Recv.(value.Pointer)
	if !ok {
		return none, nil
	}
	h, ok := p.Load().(*hosted)
	if !ok {
		return none, nil
	}
	v, _ := h.v.(T)
	return v, p.To
}

// hostedIn returns a pointer of type t to a variable that hosts v.
func hostedIn(t types.Type, v any) value.Pointer {
	return value.Pointer{Type: t, To: value.NewCell(&hosted{t: value.Pointee(t), v: v})}
}

// setHosted makes the variable of [hostedAt] hold v.
func (c *Call) setHosted(cell *value.Cell, v any) {
	c.Set(cell, &hosted{t: cell.Load().(*hosted).t, v: v})
}

// hostedTypes are the types whose values are hosted. Of those by pointer, the
// variable that the pointer points to holds the pointer of this program.
var hostedTypes = map[reflect.Type]bool{
	reflect.TypeFor[time.Time]():        true,
	reflect.TypeFor[*time.Location]():   true,
	reflect.TypeFor[*regexp.Regexp]():   true,
	reflect.TypeFor[*base64.Encoding](): true,
	reflect.TypeFor[*base32.Encoding](): true,
	reflect.TypeFor[base64.Encoding]():  true,
	reflect.TypeFor[base32.Encoding]():  true,
	reflect.TypeFor[*replacer]():        true,
}

// goArguments turns values into those of this program, or returns the one that
// isn't known.
func (c *Call) goArguments(f reflect.Type, args []value.Value) ([]reflect.Value, *value.Unknown) {
	values := make([]reflect.Value, f.NumIn())
	if len(args) != len(values) {
		return nil, c.because(args...)
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
	if hostedTypes[t] {
		return c.hostedToGo(v, t)
	}
	switch v := v.(type) {
	case value.Const:
		if isBasicKind(t.Kind()) {
			return value.GoValueOf(v, t), nil
		}
	case value.Number:
		if isBasicKind(t.Kind()) {
			return v.GoValueOf(t), nil
		}
	case value.Nil:
		if k := t.Kind(); k == reflect.Slice || k == reflect.Func {
			return reflect.Zero(t), nil
		}
	case *value.Slice:
		if t.Kind() == reflect.Slice {
			return c.elementsToGo(reflect.MakeSlice(t, len(v.Elems), len(v.Elems)), v.Elems)
		}
	case *value.Array:
		if t.Kind() == reflect.Array {
			return c.elementsToGo(reflect.New(t).Elem(), v.Elems)
		}
	case *value.Func:
		if t.Kind() == reflect.Func {
			return c.callback(v, t), nil
		}
	}
	return reflect.Value{}, c.because(v)
}

func isBasicKind(k reflect.Kind) bool {
	return k >= reflect.Bool && k <= reflect.Complex128 || k == reflect.String
}

func (c *Call) hostedToGo(v value.Value, t reflect.Type) (reflect.Value, *value.Unknown) {
	if p, ok := v.(value.Pointer); ok && t.Kind() == reflect.Pointer {
		v = p.Load()
	}
	switch v := v.(type) {
	case *hosted:
		if reflect.TypeOf(v.v) == t {
			return reflect.ValueOf(v.v), nil
		}
		if r := reflect.ValueOf(v.v); r.Kind() == reflect.Pointer && r.Type().Elem() == t {
			return r.Elem(), nil
		}
	case *value.Struct:
		if t == reflect.TypeFor[time.Time]() && isZero(v) {
			return reflect.Zero(t), nil
		}
	}
	return reflect.Value{}, c.because(v)
}

// isZero reports whether every field of a struct is surely zero.
func isZero(s *value.Struct) bool {
	for _, cell := range s.Fields {
		switch v := cell.Load().(type) {
		case value.Nil:
		case value.Const:
			if v.Value.Kind() == constant.Int && constant.Sign(v.Value) == 0 {
				continue
			}
			return false
		default:
			return false
		}
	}
	return true
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

// callback returns a function of this program that calls one of the evaluated
// program.
func (c *Call) callback(fn *value.Func, t reflect.Type) reflect.Value {
	sig := fn.Type.Underlying().(*types.Signature)
	return reflect.MakeFunc(t, func(in []reflect.Value) []reflect.Value {
		args := make([]value.Value, len(in))
		for i, r := range in {
			args[i] = c.fromGo(r, sig.Params().At(i).Type())
		}
		result := c.called(fn, args)
		r, unknown := c.toGo(result, t.Out(0))
		if unknown != nil {
			panic(notKnown{unknown})
		}
		return []reflect.Value{r}
	})
}

// called calls a function of the evaluated program. What ends it passes through
// the function of this program that called it.
func (c *Call) called(fn value.Value, args []value.Value) value.Value {
	defer func() {
		if v := recover(); v != nil {
			panic(passing{v})
		}
	}()
	return c.Call(c.At, fn, args)
}

// goResults turns the results of the function back into values of the program.
func (c *Call) goResults(results []reflect.Value) value.Value {
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
	if hostedTypes[r.Type()] {
		return c.hostedFromGo(r, t)
	}
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
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return value.NewConst(constant.MakeUint64(r.Uint()), t)
	case reflect.Float32, reflect.Float64:
		return value.NewFloat(r.Float(), t)
	case reflect.Complex64, reflect.Complex128:
		return value.NewComplex(r.Complex(), t)
	case reflect.Slice:
		return c.sliceFromGo(r, t)
	case reflect.Array:
		a := &value.Array{Type: t, Elems: make([]*value.Cell, r.Len())}
		for i := range a.Elems {
			a.Elems[i] = value.NewCell(c.fromGo(r.Index(i), elemOf(t)))
		}
		return a
	case reflect.Interface: // an error
		if r.IsNil() {
			return value.Nil{Type: t}
		}
		err, _ := r.Interface().(error)
		return c.errorFromGo(err)
	}
	return value.UnknownResult(c.At)
}

func (c *Call) hostedFromGo(r reflect.Value, t types.Type) value.Value {
	if r.Kind() != reflect.Pointer {
		return &hosted{t: t, v: r.Interface()}
	}
	if r.IsNil() {
		return value.Nil{Type: t}
	}
	return hostedIn(t, r.Interface())
}

// sliceFromGo has the capacity of the slice, too.
func (c *Call) sliceFromGo(r reflect.Value, t types.Type) value.Value {
	if r.IsNil() {
		return value.Nil{Type: t}
	}
	if r.Cap() > value.MaxElements {
		return value.UnknownAt(c.At.Pos(), "a slice of more elements than are looked at")
	}
	n := r.Len()
	r = r.Slice3(0, r.Cap(), r.Cap())
	c.Work(r.Len())
	s := &value.Slice{Type: t, Elems: make([]*value.Cell, r.Len())}
	for i := range s.Elems {
		s.Elems[i] = value.NewCell(c.fromGo(r.Index(i), value.SliceElem(t)))
	}
	s.Elems = s.Elems[:n]
	return s
}

// elemOf returns the type of the elements of an array.
func elemOf(t types.Type) types.Type {
	if array := value.ArrayOf(t); array != nil {
		return array.Elem()
	}
	return types.Typ[types.Invalid]
}

package discover

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"reflect"
	"strings"
)

// library calls a pure function whose arguments are known.
func (in *interp) library(at ast.Expr, name string, callee *Func, args []Value) (result Value, ok bool) {
	fn, ok := pureFunctions[name]
	if !ok {
		return nil, false
	}
	if callee.Bound {
		args = append([]Value{callee.Recv}, args...)
	}
	f := reflect.ValueOf(fn)
	if name == "fmt.Sprintf" && len(args) == 2 {
		if args, ok = withTypeNames(args); !ok {
			return in.unknown(at.Pos(), "the result of "+source(at)), true
		}
	}
	values, unknown := in.goArguments(at, f.Type(), args)
	if unknown != nil {
		return in.unknownResults(f.Type(), unknown), true
	}
	defer func() {
		switch v := recover().(type) {
		case nil:
		case tooLong:
			result = in.unknownResults(f.Type(), in.unknown(at.Pos(), "a string longer than those that are looked at"))
		default:
			in.fail(at, fmt.Sprint(v))
		}
	}()
	var results []reflect.Value
	if f.Type().IsVariadic() {
		results = f.CallSlice(values)
	} else {
		results = f.Call(values)
	}
	if len(results) == 1 && results[0].Kind() == reflect.String { // of Fprint too, which returns a number
		return in.fromGo(at, results[0], types.Typ[types.String]), true
	}
	tuple := make(Tuple, len(results))
	declared := callee.Obj.Signature().Results()
	for i, r := range results {
		tuple[i] = in.fromGo(at, r, declared.At(i).Type())
	}
	if len(tuple) == 1 {
		return tuple[0], true
	}
	return tuple, true
}

func (in *interp) unknownResults(f reflect.Type, u *Unknown) Value {
	if f.NumOut() == 1 {
		return u
	}
	tuple := make(Tuple, f.NumOut())
	for i := range tuple {
		tuple[i] = u
	}
	return tuple
}

// goArguments turns values into those of this program, or returns the one that
// isn't known.
func (in *interp) goArguments(at ast.Expr, f reflect.Type, args []Value) ([]reflect.Value, *Unknown) {
	values := make([]reflect.Value, f.NumIn())
	if len(args) != len(values) {
		return nil, in.because(at, args...)
	}
	for i, v := range args {
		value, unknown := in.toGo(at, v, f.In(i))
		if unknown != nil {
			return nil, unknown
		}
		values[i] = value
	}
	return values, nil
}

func (in *interp) toGo(at ast.Expr, v Value, t reflect.Type) (reflect.Value, *Unknown) {
	if t.Kind() == reflect.Interface {
		return in.operand(at, v)
	}
	switch v := v.(type) {
	case Const:
		return constToGo(v, t), nil
	case Nil:
		return reflect.Zero(t), nil
	case *Slice:
		if t.Kind() != reflect.Slice {
			return reflect.Value{}, in.because(at)
		}
		return in.elementsToGo(at, reflect.MakeSlice(t, len(v.Elems), len(v.Elems)), v.Elems)
	default:
		return reflect.Value{}, in.because(at, v)
	}
}

func (in *interp) elementsToGo(at ast.Expr, to reflect.Value, cells []*Cell) (reflect.Value, *Unknown) {
	in.work(len(cells))
	for i, cell := range cells {
		elem, unknown := in.toGo(at, cell.v, to.Type().Elem())
		if unknown != nil {
			return reflect.Value{}, unknown
		}
		to.Index(i).Set(elem)
	}
	return to, nil
}

func constToGo(c Const, t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.String:
		v.SetString(constant.StringVal(c.Value))
	case reflect.Bool:
		v.SetBool(constant.BoolVal(c.Value))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n, _ := constant.Int64Val(constant.ToInt(c.Value))
		v.SetInt(n)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		n, _ := constant.Uint64Val(constant.ToInt(c.Value))
		v.SetUint(n)
	case reflect.Float32, reflect.Float64:
		f, _ := constant.Float64Val(constant.ToFloat(c.Value))
		v.SetFloat(f)
	}
	return v
}

// operand is an argument of the fmt functions, as they see it.
func (in *interp) operand(at ast.Expr, v Value) (reflect.Value, *Unknown) {
	if method, promoted := stringer(typeOf(v)); promoted {
		return reflect.Value{}, in.because(at)
	} else if method != nil {
		return in.formatted(at, v, method)
	}
	switch v := v.(type) {
	case Const:
		plain, ok := plainOperand(v)
		if !ok {
			return reflect.Value{}, in.because(at)
		}
		return reflect.ValueOf(plain), nil
	case Nil:
		if types.IsInterface(v.Type) || isUntyped(v.Type) {
			return reflect.Zero(reflect.TypeFor[any]()), nil
		}
		if t := elementKind(v.Type); t != nil {
			return reflect.Zero(reflect.SliceOf(t)), nil
		}
	case *Slice:
		if t := elementKind(v.Type); t != nil {
			return in.elementsToGo(at, reflect.MakeSlice(reflect.SliceOf(t), len(v.Elems), len(v.Elems)), v.Elems)
		}
	case *Array:
		if t := elementKind(v.Type); t != nil {
			return in.elementsToGo(at, reflect.New(reflect.ArrayOf(len(v.Elems), t)).Elem(), v.Elems)
		}
	}
	return reflect.Value{}, in.because(at, v)
}

// elementKind returns what stands for the elements of a slice or array type
// when it is printed: elements with methods of their own print by them.
func elementKind(t types.Type) reflect.Type {
	var elem types.Type
	switch t := t.Underlying().(type) {
	case *types.Slice:
		elem = t.Elem()
	case *types.Array:
		elem = t.Elem()
	default:
		return nil
	}
	basic, ok := elem.Underlying().(*types.Basic)
	if method, _ := stringer(elem); !ok || method != nil {
		return reflect.TypeFor[any]()
	}
	return basicTypes[basic.Kind()]
}

// formatted is an operand whose type has a String or Error method, which is
// what most verbs print.
func (in *interp) formatted(at ast.Expr, v Value, method *types.Func) (reflect.Value, *Unknown) {
	recv := v
	if p, ok := v.(Pointer); ok {
		if _, wantsPointer := types.Unalias(method.Signature().Recv().Type()).(*types.Pointer); !wantsPointer {
			recv = in.copied(p.To.v)
		}
	}
	result := in.call(at, &Func{Obj: method, Type: method.Type(), Recv: recv, Bound: true, TArgs: receiverArgs(recv, typeOf(v), method)}, nil)
	text, ok := result.(Const)
	if !ok || text.Value.Kind() != constant.String {
		return reflect.Value{}, in.because(at, result)
	}
	var plain any
	if c, ok := v.(Const); ok {
		plain, _ = plainOperand(c)
	}
	return reflect.ValueOf(formatted{plain: plain, text: constant.StringVal(text.Value)}), nil
}

// stringer returns the method by which fmt prints a value of type t, and whether
// it is that of an embedded field.
func stringer(t types.Type) (method *types.Func, promoted bool) {
	if t == nil || namedOf(t) == nil {
		return nil, false
	}
	for _, name := range []string{"Error", "String"} {
		obj, index, _ := types.LookupFieldOrMethod(t, false, nil, name)
		if method, ok := obj.(*types.Func); ok && !types.IsInterface(t) && method.Signature().Params().Len() == 0 && method.Signature().Results().Len() == 1 {
			return method, len(index) > 1
		}
	}
	return nil, false
}

// formatted prints as a value with a String method does.
type formatted struct {
	plain any
	text  string
}

// Format implements fmt.Formatter.
func (f formatted) Format(state fmt.State, verb rune) {
	if strings.ContainsRune("vsxXq", verb) && !state.Flag('#') {
		fmt.Fprintf(state, fmt.FormatString(state, verb), f.text)
		return
	}
	fmt.Fprintf(state, fmt.FormatString(state, verb), f.plain)
}

// plainOperand returns the constant as the basic type that its type is made of.
func plainOperand(c Const) (any, bool) {
	basic, ok := c.Type.Underlying().(*types.Basic)
	if !ok {
		return nil, false
	}
	t, ok := basicTypes[types.Default(basic).(*types.Basic).Kind()]
	if !ok {
		return nil, false
	}
	return constToGo(c, t).Interface(), true
}

var basicTypes = map[types.BasicKind]reflect.Type{
	types.Bool: reflect.TypeFor[bool](), types.String: reflect.TypeFor[string](),
	types.Int: reflect.TypeFor[int](), types.Int8: reflect.TypeFor[int8](), types.Int16: reflect.TypeFor[int16](),
	types.Int32: reflect.TypeFor[int32](), types.Int64: reflect.TypeFor[int64](),
	types.Uint: reflect.TypeFor[uint](), types.Uint8: reflect.TypeFor[uint8](), types.Uint16: reflect.TypeFor[uint16](),
	types.Uint32: reflect.TypeFor[uint32](), types.Uint64: reflect.TypeFor[uint64](),
	types.Float32: reflect.TypeFor[float32](), types.Float64: reflect.TypeFor[float64](),
}

// fromGo turns a result back into a value of type t.
func (in *interp) fromGo(at ast.Expr, r reflect.Value, t types.Type) Value {
	switch r.Kind() {
	case reflect.String:
		if r.Len() > maxText {
			return in.unknown(at.Pos(), "a string longer than those that are looked at")
		}
		in.work(r.Len())
		return constOf(constant.MakeString(r.String()), t)
	case reflect.Bool:
		return constOf(constant.MakeBool(r.Bool()), t)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return constOf(constant.MakeInt64(r.Int()), t)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return constOf(constant.MakeUint64(r.Uint()), t)
	case reflect.Float32, reflect.Float64:
		if value := constant.MakeFloat64(r.Float()); value.Kind() != constant.Unknown {
			return constOf(constant.ToFloat(value), t)
		}
	case reflect.Slice:
		return in.sliceFromGo(at, r, t)
	case reflect.Interface: // an error
		if r.IsNil() {
			return Nil{Type: t}
		}
		return &Unknown{Reason: "the error of " + source(at), Pos: at.Pos(), NonNil: true}
	}
	return in.unknown(at.Pos(), "the result of "+source(at))
}

func (in *interp) sliceFromGo(at ast.Expr, r reflect.Value, t types.Type) Value {
	if r.IsNil() {
		return Nil{Type: t}
	}
	s := &Slice{Type: t, Elems: make([]*Cell, r.Len())}
	for i := range s.Elems {
		s.Elems[i] = newCell(in.fromGo(at, r.Index(i), elemType(t)))
	}
	return s
}

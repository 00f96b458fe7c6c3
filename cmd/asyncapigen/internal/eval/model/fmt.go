package model

import (
	"fmt"
	"go/constant"
	"go/types"
	"reflect"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// operand is an argument of the fmt functions, as they see it.
func (c *Call) operand(v value.Value) (reflect.Value, *value.Unknown) {
	if method, promoted := stringer(value.TypeOf(v)); promoted {
		return reflect.Value{}, value.Because(c.At)
	} else if method != nil {
		return c.formatted(v, method)
	}
	switch v := v.(type) {
	case value.Const:
		plain, ok := value.GoValue(v)
		if !ok {
			return reflect.Value{}, value.Because(c.At)
		}
		return reflect.ValueOf(plain), nil
	case value.Nil:
		if types.IsInterface(v.Type) || value.IsUntyped(v.Type) {
			return reflect.Zero(reflect.TypeFor[any]()), nil
		}
		if t := elementKind(v.Type); t != nil {
			return reflect.Zero(reflect.SliceOf(t)), nil
		}
	case *value.Slice:
		if t := elementKind(v.Type); t != nil {
			return c.elementsToGo(reflect.MakeSlice(reflect.SliceOf(t), len(v.Elems), len(v.Elems)), v.Elems)
		}
	case *value.Array:
		if t := elementKind(v.Type); t != nil {
			return c.elementsToGo(reflect.New(reflect.ArrayOf(len(v.Elems), t)).Elem(), v.Elems)
		}
	}
	return reflect.Value{}, value.Because(c.At, v)
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
	return value.GoTypes[basic.Kind()]
}

// formatted is an operand whose type has a String or Error method, which is
// what most verbs print.
func (c *Call) formatted(v value.Value, method *types.Func) (reflect.Value, *value.Unknown) {
	recv := v
	if p, ok := v.(value.Pointer); ok {
		if _, wantsPointer := types.Unalias(method.Signature().Recv().Type()).(*types.Pointer); !wantsPointer {
			recv = c.Copied(p.To.Load())
		}
	}
	result := c.Call(c.At, &value.Func{Obj: method, Type: method.Type(), Recv: recv, Bound: true, TArgs: value.ReceiverArgs(recv, value.TypeOf(v), method)}, nil)
	text, ok := result.(value.Const)
	if !ok || text.Value.Kind() != constant.String {
		return reflect.Value{}, value.Because(c.At, result)
	}
	var plain any
	if c, ok := v.(value.Const); ok {
		plain, _ = value.GoValue(c)
	}
	return reflect.ValueOf(formatted{plain: plain, text: constant.StringVal(text.Value)}), nil
}

// stringer returns the method by which fmt prints a value of type t, and whether
// it is that of an embedded field.
func stringer(t types.Type) (method *types.Func, promoted bool) {
	if t == nil || value.NamedOf(t) == nil {
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

// withTypeNames writes the names of types into a format in place of the verb
// %T, and drops its operands. It reports false for what it doesn't follow.
func withTypeNames(args []value.Value) ([]value.Value, bool) {
	format, known := value.TextOf(args[0])
	list, isSlice := args[1].(*value.Slice)
	if !known || !isSlice || !strings.Contains(format, "T") {
		return args, true
	}
	var text strings.Builder
	operands := list.Elems
	kept := &value.Slice{Type: list.Type}
	for {
		before, rest, found := strings.Cut(format, "%")
		text.WriteString(before)
		if !found {
			kept.Elems = append(kept.Elems, operands...)
			return []value.Value{value.NewConst(constant.MakeString(text.String()), types.Typ[types.String]), kept}, true
		}
		n := len(rest) - len(strings.TrimLeft(rest, "+-# 0123456789."))
		switch {
		case n == len(rest) || rest[n] == '[' || rest[n] == '*' || rest[n] != '%' && len(operands) == 0:
			return nil, false
		case rest[n] == '%':
			text.WriteString("%" + rest[:n+1])
		case rest[n] == 'T':
			t := value.TypeOf(operands[0].Load())
			if t == nil || n > 0 {
				return nil, false
			}
			name, ok := reflectName(t)
			if !ok {
				return nil, false
			}
			text.WriteString(name)
			operands = operands[1:]
		default:
			text.WriteString("%" + rest[:n+1])
			kept.Elems = append(kept.Elems, operands[0])
			operands = operands[1:]
		}
		format = rest[n+1:]
	}
}

// sprintf is the model of fmt.Sprintf.
func sprintf(c *Call) (value.Value, bool) {
	args := c.Args
	if len(args) == 2 {
		var ok bool
		if args, ok = withTypeNames(args); !ok {
			return value.UnknownResult(c.At), true
		}
	}
	return c.callGo(reflect.ValueOf(boundedSprintf), args), true
}

// fprint is the model of fmt.Fprint, Fprintf and Fprintln, for a writer that collects
// text; sprint makes the text.
func fprint(sprint any) Function {
	return func(c *Call) (value.Value, bool) {
		if len(c.Args) < 2 {
			return nil, false
		}
		buf := bufferOf(c.Args[0])
		if buf == nil {
			return nil, false
		}
		c.appendText(buf, c.callGo(reflect.ValueOf(sprint), c.Args[1:]))
		return value.Tuple{value.UnknownAt(c.At.Pos(), "the number of bytes written"), noError()}, true
	}
}

package model

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// atomicVariable returns the variable that a function or method of package
// sync/atomic works on, its type, and the other arguments; nil where it isn't
// known.
func (c *Call) atomicVariable() (*value.Cell, []value.Value) {
	if !c.Fn.Bound {
		p, ok := c.Args[0].(value.Pointer)
		if !ok {
			return nil, nil
		}
		return p.To, c.Args[1:]
	}
	s := pointedStruct(c.Fn.Recv)
	if s == nil {
		return nil, nil
	}
	return fieldNamed(s, "v"), c.Args
}

// atomically is the model of a function of package sync/atomic. Package function
// takes the variable, what it holds as the program sees it, and the arguments.
func atomically(do func(c *Call, cell *value.Cell, held value.Value, args []value.Value) value.Value) Function {
	return func(c *Call) (value.Value, bool) {
		recv := c.Fn.Recv
		if !c.Fn.Bound {
			recv = c.Args[0]
		}
		if value.IsNil(recv) {
			c.Fail(c.At, NilDereference)
		}
		cell, args := c.atomicVariable()
		if cell == nil {
			return nil, false
		}
		held := cell.Load()
		if n, isNil := held.(value.Nil); isNil && types.Identical(n.Type, types.Typ[types.UnsafePointer]) {
			held = value.Nil{Type: c.heldType()} // an atomic.Pointer's
		}
		if !c.Fn.Bound {
			return c.asPointed(cell, held, func(held value.Value) value.Value { return do(c, cell, held, args) }), true
		}
		return do(c, cell, held, args), true
	}
}

// asPointed runs f with what a variable holds as the type says of the pointer to it, which may be a
// converted one. What the variable holds then keeps the type that it had.
func (c *Call) asPointed(cell *value.Cell, held value.Value, f func(held value.Value) value.Value) value.Value {
	number, isNumber := held.(value.Const)
	elem := value.Pointee(c.Fn.Obj.Signature().Params().At(0).Type())
	if !isNumber || elem == nil || value.HasTypeParam(elem) || value.SameType(number.Type, elem) {
		return f(held)
	}
	result := f(value.Retyped(held, elem))
	if now := cell.Load(); !value.IsUnknown(now) {
		c.Set(cell, value.Retyped(now, number.Type))
	}
	return result
}

// heldType is the type of what an atomic.Pointer holds.
func (c *Call) heldType() types.Type {
	sig := c.Fn.Type.Underlying().(*types.Signature)
	for _, tuple := range []*types.Tuple{sig.Results(), sig.Params()} {
		for v := range tuple.Variables() {
			if !value.IsBasic(v.Type(), types.IsBoolean) {
				return v.Type()
			}
		}
	}
	return anyType
}

var (
	atomicLoad = atomically(func(_ *Call, _ *value.Cell, held value.Value, _ []value.Value) value.Value { return held })

	atomicStore = atomically(func(c *Call, cell *value.Cell, _ value.Value, args []value.Value) value.Value {
		c.Set(cell, args[0])
		return value.Tuple{}
	})

	atomicSwap = atomically(func(c *Call, cell *value.Cell, held value.Value, args []value.Value) value.Value {
		c.Set(cell, args[0])
		return held
	})

	atomicCompareAndSwap = atomically(func(c *Call, cell *value.Cell, held value.Value, args []value.Value) value.Value {
		switch c.compare(held, args[0]) {
		case value.Yes:
			c.Set(cell, args[1])
			return boolean(true)
		case value.No:
			return boolean(false)
		default:
			c.Set(cell, c.because(held, args[0], args[1]))
			return c.because(held, args[0])
		}
	})
)

// atomicNumber is the model of Add, And and Or, which differ in what they
// return.
func atomicNumber(op token.Token, result func(before, after value.Value) value.Value) Function {
	return atomically(func(c *Call, cell *value.Cell, held value.Value, args []value.Value) value.Value {
		x, ok1 := held.(value.Const)
		y, ok2 := args[0].(value.Const)
		if !ok1 || !ok2 {
			why := c.because(held, args[0])
			c.Set(cell, why)
			return result(held, why)
		}
		after := value.Convert(c.At, value.NewConst(constant.BinaryOp(x.Value, op, y.Value), x.Type), x.Type)
		c.Set(cell, after)
		return result(held, after)
	})
}

func before(before, _ value.Value) value.Value { return before }
func after(_, after value.Value) value.Value   { return after }

// atomicBool is the model of a method of atomic.Bool, whose variable is a
// number: the program's booleans are turned into 0 and 1, and back.
func atomicBool(method Function) Function {
	return func(c *Call) (value.Value, bool) {
		numbered := *c
		numbered.Args = nil
		for _, v := range c.Args {
			numbered.Args = append(numbered.Args, boolNumber(v))
		}
		result, ok := method(&numbered)
		if n, isConst := result.(value.Const); isConst && n.Value.Kind() == constant.Int {
			return boolean(constant.Sign(n.Value) != 0), ok
		}
		return result, ok
	}
}

func boolNumber(v value.Value) value.Value {
	holds, known := value.Truth(v)
	if !known {
		return v
	}
	n := int64(0)
	if holds {
		n = 1
	}
	return value.NewConst(constant.MakeInt64(n), types.Typ[types.Uint32])
}

// atomicValue is the model of a method of atomic.Value that takes a value: nil,
// and one of another type than before, make it panic.
func atomicValue(method Function) Function {
	return func(c *Call) (value.Value, bool) {
		cell, args := c.atomicVariable()
		if cell == nil {
			return nil, false
		}
		v := args[len(args)-1]
		done := map[string]string{"Store": "store", "Swap": "swap", "CompareAndSwap": "compare and swap"}[c.Fn.Obj.Name()]
		if isNilInterface(v) {
			c.panics("sync/atomic: " + done + " of nil value into Value")
		}
		held, next := value.TypeOf(cell.Load()), value.TypeOf(v)
		if len(args) == 2 && !isNilInterface(args[0]) && next != nil && value.HasType(args[0], next) == value.No {
			c.panics("sync/atomic: compare and swap of inconsistently typed values")
		}
		if !isNilInterface(cell.Load()) && held != nil && next != nil && value.HasType(v, held) == value.No {
			c.panics("sync/atomic: " + done + " of inconsistently typed value into Value")
		}
		if slices.ContainsFunc(args, value.IsUnknown) || value.IsUnknown(cell.Load()) {
			c.Risk(c.At)
		}
		return method(c)
	}
}

// atomics are the functions and methods of package sync/atomic.
func atomics() map[string]any {
	all := make(map[string]any)
	for _, t := range []string{"Int32", "Int64", "Uint32", "Uint64", "Uintptr"} {
		for name, f := range map[string]Function{
			"Load": atomicLoad, "Store": atomicStore, "Swap": atomicSwap, "CompareAndSwap": atomicCompareAndSwap,
			"Add": atomicNumber(token.ADD, after), "And": atomicNumber(token.AND, before), "Or": atomicNumber(token.OR, before),
		} {
			all["(*sync/atomic."+t+")."+name] = f
			all["sync/atomic."+name+t] = f
		}
	}
	for name, f := range map[string]Function{
		"Load": atomicLoad, "Store": atomicStore, "Swap": atomicSwap, "CompareAndSwap": atomicCompareAndSwap,
	} {
		all["(*sync/atomic.Bool)."+name] = atomicBool(f)
		all["(*sync/atomic.Pointer[T])."+name] = f
		all["(*sync/atomic.Value)."+name] = atomicValue(f)
	}
	all["(*sync/atomic.Value).Load"] = atomicLoad
	return all
}

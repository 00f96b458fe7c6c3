package model

import (
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// A onceFunc is what sync.OnceFunc, OnceValue and OnceValues make of a function.
type onceFunc struct {
	f      value.Value
	begun  *value.Cell // a boolean
	ended  *value.Cell // whether it has returned
	result *value.Cell // what it has returned, or the value of its panic
}

// onceFunction is the model of sync.OnceFunc, OnceValue and OnceValues.
func onceFunction(c *Call) (value.Value, bool) {
	t := c.Fn.Type.Underlying().(*types.Signature).Results().At(0).Type()
	o := onceFunc{c.Args[0], value.NewCell(boolean(false)), value.NewCell(boolean(false)), value.NewCell(value.Nil{})}
	return &value.Func{Type: t, Native: func([]value.Value) value.Value { return o.call(c) }, Bound: true, Recv: o.held()}, true
}

// held returns what a call of the function leads to.
func (o onceFunc) held() value.Value {
	boolean, result := types.NewPointer(types.Typ[types.Bool]), types.NewPointer(types.NewInterfaceType(nil, nil))
	return value.Tuple{o.f, value.Pointer{Type: boolean, To: o.begun}, value.Pointer{Type: boolean, To: o.ended}, value.Pointer{Type: result, To: o.result}}
}

// call returns what the function returned when it was called first, or panics as it
// did then.
func (o onceFunc) call(c *Call) value.Value {
	begun, known := value.Truth(o.begun.Load())
	if !known {
		why := value.Because(c.At, o.begun.Load())
		c.Set(o.begun, why)
		c.Expose(c.At, []value.Value{o.f}, why)
		return why
	}
	if !begun {
		c.Set(o.begun, boolean(true))
		panicked, ended := c.Recovered(func() { c.Set(o.result, c.Call(c.At, o.f, nil)) })
		switch ended {
		case value.Yes:
			c.Set(o.ended, boolean(true))
		case value.Perhaps:
			c.Set(o.ended, c.because(o.f))
			c.Set(o.result, c.because(o.f, o.result.Load()))
		default:
			if panicked == nil { // it ended its goroutine
				panicked = NilPanicError()
			}
			c.Set(o.result, panicked)
		}
	}
	switch ended, known := value.Truth(o.ended.Load()); {
	case !known:
		c.Risk(c.At)
	case !ended:
		c.Panic(c.At, o.result.Load())
	}
	return o.result.Load()
}

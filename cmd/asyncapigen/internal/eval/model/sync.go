package model

import (
	"go/constant"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// onceDo is the model of sync.Once: it runs the function the first time.
func onceDo(c *Call) (value.Value, bool) {
	p, ok := c.Fn.Recv.(value.Pointer)
	if !ok || len(c.Args) != 1 {
		return value.Tuple{}, true
	}
	once, ok := p.To.Load().(*value.Struct)
	if !ok || len(once.Fields) == 0 {
		c.Expose(c.At, c.Args, value.UnknownAt(c.At.Pos(), "the sync.Once"))
		return value.Tuple{}, true
	}
	// The first field says that it has run, though not as package sync writes it.
	holds, known := value.Truth(once.Fields[0].Load())
	if known && holds {
		return value.Tuple{}, true
	}
	if u := firstUnknown(once); u != nil {
		c.Expose(c.At, c.Args, u) // it may have run
		return value.Tuple{}, true
	}
	c.Set(once.Fields[0], value.NewConst(constant.MakeBool(true), types.Typ[types.Bool]))
	c.Call(c.At, c.Args[0], nil)
	return value.Tuple{}, true
}

// onceFunction is the model of sync.OnceFunc, OnceValue and OnceValues: a function that
// remembers the result of its first call.
func onceFunction(c *Call) (value.Value, bool) {
	f := c.Args[0]
	t := c.Fn.Obj.Signature().Results().At(0).Type()
	if sig, ok := c.Fn.Type.Underlying().(*types.Signature); ok {
		t = sig.Results().At(0).Type()
	}
	result := value.NewCell(nil)
	return &value.Func{Type: t, Native: func([]value.Value) value.Value {
		if result.Load() == nil {
			c.Set(result, c.Call(c.At, f, nil))
		}
		return result.Load()
	}}, true
}

// waitGroupGo is the model of sync.WaitGroup's Go: the function runs at once.
func waitGroupGo(c *Call) (value.Value, bool) {
	c.Survives(func() { c.Call(c.At, c.Args[0], nil) })
	return value.Tuple{}, true
}

// firstUnknown returns a part of a value that isn't known, nil where all is.
func firstUnknown(v value.Value) (first *value.Unknown) {
	w := value.Walk{Visit: func(_ *value.Cell, v value.Value) {
		if u, ok := v.(*value.Unknown); ok && first == nil {
			first = u
		}
	}}
	w.All([]value.Value{v})
	return first
}

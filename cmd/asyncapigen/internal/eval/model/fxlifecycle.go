package model

import (
	"go/types"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// fxHook is the model of StartHook and its like.
func fxHook(names ...string) Function {
	return func(c *Call) (value.Value, bool) {
		hook := c.Zero(c.Fn.Obj.Signature().Results().At(0).Type()).(*value.Struct)
		u := hook.Type.Underlying().(*types.Struct)
		for i, name := range names {
			given := c.Args[i]
			if fn, ok := given.(*value.Func); ok {
				given = c.asHook(fn, u.Field(value.FieldIndex(u, name)).Type())
			}
			c.Set(fieldNamed(hook, name), given)
		}
		return hook, true
	}
}

// asHook returns a function that takes a context and returns an error, made of one that may leave
// out both.
func (c *Call) asHook(fn *value.Func, t types.Type) *value.Func {
	sig, ok := fn.Type.Underlying().(*types.Signature)
	if !ok {
		return fn
	}
	return &value.Func{Type: t, Bound: true, Recv: fn, Native: func(args []value.Value) value.Value {
		return c.errorOfHook(fn, args[:sig.Params().Len()])
	}}
}

// errorOfHook calls the function of a hook and returns its error, none where it has no result.
func (c *Call) errorOfHook(fn *value.Func, args []value.Value) value.Value {
	result := c.Kept(c.At, fn, args)
	if fn.Type.Underlying().(*types.Signature).Results().Len() == 0 {
		return noError()
	}
	return result
}

// lifecycle is what hooks are appended to.
type lifecycle struct {
	of  *container
	typ types.Type
}

// DynamicType implements [value.Atom].
func (l lifecycle) DynamicType() types.Type { return l.typ }

func fxAppend(c *Call) (value.Value, bool) {
	l, ok := c.Fn.Recv.(lifecycle)
	if !ok {
		return nil, false
	}
	extend(c, l.of.hooks, nil, c.Args[0])
	return value.Tuple{}, true
}

// fxStart is the model of Start.
func fxStart(c *Call) (value.Value, bool) {
	d, ok := c.Fn.Recv.(*container)
	if !ok {
		return nil, false
	}
	c.Lend(c.At, c.Args, value.UnknownResult(c.At))
	l := fxLife{c, d, c.Args[0], onlyError}
	return l.goroutine(func() []value.Value {
		if _, ok := c.Try(c.At, func() value.Value { return fxError(c, d) }, onlyError); !ok {
			return onlyError(c.errorOfFailure())
		}
		return l.start()
	}), true
}

// fxStop is the model of Stop.
func fxStop(c *Call) (value.Value, bool) {
	d, ok := c.Fn.Recv.(*container)
	if !ok {
		return nil, false
	}
	c.Lend(c.At, c.Args, value.UnknownResult(c.At))
	l := fxLife{c, d, c.Args[0], onlyError}
	return l.goroutine(l.stop), true
}

// fxRun is the model of Run: the process ends where a constructor or a hook fails.
func fxRun(c *Call) (value.Value, bool) {
	d, ok := c.Fn.Recv.(*container)
	if !ok {
		return nil, false
	}
	if held := d.held.Load(); !value.IsNil(held) && !value.IsUnknown(held) {
		c.Excuse(held)
	}
	l := fxLife{c, d, nil, func(err value.Value) []value.Value {
		if !value.IsNilInterface(err) {
			c.Exit()
		}
		return nil
	}}
	return l.goroutine(func() []value.Value {
		if !value.IsNil(d.err.Load()) {
			c.Exit()
		}
		l.start()
		return l.stop()
	}), true
}

// fxLife starts and stops an application.
type fxLife struct {
	*Call
	of  *container
	ctx value.Value // what the hooks get, nil for a context that isn't over

	// end gives the results for an error, or for none.
	end func(err value.Value) []value.Value
}

// goroutine runs f as fx runs hooks, in a goroutine that it waits for: nobody recovers from
// its panics.
func (l *fxLife) goroutine(f func() []value.Value) value.Value {
	crash := func(value.Value) []value.Value {
		l.Exit()
		return nil
	}
	return l.Function(l.At, l.Fn.Obj.Signature().Results(), crash, f)
}

// start calls the OnStart of the hooks, up to one that fails. Where one does, those before it
// are stopped.
func (l *fxLife) start() []value.Value {
	hooks, known := elements(l.of.hooks.Load())
	switch {
	case !known:
		l.Lost(l.At, value.Because(l.At, l.of.hooks.Load()), "append the hooks in every case")
		return l.end(noError())
	case !value.IsNil(l.of.started.Load()):
		l.Lost(l.At, value.UnknownAt(l.At.Pos(), "an application that was started before"), "start it once")
		return l.end(noError())
	}
	for i, hook := range hooks {
		failed := func(err value.Value) []value.Value { return l.rollBack(hooks[:i], err) }
		if err, ok := l.notOver(failed); !ok {
			return failed(err)
		}
		if err, ok := l.hook(hook, "OnStart", failed); !ok {
			return failed(err)
		}
	}
	l.Set(l.of.started, integer(len(hooks)))
	return l.finish(noError())
}

// rollBack stops hooks that were started, after an error.
func (l *fxLife) rollBack(hooks []value.Value, err value.Value) []value.Value {
	l.Set(l.of.started, value.Nil{})
	back := *l
	back.end = func(another value.Value) []value.Value { return l.finish(l.both(err, another)) }
	return back.stopAll(hooks, noError())
}

// stop calls the OnStop of the hooks that were started.
func (l *fxLife) stop() []value.Value {
	hooks, _ := elements(l.of.hooks.Load())
	n, known := value.IntOf(l.of.started.Load())
	if value.IsUnknown(l.of.started.Load()) {
		l.Lost(l.At, value.Because(l.At, l.of.started.Load()), "start the application in every case")
	}
	if !known {
		return l.finish(noError())
	}
	l.Set(l.of.started, value.Nil{})
	return l.stopAll(hooks[:min(n, len(hooks))], noError())
}

// stopAll calls the OnStop of hooks, the last one first, also where one fails. Others may have
// failed before, by err.
func (l *fxLife) stopAll(hooks []value.Value, err value.Value) []value.Value {
	for i, hook := range slices.Backward(hooks) {
		if over, ok := l.notOver(l.end); !ok {
			return l.end(over)
		}
		another, _ := l.hook(hook, "OnStop", func(another value.Value) []value.Value {
			return l.stopAll(hooks[:i], l.both(err, another))
		})
		err = l.both(err, another)
	}
	return l.finish(err)
}

// finish returns the results for an error, or for none: if the context is over, that is told.
func (l *fxLife) finish(err value.Value) []value.Value {
	if over, ok := l.notOver(l.end); !ok {
		return l.end(over)
	}
	return l.end(err)
}

// both returns what stands for two errors, or for the one that is one.
func (l *fxLife) both(err, another value.Value) value.Value {
	switch {
	case value.IsNilInterface(err):
		return another
	case value.IsNilInterface(another):
		return err
	default:
		return l.errorOfCall(err, another)
	}
}

// notOver reports whether the context surely isn't over, and else returns its error. Where it
// may be, the call may as well end by otherwise.
func (l *fxLife) notOver(otherwise func(err value.Value) []value.Value) (value.Value, bool) {
	if l.ctx == nil {
		return noError(), true
	}
	result, ok := l.Try(l.At, func() value.Value {
		if method := l.Method(l.At, l.ctx, "Err"); method != nil {
			return l.Call.Call(l.At, method, nil)
		}
		return l.because(l.ctx)
	}, otherwise)
	if !ok {
		return ErrorOf(result), false
	}
	return noError(), true
}

// hook calls a function of a hook and reports whether it doesn't surely fail: else it returns
// the error. Where it may, the call may as well end by otherwise.
func (l *fxLife) hook(hook value.Value, name string, otherwise func(err value.Value) []value.Value) (value.Value, bool) {
	const remedy = "append hooks that the code determines"
	s := pointedStruct(hook)
	if s == nil {
		l.Lost(l.At, value.Because(l.At, hook), remedy)
		return noError(), true
	}
	of := loaded(s, name)
	if value.IsNil(of) {
		return noError(), true
	}
	fn, ok := of.(*value.Func)
	if !ok {
		l.Lost(l.At, value.Because(l.At, of), remedy)
		return noError(), true
	}
	var args []value.Value
	if fn.Type.Underlying().(*types.Signature).Params().Len() == 1 {
		ctx := &value.Unknown{Reason: "the context of the " + strings.ToLower(strings.TrimPrefix(name, "On")), Pos: l.At.Pos(), NonNil: true}
		args = append(args, ctx.Of(l.ctx))
	}
	result, ok := l.try(fn, args, otherwise)
	if !ok {
		return ErrorOf(result), false
	}
	return noError(), true
}

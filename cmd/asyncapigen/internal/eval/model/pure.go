package model

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// pure is the model of a function whose results depend on its arguments alone.
// Where these are known, f is called for real. The receiver of a method is its
// first argument.
func pure(f any) Function {
	return func(c *Call) (value.Value, bool) {
		args := c.Args
		if c.Fn.Bound {
			args = append([]value.Value{c.Fn.Recv}, args...)
		}
		return c.callGo(reflect.ValueOf(f), args), true
	}
}

// callGo calls f, which panics where the evaluated program would.
func (c *Call) callGo(f reflect.Value, args []value.Value) (result value.Value) {
	values, why := c.goArguments(f.Type(), args)
	if why != nil {
		return unknownResults(f.Type(), why)
	}
	defer func() {
		switch v := recover().(type) {
		case nil:
		case tooLong:
			result = unknownResults(f.Type(), value.UnknownAt(c.At.Pos(), "a string longer than those that are looked at"))
		default:
			c.Fail(c.At, fmt.Sprint(v))
		}
	}()
	if f.Type().IsVariadic() {
		return c.goResults(f.CallSlice(values))
	}
	return c.goResults(f.Call(values))
}

func unknownResults(f reflect.Type, u *value.Unknown) value.Value {
	if f.NumOut() == 1 {
		return u
	}
	tuple := make(value.Tuple, f.NumOut())
	for i := range tuple {
		tuple[i] = u
	}
	return tuple
}

// tooLong is the panic of a function whose result would be longer than the
// strings that are looked at.
type tooLong struct{}

// The functions whose results can be far longer than their arguments are called
// within reason.

func boundedRepeat(s string, n int) string {
	if n < 0 || len(s) > 0 && n > value.MaxText/len(s) {
		panic(tooLong{})
	}
	return strings.Repeat(s, n)
}

func boundedReplaceAll(s, old, with string) string { return boundedReplace(s, old, with, -1) }

func boundedReplace(s, old, with string, n int) string {
	if strings.Count(s, old)*len(with) > 2*value.MaxText {
		panic(tooLong{})
	}
	return strings.Replace(s, old, with, n)
}

func boundedJoin(parts []string, separator string) string {
	n := len(parts) * len(separator)
	for _, part := range parts {
		n += len(part)
	}
	if n > 2*value.MaxText {
		panic(tooLong{})
	}
	return strings.Join(parts, separator)
}

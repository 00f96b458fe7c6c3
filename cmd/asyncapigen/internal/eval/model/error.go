package model

import (
	"go/constant"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// newError is the model of functions that make an error, which isn't known but
// surely isn't nil.
func newError(c *Call) (value.Value, bool) {
	return &value.Unknown{Reason: "the error " + value.Source(c.At), Pos: c.At.Pos(), NonNil: true}, true
}

// errorMatches is the model of errors.Is and As, for an error that isn't known:
// it is taken to be nil.
func errorMatches(c *Call) (value.Value, bool) {
	u, isUnknown := c.Args[0].(*value.Unknown)
	if !value.IsNil(c.Args[0]) && (!isUnknown || u.NonNil) {
		return nil, false
	}
	return value.NewConst(constant.MakeBool(false), types.Typ[types.Bool]), true
}

// endProgram is the model of functions that end the program.
func endProgram(c *Call) (value.Value, bool) {
	c.Exit()
	return nil, false
}

// endGoroutine is the model of runtime.Goexit.
func endGoroutine(c *Call) (value.Value, bool) {
	c.Goexit()
	return nil, false
}

func logPanic(c *Call) (value.Value, bool) {
	c.Panic(c.At, &value.Unknown{Reason: "the message of " + value.Source(c.At), Pos: c.At.Pos(), NonNil: true})
	return nil, false
}

package model

import (
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Applications of uber/fx: New calls the functions of Invoke with what the
// constructors give, Run and Start the hooks that those have appended to the
// lifecycle.

const (
	fxPackage = "go.uber.org/fx"
	fxApp     = "(*" + fxPackage + ".App)."
)

var fxFunctions = merged(
	map[string]Function{
		fxPackage + ".New":           fxNew,
		fxPackage + ".Annotate":      fxAnnotate,
		fxPackage + ".StartHook":     fxHook("OnStart"),
		fxPackage + ".StartStopHook": fxHook("OnStart", "OnStop"),
		fxPackage + ".StopHook":      fxHook("OnStop"),

		"(" + fxPackage + ".Lifecycle).Append": fxAppend,

		fxApp + "Err":   fxErr,
		fxApp + "Run":   fxRun,
		fxApp + "Start": fxStart,
		fxApp + "Stop":  fxStop,
	},
	table(fxApp, leavesReceiver, "Done", "StartTimeout", "StopTimeout", "Wait"),
	table(fxPackage+".", newFxOption, "As", "From", "OnStart", "OnStop", "ParamTags", "ResultTags", "Self"), // annotations
	table(fxPackage+".", newFxOption,
		"Decorate", "Error", "ErrorHook", "Extract", "Invoke", "Logger", "Module", "Options", "Provide",
		"RecoverFromPanics", "StartTimeout", "StopTimeout", "WithLogger"),
	table(fxPackage+".", mayPanic(newFxOption), "Populate", "Replace", "Supply"),
)

// fxNew is the model of New.
func fxNew(c *Call) (value.Value, bool) {
	d := newContainer(c.Fn.Obj.Signature().Results().At(0).Type())
	d.checks = true
	d.builtin = func(t types.Type) value.Value {
		switch {
		case isDeclared(t, fxPackage, "Lifecycle"):
			return lifecycle{d, t}
		case isDeclared(t, fxPackage, "Shutdowner"), isDeclared(t, fxPackage, "DotGraph"):
			return &value.Unknown{Reason: "the " + typeText(t) + " of the application", Pos: c.At.Pos(), NonNil: true}
		}
		return nil
	}
	build := fxBuild{call: c, into: d}
	options, ok := elements(c.Args[0])
	if !ok {
		build.lost(c.At, value.Because(c.At, c.Args[0]))
	}
	root := build.module(options, nil)
	build.provide(root)
	build.decorate(root)
	err := c.Function(c.At, errorResult, nil, func() []value.Value {
		build.logger(root)
		build.invoke(root)
		if len(build.errors) > 0 && len(build.told) > 0 {
			build.tell()
		}
		if build.fails {
			return onlyError(c.errorOfCall(build.errors...))
		}
		return []value.Value{noError()}
	})
	c.Set(d.err, err)
	d.failures = build.errors
	if held := c.Hold(); held != nil {
		c.Set(d.held, held)
	}
	return d, true
}

var errorResult = types.NewTuple(types.NewVar(0, nil, "", errorType))

func onlyError(err value.Value) []value.Value { return []value.Value{err} }

// fxErr is the model of Err, which returns the error of New.
func fxErr(c *Call) (value.Value, bool) {
	d, ok := c.Fn.Recv.(*container)
	if !ok {
		return nil, false
	}
	return fxError(c, d), true
}

// fxError returns the error of New, apart from which it is none.
func fxError(c *Call, d *container) value.Value {
	c.Lend(c.At, d.failures, value.UnknownResult(c.At))
	if held := d.held.Load(); value.IsUnknown(held) {
		return c.because(held)
	} else if !value.IsNil(held) {
		c.Tell(held, c.errorOfCall(d.failures...))
	}
	return d.err.Load()
}

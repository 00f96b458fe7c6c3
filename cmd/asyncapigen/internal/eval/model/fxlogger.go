package model

import (
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// logger calls the constructor of a module's logger, and then of those in it. The
// application tells the logger what it does.
func (b *fxBuild) logger(m *fxModule) {
	if (m.logger != nil || m.isQuiet) && b.hasOtherLogger() {
		b.given = true
		b.call.Lost(b.call.At, value.UnknownAt(b.call.At.Pos(), "a logger beside another constructor or decorator of fxevent.Logger"), loggerRemedy)
	}
	if o := m.logger; o != nil {
		if !givesLogger(o.args[0]) {
			b.given = true
			b.call.Lost(o.at, value.UnknownAt(o.at.Pos(), "a logger by another function than one that gives fxevent.Logger, which fx refuses"), loggerRemedy)
			return
		}
		if fn, ok := o.args[0].(*value.Func); b.fails && (!ok || needsAnything(fn)) {
			b.lost(o.at, value.UnknownAt(o.at.Pos(), "the logger of an application that fails"))
		}
		failed := b.fails
		b.fails = false
		log := b.call1(m, o, o.args[0])
		b.fails = b.fails || failed
		switch log := log.(type) {
		case nil:
		case *value.Unknown:
			b.call.MayCall(o.at, log, "LogEvent")
		default:
			b.expose(o, []value.Value{log})
		}
	}
	for _, inner := range m.within {
		b.logger(inner)
	}
}

const loggerRemedy = "give the logger by a plain function of fx.WithLogger alone, whose result is an fxevent.Logger"

// givesLogger reports whether a value is a function that fx calls to get a logger: it is a
// constructor of fxevent.Logger, without annotations.
func givesLogger(v value.Value) bool {
	fn, ok := v.(*value.Func)
	if !ok {
		return value.IsUnknown(v) // which is said
	}
	sig, ok := fn.Type.Underlying().(*types.Signature)
	if !ok {
		return false
	}
	given, _ := withoutError(sig)
	return len(given) == 1 && isLogger(given[0])
}

func isLogger(t types.Type) bool { return isDeclared(t, fxPackage+"/fxevent", "Logger") }

// hasOtherLogger reports whether an option provides a logger as well, or decorates it: fx provides
// that of WithLogger and of NopLogger.
func (b *fxBuild) hasOtherLogger() bool {
	providers, _ := elements(b.into.providers.Load())
	decorators, _ := elements(b.into.decorators.Load())
	return slices.ContainsFunc(slices.Concat(providers, decorators), func(v value.Value) bool {
		given, _ := givenBy(v.(*provider).fn.Type.Underlying().(*types.Signature))
		return slices.ContainsFunc(given, func(n need) bool { return isLogger(n.typ) && n.name == "" && n.group == "" })
	})
}

func needsAnything(fn *value.Func) bool {
	sig, ok := fn.Type.Underlying().(*types.Signature)
	return !ok || sig.Params().Len() > 0
}

package model

import (
	"go/types"
	"slices"

	"golang.org/x/mod/semver"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Functions of loggers that end the program after a message, or panic: those of zap, logrus,
// zerolog and glog. They do so whatever the level is, unless the program says otherwise, which it can only do
// by names that are looked for in its source and in that of others that use the logger.

const (
	zapPackage     = "go.uber.org/zap"
	logrusPackage  = "github.com/sirupsen/logrus"
	zerologPackage = "github.com/rs/zerolog"
	zerologEvent   = "(*" + zerologPackage + ".Event)."

	zerologEndsSince = "v1.34.0" // the oldest version that was looked at
)

var (
	zapFatal     = endsAfter(zapPackage, "WithFatalHook", "OnFatal")
	zapPanic     = panicsAfter(zapPackage, "WithPanicHook")
	logrusFatal  = endsAfter(logrusPackage, "ExitFunc")
	logrusPanic  = panicsAfter(logrusPackage)
	zerologFatal = zerologBegins(endsAfter(zerologPackage, "FatalExitFunc"))
	zerologPanic = zerologBegins(panicsAfter(zerologPackage))
)

var loggerFunctions = merged(
	table("(*"+zapPackage+".Logger).", zapFatal, "Fatal"),
	table("(*"+zapPackage+".Logger).", zapPanic, "Panic"),
	table("(*"+zapPackage+".SugaredLogger).", zapFatal, "Fatal", "Fatalf", "Fatalln", "Fatalw"),
	table("(*"+zapPackage+".SugaredLogger).", zapPanic, "Panic", "Panicf", "Panicln", "Panicw"),
	table(logrusPackage+".", logrusFatal, "Fatal", "Fatalf", "Fatalln", "FatalFn"),
	table(logrusPackage+".", logrusPanic, "Panic", "Panicf", "Panicln", "PanicFn"),
	table("(*"+logrusPackage+".Logger).", logrusFatal, "Fatal", "Fatalf", "Fatalln", "FatalFn"),
	table("(*"+logrusPackage+".Entry).", logrusFatal, "Fatal", "Fatalf", "Fatalln"),
	table("(*"+logrusPackage+".Entry).", logrusPanic, "Panic", "Panicf", "Panicln"),
	table("github.com/golang/glog.", endsAfter("github.com/golang/glog"), "Exit", "Exitf", "Exitln", "Fatal", "Fatalf", "Fatalln"),
	map[string]Function{
		zerologPackage + "/log.Fatal":                 zerologFatal,
		zerologPackage + "/log.Panic":                 zerologPanic,
		"(*" + zerologPackage + ".Logger)" + ".Fatal": zerologFatal,
		"(*" + zerologPackage + ".Logger)" + ".Panic": zerologPanic,
	},
)

// endsAfter is the model of a function that prints its arguments and ends the program, unless one
// of the names is mentioned where the package at path is used: it may do something else then.
func endsAfter(path string, names ...string) Function {
	return unlessMentioned(path, names, func(c *Call) (value.Value, bool) {
		c.prints()
		c.Exit()
		return nil, false
	})
}

// panicsAfter is endsAfter for a function that panics.
func panicsAfter(path string, names ...string) Function {
	return unlessMentioned(path, names, func(c *Call) (value.Value, bool) {
		c.prints()
		thrown := value.UnknownResult(c.At).Of(append(c.Args, c.Fn.Recv)...)
		thrown.NonNil = true
		c.Panic(c.At, thrown)
		return nil, false
	})
}

func unlessMentioned(path string, names []string, model Function) Function {
	return func(c *Call) (value.Value, bool) {
		if len(names) > 0 && c.UsersMention(path, names...) {
			return nil, false
		}
		return model(c)
	}
}

// prints calls what a logger may call of its arguments and of its own.
func (c *Call) prints() {
	c.Lend(c.At, append(c.Args[:len(c.Args):len(c.Args)], c.Fn.Recv), value.UnknownResult(c.At))
	c.Risk(c.At)
}

// zerologMessage is an event of zerolog after whose message the program ends.
type zerologMessage struct {
	typ  types.Type
	held *value.Cell // what was added to it
	ends Function
}

// DynamicType implements [value.Atom].
func (m *zerologMessage) DynamicType() types.Type { return m.typ }

// Held implements [value.Holder].
func (m *zerologMessage) Held() []value.Value { return []value.Value{m.held.Load()} }

func zerologBegins(ends Function) Function {
	return func(c *Call) (value.Value, bool) {
		list := c.Fn.Obj.Signature().Results()
		if semver.Compare(c.VersionOf(zerologPackage), zerologEndsSince) < 0 || c.UsersMention(zerologPackage, "FatalExitFunc") {
			return nil, false
		}
		return &zerologMessage{list.At(0).Type(), value.NewCell(value.Nil{}), ends}, true
	}
}

// zerologEnds is the model of the methods of an event: some write it, others add to it.
func zerologEnds(c *Call) (value.Value, bool) {
	m, ok := c.Fn.Recv.(*zerologMessage)
	if !ok {
		return nil, false
	}
	if slices.Contains([]string{"Msg", "MsgFunc", "Msgf", "Send"}, c.Fn.Obj.Name()) {
		return m.ends(c)
	}
	list := c.Fn.Obj.Signature().Results()
	if list.Len() != 1 || !value.SameType(list.At(0).Type(), m.typ) || c.Fn.Obj.Name() == "Discard" {
		return nil, false
	}
	c.Lend(c.At, c.Args, value.UnknownResult(c.At))
	extend(c, m.held, nil, c.Args...)
	return m, true
}

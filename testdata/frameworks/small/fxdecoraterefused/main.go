// Decorators that fx or dig refuses, or that aren't followed.
package main

import (
	"context"
	"errors"

	"github.com/warrenmq/warren/runtime"
	"go.uber.org/dig"
	"go.uber.org/fx"
	"go.uber.org/fx/fxevent"

	"example.com/frameworks/broker"
)

type inner struct {
	fx.Out
	Text string
}

type outer struct {
	fx.Out
	Inner inner
}

func quiet(options ...fx.Option) { fx.New(append(options, fx.NopLogger)...) }

func same(s string) string { return s }

func main() {
	r := runtime.NewRouter()
	need := fx.Invoke(func(s string) {
		r.MustRegister(runtime.Route{Name: s, Queue: runtime.Queue{Name: s}, Handler: runtime.Consume(func(context.Context, string) error { return nil })})
	})
	quiet(fx.Supply("twice"), fx.Decorate(same, same), need)
	quiet(fx.Supply("both"), fx.Decorate(func(s string) (string, string) { return s, s }), need)
	quiet(fx.Decorate(same), need)
	quiet(fx.Decorate(func() string { return "given" }), need)
	quiet(fx.Supply("text"), fx.Decorate("text"), need)
	quiet(fx.Supply("nothing"), fx.Decorate(func(string) {}), need)
	quiet(fx.Supply("nested"), fx.Decorate(func() outer { return outer{Inner: inner{Text: "n"}} }), need)
	quiet(fx.Supply("object"), fx.Decorate(func(struct{ s fx.In }, *inner) string { return "o" }), need)
	quiet(fx.Supply("annotated"), fx.Decorate(fx.Annotated{Name: "a", Target: same}), need)
	quiet(fx.Supply("lifecycle"), fx.Decorate(func(l fx.Lifecycle) fx.Lifecycle { return l }), need)
	quiet(fx.Supply("group"), fx.Provide(fx.Annotate(func() int { return 1 }, fx.ResultTags(`group:"n"`))),
		fx.Decorate(fx.Annotate(func(all []int) []int { return all }, fx.ParamTags(`group:"n"`), fx.ResultTags(`group:"n"`))), need)
	quiet(fx.Provide(func(int) string { return "circle" }), fx.Supply(1), fx.Decorate(func(n int, s string) int { return n }), need)
	quiet(fx.Supply("private"), fx.Module("m", fx.Decorate(func() int { return 1 })), fx.Module("n", fx.Provide(func() int { return 1 }, fx.Private)),
		fx.Module("o", fx.Decorate(func() int { return 2 }), fx.Invoke(func(int) {})))

	c := dig.New()
	_ = c.Provide(func() string { return "a" })
	_ = c.Decorate(same, dig.FillDecorateInfo(new(dig.DecorateInfo)))
	_ = c.Decorate(func(string) {})
	failing(r)
	loggers()
	_ = broker.New().Start(context.Background(), r)
}

// failing has decorators that fail, which dig runs no second time.
func failing(r *runtime.Router) {
	register := func(s string) {
		r.MustRegister(runtime.Route{Name: s, Queue: runtime.Queue{Name: s}, Handler: runtime.Consume(func(context.Context, string) error { return nil })})
	}
	for _, decorator := range []any{
		func(s string) (string, error) { return s + ".given", errors.New("no") },
		func(s string) string { panic(s) },
		func(int) string { return "decorated" },
	} {
		c := dig.New(dig.RecoverFromPanics())
		_ = c.Provide(func() string { return "fails" })
		calls := 0
		_ = c.Provide(func() (int, error) {
			if calls++; calls == 1 {
				return 0, errors.New("no")
			}
			return calls, nil
		})
		_ = c.Decorate(decorator)
		_ = c.Invoke(func(string) {})
		_ = c.Invoke(register)
	}
}

type noisy struct{ fxevent.Logger }

// loggers are those that fx refuses, or takes from elsewhere.
func loggers() {
	fxevents := func() fxevent.Logger { return fxevent.NopLogger }
	quiet(fx.Provide(fxevents))
	fx.New(fx.WithLogger(fxevents), fx.Decorate(func(l fxevent.Logger) fxevent.Logger { return l }))
	fx.New(fx.WithLogger(func() *noisy { return nil }))
	fx.New(fx.WithLogger(func() {}))
	fx.New(fx.WithLogger(fx.Annotate(func() *noisy { return nil }, fx.As(new(fxevent.Logger)))))
}

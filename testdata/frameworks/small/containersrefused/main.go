// What isn't known of what containers are given is refused, once where one thing leads to
// another.
package main

import (
	"context"
	"os"

	"github.com/samber/do/v2"
	"github.com/warrenmq/warren/runtime"
	"go.uber.org/dig"
	"go.uber.org/fx"
	"go.uber.org/fx/fxevent"

	"example.com/frameworks/broker"
)

type M struct {
	A string `json:"a"`
}

func on(context.Context, M) error { return nil }

func route(q string) runtime.Route {
	return runtime.Route{Name: q, Queue: runtime.Queue{Name: q}, Handler: runtime.Consume(on)}
}

func serve(r *runtime.Router) error { return broker.New().Start(context.Background(), r) }

type optional struct {
	fx.In
	Name string `optional:"true"`
}

type server struct{ name string }

func (s *server) Shutdown() error { s.name = "shut"; return nil }

var logged = "a"

type logger struct{}

func (logger) LogEvent(fxevent.Event) { logged = "b" }

func unknown[T any](v T) T { return map[string]T{"a": v}[os.Getenv("X")] }

func digs(r *runtime.Router) {
	var options []dig.Option
	if os.Getenv("X") != "" {
		options = append(options, dig.RecoverFromPanics())
	}
	_ = dig.New(options...)
	c := dig.New()
	_ = c.Provide(func() int { r.MustRegister(route("never")); return 1 }, dig.Name("one"))
	_ = c.Provide(unknown[any](func() int8 { return 1 }))
	_ = c.Provide(func() string { return "a" })
	name := "first"
	if c.Provide(func() string { return "b" }) != nil {
		name = "second"
	}
	r.MustRegister(route(name))
	name = "third"
	if c.Invoke(func(int16) {}) != nil {
		name = "fourth"
	}
	r.MustRegister(route(name))
}

func options(r *runtime.Router) {
	lost := fx.Invoke(func(int16) { r.MustRegister(route("never")) })
	var some []fx.Option
	if os.Getenv("X") != "" {
		some = append(some, fx.Supply(1))
	}
	fx.New(some...)
	fx.New(fx.NopLogger, unknown(fx.Supply(1)), lost)
	fx.New(fx.NopLogger, fx.Options(some...), lost)
	fx.New(fx.NopLogger, fx.Supply(unknown[any](1)), lost)
	fx.New(fx.NopLogger, fx.Supply("a", "a"), lost)
	fx.New(fx.NopLogger, fx.Provide(unknown[any](func() int { return 1 })), lost)
	fx.New(fx.NopLogger, fx.Invoke(func(int64) {}), lost)
	fx.New(fx.NopLogger, fx.Populate(unknown[any](new(int))), lost)
	fx.New(fx.NopLogger, fx.Module("m", fx.Provide(func() string { return "a" }, fx.Private), fx.Provide(func(string) int { return 1 })), fx.Invoke(func(int, string) {}))
	fx.New(fx.NopLogger, fx.Module("m", fx.Supply("a", fx.Private)), fx.Invoke(func(optional) {}))
	fx.New(fx.WithLogger(func() fxevent.Logger { return unknown[fxevent.Logger](logger{}) }))
	r.MustRegister(route(logged))
}

func hooks(r *runtime.Router) {
	app := func(hook func(fx.Lifecycle)) *fx.App { return fx.New(fx.NopLogger, fx.Invoke(hook)) }
	may := app(func(lc fx.Lifecycle) {
		if os.Getenv("X") != "" {
			lc.Append(fx.StartHook(func() {}))
		}
	})
	if may.Start(context.Background()) == nil {
		r.MustRegister(route(os.Getenv("MAY")))
	}
	one := app(func(lc fx.Lifecycle) {
		lc.Append(unknown(fx.Hook{OnStart: func(context.Context) error { return nil }}))
	})
	if one.Start(context.Background()) == nil {
		r.MustRegister(route(os.Getenv("ONE")))
	}
	other := app(func(lc fx.Lifecycle) { lc.Append(fx.StartHook(unknown(func() {}))) })
	if other.Start(context.Background()) == nil {
		r.MustRegister(route(os.Getenv("OTHER")))
	}
	again := app(func(fx.Lifecycle) {})
	_ = again.Start(context.Background())
	if again.Start(context.Background()) == nil {
		r.MustRegister(route(os.Getenv("AGAIN")))
	}
	started := app(func(lc fx.Lifecycle) { lc.Append(fx.StopHook(func() {})) })
	if os.Getenv("X") != "" {
		_ = started.Start(context.Background())
	}
	if started.Stop(context.Background()) == nil {
		r.MustRegister(route(os.Getenv("STARTED")))
	}
}

func dos(r *runtime.Router) {
	_ = do.New(func(do.Injector) {})
	i := do.New()
	do.Provide(i, func(do.Injector) (string, error) { return "a", nil })
	do.Provide(i, func(do.Injector) (string, error) { return "b", nil })
	s := &server{"value"}
	do.ProvideValue(i, s)
	i.Shutdown()
	r.MustRegister(route(s.name))
	other := do.New()
	kept := &server{"kept"}
	do.ProvideValue(other, kept)
	if os.Getenv("X") != "" {
		other = do.New()
	}
	other.Shutdown()
	r.MustRegister(route(kept.name))
}

func main() {
	r := runtime.NewRouter()
	digs(r)
	options(r)
	hooks(r)
	dos(r)
	_ = serve(r)
}

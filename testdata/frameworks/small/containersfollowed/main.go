// What containers give and call: variadic functions, constructors of one result, values
// that are private to a module, and hooks that are started, stopped and started again.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/samber/do/v2"
	"github.com/warrenmq/warren/runtime"
	"go.uber.org/dig"
	"go.uber.org/fx"

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

func given(r *runtime.Router, options ...dig.Option) {
	c := dig.New(options...)
	name := "provided"
	if c.Provide(func(...int) string { return "one" }) != nil {
		name = "never"
	}
	if err := c.Provide(func(s string) (int, error) { return len(s), nil }); err != nil {
		log.Fatal(err)
	}
	if err := c.Invoke(func(s string, n int, more ...int) {
		r.MustRegister(route(fmt.Sprintf("%s.%s.%d.%d.%d", name, s, n, len(more), len(options))))
	}); err != nil {
		log.Fatal(err)
	}
}

func private(r *runtime.Router) {
	app := fx.New(fx.NopLogger,
		fx.Module("own", fx.Provide(func() string { return "own" }, fx.Private), fx.Supply(int8(7), fx.Private),
			fx.Provide(func(s string, n int8) []string { return []string{s, fmt.Sprint(n)} })),
		fx.Invoke(func(list []string, s fx.Shutdowner) {
			if s == nil {
				r.MustRegister(route("never"))
			}
			r.MustRegister(route(list[0] + list[1]))
		}),
	)
	if err := app.Err(); err != nil {
		log.Fatal(err)
	}
}

func hooked(told *string, stop func() error) *fx.App {
	return fx.New(fx.NopLogger, fx.Invoke(func(lc fx.Lifecycle) {
		lc.Append(fx.StartStopHook(func(ctx context.Context) error {
			if ctx == nil {
				*told += "never"
			}
			*told += "a"
			return nil
		}, func() { *told += "d" }))
		lc.Append(fx.StopHook(stop))
		lc.Append(fx.Hook{OnStart: func(context.Context) error { *told += "b"; return nil }, OnStop: func(context.Context) error { *told += "c"; return nil }})
	}))
}

func twice() (told string) {
	app := hooked(&told, func() error { return nil })
	for range 2 {
		if err := app.Start(context.Background()); err != nil {
			log.Fatal(err)
		}
		if err := app.Stop(context.Background()); err != nil {
			log.Fatal(err)
		}
	}
	return told
}

func failing() (told string) {
	app := hooked(&told, func() error { return errors.New("no") })
	if err := app.Start(context.Background()); err != nil {
		log.Fatal(err)
	}
	if app.Stop(context.Background()) != nil {
		told += "failed"
	}
	return told
}

// mayFail tells the same, whether a hook fails or not.
func mayFail() (told string) {
	app := hooked(&told, func() error { _, err := os.Stat("/nonexistent"); return err })
	if err := app.Start(context.Background()); err != nil {
		log.Fatal(err)
	}
	_ = app.Stop(context.Background())
	return told
}

func valued() string {
	i := do.New()
	do.ProvideValue(i, "value")
	do.Provide(i, func(i do.Injector) (int, error) { return len(do.MustInvoke[string](i)), nil })
	return fmt.Sprint(do.MustInvoke[string](i), do.MustInvoke[int](i))
}

func main() {
	r := runtime.NewRouter()
	given(r)
	given(r, dig.RecoverFromPanics())
	private(r)
	r.MustRegister(route("twice."+twice()), route("failing."+failing()), route("mayFail."+mayFail()), route(valued()))
	if err := serve(r); err != nil {
		log.Fatal(err)
	}
}

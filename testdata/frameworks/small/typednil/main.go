// A nil pointer in an error is an error to a framework, and one in a context is a context.
package main

import (
	"context"
	"log"
	"os"

	"github.com/caarlos0/env/v11"
	"github.com/samber/do/v2"
	"github.com/urfave/cli/v3"
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

type failure struct{}

func (*failure) Error() string { return "failure" }

type own struct{ context.Context }

func (*own) Value(any) any { return "own" }

func fails() error {
	var e *failure
	return e
}

func main() {
	r := runtime.NewRouter()
	named := func(name string, err error) {
		if err != nil {
			name += "-failed"
		}
		r.MustRegister(route(name))
	}
	c := dig.New()
	if err := c.Provide(func() (int, error) { return 1, fails() }); err != nil {
		log.Fatal(err)
	}
	named("dig", c.Invoke(func(int) { r.MustRegister(route("never")) }))

	app := fx.New(fx.NopLogger, fx.Invoke(func(lc fx.Lifecycle) { lc.Append(fx.StartHook(fails)) }))
	named("fx", app.Start(context.Background()))
	named("no-error", fx.New(fx.NopLogger, fx.Error(), fx.Error(nil), fx.Invoke(func() { r.MustRegister(route("invoked")) })).Err())
	named("error", fx.New(fx.NopLogger, fx.Error(fails()), fx.Invoke(func() { r.MustRegister(route("not-invoked")) })).Err())

	i := do.New()
	do.Provide(i, func(do.Injector) (int, error) { return 1, fails() })
	_, err := do.Invoke[int](i)
	named("do", err)

	func() {
		defer func() {
			if recover() != nil {
				r.MustRegister(route("panicked"))
			}
		}()
		r.MustRegister(route(env.Must("never", fails())))
	}()

	cmd := &cli.Command{
		Name: "shop",
		Before: func(context.Context, *cli.Command) (context.Context, error) {
			var c *own
			return c, nil
		},
		Action: func(ctx context.Context, _ *cli.Command) error {
			if ctx.Value(1) != nil {
				r.MustRegister(route("own"))
			}
			return nil
		},
	}
	if err := cmd.Run(context.Background(), os.Args); err != nil {
		log.Fatal(err)
	}
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}

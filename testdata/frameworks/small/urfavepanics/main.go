// urfave/cli calls the functions After where an action panics, and the panic goes on.
package main

import (
	"context"
	"os"

	cli2 "github.com/urfave/cli/v2"
	"github.com/urfave/cli/v3"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type M struct {
	A string `json:"a"`
}

func on(context.Context, M) error { return nil }

func route(q string) runtime.Route {
	return runtime.Route{Name: q, Queue: runtime.Queue{Name: q}, Handler: runtime.Consume(on)}
}

type key struct{}

func main() {
	name := ""
	tolerate := func(run func()) {
		defer func() {
			if recover() != nil {
				name += ".recovered"
			}
		}()
		run()
	}
	app := &cli2.App{
		Name:   "shop",
		Before: func(*cli2.Context) error { name += "before"; return nil },
		Action: func(*cli2.Context) error { panic("closed") },
		After:  func(*cli2.Context) error { name += ".after"; return nil },
	}
	tolerate(func() { _ = app.Run(os.Args) })
	cmd := &cli.Command{
		Name: "shop",
		Before: func(ctx context.Context, _ *cli.Command) (context.Context, error) {
			return context.WithValue(ctx, key{}, ".value"), nil
		},
		Action: func(context.Context, *cli.Command) error { panic("closed") },
		After: func(ctx context.Context, _ *cli.Command) error {
			name += ctx.Value(key{}).(string)
			return nil
		},
	}
	tolerate(func() { _ = cmd.Run(context.Background(), os.Args) })
	r := runtime.NewRouter()
	r.MustRegister(route(name))
	if err := broker.New().Start(context.Background(), r); err != nil {
		os.Exit(1)
	}
}

// Version 2 of urfave/cli enters a command after the Before of the one around it, and
// calls what is to be called after it whatever that returns.
package main

import (
	"context"
	"errors"
	"os"

	"github.com/urfave/cli/v2"
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

func serve(r *runtime.Router) error { return broker.New().Start(context.Background(), r) }

func main() {
	r := runtime.NewRouter()
	name := "shop"
	fails := func(*cli.Context) error { return errors.New("no") }
	deep := &cli.Command{Name: "deep", Action: fails, After: func(*cli.Context) error { name = "never"; return nil }}
	app := &cli.App{
		Name: "shop",
		Commands: []*cli.Command{{
			Name: "work", Before: fails, Subcommands: []*cli.Command{deep},
			After: func(*cli.Context) error { name += ".work"; return errors.New("after") },
		}},
		After: func(*cli.Context) error {
			r.MustRegister(route(name + ".root"))
			return serve(r)
		},
	}
	_ = app.Run(os.Args)
}

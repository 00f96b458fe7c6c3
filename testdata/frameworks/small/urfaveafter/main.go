// Version 3 of urfave/cli enters all commands before it calls the first Before, whose
// context may be nil, and leaves all of them where that fails.
package main

import (
	"context"
	"errors"
	"log"
	"os"

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

func serve(r *runtime.Router) error { return broker.New().Start(context.Background(), r) }

func main() {
	name := "shop"
	work := &cli.Command{
		Name:   "work",
		Before: func(context.Context, *cli.Command) (context.Context, error) { return nil, errors.New("no") },
		After:  func(context.Context, *cli.Command) error { name += ".work"; return nil },
		Action: func(context.Context, *cli.Command) error { name = "never"; return nil },
	}
	root := &cli.Command{
		Name:     "shop",
		Commands: []*cli.Command{work},
		Before:   func(context.Context, *cli.Command) (context.Context, error) { return nil, nil },
		After: func(ctx context.Context, cmd *cli.Command) error {
			if ctx == nil {
				name += ".nil"
			}
			log.Print(cmd.Root().Name)
			r := runtime.NewRouter()
			r.MustRegister(route(name + ".root"))
			return serve(r)
		},
	}
	_ = root.Run(context.Background(), os.Args)
}

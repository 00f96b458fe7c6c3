// A command line without a command runs the root, which needs no name.
package main

import (
	"context"
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

func serving(name string) cli.ActionFunc {
	return func(context.Context, *cli.Command) error {
		r := runtime.NewRouter()
		r.MustRegister(route(name))
		return serve(r)
	}
}

func main() {
	root := &cli.Command{Action: serving("root"), Commands: []*cli.Command{{Name: "work", Action: serving("work")}}}
	if err := root.Run(context.Background(), os.Args); err != nil {
		log.Fatal(err)
	}
}

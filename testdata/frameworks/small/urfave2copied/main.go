// An App that is changed after its functions were copied.
package main

import (
	"context"
	"log"
	"os"

	"github.com/urfave/cli/v2"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

func on(context.Context, string) error { return nil }

func serving(name string) cli.ActionFunc {
	return func(*cli.Context) error {
		r := runtime.NewRouter()
		r.MustRegister(runtime.Route{Name: name, Queue: runtime.Queue{Name: name}, Handler: runtime.Consume(on)})
		return broker.New().Start(context.Background(), r)
	}
}

func main() {
	copied := &cli.App{Name: "shop", Action: serving("copied")}
	copied.Before = func(*cli.Context) error {
		copied.Action = serving("late")
		return nil
	}
	if err := copied.Run(os.Args); err != nil {
		log.Fatal(err)
	}
}

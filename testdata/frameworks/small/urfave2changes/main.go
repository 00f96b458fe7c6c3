// A command that is changed through what a function of another one gets.
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
	below := &cli.App{
		Name:     "shop",
		Commands: []*cli.Command{{Name: "serve", Action: serving("before")}},
		Before: func(c *cli.Context) error {
			c.App.Commands[0].Action = serving("below")
			return nil
		},
	}
	if err := below.Run(os.Args); err != nil {
		log.Fatal(err)
	}
}

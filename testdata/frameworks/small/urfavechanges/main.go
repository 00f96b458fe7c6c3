// A command that is changed through what its functions get.
package main

import (
	"context"
	"log"
	"os"

	"github.com/urfave/cli/v3"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

func on(context.Context, string) error { return nil }

func serving(name string) cli.ActionFunc {
	return func(context.Context, *cli.Command) error {
		r := runtime.NewRouter()
		r.MustRegister(runtime.Route{Name: name, Queue: runtime.Queue{Name: name}, Handler: runtime.Consume(on)})
		return broker.New().Start(context.Background(), r)
	}
}

func main() {
	itself := &cli.Command{
		Action: serving("before"),
		Before: func(ctx context.Context, cmd *cli.Command) (context.Context, error) {
			cmd.Action = serving("itself")
			return ctx, nil
		},
	}
	if err := itself.Run(context.Background(), os.Args); err != nil {
		log.Fatal(err)
	}
	below := &cli.Command{
		Commands: []*cli.Command{{Name: "serve", Action: serving("before")}},
		Before: func(ctx context.Context, cmd *cli.Command) (context.Context, error) {
			cmd.Root().Command("serve").Action = serving("below")
			return ctx, nil
		},
	}
	if err := below.Run(context.Background(), os.Args); err != nil {
		log.Fatal(err)
	}
}

// Errors with an exit code end the program within Run.
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

func on(context.Context, string) error { return nil }

type coded struct{ error }

func (coded) ExitCode() int { return 3 }

func main() {
	r := runtime.NewRouter()
	add := func(name string) {
		r.MustRegister(runtime.Route{Name: name, Queue: runtime.Queue{Name: name}, Handler: runtime.Consume(on)})
	}
	root := &cli.Command{
		Name: "shop",
		Before: func(ctx context.Context, _ *cli.Command) (context.Context, error) {
			if os.Getenv("FORBIDDEN") != "" {
				return ctx, coded{errors.New("forbidden")}
			}
			return ctx, nil
		},
		Action: func(context.Context, *cli.Command) error {
			if os.Getenv("PAUSED") != "" {
				return cli.Exit("paused", 2)
			}
			add("action")
			return nil
		},
	}
	if err := root.Run(context.Background(), os.Args); err != nil {
		log.Print(err)
	}
	add("main")
	log.Fatal(broker.New().Start(context.Background(), r))
}

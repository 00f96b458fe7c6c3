// Errors with an exit code end the program within Run, but for those of After.
package main

import (
	"context"
	"errors"
	"log"
	"os"

	"github.com/urfave/cli/v2"
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
	app := &cli.App{
		Name: "shop",
		Before: func(*cli.Context) error {
			if os.Getenv("FORBIDDEN") != "" {
				return coded{errors.New("forbidden")}
			}
			return nil
		},
		Action: func(c *cli.Context) error {
			c.Context = context.WithValue(c.Context, coded{}, "known")
			if os.Getenv("PAUSED") != "" {
				return cli.Exit("paused", 2)
			}
			add("action")
			return nil
		},
		After: func(*cli.Context) error { return cli.Exit("after", 2) },
	}
	if err := app.Run(os.Args); err != nil {
		log.Print(err)
	}
	add("main")
	log.Fatal(broker.New().Start(context.Background(), r))
}

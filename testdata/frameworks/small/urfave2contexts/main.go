// Each command of urfave/cli gets a Context of its own, which begins with its parent's context.
package main

import (
	"context"
	"log"
	"os"
	"strconv"

	"github.com/urfave/cli/v2"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type key struct{}

func named(c *cli.Context) string {
	name, _ := c.Context.Value(key{}).(string)
	return name
}

func name(c *cli.Context, more string) {
	c.Context = context.WithValue(c.Context, key{}, named(c)+more)
}

func on(context.Context, string) error { return nil }

func main() {
	r := runtime.NewRouter()
	add := func(queue string) {
		r.MustRegister(runtime.Route{Name: queue, Queue: runtime.Queue{Name: queue}, Handler: runtime.Consume(on)})
	}
	var first *cli.Context
	work := &cli.Command{
		Name: "work",
		Before: func(c *cli.Context) error {
			name(c, ".work")
			return nil
		},
		Action: func(c *cli.Context) error {
			add("orders." + named(c) + "." + named(first) + "." + strconv.FormatBool(first == c))
			return broker.New().Start(c.Context, r)
		},
	}
	app := &cli.App{
		Name:     "shop",
		Commands: []*cli.Command{work},
		Before: func(c *cli.Context) error {
			first = c
			name(c, "shop")
			return nil
		},
	}
	if err := app.RunContext(context.Background(), os.Args); err != nil {
		log.Fatal(err)
	}
}

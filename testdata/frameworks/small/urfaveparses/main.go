// What is parsed after the functions Before overwrites what they set: flags of commands in version
// 2, arguments in version 3. Flags are counted.
package main

import (
	"context"
	"fmt"
	"os"

	cli2 "github.com/urfave/cli/v2"
	cli3 "github.com/urfave/cli/v3"
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

func main() {
	r := runtime.NewRouter()
	var flag, argument string
	var count int
	version2 := &cli2.App{
		Name:   "shop",
		Before: func(*cli2.Context) error { flag = "set-by-before"; return nil },
		Commands: []*cli2.Command{{
			Name:   "serve",
			Flags:  []cli2.Flag{&cli2.StringFlag{Name: "queue", Destination: &flag}, &cli2.BoolFlag{Name: "v", Count: &count}},
			Action: func(*cli2.Context) error { r.MustRegister(route("flag-" + flag)); return nil },
		}},
	}
	if err := version2.Run(os.Args); err != nil {
		os.Exit(1)
	}
	version3 := &cli3.Command{
		Name:      "shop",
		Arguments: []cli3.Argument{&cli3.StringArg{Name: "queue", Destination: &argument}},
		Before: func(ctx context.Context, _ *cli3.Command) (context.Context, error) {
			argument = "set-by-before"
			return ctx, nil
		},
		Action: func(context.Context, *cli3.Command) error { r.MustRegister(route("argument-" + argument)); return nil },
	}
	if err := version3.Run(context.Background(), os.Args); err != nil {
		os.Exit(1)
	}
	r.MustRegister(route(fmt.Sprint("count-", count)))
	if err := broker.New().Start(context.Background(), r); err != nil {
		os.Exit(1)
	}
}

// Commands and functions of urfave/cli's commands that aren't known.
package main

import (
	"context"
	"log"
	"os"

	cli2 "github.com/urfave/cli/v2"
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

type key struct{}

func nothing(context.Context, *cli.Command) error { return nil }

func command(name string) *cli.Command { return &cli.Command{Name: name, Action: nothing} }

func main() {
	r := runtime.NewRouter()
	ctx := context.Background()
	one := command("a")
	if os.Getpid() > 1 {
		one = command("b")
	}
	(&cli.Command{Commands: []*cli.Command{one}}).Run(ctx, os.Args)

	lists := map[string][]*cli.Command{"a": {command("a")}}
	(&cli.Command{Commands: lists[os.Getenv("LIST")]}).Run(ctx, os.Args)

	actions := map[string]cli.ActionFunc{"a": nothing}
	(&cli.Command{Action: actions[os.Getenv("ACTION")]}).Run(ctx, os.Args)

	acted, checked := "a", "a"
	(&cli.Command{Action: nothing, Flags: []cli.Flag{&cli.StringFlag{
		Name:      "queue",
		Action:    func(context.Context, *cli.Command, string) error { acted = "b"; return nil },
		Validator: func(string) error { checked = "b"; return nil },
	}}}).Run(ctx, os.Args)
	root := &cli.Command{
		Before: func(ctx context.Context, _ *cli.Command) (context.Context, error) {
			if os.Getenv("CONTEXT") != "" {
				return context.WithValue(ctx, key{}, "a"), nil
			}
			return nil, nil
		},
		Action: func(ctx context.Context, _ *cli.Command) error {
			text, _ := ctx.Value(key{}).(string)
			r.MustRegister(route("acted"+acted), route("checked"+checked), route("context"+text))
			r.MustRegister(route(cli2.NewApp().Name))
			return serve(r)
		},
	}
	if err := root.Run(ctx, os.Args); err != nil {
		log.Fatal(err)
	}
}

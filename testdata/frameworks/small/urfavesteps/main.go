// What urfave/cli calls of a command, in which order, and what Run returns then. Each case
// has a tree of its own, of which the command line runs the same command.
package main

import (
	"context"
	"errors"
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

// trace has what was called of the tree that runs.
var trace string

func note(name string, fails bool) error {
	trace += "." + name
	if fails {
		return errors.New(name)
	}
	return nil
}

func before(name string, fails bool) cli.BeforeFunc {
	return func(ctx context.Context, _ *cli.Command) (context.Context, error) { return ctx, note(name, fails) }
}

func action(name string, fails bool) cli.ActionFunc {
	return func(context.Context, *cli.Command) error { return note(name, fails) }
}

func after(name string, fails bool) cli.AfterFunc {
	return func(context.Context, *cli.Command) error { return note(name, fails) }
}

// three runs a tree of version 3 and returns what was called, and whether Run failed.
func three(name string, change func(root, work *cli.Command)) string {
	trace = name
	work := &cli.Command{Name: "work", Before: before("work", false), Action: action("run", false), After: after("leave", false)}
	root := &cli.Command{Name: "shop", Writer: os.Stderr, Before: before("root", false), After: after("end", false), Commands: []*cli.Command{work}}
	change(root, work)
	if err := root.Run(context.Background(), os.Args); err != nil {
		return trace + ".failed"
	}
	return trace
}

func noting(name string, fails bool) func(*cli2.Context) error {
	return func(*cli2.Context) error { return note(name, fails) }
}

// two is as three, of version 2.
func two(name string, change func(root *cli2.App, work *cli2.Command)) string {
	trace = name
	work := &cli2.Command{Name: "work", Before: noting("work", false), Action: noting("run", false), After: noting("leave", false)}
	root := cli2.NewApp()
	root.Writer = os.Stderr
	root.Name, root.Before, root.After, root.Commands = "shop", noting("root", false), noting("end", false), []*cli2.Command{work}
	change(root, work)
	if err := root.Run(os.Args); err != nil {
		return trace + ".failed"
	}
	return trace
}

// seen is an action that tells what it finds in its context.
func seen(ctx context.Context, cmd *cli.Command) error {
	text, _ := ctx.Value(key{}).(string)
	if cmd != nil {
		trace += "." + text
	}
	return nil
}

func main() {
	names := []string{
		three("3all", func(root, work *cli.Command) {}),
		three("3badroot", func(root, work *cli.Command) { root.Before = before("root", true) }),
		three("3badwork", func(root, work *cli.Command) { work.Before = before("work", true) }),
		three("3badrun", func(root, work *cli.Command) { work.Action = action("run", true) }),
		three("3badleave", func(root, work *cli.Command) { work.After = after("leave", true) }),
		three("3badend", func(root, work *cli.Command) { root.After = after("end", true) }),
		three("3none", func(root, work *cli.Command) { work.Before, work.Action = nil, nil }),
		three("3context", func(root, work *cli.Command) {
			root.Before = func(ctx context.Context, _ *cli.Command) (context.Context, error) {
				return context.WithValue(ctx, key{}, "rootcontext"), nil
			}
			work.Action = seen
		}),
		three("3nocontext", func(root, work *cli.Command) {
			root.Before = func(ctx context.Context, _ *cli.Command) (context.Context, error) {
				return context.WithValue(ctx, key{}, "kept"), nil
			}
			work.Before = func(context.Context, *cli.Command) (context.Context, error) { return nil, nil }
			work.Action = seen
		}),
		three("3root", func(root, work *cli.Command) {
			if root.Root() == root && cli.Exit("no", 1) != nil && cli2.Exit("no", 1) != nil {
				trace += ".itself"
			}
		}),
		two("2all", func(root *cli2.App, work *cli2.Command) {}),
		two("2badroot", func(root *cli2.App, work *cli2.Command) { root.Before = noting("root", true) }),
		two("2badwork", func(root *cli2.App, work *cli2.Command) { work.Before = noting("work", true) }),
		two("2badrun", func(root *cli2.App, work *cli2.Command) { work.Action = noting("run", true) }),
		two("2badleave", func(root *cli2.App, work *cli2.Command) { work.After = noting("leave", true) }),
		two("2badend", func(root *cli2.App, work *cli2.Command) { root.After = noting("end", true) }),
	}
	r := runtime.NewRouter()
	for _, name := range names {
		r.MustRegister(route(name))
	}
	if err := serve(r); err != nil {
		log.Fatal(err)
	}
}

// Functions that urfave/cli may call as it reads the command line, and what is written
// to the metadata of a command.
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

func main() {
	valid, usage, missing, failed, queue := "a", "a", "a", "a", "a"
	metadata := map[string]any{"name": "a"}
	root := &cli.Command{
		Name:            "shop",
		Metadata:        metadata,
		Flags:           []cli.Flag{&cli.StringFlag{Name: "queue", Destination: &queue}},
		ArgValidator:    func(context.Context, *cli.Command) error { valid = "b"; return nil },
		OnUsageError:    func(_ context.Context, _ *cli.Command, err error, _ bool) error { usage = "b"; return err },
		CommandNotFound: func(context.Context, *cli.Command, string) { missing = "b" },
		ExitErrHandler:  func(context.Context, *cli.Command, error) { failed = "b" },
		Before: func(ctx context.Context, cmd *cli.Command) (context.Context, error) {
			cmd.Root().Metadata["name"] = "b"
			return ctx, nil
		},
	}
	root.Action = func(context.Context, *cli.Command) error {
		r := runtime.NewRouter()
		r.MustRegister(route("valid" + valid))
		r.MustRegister(route("usage" + usage))
		r.MustRegister(route("missing" + missing))
		r.MustRegister(route("failed" + failed))
		r.MustRegister(route("queue" + queue))
		name, _ := metadata["name"].(string)
		r.MustRegister(route("metadata" + name))
		return serve(r)
	}
	if err := root.Run(context.Background(), os.Args); err != nil {
		log.Fatal(err)
	}
}

// All commands register, and one of them serves.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/urfave/cli/v3"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

func on(context.Context, string) error { return nil }

func main() {
	router := runtime.NewRouter()
	root := &cli.Command{
		Name: "shop",
		Before: func(ctx context.Context, _ *cli.Command) (context.Context, error) {
			router.MustRegister(runtime.Route{Name: "orders", Queue: runtime.Queue{Name: "orders"}, Handler: runtime.Consume(on)})
			return ctx, nil
		},
		Commands: []*cli.Command{
			{Name: "version", Action: func(context.Context, *cli.Command) error { fmt.Println("1.0"); return nil }},
			{Name: "serve", Action: func(ctx context.Context, _ *cli.Command) error {
				router.MustRegister(runtime.Route{Name: "jobs", Queue: runtime.Queue{Name: "jobs"}, Handler: runtime.Consume(on)})
				return runtime.Run(ctx, broker.New(), router, time.Second)
			}},
		},
	}
	if err := root.Run(context.Background(), os.Args); err != nil {
		os.Exit(1)
	}
}

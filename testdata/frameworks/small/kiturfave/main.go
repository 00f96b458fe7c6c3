// An application that another module has made, to which the service adds a command.
package main

import (
	"context"
	"log"
	"os"
	"time"

	"github.com/urfave/cli/v3"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
	"example.com/kit"
)

func on(context.Context, string) error { return nil }

func main() {
	app := kit.App("shop")
	app.Commands = append(app.Commands, &cli.Command{Name: "serve", Action: func(ctx context.Context, _ *cli.Command) error {
		router := runtime.NewRouter()
		router.MustRegister(runtime.Route{Name: "orders", Queue: runtime.Queue{Name: "orders"}, Handler: runtime.Consume(on)})
		return runtime.Run(ctx, broker.New(), router, time.Second)
	}})
	if err := app.Run(context.Background(), os.Args); err != nil {
		log.Fatal(err)
	}
}

// An App of urfave/cli that is run by the function which takes no words.
package main

import (
	"context"

	"github.com/urfave/cli/v2"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

func on(context.Context, int) error { return nil }

func main() {
	app := &cli.App{Action: func(c *cli.Context) error {
		r := runtime.NewRouter()
		r.MustRegister(runtime.Route{Name: "orders", Queue: runtime.Queue{Name: "orders"}, Handler: runtime.Consume(on)})
		return broker.New().Start(c.Context, r)
	}}
	app.RunAndExitOnError()
}

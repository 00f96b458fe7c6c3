// Handlers of commands that may be one of two functions, commands of one name, and actions that a
// package has for those without one.
package main

import (
	"context"
	"io"
	"log"
	"os"
	"time"

	"github.com/spf13/cobra"
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

func main() {
	r := runtime.NewRouter()
	args := func(*cobra.Command, []string) error { r.MustRegister(route("args")); return nil }
	valid := func(context.Context, *cli.Command) error { r.MustRegister(route("valid")); return nil }
	if time.Now().IsZero() {
		args = func(*cobra.Command, []string) error { r.MustRegister(route("args")); return nil }
		valid = func(context.Context, *cli.Command) error { r.MustRegister(route("valid")); return nil }
	}
	acts := func(context.Context, *cli.Command) error { return nil }
	if err := (&cobra.Command{Use: "shop", Args: args, Run: func(*cobra.Command, []string) {}}).Execute(); err != nil {
		log.Fatal(err)
	}
	_ = (&cli.Command{Name: "shop", ArgValidator: valid, Action: acts}).Run(context.Background(), os.Args)

	root := &cobra.Command{Use: "shop"}
	root.AddCommand(&cobra.Command{Use: "first", Aliases: []string{"work"}, Run: func(*cobra.Command, []string) {}})
	root.AddCommand(&cobra.Command{Use: "work", Run: func(*cobra.Command, []string) {}})
	_ = root.Execute()
	_ = (&cli2.App{Name: "shop", Commands: []*cli2.Command{{Name: "work"}, {Name: "work"}}}).Run(os.Args)

	app := &cli.Command{Name: "shop", Writer: io.Discard}
	_ = app.Run(context.Background(), os.Args)
	if app.Action != nil {
		r.MustRegister(route("acts"))
	}
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}

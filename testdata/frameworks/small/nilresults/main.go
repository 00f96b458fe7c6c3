// Results of the methods of libraries that may be nil, and what they leave nil.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/urfave/cli/v2"
	"github.com/warrenmq/warren/runtime"
	"go.uber.org/dig"

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

var errNone = errors.New("none")

func main() {
	r := runtime.NewRouter()
	if pflag.Lookup("queue") == nil {
		r.MustRegister(route("undefined"))
	}
	root := &cobra.Command{Use: "svc"}
	if root.Flags().Lookup("config") == nil {
		r.MustRegister(route("unset"))
	}
	root.SetErrPrefix("svc:")
	r.MustRegister(route("prefix-" + root.ErrPrefix()))

	flags := pflag.NewFlagSet("svc", pflag.ContinueOnError)
	flags.Bool("verbose", false, "")
	r.MustRegister(route(fmt.Sprint("flags-", flags.HasFlags())))

	app := &cli.App{Name: "svc", Action: func(*cli.Context) error { return nil }}
	if err := app.Run(os.Args); err != nil {
		log.Fatal(err)
	}
	if app.Authors == nil {
		r.MustRegister(route("authors"))
	}

	container := dig.New()
	if err := container.Provide(func() (*M, error) { return nil, errNone }); err != nil {
		log.Fatal(err)
	}
	if err := container.Invoke(func(*M) {}); err == errNone {
		r.MustRegister(route("same"))
	}
	if err := serve(r); err != nil {
		log.Fatal(err)
	}
}

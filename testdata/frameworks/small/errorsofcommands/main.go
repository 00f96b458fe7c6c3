// The error of a command line leads to the one that a command has returned to it.
package main

import (
	"context"
	"errors"
	"os"

	"github.com/alecthomas/kong"
	"github.com/spf13/cobra"
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

type failure struct{ name string }

func (*failure) Error() string { return "failure" }

// rename changes the failure that an error leads to.
func rename(err error) {
	var f *failure
	if errors.As(err, &f) {
		f.name = "renamed"
	}
}

type Grammar struct {
	failure *failure
}

func (g *Grammar) Run() error { return g.failure }

func main() {
	r := runtime.NewRouter()

	ofCobra := &failure{"cobra"}
	root := &cobra.Command{Use: "shop", RunE: func(*cobra.Command, []string) error { return ofCobra }}
	rename(root.Execute())
	r.MustRegister(route(ofCobra.name))

	ofVersion2 := &failure{"version2"}
	rename((&cli2.App{Name: "shop", Action: func(*cli2.Context) error { return ofVersion2 }}).Run(os.Args))
	r.MustRegister(route(ofVersion2.name))

	ofVersion3 := &failure{"version3"}
	rename((&cli3.Command{Name: "shop", Action: func(context.Context, *cli3.Command) error { return ofVersion3 }}).Run(context.Background(), os.Args))
	r.MustRegister(route(ofVersion3.name))

	ofKong := &failure{"kong"}
	grammar := Grammar{ofKong}
	rename(kong.Parse(&grammar).Run())
	r.MustRegister(route(ofKong.name))

	if err := broker.New().Start(context.Background(), r); err != nil {
		os.Exit(1)
	}
}

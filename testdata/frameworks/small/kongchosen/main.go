// A command that is asked for in one of several branches, and parsers of which one is
// used.
package main

import (
	"context"
	"os"

	"github.com/alecthomas/kong"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

func on(context.Context, string) error { return nil }

func serve(queue string) error {
	r := runtime.NewRouter()
	r.MustRegister(runtime.Route{Name: queue, Queue: runtime.Queue{Name: queue}, Handler: runtime.Consume(on)})
	return broker.New().Start(context.Background(), r)
}

type Run struct{}

func (Run) Run(ctx *kong.Context) error { return serve(ctx.Command()) }

var cli, other struct {
	Serve Run `cmd:""`
	Work  Run `cmd:""`
}

func main() {
	parser := kong.Must(&cli)
	if os.Getenv("OTHER") != "" {
		parser = kong.Must(&other)
	}
	ctx, err := parser.Parse(os.Args[1:])
	parser.FatalIfErrorf(err)
	ctx.FatalIfErrorf(ctx.Run())
	ctx = kong.Parse(&cli)
	if os.Getenv("VERBOSE") != "" {
		println(ctx.Command())
	}
	if err := ctx.Run(); err != nil {
		os.Exit(1)
	}
}

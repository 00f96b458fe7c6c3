// A command line whose parser another module makes: its command gets a router by Run.
package main

import (
	"context"
	"os"

	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
	"example.com/kit/parser"
)

func on(context.Context, string) error { return nil }

func route(queue string) runtime.Route {
	return runtime.Route{Name: queue, Queue: runtime.Queue{Name: queue}, Handler: runtime.Consume(on)}
}

type Serve struct{}

func (Serve) Run(r *runtime.Router) error { return r.Register(route("orders")) }

func main() {
	var cli struct {
		Serve Serve `cmd:"" default:"1"`
	}
	p := parser.New(&cli)
	ctx, err := p.Parse(os.Args[1:])
	p.FatalIfErrorf(err)

	r := runtime.NewRouter()
	r.MustRegister(route("mails"))
	ctx.FatalIfErrorf(ctx.Run(r))
	p.FatalIfErrorf(broker.New().Start(context.Background(), r))
}

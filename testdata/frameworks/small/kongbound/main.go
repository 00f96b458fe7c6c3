// Values that may be bound or not, or under a type that isn't known.
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

type Extra struct{ name string }

type Named interface{ Name() string }

func (e Extra) Name() string { return e.name }

type Serve struct{}

func (Serve) Run(extra Extra) error { return serve(extra.name) }

type CLI struct {
	Serve Serve `cmd:""`
}

func main() {
	var cli CLI
	ctx := kong.Parse(&cli)
	if os.Getenv("A") != "" {
		ctx.Bind(Extra{"bound"})
	}
	ctx.FatalIfErrorf(ctx.Run(Extra{"given"}))

	ctx = kong.Parse(&cli)
	var all []any
	if os.Getenv("B") != "" {
		all = append(all, Extra{"appended"})
	}
	ctx.Bind(all...)

	ctx = kong.Parse(&cli)
	var target any = (*Named)(nil)
	if os.Getenv("C") != "" {
		target = new(Extra)
	}
	ctx.BindTo(Extra{"to"}, target)
}

// Methods of commands by which kong makes values and tags.
package main

import (
	"context"

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

type Thing struct{ name string }

type Serve struct{}

func (Serve) ProvideThing() (*Thing, error) { return &Thing{"provided"}, nil }

func (Serve) Run(thing *Thing) error { return serve(thing.name) }

type Signed struct{}

func (Signed) Signature() string { return `name:"other"` }

func (Signed) Run(ctx *kong.Context) error { return serve(ctx.Command()) }

type CLI struct {
	Serve Serve `cmd:""`
}

func (*CLI) ProvideNothing() (int, error) { return 0, nil }

var cli CLI

func main() {
	kong.Parse(&cli).Run()
}

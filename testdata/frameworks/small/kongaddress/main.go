// A field of what kong has parsed is assigned to by its address and without it.
package main

import (
	"context"

	"github.com/alecthomas/kong"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

func on(context.Context, string) error { return nil }

func main() {
	var cli struct{}
	ctx := kong.Parse(&cli)
	args := &ctx.Args
	*args = []string{"orders"}
	ctx.Args = []string{"mails"}
	r := runtime.NewRouter()
	r.MustRegister(runtime.Route{Name: "a", Queue: runtime.Queue{Name: (*args)[0]}, Handler: runtime.Consume(on)})
	_ = broker.New().Start(context.Background(), r)
}

// What Command says where arguments may be left out.
package main

import (
	"context"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

func on(context.Context, string) error { return nil }

type Work struct {
	Queue string `arg:"" optional:""`
	Kind  string `arg:"" optional:""`
}

func (Work) Run(ctx *kong.Context) error {
	r := runtime.NewRouter()
	add := func(name, queue string) {
		r.MustRegister(runtime.Route{Name: name, Queue: runtime.Queue{Name: queue}, Handler: runtime.Consume(on)})
	}
	command := "neither"
	if strings.HasSuffix(ctx.Command(), " <kind>") {
		command = "both"
	}
	add("command", command)
	return broker.New().Start(context.Background(), r)
}

var cli struct {
	Work Work `cmd:""`
}

func main() {
	ctx := kong.Parse(&cli)
	ctx.FatalIfErrorf(ctx.Run())
}

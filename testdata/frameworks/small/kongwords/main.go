// Of several commands, words of the program's own choose one.
package main

import (
	"context"
	"os"

	"github.com/alecthomas/kong"
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

var r = runtime.NewRouter()

type Serve struct{}

func (Serve) Run() error {
	r.MustRegister(route("served"))
	return nil
}

type Version struct{}

func (Version) Run() error { return nil }

func main() {
	var cli struct {
		Serve   Serve   `cmd:""`
		Version Version `cmd:""`
	}
	ctx, err := kong.Must(&cli).Parse([]string{"version"})
	if err != nil || ctx.Run() != nil {
		os.Exit(1)
	}
	if err := broker.New().Start(context.Background(), r); err != nil {
		os.Exit(1)
	}
}

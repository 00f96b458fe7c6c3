// A loader that isn't kong's may give each flag a value, whatever its file holds.
package main

import (
	"context"
	"io"
	"log"

	"github.com/alecthomas/kong"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

func on(context.Context, string) error { return nil }

type CLI struct {
	Queue string `default:"orders"`
}

func load(io.Reader) (kong.Resolver, error) {
	return kong.ResolverFunc(func(*kong.Context, *kong.Path, *kong.Flag) (any, error) { return "invoices", nil }), nil
}

func main() {
	var cli CLI
	kong.Parse(&cli, kong.Configuration(load, "/dev/null"))
	r := runtime.NewRouter()
	r.MustRegister(runtime.Route{Name: "orders", Queue: runtime.Queue{Name: cli.Queue}, Handler: runtime.Consume(on)})
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}

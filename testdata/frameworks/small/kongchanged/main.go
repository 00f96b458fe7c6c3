// Defaults that the program changes aren't those of the tags, and a function that it has called
// in place of os.Exit may return.
package main

import (
	"context"
	"errors"
	"io"
	"log"
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

type CLI struct {
	Name  string   `default:"tagged"`
	Serve struct{} `cmd:"" default:"1"`
}

func always(io.Reader) (kong.Resolver, error) {
	return kong.ResolverFunc(func(*kong.Context, *kong.Path, *kong.Flag) (any, error) { return "resolved", nil }), nil
}

func main() {
	r := runtime.NewRouter()
	var changed, resolved CLI
	parser := kong.Must(&changed)
	for _, f := range parser.Model.Flags {
		if f.Name == "name" {
			f.Default = "changed"
		}
	}
	if _, err := parser.Parse(nil); err != nil {
		log.Fatal(err)
	}
	r.MustRegister(route(changed.Name))
	ctx := kong.Parse(&resolved, kong.Configuration(always, "/dev/null"), kong.Exit(func(int) {}))
	r.MustRegister(route(resolved.Name))
	if os.Getenv("SHOP_OPEN") == "" {
		ctx.FatalIfErrorf(errors.New("closed"))
		r.MustRegister(route("closed"))
	} else {
		r.MustRegister(route("open"))
	}
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}

// A default that its own enum doesn't allow is the value of no start.
package main

import (
	"context"
	"log"

	"github.com/alecthomas/kong"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

func on(context.Context, string) error { return nil }

var cli struct {
	Lane string `enum:"fast, slow" default:"slow"`
	Mode string `enum:"all,some" default:"none"`
}

func main() {
	kong.Parse(&cli)
	r := runtime.NewRouter()
	for _, name := range []string{"lane." + cli.Lane, "mode." + cli.Mode} {
		r.MustRegister(runtime.Route{Name: name, Queue: runtime.Queue{Name: name}, Handler: runtime.Consume(on)})
	}
	log.Fatal(broker.New().Start(context.Background(), r))
}

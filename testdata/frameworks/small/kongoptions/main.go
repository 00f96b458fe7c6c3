// Options of kong by which others than the tags may say what a flag holds, and
// functions that kong may call.
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

type Serve struct {
	Queue string `default:"orders"`
}

var exited = "no"

func (s *Serve) Run() error {
	r := runtime.NewRouter()
	add := func(name, queue string) {
		r.MustRegister(runtime.Route{Name: name, Queue: runtime.Queue{Name: queue}, Handler: runtime.Consume(on)})
	}
	add("queue", s.Queue)
	add("exited", exited)
	return broker.New().Start(context.Background(), r)
}

type CLI struct {
	Serve Serve `cmd:""`
}

var cli CLI

func main() {
	kong.Parse(&cli, kong.Exit(func(int) { exited = "yes" }), kong.ClearResolvers()).Run()
}

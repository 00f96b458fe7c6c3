package main

import (
	"context"
	"fmt"

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
func serve(r *runtime.Router) error { return broker.New().Start(context.Background(), r) }

type Sub struct {
	Queue string `default:"q"`
}

func (s Sub) Run(n int) error {
	r := runtime.NewRouter()
	r.MustRegister(route(fmt.Sprint("q", n)))
	return serve(r)
}

type List struct{}

func (List) Run() error { return nil }

var cli struct {
	Jobs struct {
		Work Sub  `cmd:""`
		List List `cmd:""`
	} `cmd:""`
}

func main() { ctx := kong.Parse(&cli); ctx.FatalIfErrorf(ctx.Run(5)) }

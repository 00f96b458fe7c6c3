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
func serve(r *runtime.Router) error { return broker.New().Start(context.Background(), r) }

type Serve struct {
	Queue string `default:"q"`
}

func (s *Serve) Run() error {
	r := runtime.NewRouter()
	r.MustRegister(route(s.Queue))
	return serve(r)
}

var cli struct {
	Serve Serve `cmd:""`
}

func main() {
	p, err := kong.New(&cli)
	if err != nil {
		panic(err)
	}
	ctx, err := p.Parse(os.Args[1:])
	p.FatalIfErrorf(err)
	p.FatalIfErrorf(ctx.Run())
}

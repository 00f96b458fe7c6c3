package main

import (
	"context"
	"os"

	"github.com/warrenmq/warren/runtime"
	"go.uber.org/fx"

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

func main() {
	fx.New(fx.Provide(runtime.NewRouter), fx.Invoke(func(r *runtime.Router, f *os.File) { r.MustRegister(route("q")); serve(r) })).Run()
}

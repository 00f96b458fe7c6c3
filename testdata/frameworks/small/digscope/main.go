package main

import (
	"context"

	"github.com/warrenmq/warren/runtime"
	"go.uber.org/dig"

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
	c := dig.New()
	c.Provide(func() string { return "q" })
	s := c.Scope("x")
	s.Invoke(func(s string) { r := runtime.NewRouter(); r.MustRegister(route(s)); serve(r) })
}

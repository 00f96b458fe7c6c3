package main

import (
	"context"
	"fmt"

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
	n := 0
	c.Provide(func() string { n++; return fmt.Sprint("q", n) })
	r := runtime.NewRouter()
	f := func(s string) { r.MustRegister(route(s)) }
	c.Invoke(f)
	c.Invoke(func(s string) { r.MustRegister(route(s + "b")) })
	serve(r)
}

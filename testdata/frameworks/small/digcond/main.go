package main

import (
	"context"
	"os"

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
	if os.Getenv("X") != "" {
		c.Provide(func() string { return "x" })
	} else {
		c.Provide(func() string { return "y" })
	}
	c.Invoke(func(s string) { r := runtime.NewRouter(); r.MustRegister(route(s)); serve(r) })
}

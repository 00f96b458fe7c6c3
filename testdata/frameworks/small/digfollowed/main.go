// Fields that dig leaves out, and a constructor that panics in a container that recovers.
package main

import (
	"context"
	"log"

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

type params struct {
	dig.In `ignore-unexported:"true"`

	Name string
	own  string
}

func main() {
	r := runtime.NewRouter()
	c := dig.New(dig.RecoverFromPanics(), dig.DryRun(false), dig.DeferAcyclicVerification())
	if err := c.Provide(func() (string, int, error) { return "orders", 1, nil }); err != nil {
		log.Fatal(err)
	}
	if err := c.Provide(func(string) *M { panic("no message") }); err != nil {
		log.Fatal(err)
	}
	if err := c.Invoke(func(p params) { r.MustRegister(route(p.Name + p.own)) }); err != nil {
		log.Fatal(err)
	}
	if c.Invoke(func(*M) { r.MustRegister(route("message")) }) != nil {
		r.MustRegister(route("recovered"))
	}
	if err := c.Invoke(func(int) error { return r.Register(route("last")) }); err != nil {
		log.Fatal(err)
	}
	if err := serve(r); err != nil {
		log.Fatal(err)
	}
}

// A constructor of do gets a container of its own, and a function of a hook takes a context and
// returns an error, whatever it is made of.
package main

import (
	"context"
	"log"

	"github.com/samber/do/v2"
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

type service struct{ in do.Injector }

func main() {
	r := runtime.NewRouter()
	root := do.New()
	do.Provide(root, func(i do.Injector) (service, error) {
		if i != do.Injector(root) {
			r.MustRegister(route("another"))
		}
		return service{i}, nil
	})
	switch in := do.MustInvoke[service](root).in.(type) {
	case *do.RootScope:
		r.MustRegister(route("root"))
	case do.Injector:
		if in != nil {
			r.MustRegister(route("injector"))
		}
	}
	hook := fx.StartStopHook(func() { r.MustRegister(route("started")) }, func(context.Context) {})
	if err := hook.OnStart(context.Background()); err != nil {
		r.MustRegister(route("failed"))
	}
	if hook.OnStop(context.Background()) == nil {
		r.MustRegister(route("stopped"))
	}
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}

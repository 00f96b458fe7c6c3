// Hooks are called as long as the context of Start and Stop isn't over.
package main

import (
	"context"
	"log"

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

func main() {
	r := runtime.NewRouter()
	ctx, cancel := context.WithCancel(context.Background())
	cancelled := fx.New(fx.NopLogger, fx.Invoke(func(lc fx.Lifecycle) {
		lc.Append(fx.Hook{OnStart: func(context.Context) error { r.MustRegister(route("first")); cancel(); return nil }})
		lc.Append(fx.Hook{OnStart: func(context.Context) error { r.MustRegister(route("never")); return nil }})
	}))
	if err := cancelled.Start(ctx); err == context.Canceled {
		r.MustRegister(route("cancelled"))
	}
	ctx, cancel = context.WithCancel(context.Background())
	stopped := fx.New(fx.NopLogger, fx.Invoke(func(lc fx.Lifecycle) {
		lc.Append(fx.StartStopHook(func() { r.MustRegister(route("started")) }, func() { r.MustRegister(route("not stopped")) }))
	}))
	if err := stopped.Start(ctx); err != nil {
		log.Fatal(err)
	}
	cancel()
	if err := stopped.Stop(ctx); err == nil {
		r.MustRegister(route("never stopped"))
	}
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}

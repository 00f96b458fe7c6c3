// The end of its goroutine is an error of a hook.
package main

import (
	"context"
	goruntime "runtime"

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
	app := fx.New(fx.NopLogger, fx.Invoke(func(lc fx.Lifecycle) {
		lc.Append(fx.StartHook(func() {
			r.MustRegister(route("hook"))
			goruntime.Goexit()
		}))
	}))
	if app.Start(context.Background()) != nil {
		r.MustRegister(route("failed"))
	}
	if err := broker.New().Start(context.Background(), r); err != nil {
		panic(err)
	}
}

package main

import (
	"context"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/memory"
	"go.uber.org/fx"
)

func on(context.Context, string) error { return nil }

// serving returns a function that has a broker of its own serve a route.
func serving(queue string) func(fx.Lifecycle) error {
	return func(lc fx.Lifecycle) error {
		router, broker := runtime.NewRouter(), memory.New(memory.Config{})
		lc.Append(fx.Hook{
			OnStart: func(ctx context.Context) error { return broker.Start(ctx, router) },
			OnStop:  broker.Shutdown,
		})
		return router.Register(runtime.Route{Name: queue, Queue: runtime.Queue{Name: queue}, Handler: runtime.Consume(on)})
	}
}

func main() { fx.New(fx.Invoke(serving("orders"), serving("bills"))).Run() }

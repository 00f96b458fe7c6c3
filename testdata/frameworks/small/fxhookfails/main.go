package main

import (
	"context"
	"log"
	"os"

	"example.com/frameworks/broker"
	"github.com/warrenmq/warren/runtime"
	"go.uber.org/fx"
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
	r := runtime.NewRouter()
	app := fx.New(fx.NopLogger, fx.Invoke(func(lc fx.Lifecycle) {
		lc.Append(fx.Hook{OnStart: func(context.Context) error { _, err := os.Stat("/nonexistent"); return err }})
		lc.Append(fx.Hook{OnStart: func(context.Context) error { r.MustRegister(route("a")); return nil }})
	}))
	if err := app.Start(context.Background()); err != nil {
		log.Print(err)
	}
	r.MustRegister(route("b"))
	serve(r)
}

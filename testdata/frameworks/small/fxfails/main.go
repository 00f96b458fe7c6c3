package main

import (
	"context"
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

type DB struct{ name string }

func newDB() (*DB, error) {
	_, err := os.Open("/dev/null")
	if err != nil {
		return nil, err
	}
	return &DB{"db"}, nil
}

func newRouter(db *DB) (*runtime.Router, error) {
	r := runtime.NewRouter()
	return r, r.Register(route(db.name))
}

func start(lc fx.Lifecycle, r *runtime.Router) {
	lc.Append(fx.Hook{OnStart: func(context.Context) error { return serve(r) }})
}

func main() {
	fx.New(fx.NopLogger, fx.Provide(newDB, newRouter), fx.Invoke(start)).Run()
}

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
	_, err := os.Open("/nonexistent")
	if err != nil {
		return nil, err
	}
	return &DB{"db"}, nil
}

func main() {
	r := runtime.NewRouter()
	fx.New(fx.NopLogger, fx.Provide(newDB), fx.Invoke(func(db *DB) { r.MustRegister(route(db.name)) }))
	r.MustRegister(route("b"))
	serve(r)
}

package main

import (
	"context"
	"log"
	"os"

	"example.com/frameworks/broker"
	"github.com/warrenmq/warren/runtime"
	"go.uber.org/dig"
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
	f, err := os.Open("/dev/null")
	if err != nil {
		return nil, err
	}
	_ = f
	return &DB{"db"}, nil
}

func main() {
	r := runtime.NewRouter()
	c := dig.New()
	c.Provide(newDB)
	if err := c.Invoke(func(db *DB) { r.MustRegister(route(db.name)) }); err != nil {
		log.Fatal(err)
	}
	r.MustRegister(route("b"))
	serve(r)
}

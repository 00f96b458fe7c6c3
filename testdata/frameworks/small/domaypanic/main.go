package main

import (
	"context"
	"os"

	"example.com/frameworks/broker"
	do "github.com/samber/do/v2"
	"github.com/warrenmq/warren/runtime"
)

type M struct {
	A string `json:"a"`
}

func on(context.Context, M) error { return nil }
func route(q string) runtime.Route {
	return runtime.Route{Name: q, Queue: runtime.Queue{Name: q}, Handler: runtime.Consume(on)}
}
func serve(r *runtime.Router) error { return broker.New().Start(context.Background(), r) }

type (
	DB     struct{ name string }
	Server struct{ db *DB }
)

func newDB(do.Injector) (*DB, error) {
	if os.Getenv("DB") == "" {
		panic("no")
	}
	return &DB{"db"}, nil
}

func newServer(i do.Injector) (*Server, error) { return &Server{do.MustInvoke[*DB](i)}, nil }
func main() {
	r := runtime.NewRouter()
	i := do.New()
	do.Provide(i, newDB)
	do.Provide(i, newServer)
	if _, err := do.Invoke[*Server](i); err != nil {
		r.MustRegister(route("failed"))
	}
	r.MustRegister(route("b"))
	serve(r)
}

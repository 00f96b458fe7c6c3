// A container of samber/do calls methods of what it has made as it ends, and panics for
// a second constructor.
package main

import (
	"context"

	"github.com/samber/do/v2"
	"github.com/warrenmq/warren/runtime"

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

type server struct{ name string }

func (s *server) Shutdown() error    { s.name = "shut"; return nil }
func (s *server) HealthCheck() error { s.name = "healthy"; return nil }

func made(name string, then func(*do.RootScope)) string {
	i := do.New()
	do.Provide(i, func(do.Injector) (*server, error) { return &server{name}, nil })
	s := do.MustInvoke[*server](i)
	then(i)
	return s.name
}

func main() {
	r := runtime.NewRouter()
	r.MustRegister(route(made("shutdown", func(i *do.RootScope) { i.Shutdown() })))
	r.MustRegister(route(made("health", func(i *do.RootScope) { i.HealthCheck() })))
	r.MustRegister(route(made("one", func(i *do.RootScope) { _ = do.Shutdown[*server](i) })))
	i := do.New()
	func() {
		defer func() {
			if recover() != nil {
				r.MustRegister(route("twice"))
			}
		}()
		do.ProvideValue(i, "a")
		do.ProvideValue(i, "b")
	}()
	_ = serve(r)
}

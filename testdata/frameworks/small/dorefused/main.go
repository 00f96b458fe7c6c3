// A container of samber/do calls methods of what it has made as it ends, and panics for
// a second constructor.
package main

import (
	"context"
	"os"

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
	named(r)
	options(r)
	circle(r)
	_ = serve(r)
}

// options makes a container in another way.
func options(r *runtime.Router) {
	i := do.NewWithOpts(&do.InjectorOpts{})
	do.ProvideValue(i, "options")
	r.MustRegister(route(do.MustInvoke[string](i)))
	do.New().ListProvidedServices()
}

// named has names that aren't known, that types may have, and that are given twice or for another
// type.
func named(r *runtime.Router) {
	i := do.New()
	do.ProvideNamedValue(i, os.Getenv("NAME"), "unknown")
	do.ProvideNamedValue(i, "string", "the name of a type")
	do.ProvideNamedValue(i, "number", 1)
	if _, err := do.InvokeNamed[string](i, "number"); err != nil {
		r.MustRegister(route("other"))
	}
	if v, err := do.InvokeNamed[any](i, "number"); err == nil && v == 1 {
		r.MustRegister(route("any"))
	}
	var packages []func(do.Injector)
	if os.Getenv("PACKAGES") != "" {
		packages = append(packages, do.EagerNamed("number", 2))
	}
	do.New(packages...)
	defer func() { _ = recover() }()
	do.ProvideNamedValue(i, "number", 2)
}

// circle has two constructors that need each other.
func circle(r *runtime.Router) {
	i := do.New()
	do.Provide(i, func(i do.Injector) (int, error) { _, err := do.Invoke[string](i); return 1, err })
	do.Provide(i, func(i do.Injector) (string, error) { _, err := do.Invoke[int](i); return "a", err })
	if _, err := do.Invoke[int](i); err != nil {
		r.MustRegister(route("circle"))
	}
}

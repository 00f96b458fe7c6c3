// Hooks that annotations of fx append.
package main

import (
	"context"
	"errors"
	"fmt"
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

// A server has routes, and registers them when it is started.
type server struct {
	router *runtime.Router
	names  []string
}

func (s *server) start(context.Context) error {
	for _, name := range s.names {
		s.router.MustRegister(route(name))
	}
	s.names = nil
	return nil
}

func (s *server) stop() { s.router.MustRegister(route("stopped")) }

func (s *server) Start() { s.router.MustRegister(route("interface")) }

type starter interface{ Start() }

type taken struct {
	fx.In
	Router *runtime.Router
	Name   string `name:"name"`
	Size   int
}

type settings struct{ prefix string }

// run starts and stops an application, and names it where that fails.
func run(r *runtime.Router, name string, options ...fx.Option) {
	app := fx.New(append(options, fx.NopLogger, fx.Supply(r))...)
	if app.Err() != nil || app.Start(context.Background()) != nil || app.Stop(context.Background()) != nil {
		r.MustRegister(route(name + ".fails"))
	}
}

func main() {
	r := runtime.NewRouter()
	newServer := func(r *runtime.Router) (*server, error) { return &server{router: r, names: []string{"a", "b"}}, nil }
	run(r, "server", fx.Provide(fx.Annotate(newServer, fx.OnStart((*server).start), fx.OnStop((*server).stop))), fx.Invoke(func(s *server) { s.names = append(s.names, "c") }))
	run(r, "unneeded", fx.Provide(fx.Annotate(newServer, fx.OnStart(func() { panic("never") }))))
	run(r, "as", fx.Provide(fx.Annotate(func(r *runtime.Router) *server { return &server{router: r} }, fx.As(new(starter)), fx.OnStart(func(_ context.Context, s starter) { s.Start() }))), fx.Invoke(func(starter) {}))
	run(r, "params", fx.Supply(3), fx.Provide(fx.Annotate(func() string { return "n" }, fx.ResultTags(`name:"name"`))),
		fx.Provide(fx.Annotate(func(t taken) settings { return settings{"p" + t.Name} }, fx.ResultTags(`name:"other"`),
			fx.OnStart(func(n int, r *runtime.Router) error {
				r.MustRegister(route(fmt.Sprint("size", n)))
				return nil
			}),
			fx.OnStop(func(context.Context) error { return errors.New("no") }))),
		fx.Invoke(fx.Annotate(func(s settings) { r.MustRegister(route("invoked." + s.prefix)) }, fx.ParamTags(`name:"other"`))))
	run(r, "fails", fx.Provide(fx.Annotate(newServer, fx.OnStart(func(*server) error { return errors.New("no") }), fx.OnStop((*server).stop))), fx.Invoke(func(*server) {}))
	run(r, "constructor", fx.Provide(fx.Annotate(func() (*server, error) { return nil, errors.New("no") }, fx.OnStart(func() { panic("never") }))), fx.Invoke(func(*server) {}))
	run(r, "invoked", fx.Invoke(fx.Annotate(func(r *runtime.Router) { r.MustRegister(route("invoke")) }, fx.OnStart(func(r *runtime.Router) { r.MustRegister(route("on.start")) }))))
	run(r, "order", fx.Supply(settings{"first"}), fx.Decorate(fx.Annotate(func(s settings) settings { return settings{s.prefix + ".decorated"} }, fx.OnStart(func(s settings) { r.MustRegister(route("hook." + s.prefix)) }))),
		fx.Invoke(func(lc fx.Lifecycle, s settings) {
			lc.Append(fx.StartHook(func() { r.MustRegister(route("appended." + s.prefix)) }))
		}))
	run(r, "supplied", fx.Supply(fx.Annotate(settings{"given"}, fx.OnStart(func(s settings) { r.MustRegister(route("supplied." + s.prefix)) }))), fx.Invoke(func(settings) {}))
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}

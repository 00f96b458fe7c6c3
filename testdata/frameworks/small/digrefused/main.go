// What dig refuses by an error, after which the program may go on, isn't followed.
package main

import (
	"context"

	"github.com/warrenmq/warren/runtime"
	"go.uber.org/dig"

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

type (
	unexported struct {
		dig.In
		Name string
		own  string
	}
	ignored struct {
		dig.In `ignore-unexported:"perhaps"`
		Name   string
	}
	optional struct {
		dig.In
		Name string `optional:"perhaps"`
	}
	pointed struct{ *dig.In }
	given   struct {
		dig.Out
		own string
	}
	failure struct{}
	loop    struct{}
)

func (*failure) Error() string { return "" }

func main() {
	r := runtime.NewRouter()
	c := dig.New()
	_ = c.Provide(func(int8) string { return "name" })
	_ = c.Invoke(func(unexported) { r.MustRegister(route("unexported")) })
	_ = c.Invoke(func(ignored) { r.MustRegister(route("ignored")) })
	_ = c.Invoke(func(optional) { r.MustRegister(route("optional")) })
	_ = c.Invoke(func(*optional) { r.MustRegister(route("pointer")) })
	_ = c.Invoke(func(pointed) { r.MustRegister(route("pointed")) })
	_ = c.Invoke(func() *failure { r.MustRegister(route("failure")); return nil })
	_ = c.Provide(func() string { return "twice" })
	_ = c.Provide(func() (int, int) { return 1, 2 })
	_ = c.Provide(func() error { return nil })
	_ = c.Provide(func() (error, int16) { return nil, 1 })
	_ = c.Provide(func() (int32, *failure) { return 1, nil })
	_ = c.Provide(func() given { return given{} })
	_ = c.Provide(func() optional { return optional{} })
	_ = c.Provide(func(*loop) int64 { return 1 })
	_ = c.Provide(func(p struct {
		dig.In
		N int64
	}) *loop {
		return nil
	})
	dry := dig.New(dig.DryRun(true))
	_ = dry.Invoke(func() { r.MustRegister(route("dry")) })
	_ = serve(r)
}

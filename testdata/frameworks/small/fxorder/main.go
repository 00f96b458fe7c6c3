package main

import (
	"context"
	"fmt"

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
func serve(r *runtime.Router) error { return broker.New().Start(context.Background(), r) }

var n int

func q() string { n++; return fmt.Sprint("q", n) }

type (
	A struct{ q string }
	B struct{ q string }
	C struct{ q string }
)

func main() {
	fx.New(
		fx.Provide(func() *A { return &A{q()} }, func(b *B) *C { return &C{q() + b.q} }, func() *B { return &B{q()} }),
		fx.Invoke(func(c *C, a *A, lc fx.Lifecycle) {
			r := runtime.NewRouter()
			lc.Append(fx.Hook{OnStart: func(context.Context) error { r.MustRegister(route(a.q + q())); return serve(r) }})
			r.MustRegister(route(c.q))
		}),
		fx.Module("m", fx.Provide(func() int { return 7 }), fx.Invoke(func(b *B, n int) { b.q += fmt.Sprint(n) })),
		fx.Invoke(func(b *B) { b.q = "late" }),
	).Run()
}

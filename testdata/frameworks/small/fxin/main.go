package main

import (
	"context"
	"os"

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

type (
	P struct {
		fx.In
		R    *runtime.Router
		Name string   `name:"queue"`
		Opt  *os.File `optional:"true"`
	}
	O struct {
		fx.Out
		Name  string `name:"queue"`
		Other string `name:"other"`
	}
)

func main() {
	var got *runtime.Router
	app := fx.New(fx.Provide(runtime.NewRouter, func() O { return O{Name: "q", Other: "x"} }), fx.Invoke(func(p P) {
		if p.Opt == nil {
			p.R.MustRegister(route(p.Name))
		}
	}), fx.Populate(&got))
	if err := app.Start(context.Background()); err != nil {
		panic(err)
	}
	serve(got)
}

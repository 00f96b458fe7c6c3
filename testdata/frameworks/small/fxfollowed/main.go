// What fx calls around the functions that it invokes: the constructors of loggers, the
// last one of each module, and what stops the hooks that it has started.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/warrenmq/warren/runtime"
	"go.uber.org/fx"
	"go.uber.org/fx/fxevent"

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

type params struct {
	fx.In `ignore-unexported:"true"`

	Name string
	own  string
}

var said string

func saying(text string) fx.Option {
	return fx.WithLogger(func() fxevent.Logger {
		said += text
		return fxevent.NopLogger
	})
}

func loggers(r *runtime.Router) *fx.App {
	return fx.New(
		saying("never"), saying("a"), fx.Module("inner", saying("b")), fx.Module("silent", saying("never"), fx.NopLogger),
		fx.Supply("name", fx.Private),
		fx.Invoke(func(p params) { r.MustRegister(route("logged." + said + p.Name + p.own)) }),
	)
}

func recovers(r *runtime.Router) {
	app := fx.New(fx.NopLogger, fx.RecoverFromPanics(), fx.Provide(func() string { panic("no text") }), fx.Invoke(func(string) { said = "never" }))
	if app.Err() != nil {
		r.MustRegister(route("recovered"))
	}
}

func populated() string {
	var text string
	var n int
	app := fx.New(fx.NopLogger, fx.Provide(func() string { return "text" }, func() int { return len(text) }), fx.Populate(&text, &n))
	if err := app.Err(); err != nil {
		log.Fatal(err)
	}
	return fmt.Sprint(text, n)
}

func stopped(fails bool, run func(*fx.App)) (told string) {
	run(fx.New(fx.NopLogger, fx.Invoke(func(lc fx.Lifecycle, s fx.Shutdowner) {
		lc.Append(fx.StartStopHook(func() { told += "1" }, func() { told += "4" }))
		lc.Append(fx.StartStopHook(func() { told += "2"; _ = s.Shutdown() }, func() { told += "3" }))
		if fails {
			lc.Append(fx.StartStopHook(func() error { return errors.New("no") }, func() { told += "never" }))
		}
	})))
	return told
}

func main() {
	r := runtime.NewRouter()
	if err := loggers(r).Err(); err != nil {
		log.Fatal(err)
	}
	recovers(r)
	r.MustRegister(
		route("populated."+populated()),
		route("stopped."+stopped(false, func(app *fx.App) { app.Run() })),
		route("failed."+stopped(true, func(app *fx.App) { _ = app.Start(context.Background()) })),
	)
	if err := serve(r); err != nil {
		log.Fatal(err)
	}
}

// What fx refuses by an error, after which the program may go on, isn't followed, and
// neither is what its loggers and handlers may do.
package main

import (
	"context"
	"errors"
	"time"

	"github.com/warrenmq/warren/runtime"
	"go.uber.org/fx"
	"go.uber.org/fx/fxevent"
	"go.uber.org/fx/fxtest"

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

type optional struct {
	fx.In
	Name   string `optional:"true"`
	Number int    `optional:"true" name:"number"`
}

var logged, printed, handled = "a", "a", "a"

type (
	logger  struct{}
	printer struct{}
	handler struct{}
)

func (logger) LogEvent(fxevent.Event) { logged = "b" }
func (printer) Printf(string, ...any) { printed = "b" }
func (handler) HandleError(error)     { handled = "b" }

type testing struct{}

func (testing) Logf(string, ...any)   {}
func (testing) Errorf(string, ...any) {}
func (testing) FailNow()              {}

func main() {
	r := runtime.NewRouter()
	invoke := func(name string) fx.Option { return fx.Invoke(func() { r.MustRegister(route(name)) }) }
	fx.New(fx.NopLogger, fx.Module("recovers", fx.RecoverFromPanics()), invoke("recovers"))
	fx.New(fx.NopLogger, fx.Module("timeout", fx.StartTimeout(time.Second)), invoke("timeout"))
	fx.New(fx.NopLogger, fx.Supply("twice", "twice"), invoke("twice"))
	fx.New(fx.NopLogger, fx.Module("private", fx.Provide(func() string { return "private" }, fx.Private)), fx.Invoke(func(o optional) {
		r.MustRegister(route("private" + o.Name))
	}))
	fx.New(fx.Error(errors.New("no")), fx.WithLogger(func() fxevent.Logger { r.MustRegister(route("logger")); return fxevent.NopLogger }))
	again := fx.New(fx.NopLogger, fx.Invoke(func(lc fx.Lifecycle) { lc.Append(fx.StartHook(func() {})) }))
	_ = again.Start(context.Background())
	_ = again.Start(context.Background())

	fx.New(fx.WithLogger(func() fxevent.Logger { return logger{} }))
	r.MustRegister(route("logged" + logged))
	fx.New(fx.Logger(printer{}))
	r.MustRegister(route("printed" + printed))
	fx.New(fx.NopLogger, fx.ErrorHook(handler{}), fx.Invoke(func() error { return errors.New("no") }))
	r.MustRegister(route("handled" + handled))
	tested := "a"
	fxtest.New(testing{}, fx.Invoke(func() { tested = "b" }))
	r.MustRegister(route("tested" + tested))
	_ = serve(r)
}

// Where a hook fails, and the rollback too, Start returns an error that is neither of the two.
// Nobody recovers from the panic of a hook, and a context may be over.
package main

import (
	"context"
	"errors"
	"log"
	"os"
	"time"

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

var errClosed = errors.New("closed")

func main() {
	r := runtime.NewRouter()
	fails := fx.New(fx.NopLogger, fx.Invoke(func(lc fx.Lifecycle) {
		lc.Append(fx.Hook{OnStop: func(context.Context) error { return errors.New("not stopped") }})
		lc.Append(fx.Hook{OnStart: func(context.Context) error {
			if os.Getenv("SHOP_OPEN") == "" {
				return errClosed
			}
			return nil
		}})
	}))
	err := fails.Start(context.Background())
	if err == nil {
		os.Exit(1)
	}
	if err == errClosed {
		r.MustRegister(route("closed"))
	} else {
		r.MustRegister(route("both"))
	}
	func() {
		defer func() {
			if recover() != nil {
				r.MustRegister(route("recovered"))
			}
		}()
		panics := fx.New(fx.NopLogger, fx.Invoke(func(lc fx.Lifecycle) {
			lc.Append(fx.StartHook(func() {
				if os.Getenv("SHOP_PANIC") != "" {
					panic("closed")
				}
			}))
		}))
		if err := panics.Start(context.Background()); err != nil {
			log.Fatal(err)
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), -time.Second)
	defer cancel()
	over := fx.New(fx.NopLogger, fx.Invoke(func(lc fx.Lifecycle) {
		lc.Append(fx.StartHook(func() { r.MustRegister(route("never")) }))
	}))
	if err := over.Start(ctx); err != nil {
		r.MustRegister(route("over"))
	}
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}

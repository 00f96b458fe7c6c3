// A service of fx modules, which register in a hook of the lifecycle.
package main

import (
	"context"
	"time"

	"github.com/warrenmq/warren/runtime"
	"go.uber.org/fx"

	"example.com/frameworks/broker"
)

type Settings struct {
	Prefix string
	Grace  time.Duration
}

type Uploaded struct {
	Key string `json:"key"`
}

type Scanned struct {
	Key   string `json:"key"`
	Clean bool   `json:"clean"`
}

type Scanner struct{ settings Settings }

func (s *Scanner) Scan(_ context.Context, m Uploaded) (Scanned, error) {
	return Scanned{Key: m.Key, Clean: true}, nil
}

func (s *Scanner) Forget(context.Context, Scanned) error { return nil }

var scanning = fx.Module("scanning",
	fx.Provide(func(s Settings) *Scanner { return &Scanner{settings: s} }),
	fx.Invoke(func(lc fx.Lifecycle, s *Scanner, r *runtime.Router, settings Settings) {
		lc.Append(fx.StartHook(func() error {
			return r.Register(
				runtime.Route{
					Name:    "scan",
					Queue:   runtime.Queue{Name: settings.Prefix + ".scan", Durable: true},
					Handler: runtime.Respond(s.Scan),
					Reply:   &runtime.Address{},
				},
				runtime.Route{
					Name:    "forget",
					Queue:   runtime.Queue{Name: settings.Prefix + ".forget", Durable: true},
					Handler: runtime.Consume(s.Forget),
				},
			)
		}))
	}),
)

var messaging = fx.Options(
	fx.Provide(runtime.NewRouter, broker.New),
	fx.Invoke(func(lc fx.Lifecycle, b runtime.Broker, r *runtime.Router) {
		lc.Append(fx.Hook{
			OnStart: func(ctx context.Context) error { return b.Start(ctx, r) },
			OnStop:  func(ctx context.Context) error { return b.Shutdown(ctx) },
		})
	}),
)

func main() {
	app := fx.New(
		fx.NopLogger,
		fx.Supply(Settings{Prefix: "files", Grace: 5 * time.Second}),
		scanning,
		messaging,
	)
	app.Run()
}

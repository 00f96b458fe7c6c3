// A service that fx puts together.
package main

import (
	"context"
	"log/slog"
	"os"
	"time"

	"github.com/warrenmq/warren/runtime"
	"go.uber.org/fx"

	"example.com/frameworks/broker"
)

type Config struct {
	AMQP  string
	Grace time.Duration
}

func NewConfig() (*Config, error) {
	return &Config{AMQP: os.Getenv("AMQP_URL"), Grace: 10 * time.Second}, nil
}

func NewLogger() *slog.Logger { return slog.New(slog.NewTextHandler(os.Stderr, nil)) }

type PaymentReceived struct {
	ID     string `json:"id"`
	Amount int64  `json:"amount"`
}

type Repository struct{ payments map[string]int64 }

func NewRepository() *Repository { return &Repository{payments: make(map[string]int64)} }

type Payments struct {
	log  *slog.Logger
	repo *Repository
}

func NewPayments(log *slog.Logger, repo *Repository) *Payments {
	return &Payments{log: log, repo: repo}
}

func (p *Payments) OnReceived(_ context.Context, m PaymentReceived) error {
	p.repo.payments[m.ID] = m.Amount
	return nil
}

func (p *Payments) Register(r *runtime.Router) error {
	return r.Register(runtime.Route{
		Name:        "payments",
		Queue:       runtime.Queue{Name: "payments.received", Durable: true},
		Exchange:    &runtime.Exchange{Name: "bank", Type: runtime.Topic, Durable: true},
		RoutingKeys: []string{"payment.#"},
		Handler:     runtime.Consume(p.OnReceived),
	})
}

func NewRouter(p *Payments) (*runtime.Router, error) {
	r := runtime.NewRouter()
	if err := p.Register(r); err != nil {
		return nil, err
	}
	return r, nil
}

func Start(lc fx.Lifecycle, cfg *Config, log *slog.Logger, router *runtime.Router) {
	b := broker.New()
	lc.Append(fx.Hook{
		OnStart: func(ctx context.Context) error {
			log.Info("starting", "broker", cfg.AMQP)
			return b.Start(ctx, router)
		},
		OnStop: b.Shutdown,
	})
}

func main() {
	fx.New(
		fx.Provide(
			NewConfig,
			NewLogger,
			NewRepository,
			NewPayments,
			NewRouter,
		),
		fx.Invoke(Start),
	).Run()
}

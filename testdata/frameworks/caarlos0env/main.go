// A service that reads its configuration by caarlos0/env.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/caarlos0/env/v11"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type Config struct {
	AMQP struct {
		URL      string `env:"URL" envDefault:"amqp://localhost"`
		Exchange string `env:"EXCHANGE" envDefault:"sensors"`
	} `envPrefix:"AMQP_"`
	Grace time.Duration `env:"GRACE" envDefault:"10s"`
}

type Reading struct {
	Sensor string  `json:"sensor"`
	Value  float64 `json:"value"`
}

type Alarm struct {
	Sensor string `json:"sensor"`
}

type watch struct{ limit float64 }

func (w *watch) onReading(_ context.Context, r Reading) error {
	if r.Value > w.limit {
		fmt.Println("alarm", r.Sensor)
	}
	return nil
}

func (w *watch) onAlarm(context.Context, Alarm) error { return nil }

func newRouter(cfg Config, w *watch) (*runtime.Router, error) {
	router := runtime.NewRouter()
	sensors := &runtime.Exchange{Name: cfg.AMQP.Exchange, Type: runtime.Topic}
	err := router.Register(
		runtime.Route{
			Name:        "readings",
			Queue:       runtime.Queue{Name: "readings"},
			Exchange:    sensors,
			RoutingKeys: []string{"reading.#"},
			Handler:     runtime.Consume(w.onReading),
		},
		runtime.Route{
			Name:    "alarms",
			Queue:   runtime.Queue{Name: "alarms", Durable: true},
			Handler: runtime.Consume(w.onAlarm),
		},
	)
	return router, err
}

func run() error {
	cfg, err := env.ParseAs[Config]()
	if err != nil {
		return fmt.Errorf("configuration: %w", err)
	}
	router, err := newRouter(cfg, &watch{limit: 40})
	if err != nil {
		return fmt.Errorf("routes: %w", err)
	}
	return runtime.Run(context.Background(), broker.New(), router, cfg.Grace)
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

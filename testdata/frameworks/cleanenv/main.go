// A service that reads its configuration by cleanenv.
package main

import (
	"context"
	"log"
	"time"

	"github.com/ilyakaznacheev/cleanenv"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type (
	Config struct {
		App   `yaml:"app"`
		AMQP  `yaml:"amqp" env-prefix:"AMQP_"`
		Grace time.Duration `env:"GRACE" env-default:"10s"`
	}

	App struct {
		Name string `yaml:"name" env:"APP_NAME" env-default:"invoicing"`
	}

	AMQP struct {
		Queue   string   `yaml:"queue" env:"QUEUE,INVOICES_QUEUE" env-default:"invoices"`
		Keys    []string `yaml:"keys" env:"KEYS" env-default:"invoice.sent,invoice.paid"`
		Kept    string   `yaml:"kept" env:"KEPT" env-default:"overwritten"`
		Durable bool     `yaml:"durable" env:"DURABLE" env-default:"true"`
		URL     string   `yaml:"url" env:"URL" env-required:"true"`
	}
)

type Paid struct {
	Invoice string `json:"invoice"`
	Cents   int    `json:"cents"`
}

func NewConfig() (*Config, error) {
	cfg := &Config{AMQP: AMQP{Kept: "kept", URL: "amqp://localhost"}}
	if err := cleanenv.ReadEnv(cfg); err != nil {
		return nil, err
	}
	return cfg, nil
}

func onPaid(context.Context, Paid) error { return nil }

func main() {
	cfg, err := NewConfig()
	if err != nil {
		log.Fatalf("configuration: %s", err)
	}
	router := runtime.NewRouter()
	router.MustRegister(runtime.Route{
		Name:        cfg.App.Name,
		Queue:       runtime.Queue{Name: cfg.Queue, Durable: cfg.Durable},
		Exchange:    &runtime.Exchange{Name: cfg.Kept, Type: runtime.Topic},
		RoutingKeys: cfg.Keys,
		Handler:     runtime.Consume(onPaid),
	})
	if err := runtime.Run(context.Background(), broker.New(), router, cfg.Grace); err != nil {
		log.Fatal(err)
	}
}

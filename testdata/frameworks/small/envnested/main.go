// Defaults in the tags of caarlos0/env: nested, embedded, behind pointers, of
// all kinds.
package main

import (
	"context"
	"log"
	"time"

	"github.com/caarlos0/env/v11"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type Queue struct {
	Name    string `env:"NAME,notEmpty" envDefault:"orders"`
	Durable bool   `env:"DURABLE" envDefault:"true"`
	TTL     int    `env:"TTL" envDefault:"60000"`
}

type Common struct {
	Exchange string `env:"EXCHANGE" envDefault:"shop"`
}

type Level string

type Config struct {
	Common
	Queue  Queue `envPrefix:"QUEUE_"`
	Second *Queue
	Keys   []string      `env:"KEYS" envDefault:"order.created,order.paid"`
	Grace  time.Duration `env:"GRACE" envDefault:"5s"`
	Level  Level         `env:"LEVEL,required" envDefault:"high"`
	Kept   string        `env:"KEPT"`
	Free   string
	hidden string `env:"HIDDEN" envDefault:"never"`
}

func on(context.Context, int) error { return nil }

func main() {
	cfg := Config{Kept: "kept", Free: "free", Second: &Queue{Name: "overwritten"}}
	if err := env.ParseWithOptions(&cfg, env.Options{Prefix: "SHOP_"}); err != nil {
		log.Fatal(err)
	}
	r := runtime.NewRouter()
	r.MustRegister(runtime.Route{
		Name:        cfg.Second.Name,
		Queue:       runtime.Queue{Name: cfg.Queue.Name, Durable: cfg.Queue.Durable, Arguments: map[string]any{"x-message-ttl": cfg.Queue.TTL}},
		Exchange:    &runtime.Exchange{Name: cfg.Exchange, Type: runtime.Topic},
		RoutingKeys: cfg.Keys,
		Tags:        []string{string(cfg.Level), cfg.Kept, cfg.Free, cfg.Grace.String(), "-" + cfg.hidden},
		Handler:     runtime.Consume(on),
	})
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}

// Settings of another module's type, whose method only reads the name of the queue.
package main

import (
	"context"
	"log"
	"time"

	"github.com/caarlos0/env/v11"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
	"example.com/kit/settings"
	"example.com/kit/tenant"
)

type config struct {
	Level settings.Level `env:"LEVEL" envDefault:"info"`
}

func on(context.Context, string) error { return nil }

func main() {
	tenant.Set("acme")
	var c config
	if err := env.Parse(&c); err != nil {
		log.Fatal(err)
	}
	router := runtime.NewRouter()
	router.MustRegister(runtime.Route{Name: "orders", Queue: runtime.Queue{Name: tenant.Name() + ".orders"}, Handler: runtime.Consume(on)})
	if err := runtime.Run(context.Background(), broker.New(), router, time.Second); err != nil {
		log.Fatal(err)
	}
}

// Defaults in the options of the tags of sethvargo/go-envconfig.
package main

import (
	"context"
	"log"

	"github.com/sethvargo/go-envconfig"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type Queue struct {
	Name    string `env:"NAME, default=orders"`
	Durable bool   `env:"DURABLE,default=true"`
}

type Config struct {
	Queue *Queue   `env:",prefix=QUEUE_"`
	Keys  []string `env:"KEYS, default=order.created,order.paid"`
	Kept  string   `env:"KEPT, default=never"`
}

func on(context.Context, int) error { return nil }

func main() {
	ctx := context.Background()
	cfg := Config{Kept: "kept"}
	if err := envconfig.Process(ctx, &cfg); err != nil {
		log.Fatal(err)
	}
	second := envconfig.MustProcess(ctx, &Queue{})
	r := runtime.NewRouter()
	r.MustRegister(
		runtime.Route{
			Name: cfg.Kept, Queue: runtime.Queue{Name: cfg.Queue.Name, Durable: cfg.Queue.Durable},
			Exchange: &runtime.Exchange{Name: "shop", Type: runtime.Topic}, RoutingKeys: cfg.Keys, Handler: runtime.Consume(on),
		},
		runtime.Route{Name: "second", Queue: runtime.Queue{Name: second.Name + ".second"}, Handler: runtime.Consume(on)},
	)
	if err := broker.New().Start(ctx, r); err != nil {
		log.Fatal(err)
	}
}

// Keys of koanf that differ in nothing but their case: a decoder takes one of them.
package main

import (
	"context"
	"log"

	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/v2"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type config struct {
	DB struct{ Orders, Payments string }
}

func on(context.Context, string) error { return nil }

func main() {
	k := koanf.New(".")
	if err := k.Load(confmap.Provider(map[string]any{"db.orders": "orders", "DB.payments": "payments"}, "."), nil); err != nil {
		log.Fatal(err)
	}
	var cfg config
	if err := k.Unmarshal("", &cfg); err != nil {
		log.Fatal(err)
	}
	below := struct{ Orders string }{"before"}
	if err := k.Unmarshal("Db", &below); err != nil {
		log.Fatal(err)
	}
	r := runtime.NewRouter()
	for _, queue := range []string{cfg.DB.Orders, cfg.DB.Payments, below.Orders} {
		r.MustRegister(runtime.Route{Name: queue, Queue: runtime.Queue{Name: queue}, Handler: runtime.Consume(on)})
	}
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}

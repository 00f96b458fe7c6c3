// Defaults of koanf: of the provider confmap, over which the environment and a
// file that need not be there may put others.
package main

import (
	"context"
	"log"
	"strings"

	"github.com/knadh/koanf/parsers/yaml"
	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/providers/env"
	"github.com/knadh/koanf/providers/file"
	"github.com/knadh/koanf/v2"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type Config struct {
	Queue struct {
		Name    string `koanf:"name"`
		Durable bool
	} `koanf:"queue"`
	Keys []string `koanf:"keys"`
}

func on(context.Context, int) error { return nil }

func main() {
	k := koanf.New(".")
	defaults := map[string]any{"queue.name": "orders", "queue.durable": true, "keys": []string{"order.*"}, "exchange": "shop"}
	if err := k.Load(confmap.Provider(defaults, "."), nil); err != nil {
		log.Fatal(err)
	}
	if err := k.Load(confmap.Provider(map[string]any{"exchange": "later"}, ""), nil); err != nil {
		log.Fatal(err)
	}
	if err := k.Load(file.Provider("config.yaml"), yaml.Parser()); err != nil {
		log.Print("no configuration file: ", err)
	}
	if err := k.Load(env.Provider("SHOP_", ".", strings.ToLower), nil); err != nil {
		log.Fatal(err)
	}
	var cfg Config
	if err := k.Unmarshal("", &cfg); err != nil {
		log.Fatal(err)
	}
	r := runtime.NewRouter()
	r.MustRegister(runtime.Route{
		Name:        k.MustString("queue.name"),
		Queue:       runtime.Queue{Name: cfg.Queue.Name, Durable: cfg.Queue.Durable},
		Exchange:    &runtime.Exchange{Name: k.String("exchange"), Type: runtime.Topic},
		RoutingKeys: cfg.Keys,
		Handler:     runtime.Consume(on),
	})
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}

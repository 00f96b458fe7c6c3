// Settings of embedded structs that aren't exported: they are those of the struct around them.
package main

import (
	"context"
	"log"
	"time"

	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/v2"
	"github.com/spf13/viper"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type common struct{ Queue string }

type apart struct{ Key string }

type Config struct {
	common `mapstructure:",squash" koanf:",squash"`
	apart         // without the option, nothing sets its fields
	named  common `mapstructure:",squash" koanf:",squash"`
	TTL    int
}

func on(context.Context, int) error { return nil }

func main() {
	r := runtime.NewRouter()
	add := func(name string, c Config) {
		r.MustRegister(runtime.Route{
			Name: name, Queue: runtime.Queue{Name: c.Queue + c.named.Queue, MessageTTL: time.Duration(c.TTL) * time.Millisecond},
			Exchange: &runtime.Exchange{Name: "shop", Type: runtime.Topic}, RoutingKeys: []string{c.Key}, Handler: runtime.Consume(on),
		})
	}
	v := viper.New()
	v.SetDefault("queue", "orders")
	v.SetDefault("ttl", 60000)
	v.SetDefault("key", "other.*")
	v.SetDefault("apart.key", "another.*")
	cfg := Config{apart: apart{Key: "order.*"}, named: common{Queue: "-kept"}}
	if err := v.Unmarshal(&cfg); err != nil {
		log.Fatal(err)
	}
	add("viper", cfg)

	k := koanf.New(".")
	defaults := map[string]any{"Queue": "bills", "TTL": 1000, "Key": "other.*", "apart.Key": "another.*"}
	if err := k.Load(confmap.Provider(defaults, "."), nil); err != nil {
		log.Fatal(err)
	}
	cfg = Config{apart: apart{Key: "bill.*"}}
	if err := k.Unmarshal("", &cfg); err != nil {
		log.Fatal(err)
	}
	add("koanf", cfg)
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}

// Stores of settings of which not all is followed, and settings that may not be read.
package main

import (
	"context"
	"log"

	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/providers/env"
	"github.com/knadh/koanf/v2"
	"github.com/spf13/viper"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type M struct {
	A string `json:"a"`
}

func on(context.Context, M) error { return nil }

func route(q string) runtime.Route {
	return runtime.Route{Name: q, Queue: runtime.Queue{Name: q}, Handler: runtime.Consume(on)}
}

func serve(r *runtime.Router) error { return broker.New().Start(context.Background(), r) }

type config struct {
	Queue string
}

func panics(f func()) (yes bool) {
	defer func() { yes = recover() != nil }()
	f()
	return false
}

func main() {
	r := runtime.NewRouter()
	var failed config
	tolerant := viper.New()
	tolerant.SetDefault("queue", "orders")
	_ = tolerant.Unmarshal(&failed)
	r.MustRegister(route("failed" + failed.Queue))

	asked := koanf.New(".")
	if panics(func() { asked.MustString("missing") }) {
		r.MustRegister(route("asked"))
	}
	slashes := koanf.New("/")
	_ = slashes.Load(confmap.Provider(map[string]any{"queue/name": "orders"}, "/"), nil)
	r.MustRegister(route("slashes" + slashes.String("queue/name")))

	parted := koanf.New(".")
	_ = parted.Load(confmap.Provider(map[string]any{"queue.name": "orders"}, "/"), nil)
	r.MustRegister(route("parted" + parted.String("queue.name")))

	below := koanf.New(".")
	_ = below.Load(confmap.Provider(map[string]any{"a.queue": "orders"}, "."), nil)
	var part config
	if err := below.Unmarshal("a", &part); err != nil {
		log.Fatal(err)
	}
	r.MustRegister(route("below" + part.Queue))

	renamed := ""
	loaded := koanf.New(".")
	_ = loaded.Load(env.Provider("SHOP_", ".", func(key string) string { renamed += key; return key }), nil)
	r.MustRegister(route("renamed" + renamed))

	original := viper.New()
	original.SetDefault("queue", "orders")
	shares := *original
	shares.SetDefault("queue", "payments")
	r.MustRegister(route("copied" + original.GetString("queue")))
	if err := serve(r); err != nil {
		log.Fatal(err)
	}
}

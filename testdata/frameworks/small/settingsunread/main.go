// A key of a setting that isn't known, ways to change a store that aren't followed, and
// a failure after which the program goes on.
package main

import (
	"context"
	"log"
	"os"

	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/providers/env"
	"github.com/knadh/koanf/v2"
	"github.com/spf13/viper"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

func on(context.Context, int) error { return nil }

func defaults(delim string, provider koanf.Provider) *koanf.Koanf {
	k := koanf.New(delim)
	if err := k.Load(provider, nil); err != nil {
		log.Fatal(err)
	}
	return k
}

func main() {
	r := runtime.NewRouter()
	add := func(name, queue string) {
		r.MustRegister(runtime.Route{Name: name, Queue: runtime.Queue{Name: queue}, Handler: runtime.Consume(on)})
	}
	viper.SetDefault("queue", "orders")
	viper.Reset()
	add("reset", viper.GetString("queue"))

	key := viper.New()
	key.SetDefault("queue", "orders")
	key.SetDefault(os.Getenv("KEY"), "other")
	add("key", key.GetString("queue"))

	if err := os.Setenv("NAME", "environment"); err != nil {
		log.Fatal(err)
	}
	bound := viper.New()
	bound.SetDefault("name", "default")
	if err := bound.BindEnv("name", "NAME"); err != nil {
		log.Fatal(err)
	}
	add("bound", bound.GetString("name"))

	flat := map[string]any{"queue": "orders"}

	below := defaults(".", confmap.Provider(flat, "."))
	state := "loaded"
	if err := below.Load(env.Provider("SHOP_", ".", nil), nil); err != nil {
		state = "failed"
	}
	add("state", state)
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}

// A store merges others into the maps that it has got from a provider.
package main

import (
	"context"
	"os"

	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/v2"
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

func load(k *koanf.Koanf, p koanf.Provider) {
	if err := k.Load(p, nil); err != nil {
		os.Exit(1)
	}
}

func main() {
	r := runtime.NewRouter()

	shared := confmap.Provider(map[string]any{"queue.name": "orders"}, ".")
	first, second := koanf.New("."), koanf.New(".")
	load(first, shared)
	load(first, confmap.Provider(map[string]any{"queue.name": "payments"}, "."))
	load(second, shared)
	r.MustRegister(route(second.String("queue.name")))

	read := confmap.Provider(map[string]any{"name": "orders"}, ".")
	values, err := read.Read()
	if err != nil {
		os.Exit(1)
	}
	values["name"] = "renamed"
	third := koanf.New(".")
	load(third, read)
	r.MustRegister(route(third.String("name")))

	if err := broker.New().Start(context.Background(), r); err != nil {
		os.Exit(1)
	}
}

// What koanf's defaults don't determine: a key without one, a struct as provider,
// a file that has to be there.
package main

import (
	"context"
	"log"

	"github.com/knadh/koanf/parsers/yaml"
	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/providers/file"
	"github.com/knadh/koanf/providers/structs"
	"github.com/knadh/koanf/v2"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type Config struct {
	Queue string `koanf:"queue"`
}

func on(context.Context, int) error { return nil }

func main() {
	r := runtime.NewRouter()
	add := func(name, queue string) {
		r.MustRegister(runtime.Route{Name: name, Queue: runtime.Queue{Name: queue}, Handler: runtime.Consume(on)})
	}
	k := koanf.New(".")
	if err := k.Load(confmap.Provider(map[string]any{"queue": "orders"}, "."), nil); err != nil {
		log.Fatal(err)
	}
	add("missing", k.String("missing"))
	if err := k.Load(file.Provider("config.yaml"), yaml.Parser()); err != nil {
		log.Fatal(err)
	}
	add("file", k.String("queue"))
	var cfg Config
	if err := k.Unmarshal("", &cfg); err != nil {
		log.Fatal(err)
	}
	add("struct", cfg.Queue)

	s := koanf.New(".")
	if err := s.Load(confmap.Provider(map[string]any{"queue": "orders"}, "."), nil); err != nil {
		log.Fatal(err)
	}
	if err := s.Load(structs.Provider(Config{Queue: "bills"}, "koanf"), nil); err != nil {
		log.Fatal(err)
	}
	add("provider", s.String("queue"))
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}

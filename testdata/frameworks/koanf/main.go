// A service that reads its configuration by koanf. Its queues are in the code.
package main

import (
	"context"
	"log"
	"strings"
	"time"

	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/providers/env"
	"github.com/knadh/koanf/v2"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

var k = koanf.New(".")

type Config struct {
	AMQP struct {
		URL      string `koanf:"url"`
		Prefetch int    `koanf:"prefetch"`
	} `koanf:"amqp"`
	Grace time.Duration `koanf:"grace"`
}

func load() (Config, error) {
	var cfg Config
	if err := k.Load(confmap.Provider(map[string]any{
		"amqp.url": "amqp://localhost", "amqp.prefetch": 10, "grace": "10s",
	}, "."), nil); err != nil {
		return cfg, err
	}
	err := k.Load(env.Provider("SEARCH_", ".", func(s string) string {
		return strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(s, "SEARCH_")), "_", ".")
	}), nil)
	if err != nil {
		return cfg, err
	}
	return cfg, k.Unmarshal("", &cfg)
}

type Document struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

type index struct{ documents map[string]Document }

func (i *index) put(_ context.Context, d Document) error {
	i.documents[d.ID] = d
	return nil
}

func (i *index) remove(_ context.Context, d Document) error {
	delete(i.documents, d.ID)
	return nil
}

func main() {
	cfg, err := load()
	if err != nil {
		log.Fatal(err)
	}
	i := &index{documents: make(map[string]Document)}
	router := runtime.NewRouter()
	for name, handler := range map[string]func(context.Context, Document) error{"put": i.put, "remove": i.remove} {
		router.MustRegister(runtime.Route{
			Name:    name,
			Queue:   runtime.Queue{Name: "search." + name, Durable: true},
			Handler: runtime.Consume(handler),
		})
	}
	if err := runtime.Run(context.Background(), broker.New(), router, cfg.Grace); err != nil {
		log.Fatal(err)
	}
}

// A parser of the program's own gives settings of its own, and a set of flags knows that it has
// parsed.
package main

import (
	"context"
	"errors"
	"log"

	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/providers/file"
	"github.com/knadh/koanf/v2"
	"github.com/spf13/pflag"
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

type parser struct{}

func (parser) Unmarshal([]byte) (map[string]any, error) {
	return map[string]any{"queue": "parsed"}, nil
}

func (parser) Marshal(map[string]any) ([]byte, error) { return nil, errors.New("not written") }

func main() {
	r := runtime.NewRouter()
	k := koanf.New(".")
	if err := k.Load(confmap.Provider(map[string]any{"queue": "default"}, "."), nil); err != nil {
		log.Fatal(err)
	}
	if err := k.Load(file.Provider("/dev/null"), parser{}); err != nil {
		log.Print(err)
	}
	r.MustRegister(route(k.String("queue")))
	pflag.String("name", "orders", "the name")
	pflag.Parse()
	if pflag.Parsed() {
		r.MustRegister(route("was-parsed"))
	} else {
		r.MustRegister(route("never"))
	}
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}

// Variables of the environment that the program itself sets.
package main

import (
	"context"
	"log"
	"os"

	"github.com/caarlos0/env/v11"
	"github.com/ilyakaznacheev/cleanenv"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type Config struct {
	Queue string `env:"QUEUE" envDefault:"orders"`
}

func on(context.Context, int) error { return nil }

func main() {
	if err := os.Setenv("QUEUE", "set"); err != nil {
		log.Fatal(err)
	}
	r := runtime.NewRouter()
	add := func(name, queue string) {
		r.MustRegister(runtime.Route{Name: name, Queue: runtime.Queue{Name: queue}, Handler: runtime.Consume(on)})
	}
	var parsed Config
	if err := env.Parse(&parsed); err != nil {
		log.Fatal(err)
	}
	add("parsed", parsed.Queue)
	made, err := env.ParseAs[Config]()
	if err != nil {
		log.Fatal(err)
	}
	add("made", made.Queue)
	var read struct {
		Queue string `env:"QUEUE" env-default:"orders"`
	}
	if err := cleanenv.ReadEnv(&read); err != nil {
		log.Fatal(err)
	}
	add("read", read.Queue)
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}

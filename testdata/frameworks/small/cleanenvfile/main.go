// A configuration file that cleanenv reads decides what the fields hold.
package main

import (
	"context"
	"log"

	"github.com/ilyakaznacheev/cleanenv"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type Config struct {
	Queue    string `yaml:"queue" env:"QUEUE" env-default:"orders"`
	Required string `yaml:"required" env:"REQUIRED" env-required:"true" env-default:"never"`
}

func on(context.Context, int) error { return nil }

func main() {
	var cfg Config
	if err := cleanenv.ReadConfig("config.yml", &cfg); err != nil {
		log.Fatal(err)
	}
	r := runtime.NewRouter()
	r.MustRegister(
		runtime.Route{Name: "file", Queue: runtime.Queue{Name: cfg.Queue}, Handler: runtime.Consume(on)},
		runtime.Route{Name: "required", Queue: runtime.Queue{Name: cfg.Required}, Handler: runtime.Consume(on)},
	)
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}

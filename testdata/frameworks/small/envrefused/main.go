// What the tags of caarlos0/env don't determine: no default, a default that is
// the name of a file, options that change the tags, a failure that is tolerated.
package main

import (
	"context"
	"log"

	"github.com/caarlos0/env/v11"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type Config struct {
	Plain    string  `env:"PLAIN"`
	Required string  `env:"REQUIRED,required"`
	File     string  `env:"FILE,file" envDefault:"/etc/hostname"`
	Expanded string  `env:"EXPANDED,expand" envDefault:"${PLAIN}-x"`
	Pointer  *string `env:"POINTER" envDefault:"pointer"`
}

type Renamed struct {
	Queue string `env:"QUEUE" envDefault:"orders" fallback:"bills"`
}

type Tolerated struct {
	Queue string `env:"QUEUE" envDefault:"orders"`
}

func on(context.Context, int) error { return nil }

func main() {
	r := runtime.NewRouter()
	add := func(name, queue string) {
		r.MustRegister(runtime.Route{Name: name, Queue: runtime.Queue{Name: queue}, Handler: runtime.Consume(on)})
	}
	cfg := env.Must(env.ParseAs[Config]())
	add("plain", cfg.Plain)
	add("required", cfg.Required)
	add("file", cfg.File)
	add("expanded", cfg.Expanded)
	add("pointer", *cfg.Pointer)

	var renamed Renamed
	if err := env.ParseWithOptions(&renamed, env.Options{DefaultValueTagName: "fallback"}); err != nil {
		log.Fatal(err)
	}
	add("renamed", renamed.Queue)

	var tolerated Tolerated
	if err := env.Parse(&tolerated); err != nil {
		log.Print(err)
	}
	add("tolerated", tolerated.Queue)

	var again Tolerated
	if err := env.Parse(&again); err != nil {
		log.Fatal(err)
	}
	again.Queue += ".v2"
	if err := env.Parse(&again); err != nil {
		log.Fatal(err)
	}
	add(again.Queue, again.Queue+"!")
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}

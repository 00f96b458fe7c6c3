// Failures to read the environment after which the program goes on.
package main

import (
	"context"
	"log"
	"os"
	"strconv"

	"github.com/caarlos0/env/v11"
	"github.com/ilyakaznacheev/cleanenv"
	kelsey "github.com/kelseyhightower/envconfig"
	"github.com/sethvargo/go-envconfig"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type Config struct {
	Queue string `env:"QUEUE" envDefault:"orders"`
}

func on(context.Context, int) error { return nil }

// after returns whether a call comes to its end.
func after(call func()) (name string) {
	name = "panicked"
	defer func() { _ = recover() }()
	call()
	return "done"
}

func main() {
	ctx := context.Background()
	r := runtime.NewRouter()
	add := func(name, queue string) {
		r.MustRegister(runtime.Route{Name: name, Queue: runtime.Queue{Name: queue}, Handler: runtime.Consume(on)})
	}
	made, err := env.ParseAs[Config]()
	if err != nil {
		log.Print(err)
	}
	add("made", made.Queue)
	state := "parsed"
	if _, err := env.ParseAs[Config](); err != nil {
		state = "failed"
	}
	add("state", state)
	var file Config
	source := "file"
	if err := cleanenv.ReadConfig("file.yaml", &file); err != nil {
		source = "defaults"
	}
	add("source", source)
	add("must", after(func() { env.Must(env.ParseAs[Config]()) }))
	add("number", after(func() { env.Must(strconv.Atoi(os.Getenv("NUMBER"))) }))
	add("kelsey", after(func() { kelsey.MustProcess("shop", &struct{ Port int }{}) }))
	add("sethvargo", after(func() { envconfig.MustProcess(ctx, &Config{}) }))
	if err := broker.New().Start(ctx, r); err != nil {
		log.Fatal(err)
	}
}

// Methods of the program's types that frameworks call: those by which values read themselves,
// those by which settings and errors are made texts.
package main

import (
	"context"
	"fmt"
	"log"
	"strconv"

	"github.com/alecthomas/kong"
	"github.com/caarlos0/env/v11"
	"github.com/kelseyhightower/envconfig"
	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/v2"
	"github.com/spf13/viper"
	"github.com/warrenmq/warren/runtime"
	"go.uber.org/dig"

	"example.com/frameworks/broker"
)

var decoded, printed int

type level string

func (l *level) UnmarshalText(text []byte) error {
	decoded++
	*l = level(text)
	return nil
}

type mode struct{}

func (mode) String() string {
	printed++
	return "fast"
}

type failure struct{ printed *int }

func (f failure) Error() string {
	*f.printed++
	return "failure"
}

type config struct {
	Level level  `env:"LEVEL" envDefault:"info" default:"info" koanf:"level"`
	Queue string `env:"QUEUE" envDefault:"orders" default:"orders" koanf:"queue"`
}

func on(context.Context, string) error { return nil }

func main() {
	r := runtime.NewRouter()
	add := func(name string, n int) {
		queue := name + strconv.Itoa(n)
		r.MustRegister(runtime.Route{Name: queue, Queue: runtime.Queue{Name: queue}, Handler: runtime.Consume(on)})
	}

	var cfg config
	decoded = 0
	if err := env.Parse(&cfg); err != nil {
		log.Fatal(err)
	}
	add(cfg.Queue+"env", decoded)

	decoded = 0
	if err := envconfig.Process("shop", &cfg); err != nil {
		log.Fatal(err)
	}
	add(cfg.Queue+"envconfig", decoded)

	k := koanf.New(".")
	if err := k.Load(confmap.Provider(map[string]any{"level": "info", "mode": mode{}}, "."), nil); err != nil {
		log.Fatal(err)
	}
	decoded = 0
	if err := k.Unmarshal("", &cfg); err != nil {
		log.Fatal(err)
	}
	add("koanf", decoded)
	printed = 0
	k.String("mode")
	add("koanfmode", printed)

	viper.SetDefault("mode", mode{})
	printed = 0
	viper.GetString("mode")
	add("vipermode", printed)

	var cli struct {
		Level level `default:"info"`
	}
	decoded = 0
	kong.Parse(&cli)
	add("kong", decoded)

	failed := 0
	c := dig.New()
	if err := c.Provide(func() (string, error) { return "", failure{&failed} }); err != nil {
		log.Fatal(err)
	}
	err := c.Invoke(func(string) {})
	failed = 0
	fmt.Println(err)
	add("dig", failed)

	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}

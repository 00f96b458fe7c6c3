// What a framework was given and calls later: what it changes is set anew between.
package main

import (
	"context"
	"flag"
	"log"
	"strconv"

	"github.com/knadh/koanf/providers/env"
	"github.com/knadh/koanf/v2"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type writer struct{ lines int }

func (w *writer) Write(p []byte) (int, error) {
	w.lines++
	return len(p), nil
}

type replacer struct{ keys *int }

func (r replacer) Replace(key string) string {
	*r.keys++
	return key
}

func on(context.Context, string) error { return nil }

func main() {
	r := runtime.NewRouter()
	add := func(name string, n int) {
		queue := name + strconv.Itoa(n)
		r.MustRegister(runtime.Route{Name: queue, Queue: runtime.Queue{Name: queue}, Handler: runtime.Consume(on)})
	}

	variables := 0
	provider := env.Provider("", ".", func(name string) string {
		variables++
		return name
	})
	variables = 0
	if err := koanf.New(".").Load(provider, nil); err != nil {
		log.Fatal(err)
	}
	add("variables", variables)

	keys := 0
	v := viper.NewWithOptions(viper.EnvKeyReplacer(replacer{&keys}))
	v.AutomaticEnv()
	keys = 0
	v.GetString("queue")
	add("keys", keys)

	w := &writer{}
	flags := flag.NewFlagSet("shop", flag.ContinueOnError)
	flags.String("queue", "orders", "`name` of the queue")
	flags.SetOutput(w)
	w.lines = 0
	flags.PrintDefaults()
	add("lines", w.lines)

	names := 0
	pflags := pflag.NewFlagSet("shop", pflag.ContinueOnError)
	pflags.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		names++
		return pflag.NormalizedName(name)
	})
	names = 0
	pflags.String("queue", "orders", "name of the queue")
	add("names", names)

	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}

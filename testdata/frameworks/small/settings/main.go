// How viper and koanf copy, convert and check what they are given.
package main

import (
	"context"
	"log"
	"strings"

	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/v2"
	"github.com/spf13/viper"
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

func serve(r *runtime.Router) error { return broker.New().Start(context.Background(), r) }

type kind string

type config struct {
	Kinds []string
	Kind  string
	Dash  string `mapstructure:"-" koanf:"-"`
}

func panics(f func()) (yes bool) {
	defer func() { yes = recover() != nil }()
	f()
	return false
}

func main() {
	r := runtime.NewRouter()
	v := viper.New()
	list := []string{"a"}
	v.SetDefault("list", list)
	v.SetDefault("kinds", "x,y")
	v.SetDefault("kind", kind("named"))
	v.SetDefault("-", "dash")
	v.GetStringSlice("list")[0] = "viper"
	var cfg config
	if err := v.Unmarshal(&cfg); err != nil {
		log.Fatal(err)
	}
	r.MustRegister(route(v.GetStringSlice("list")[0]), route(strings.Join(cfg.Kinds, ".")), route(cfg.Kind), route(cfg.Dash))

	k := koanf.New(".")
	list[0] = "koanf"
	if err := k.Load(confmap.Provider(map[string]any{"list": list, "empty": "", "zero": 0}, "."), nil); err != nil {
		log.Fatal(err)
	}
	list[0] = "never"
	k.Strings("list")[0] = "never"
	r.MustRegister(route(k.MustStrings("list")[0]))
	if panics(func() { k.MustString("empty") }) && panics(func() { k.MustInt("zero") }) {
		r.MustRegister(route("panicked"))
	}
	if err := serve(r); err != nil {
		log.Fatal(err)
	}
}

// Keys of viper beside one that is bound, the package's own store, and what koanf
// decodes below a key.
package main

import (
	"context"
	"log"
	"sync"

	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/v2"
	"github.com/spf13/viper"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type config struct {
	Queue  string
	Left   string `koanf:"-"`
	hidden string
}

func on(context.Context, int) error { return nil }

func main() {
	r := runtime.NewRouter()
	add := func(name string) {
		r.MustRegister(runtime.Route{Name: name, Queue: runtime.Queue{Name: name}, Handler: runtime.Consume(on)})
	}
	v := viper.New()
	v.SetDefault("beside.queue", "beside")
	v.SetDefault("max", 7)
	if err := v.BindEnv("bound"); err != nil {
		log.Fatal(err)
	}
	if err := viper.New().BindEnv(); err == nil {
		log.Fatal("a key is missing")
	}
	add(v.GetString("beside.queue"))
	if v.GetInt64("max") == 7 {
		add("max")
	}

	v.SetDefault("set", "default")
	v.SetDefault("left", "default")
	if err := v.BindEnv("set"); err != nil {
		log.Fatal(err)
	}
	v.Set("Set", "set")
	v.Set("of.queue", "part")
	var set struct {
		Set, Left string
		Of        config
	}
	if err := v.Unmarshal(&set); err != nil {
		log.Fatal(err)
	}
	for _, name := range []string{v.GetString("set"), v.GetString("of.queue"), "u-" + set.Set, "u-" + set.Left, "u-" + set.Of.Queue} {
		add(name)
	}

	var once sync.Once
	once.Do(func() {
		_ = v.Unmarshal(&set)
		set.Left = "once"
	})
	add(set.Left)

	viper.SetDefault("queue", "global")
	add(viper.GetViper().GetString("queue"))

	k := koanf.New(".")
	if err := k.Load(confmap.Provider(map[string]any{"a.queue": "below", "queue": "above", "a.left": "never", "a.hidden": "never"}, "."), nil); err != nil {
		log.Fatal(err)
	}
	cfg := config{Left: "left", hidden: "hidden"}
	if err := k.Unmarshal("a", &cfg); err != nil {
		log.Fatal(err)
	}
	add(cfg.Queue)
	add(cfg.Left)
	add(cfg.hidden)
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}

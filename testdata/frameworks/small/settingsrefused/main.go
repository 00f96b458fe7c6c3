// Defaults that viper or koanf convert by rules of their own, and values that the program
// gives in their places by flags and the environment.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/providers/env"
	"github.com/knadh/koanf/v2"
	"github.com/spf13/pflag"
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

type level string

func (l level) String() string                   { return "level " + string(l) }
func (l *level) UnmarshalText(text []byte) error { *l = level("read " + string(text)); return nil }

type config struct {
	Split  []string
	Level  level
	Labels map[string]any
	Held   []string
}

func number(n any) string { return fmt.Sprint("number", n) }

func main() {
	r := runtime.NewRouter()
	v := viper.New()
	v.SetDefault("split", "x,y")
	v.SetDefault("words", "x y")
	v.SetDefault("level", level("x"))
	r.MustRegister(route(number(len(v.GetStringSlice("split")))))
	r.MustRegister(route(number(len(v.GetStringSlice("words")))))
	r.MustRegister(route(v.GetString("level")))

	flags := pflag.NewFlagSet("shop", pflag.ContinueOnError)
	flags.String("flag", "", "")
	if err := flags.Set("flag", "set"); err != nil {
		log.Fatal(err)
	}
	byFlag := viper.New()
	byFlag.SetDefault("flag", "default")
	if err := byFlag.BindPFlags(flags); err != nil {
		log.Fatal(err)
	}
	r.MustRegister(route(byFlag.GetString("flag")))

	k := koanf.New(".")
	held := []string{"held"}
	cfg := config{Held: held}
	defaults := map[string]any{
		"split": "x,y", "level": "x", "stringer": level("x"), "nanoseconds": time.Duration(5), "labels": map[string]any{"A": 1}, "held": []string{"x"},
	}
	if err := k.Load(confmap.Provider(defaults, ""), nil); err != nil {
		log.Fatal(err)
	}
	if err := k.Unmarshal("", &cfg); err != nil {
		log.Fatal(err)
	}
	r.MustRegister(route(number(len(k.Strings("split")))))
	r.MustRegister(route(k.String("stringer")))
	r.MustRegister(route(number(k.Int("nanoseconds"))))
	r.MustRegister(route("split" + number(len(cfg.Split))))
	r.MustRegister(route(string(cfg.Level)))
	r.MustRegister(route("labels" + number(len(cfg.Labels))))
	r.MustRegister(route(held[0]))

	if err := os.Setenv("NAME", "environment"); err != nil {
		log.Fatal(err)
	}
	v.AutomaticEnv()
	v.SetDefault("name", "default")
	r.MustRegister(route(v.GetString("name")))
	asking := koanf.New(".")
	if err := asking.Load(confmap.Provider(map[string]any{"NAME": "default"}, "."), nil); err != nil {
		log.Fatal(err)
	}
	if err := asking.Load(env.Provider("", ".", nil), nil); err != nil {
		log.Fatal(err)
	}
	r.MustRegister(route(asking.String("NAME")))
	if err := serve(r); err != nil {
		log.Fatal(err)
	}
}

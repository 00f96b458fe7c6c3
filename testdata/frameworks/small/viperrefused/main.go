// What viper's defaults don't determine: keys without one, a default of another
// kind, or nil, what is embedded by a pointer, a key that another one hides or has
// set, a store whose file has to be there.
package main

import (
	"context"
	"log"
	"os"

	"github.com/spf13/viper"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type Config struct {
	Queue string
	Other string
}

type common struct{ Queue string }

var (
	nothing = struct{ Nothing string }{"kept"}
	pointed = struct {
		*common `mapstructure:",squash"`
	}{&common{"kept"}}
)

func on(context.Context, int) error { return nil }

func main() {
	r := runtime.NewRouter()
	add := func(name, queue string) {
		r.MustRegister(runtime.Route{Name: name, Queue: runtime.Queue{Name: queue}, Handler: runtime.Consume(on)})
	}
	v := viper.New()
	v.SetDefault("queue", "orders")
	v.SetDefault("number", 7)
	v.SetDefault("nested.queue", "bills")
	if err := v.BindEnv("nested"); err != nil {
		log.Fatal(err)
	}
	add("missing", v.GetString("missing"))
	add("number", v.GetString("number"))
	add("hidden", v.GetString("nested.queue"))
	var cfg Config
	if err := v.Unmarshal(&cfg); err != nil {
		log.Fatal(err)
	}
	add("other", cfg.Other)
	v.SetDefault("part.queue", "default")
	v.Set("part", "set")
	add("part", v.GetString("part.queue"))
	v.Set("lines", 7)
	add("lines", v.GetString("lines"))
	v.SetDefault("nothing", nil)
	if err := v.Unmarshal(&nothing); err != nil {
		log.Fatal(err)
	}
	add("nothing", nothing.Nothing)
	if err := v.Unmarshal(&pointed); err != nil {
		log.Fatal(err)
	}
	add("pointed", pointed.Queue)
	v.Set(os.Getenv("KEY"), "set")
	add("key", v.GetString("queue"))

	required := viper.New()
	required.SetDefault("queue", "orders")
	required.SetConfigFile("shop.yaml")
	if err := required.ReadInConfig(); err != nil {
		log.Fatal(err)
	}
	add("file", required.GetString("queue"))

	bound := viper.New()
	_ = bound.BindFlagValue("queue", flag{})
	_ = bound.GetString("queue")
	add("bound", asked)
	replaced := viper.NewWithOptions(viper.EnvKeyReplacer(replacer{}))
	replaced.AutomaticEnv()
	_ = replaced.GetString("queue")
	add("replaced", replacing)
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}

// A value that a setting is bound to.
type flag struct{}

var asked = "no"

func (flag) HasChanged() bool    { asked = "yes"; return true }
func (flag) Name() string        { return "queue" }
func (flag) ValueString() string { return "orders" }
func (flag) ValueType() string   { return "string" }

// What says how the names of variables of the environment are written.
type replacer struct{}

var replacing = "no"

func (replacer) Replace(name string) string { replacing = "yes"; return name }

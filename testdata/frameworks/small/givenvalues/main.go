// What the program has put into a field doesn't stay where a library fills it all the same.
package main

import (
	"context"
	"log"
	"os"

	"github.com/caarlos0/env/v11"
	"github.com/ilyakaznacheev/cleanenv"
	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/v2"
	"github.com/sethvargo/go-envconfig"
	"github.com/spf13/cobra"
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

type named struct{ Name string }

type part struct {
	X string `env:"SHOP_X" envDefault:"filled"`
}

type left struct {
	P *part `env:"-"`
	S struct {
		X string `env:"SHOP_X" envDefault:"filled"`
	} `env:"-"`
}

type removed struct {
	X string `env:"SHOP_X,unset"`
}

type text struct {
	X string `env:"SHOP_X" envDefault:"filled" env-default:"filled"`
}

func (t *text) UnmarshalText([]byte) error { t.X = "read"; return nil }

type json struct {
	X string `env:"SHOP_X,default=filled"`
}

func (j *json) UnmarshalJSON([]byte) error { j.X = "read"; return nil }

type word string

func (w *word) String() string     { return string(*w) }
func (w *word) Set(s string) error { *w = word(s); return nil }
func (w *word) Type() string       { return "string" }

func main() {
	r := runtime.NewRouter()
	must := func(err error) {
		if err != nil {
			log.Fatal(err)
		}
	}
	bound := named{"given"}
	root := &cobra.Command{Use: "shop"}
	root.Flags().String("name", "flag", "")
	flags := viper.New()
	must(flags.BindPFlags(root.Flags()))
	must(flags.Unmarshal(&bound))
	r.MustRegister(route("bound-" + bound.Name))

	environment := named{"given"}
	variables := viper.New()
	must(variables.BindEnv("name", "SHOP_NAME"))
	must(os.Setenv("SHOP_NAME", "set"))
	must(variables.Unmarshal(&environment))
	r.MustRegister(route("environment-" + environment.Name))
	must(os.Unsetenv("SHOP_NAME"))

	nested := named{"given"}
	k := koanf.New(".")
	must(k.Load(confmap.Provider(map[string]any{"a": map[string]any{"name": "nested"}}, "."), nil))
	must(k.Unmarshal("a", &nested))
	r.MustRegister(route("nested-" + nested.Name))

	changed, value := viper.New(), word("changed")
	changed.SetDefault("name", "default")
	must(changed.BindPFlag("name", &pflag.Flag{Name: "name", Value: &value, Changed: true}))
	r.MustRegister(route("flag-" + changed.GetString("name")))

	own := left{P: &part{"given"}}
	must(env.Parse(&own))
	r.MustRegister(route("pointer-" + own.P.X))
	r.MustRegister(route("struct-" + own.S.X))

	var caarlos, clean struct{ S text }
	must(env.Parse(&caarlos))
	r.MustRegister(route("caarlos-" + caarlos.S.X))
	must(cleanenv.ReadEnv(&clean))
	r.MustRegister(route("clean-" + clean.S.X))
	var sethvargo struct{ S json }
	must(envconfig.Process(context.Background(), &sethvargo))
	r.MustRegister(route("sethvargo-" + sethvargo.S.X))

	var unset removed
	must(os.Setenv("SHOP_X", "set"))
	must(env.Parse(&unset))
	r.MustRegister(route("unset-" + os.Getenv("SHOP_X")))
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}

// What the tags of the libraries for the environment don't determine: defaults that
// they may read differently, structs behind slices, and configurations that change
// themselves.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/caarlos0/env/v11"
	"github.com/ilyakaznacheev/cleanenv"
	"github.com/sethvargo/go-envconfig"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type Item struct {
	Name string `env:"NAME" envDefault:"orders"`
}

type Level string

type Config struct {
	Month     time.Month `env:"MONTH" envDefault:"0"`
	Items     []Item
	Pointers  []*Item
	Ints      []uint8  `env:"INTS" envDefault:"1,2"`
	Levels    []Level  `env:"LEVELS" envDefault:"high,low"`
	Spaced    []string `env:"SPACED" envDefault:"a, b"`
	Gaps      []string `env:"GAPS" envDefault:"a,,b"`
	Separated []string `env:"SEPARATED" envDefault:"a; b" envSeparator:";"`
	Keys      []string `env:"KEYS"`
	Wide      int      `env:"WIDE" envDefault:"3000000000"`
	Before    string   `env:"BEFORE"`
}

type Invalid struct {
	Small int8          `env:"SMALL" envDefault:"200"`
	Grace time.Duration `env:"GRACE" envDefault:"5"`
}

type Updating struct {
	Queue string `env:"QUEUE" env-default:"orders"`
}

func (u *Updating) Update() error {
	u.Queue = "updated"
	return nil
}

type Kept struct {
	Queue string `env:"QUEUE, default=orders"`
	Item  Item   `env:", noinit"`
}

func on(context.Context, int) error { return nil }

func main() {
	ctx := context.Background()
	r := runtime.NewRouter()
	add := func(name string, queue any) {
		r.MustRegister(runtime.Route{Name: name, Queue: runtime.Queue{Name: fmt.Sprint(queue)}, Handler: runtime.Consume(on)})
	}

	cfg := Config{Items: []Item{{Name: "given"}}, Pointers: []*Item{{Name: "given"}}, Before: os.Getenv("OTHER")}
	if err := env.Parse(&cfg); err != nil {
		log.Fatal(err)
	}
	add("month", int(cfg.Month))
	add("items", cfg.Items[0].Name)
	add("pointers", cfg.Pointers[0].Name)
	add("ints", cfg.Ints[0])
	add("levels", string(cfg.Levels[0]))
	add("spaced", cfg.Spaced[1])
	add("gaps", cfg.Gaps[1])
	add("separated", cfg.Separated[0])
	add("keys", len(cfg.Keys))
	add("wide", cfg.Wide)
	add("before", cfg.Before)

	var invalid Invalid
	if err := env.Parse(&invalid); err != nil {
		log.Print(err)
	} else {
		add("small", invalid.Small)
		add("grace", int(invalid.Grace))
	}

	var updating, file Updating
	if err := cleanenv.ReadEnv(&updating); err != nil {
		log.Fatal(err)
	}
	add("updating", updating.Queue)
	if err := cleanenv.ReadConfig("file.yaml", &file); err != nil {
		log.Fatal(err)
	}
	add("file", file.Queue)

	var mapped Kept
	if err := envconfig.Process(ctx, &envconfig.Config{
		Target: &mapped, Lookuper: envconfig.MapLookuper(map[string]string{"QUEUE": "mapped"}),
	}); err != nil {
		log.Fatal(err)
	}
	add("mapped", mapped.Queue)

	kept := Kept{Queue: os.Getenv("OTHER")}
	if err := envconfig.Process(ctx, &kept); err != nil {
		log.Fatal(err)
	}
	add("kept", kept.Queue)
	add("noinit", kept.Item.Name)

	options := make(chan env.Options, 1)
	options <- env.Options{Prefix: "SHOP_", Environment: map[string]string{"SHOP_NAME": "received"}}
	received, err := env.ParseAsWithOptions[Item](<-options)
	if err != nil {
		log.Fatal(err)
	}
	add("received", received.Name)
	if err := broker.New().Start(ctx, r); err != nil {
		log.Fatal(err)
	}
}

// Fields that the libraries for the environment leave as they are: those without a
// tag, with an empty one, and behind pointers.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/caarlos0/env/v11"
	"github.com/ilyakaznacheev/cleanenv"
	"github.com/kelseyhightower/envconfig"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type Queue struct {
	Name string `env:"NAME" envDefault:"orders"`
}

type Config struct {
	Queue    string `env:"QUEUE" envDefault:"queue"`
	Before   string `env:"BEFORE" envDefault:"default"`
	Empty    string `env:""`
	Free     string
	Names    []string
	Pair     [1]string
	Text     *string
	Nil      *Queue
	Untagged struct{ Free string }
}

type Specification struct {
	Text  *string
	Queue *struct{ Name, Kind string }
}

func on(context.Context, int) error { return nil }

func main() {
	text := "text"
	r := runtime.NewRouter()
	add := func(name string) {
		r.MustRegister(runtime.Route{Name: name, Queue: runtime.Queue{Name: name}, Handler: runtime.Consume(on)})
	}

	cfg := Config{Before: os.Getenv("OTHER"), Names: []string{"names"}, Pair: [1]string{"pair"}, Text: &text}
	if err := env.Parse(&cfg); err != nil {
		log.Fatal(err)
	}
	add("parsed." + cfg.Queue)
	add("before." + cfg.Before)
	add("empty." + cfg.Empty)
	add("free." + cfg.Free)
	add(cfg.Names[0])
	add(cfg.Pair[0])
	add(*cfg.Text)
	add("untagged." + cfg.Untagged.Free)
	if cfg.Nil == nil {
		add("nil")
	}

	made := env.Must(env.ParseAs[Config]())
	add("made." + made.Queue + made.Free)
	listed, err := env.ParseAs[struct {
		Names     []string        `env:"NAMES" envDefault:"a,b" envSeparator:","`
		Separated []string        `env:"SEPARATED" envDefault:"a,b;c" envSeparator:";"`
		Numbers   []int           `env:"NUMBERS" envDefault:"1,2"`
		Waits     []time.Duration `env:"WAITS" envDefault:"1s|2m" envSeparator:"|"`
	}]()
	if err != nil {
		log.Fatal(err)
	}
	add("listed." + listed.Names[0] + listed.Names[1])
	add(fmt.Sprintf("separated.%d.%s.%d.%s", len(listed.Separated), listed.Separated[1], listed.Numbers[1], listed.Waits[1]))

	var unnamed struct {
		Name  string        `env:"NAME" env-default:"unnamed"`
		Grace time.Duration `env:"GRACE" env-default:"5s"`
		Kinds []string      `env:"KINDS" env-default:"a:b,c" env-separator:":"`
	}
	if err := cleanenv.ReadEnv(&unnamed); err != nil {
		log.Fatal(err)
	}
	add(unnamed.Name + unnamed.Grace.String() + unnamed.Kinds[1])

	s := Specification{Text: &text, Queue: &struct{ Name, Kind string }{"kept", "topic"}}
	if err := envconfig.Process("shop", &s); err != nil {
		log.Fatal(err)
	}
	add("specification." + *s.Text)
	add(s.Queue.Name + s.Queue.Kind)

	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}

// What kong makes itself and what it ignores, and an end of the program that isn't kong's.
package main

import (
	"context"
	"errors"
	"os"

	"github.com/alecthomas/kong"
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

type Serve struct{ Name string }

func (Serve) Run() error { return nil }

type Failing struct{}

func (Failing) Run() error { return errors.New("it fails") }

type common struct {
	Ignored Failing `cmd:""`
}

func main() {
	r := runtime.NewRouter()

	made := struct {
		Serve *Serve `cmd:""`
	}{&Serve{"given"}}
	kong.Must(&made)
	r.MustRegister(route("made-" + made.Serve.Name))

	var cli struct {
		Ignored int `kong:"-"`
		common
		Failing Failing `cmd:"" default:"1"`
	}
	last := kong.Parse(&cli)
	last.Exit = func(int) {}
	last.FatalIfErrorf(last.Run())
	r.MustRegister(route("last"))
	if err := broker.New().Start(context.Background(), r); err != nil {
		os.Exit(1)
	}
}

// Methods that kong calls to check the command line and to tell of it, a variable of the
// environment that the program sets itself, and a way to run a command that isn't followed.
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

func serve(r *runtime.Router) error { return broker.New().Start(context.Background(), r) }

type Serve struct {
	Queue string `default:"queue" env:"QUEUE"`
	Port  int    `default:"80"`
	Kind  Kind
}

type Kind struct{ Name string }

var checked, helped = "a", "a"

func (s *Serve) Validate() error {
	checked = "b"
	if s.Port < 0 {
		return errors.New("the port")
	}
	return nil
}

func (s *Serve) Help() string { helped = "b"; return "" }

func (s *Serve) Run() error {
	r := runtime.NewRouter()
	r.MustRegister(route(s.Queue))
	r.MustRegister(route("checked" + checked))
	r.MustRegister(route("helped" + helped))
	return serve(r)
}

type Work struct{}

func (Work) Run() error { return errors.New("no") }

func main() {
	if err := os.Setenv("QUEUE", "environment"); err != nil {
		os.Exit(1)
	}
	var cli struct {
		Serve Serve `cmd:""`
	}
	ctx := kong.Parse(&cli)
	ctx.FatalIfErrorf(ctx.Run())
}

package main

import (
	"context"
	"log"
	"os"

	"example.com/frameworks/broker"
	"github.com/alecthomas/kong"
	"github.com/warrenmq/warren/runtime"
)

type M struct {
	A string `json:"a"`
}

func on(context.Context, M) error { return nil }
func route(q string) runtime.Route {
	return runtime.Route{Name: q, Queue: runtime.Queue{Name: q}, Handler: runtime.Consume(on)}
}
func serve(r *runtime.Router) error { return broker.New().Start(context.Background(), r) }

type CLI struct {
	Serve Serve `cmd:"" default:"1"`
}

var r = runtime.NewRouter()

func (c *CLI) Run() error { r.MustRegister(route("a")); return nil }

type Serve struct{}

func (Serve) Run() error { _, err := os.Stat("/nonexistent"); return err }
func main() {
	var c CLI
	ctx := kong.Parse(&c)
	if err := ctx.Run(); err != nil {
		log.Print(err)
	}
	r.MustRegister(route("b"))
	serve(r)
}

package main

import (
	"context"

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

var cli struct {
	Serve struct{} `cmd:""`
	Other Cmd      `cmd:""`
}

type Cmd struct {
	Queue string `default:"q"`
}

func (c *Cmd) AfterApply() error { c.Queue = "after"; return nil }
func (c *Cmd) Run() error        { r := runtime.NewRouter(); r.MustRegister(route(c.Queue)); return serve(r) }
func main()                      { kong.Parse(&cli).Run() }

// Hooks of kong that change nothing on which a route depends, one of them in another module.
package main

import (
	"context"
	"log"
	"log/slog"

	"github.com/alecthomas/kong"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
	"example.com/kit"
)

func on(context.Context, string) error { return nil }

type app struct {
	kit.Flags
	Queue   string `default:"orders"`
	Serve   Serve  `cmd:""`
	started string
}

func (a *app) BeforeReset() error { a.started = "reset"; return nil }

func (a *app) BeforeApply(ctx *kong.Context, vars kong.Vars) error {
	log.Print(ctx.Args, vars["version"])
	return nil
}

type Serve struct{ logger *slog.Logger }

func (s *Serve) AfterApply() error { s.logger = slog.Default(); return nil }

func (s *Serve) Run(a *app, suffix string) error {
	s.logger.Info(a.started)
	r := runtime.NewRouter()
	r.MustRegister(runtime.Route{Name: a.Queue, Queue: runtime.Queue{Name: a.Queue + suffix}, Handler: runtime.Consume(on)})
	return broker.New().Start(context.Background(), r)
}

func main() {
	var a app
	ctx := kong.Parse(&a)
	ctx.FatalIfErrorf(ctx.Run(".new"))
}

// Which commands of kong run without one of those below them, and how Command names
// each with the arguments that are given.
package main

import (
	"context"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

func on(context.Context, string) error { return nil }

func serve(queue string) error {
	r := runtime.NewRouter()
	r.MustRegister(runtime.Route{Name: queue, Queue: runtime.Queue{Name: queue}, Handler: runtime.Consume(on)})
	return broker.New().Start(context.Background(), r)
}

type Leaf struct{}

func (Leaf) Run(ctx *kong.Context) error {
	return serve(strings.ReplaceAll(ctx.Command(), " ", "."))
}

type Plain struct {
	GoTo   Leaf `cmd:""`
	HTTPDo Leaf `cmd:""`
	PlanB  Leaf `cmd:""`
}

func (Plain) Run() error { return serve("plain") }

type Asking struct {
	Of struct {
		Of   string `arg:""`
		Stop Leaf   `cmd:""`
	} `arg:"" name:"of"`
}

func (Asking) Run() error { return serve("asking") }

type Default struct {
	Usual Leaf `cmd:"" default:"1"`
}

func (Default) Run() error { return nil }

type Hidden struct {
	Secret Leaf `cmd:"" hidden:""`
}

type Work struct {
	Leaf
	Queue string `arg:"" optional:""`
	Kind  string `arg:"" optional:""`
}

var cli struct {
	Plain   Plain   `cmd:""`
	Asking  Asking  `cmd:""`
	Default Default `cmd:""`
	Hidden  Hidden  `cmd:""`
	Work    Work    `cmd:""`
}

func main() {
	ctx := kong.Parse(&cli)
	ctx.FatalIfErrorf(ctx.Run())
}

// A command of kong without a method Run, and one whose method surely fails.
package main

import (
	"context"
	"errors"
	"os"

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

type Failing struct{}

func (Failing) Run() error { return errors.New("it fails") }

type Parent struct {
	Child Failing `cmd:"" default:"1"`
}

var ran = "alone"

func (Parent) Run() error {
	ran = "with-its-parent"
	return nil
}

var cli struct {
	Version struct{} `cmd:""`
}

var failing struct {
	Parent Parent `cmd:""`
}

func main() {
	parser := kong.Must(&failing)
	ctx, err := parser.Parse([]string{"parent", "child"})
	parser.FatalIfErrorf(err)
	if err := ctx.Run(); err != nil {
		ran += "-failed"
	}
	if os.Getenv("CHECK") != "" {
		parser.FatalIfErrorf(errors.New("checked"))
		ran = "never"
	}
	if err := kong.Parse(&cli).Run(); err != nil {
		serve(ran)
	} else {
		serve("never")
	}
}

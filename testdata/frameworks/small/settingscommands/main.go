// A command that gives a default another value than the others have.
package main

import (
	"context"

	"github.com/alecthomas/kong"
	"github.com/spf13/viper"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

var settings = viper.New()

func on(context.Context, int) error { return nil }

func serve() error {
	r := runtime.NewRouter()
	r.MustRegister(runtime.Route{Name: "queue", Queue: runtime.Queue{Name: settings.GetString("queue")}, Handler: runtime.Consume(on)})
	return broker.New().Start(context.Background(), r)
}

type Bills struct{}

func (Bills) Run() error {
	settings.SetDefault("queue", "bills")
	return serve()
}

type Orders struct{}

func (Orders) Run() error { return serve() }

var cli struct {
	Bills  Bills  `cmd:""`
	Orders Orders `cmd:""`
}

func main() {
	settings.SetDefault("queue", "orders")
	ctx := kong.Parse(&cli)
	ctx.FatalIfErrorf(ctx.Run())
}

// A service whose commands are structs.
package main

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/alecthomas/kong"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type Globals struct {
	Debug bool `help:"Log more."`
}

type ServeCmd struct {
	Grace time.Duration `default:"10s" help:"Time to finish."`
	Name  string        `default:"stock" env:"STOCK_NAME"`
}

type Movement struct {
	SKU   string `json:"sku"`
	Count int    `json:"count"`
}

type stock struct{ name string }

func (s *stock) onMovement(_ context.Context, m Movement) error {
	log.Println(s.name, m.SKU, m.Count)
	return nil
}

func (c *ServeCmd) Run(globals *Globals) error {
	if globals.Debug {
		log.Println("debugging")
	}
	s := &stock{name: c.Name}
	router := runtime.NewRouter()
	router.MustRegister(runtime.Route{
		Name:        "movements",
		Queue:       runtime.Queue{Name: "stock.movements", Durable: true},
		Exchange:    &runtime.Exchange{Name: "warehouse", Type: runtime.Direct, Durable: true},
		RoutingKeys: []string{"in", "out"},
		Handler:     runtime.Consume(s.onMovement),
	})
	return runtime.Run(context.Background(), broker.New(), router, c.Grace)
}

type CountCmd struct {
	SKU string `arg:"" help:"What is counted."`
}

func (c *CountCmd) Run() error {
	fmt.Println(c.SKU, 0)
	return nil
}

var cli struct {
	Globals

	Serve ServeCmd `cmd:"" help:"Consume until interrupted."`
	Count CountCmd `cmd:"" help:"Print what is in stock."`
}

func main() {
	ctx := kong.Parse(&cli,
		kong.Name("stock"),
		kong.Description("What is in stock."),
		kong.UsageOnError(),
	)
	err := ctx.Run(&cli.Globals)
	ctx.FatalIfErrorf(err)
}

// The program itself chooses by the name of kong's command.
package main

import (
	"context"
	"fmt"
	"time"

	"github.com/alecthomas/kong"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

var cli struct {
	Serve struct {
		Grace time.Duration `default:"1s"`
	} `cmd:""`
	Work struct {
		Queue string `arg:"" optional:""`
	} `cmd:""`
	Version struct{} `cmd:""`
}

func on(context.Context, string) error { return nil }

func serve(queue string) error {
	router := runtime.NewRouter()
	router.MustRegister(runtime.Route{Name: queue, Queue: runtime.Queue{Name: queue}, Handler: runtime.Consume(on)})
	return runtime.Run(context.Background(), broker.New(), router, cli.Serve.Grace)
}

func main() {
	ctx := kong.Parse(&cli)
	switch ctx.Command() {
	case "serve":
		ctx.FatalIfErrorf(serve("orders"))
	case "work", "work <queue>":
		ctx.FatalIfErrorf(serve("jobs"))
	case "version":
		fmt.Println("1.0")
	default:
		panic(ctx.Command())
	}
}

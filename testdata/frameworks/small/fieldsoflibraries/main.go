// Fields and variables of libraries that the program sets, and a text that sets the environment.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"
	"github.com/subosito/gotenv"
	"github.com/urfave/cli/v2"
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

func changed() string {
	flags := pflag.NewFlagSet("svc", pflag.ContinueOnError)
	flags.String("queue", "orders", "")
	v := viper.New()
	v.SetDefault("queue", "payments")
	if err := v.BindPFlag("queue", flags.Lookup("queue")); err != nil {
		log.Fatal(err)
	}
	flags.Lookup("queue").Changed = true
	return v.GetString("queue")
}

func helped() string {
	n := 0
	cli.HelpPrinter = func(io.Writer, string, any) { n++ }
	app := &cli.App{Name: "svc", Commands: []*cli.Command{{Name: "x"}}}
	if err := app.Run([]string{"svc"}); err != nil {
		log.Fatal(err)
	}
	return fmt.Sprint(n)
}

func modelled() string {
	var grammar struct {
		Queue string `default:"orders"`
	}
	parsed := kong.Parse(&grammar)
	grammar.Queue = "payments"
	for _, flag := range parsed.Model.Node.Flags {
		if flag.Name == "queue" {
			flag.Value.Target.SetString("refunds")
		}
	}
	return grammar.Queue
}

func main() {
	r := runtime.NewRouter()
	r.MustRegister(route("changed" + changed()))
	r.MustRegister(route("helped" + helped()))
	r.MustRegister(route("modelled" + modelled()))
	if err := gotenv.Apply(strings.NewReader("SHOP_QUEUE=orders")); err != nil {
		log.Fatal(err)
	}
	r.MustRegister(route("applied" + runtime.Env("SHOP_QUEUE", "none")))
	if err := serve(r); err != nil {
		log.Fatal(err)
	}
}

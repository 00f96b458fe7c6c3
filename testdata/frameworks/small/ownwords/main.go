// Command lines that the program makes: they choose the commands and set flags.
package main

import (
	"context"
	"log"
	"os"

	"github.com/alecthomas/kong"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"
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

func parsed() string {
	flags := pflag.NewFlagSet("svc", pflag.ContinueOnError)
	flags.String("queue", "orders", "")
	viper.SetDefault("queue", "payments")
	if err := viper.BindPFlag("queue", flags.Lookup("queue")); err != nil {
		log.Fatal(err)
	}
	if err := flags.Parse(append([]string{"--queue=refunds"}, os.Args[1:]...)); err != nil {
		log.Fatal(err)
	}
	return viper.GetString("queue")
}

func chosen() string {
	var grammar struct {
		Queue string `default:"orders"`
	}
	parser := kong.Must(&grammar)
	if _, err := parser.Parse([]string{"--queue=payments"}); err != nil {
		log.Fatal(err)
	}
	return grammar.Queue
}

func main() {
	r := runtime.NewRouter()
	r.MustRegister(route("parsed" + parsed()))
	r.MustRegister(route("chosen" + chosen()))
	root := &cobra.Command{Use: "svc", Run: func(*cobra.Command, []string) {}}
	root.SetArgs(append([]string{"serve"}, os.Args[1:]...))
	os.Args = append(os.Args, "serve")
	if err := root.Execute(); err != nil {
		log.Fatal(err)
	}
	if err := serve(r); err != nil {
		log.Fatal(err)
	}
}

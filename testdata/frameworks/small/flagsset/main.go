// Flags of pflag that the program sets by itself.
package main

import (
	"context"
	"log"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

func on(context.Context, string) error { return nil }

var chosen = "fixed"

type region string

func (r *region) String() string { return string(*r) }

func (r *region) Type() string { return "region" }

func (r *region) Set(name string) error {
	*r, chosen = region(name), name
	return nil
}

func main() {
	own := pflag.NewFlagSet("own", pflag.ContinueOnError)
	own.Var(new(region), "region", "")
	if err := own.Set("region", "set"); err != nil {
		log.Fatal(err)
	}
	region := chosen
	var bound, visited string
	pflag.StringVar(&bound, "bound", "default", "")
	bound = "fixed"
	if err := pflag.Set("bound", "set"); err != nil {
		log.Fatal(err)
	}
	fs := pflag.NewFlagSet("shop", pflag.ContinueOnError)
	fs.StringVar(&visited, "visited", "default", "")
	visited = "fixed"
	fs.VisitAll(func(f *pflag.Flag) { _ = f.Value.Set("visited") })
	fs.String("parsed", "default", "")
	if err := fs.Parse([]string{"--parsed", "parsed"}); err != nil {
		log.Fatal(err)
	}
	settings := viper.New()
	settings.SetDefault("parsed", "fixed")
	if err := settings.BindPFlags(fs); err != nil {
		log.Fatal(err)
	}
	r := runtime.NewRouter()
	for _, queue := range []string{bound, visited, settings.GetString("parsed"), commanded(), region} {
		r.MustRegister(runtime.Route{Name: queue, Queue: runtime.Queue{Name: queue}, Handler: runtime.Consume(on)})
	}
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}

func commanded() (queue string) {
	command := &cobra.Command{Use: "work"}
	command.Flags().StringVar(&queue, "queue", "default", "")
	queue = "fixed"
	if err := command.ParseFlags([]string{"--queue", "parsed"}); err != nil {
		log.Fatal(err)
	}
	return queue
}

// cobra calls the persistent functions of a command's parents, which needn't be those that lead to
// it on the command line.
package main

import (
	"context"
	"log"

	"github.com/spf13/cobra"
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

func main() {
	r := runtime.NewRouter()
	step := func(name string) func(*cobra.Command, []string) {
		return func(*cobra.Command, []string) { r.MustRegister(route(name)) }
	}
	root := &cobra.Command{Use: "shop"}
	first := &cobra.Command{Use: "first", PersistentPreRun: step("of-the-first")}
	second := &cobra.Command{Use: "second", PersistentPreRun: step("of-the-second")}
	work := &cobra.Command{Use: "work", Run: step("work")}
	first.AddCommand(work)
	second.AddCommand(work)
	root.AddCommand(first, second)
	if err := root.Execute(); err != nil {
		log.Fatal(err)
	}
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}

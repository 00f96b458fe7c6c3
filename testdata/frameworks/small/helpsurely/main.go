// A command that returns pflag.ErrHelp, for which cobra prints the help and returns no error.
package main

import (
	"context"
	"log"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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
	ran := false
	root := &cobra.Command{Use: "svc", RunE: func(*cobra.Command, []string) error {
		ran = true
		return pflag.ErrHelp
	}}
	root.SetHelpFunc(func(*cobra.Command, []string) {})
	if err := root.Execute(); ran && err == nil {
		r.MustRegister(route("orders"))
	}
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}

package main

import (
	"context"
	"time"

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

func serve(r *runtime.Router) error {
	return runtime.Run(context.Background(), broker.New(), r, time.Second)
}

func run(*cobra.Command, []string) error {
	r := runtime.NewRouter()
	r.MustRegister(route("q"))
	return serve(r)
}

func main() {
	root := &cobra.Command{Use: "a", RunE: run}
	root.AddCommand(&cobra.Command{Use: "serve", RunE: run})
	root.Execute()
}

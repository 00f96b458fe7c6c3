package main

import (
	"context"
	"os"
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

var queue = "a"

func main() {
	root := &cobra.Command{Use: "serve", Run: func(*cobra.Command, []string) { queue = "b" }}
	if err := root.Execute(); err != nil {
		os.Exit(1)
	}
	r := runtime.NewRouter()
	r.MustRegister(route(queue))
	serve(r)
}

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

func main() {
	root := &cobra.Command{Use: "a"}
	root.AddCommand(&cobra.Command{Use: "todo", Run: func(*cobra.Command, []string) { panic("TODO") }})
	root.AddCommand(&cobra.Command{Use: "serve", RunE: func(*cobra.Command, []string) error {
		r := runtime.NewRouter()
		r.MustRegister(route("q"))
		return serve(r)
	}})
	root.Execute()
}

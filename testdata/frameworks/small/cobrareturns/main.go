package main

import (
	"context"
	"os"

	"example.com/frameworks/broker"
	"github.com/spf13/cobra"
	"github.com/warrenmq/warren/runtime"
)

type M struct {
	A string `json:"a"`
}

func on(context.Context, M) error { return nil }
func route(q string) runtime.Route {
	return runtime.Route{Name: q, Queue: runtime.Queue{Name: q}, Handler: runtime.Consume(on)}
}
func serve(r *runtime.Router) error { return broker.New().Start(context.Background(), r) }

func main() {
	r := runtime.NewRouter()
	name := "a"
	root := &cobra.Command{
		PersistentPreRun: func(*cobra.Command, []string) {
			if os.Getenv("HOME") != "" {
				return
			}
			name = "b"
		},
		Run: func(*cobra.Command, []string) { r.MustRegister(route(name)); serve(r) },
	}
	root.Execute()
}

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

type cmd struct {
	*cobra.Command
	queue string
}

func main() {
	root := &cmd{Command: &cobra.Command{Use: "a"}}
	s := &cmd{queue: "q"}
	s.Command = &cobra.Command{Use: "serve", RunE: s.run}
	root.AddCommand(s.Command)
	root.Execute()
}

func (c *cmd) run(*cobra.Command, []string) error {
	r := runtime.NewRouter()
	r.MustRegister(route(c.queue))
	return serve(r)
}

// The context of a command is nil before it is executed, and that of a child is its own.
// What OnFinalize was given is called after a command that fails, too. A command's name is the
// first word of its Use.
package main

import (
	"context"
	"errors"
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

func serve(r *runtime.Router) error { return broker.New().Start(context.Background(), r) }

type key struct{}

func main() {
	name := "executed"
	root := &cobra.Command{Use: "shop", SilenceErrors: true, SilenceUsage: true}
	work := &cobra.Command{Use: "work [queue]", PreRunE: func(cmd *cobra.Command, _ []string) error {
		text, _ := cmd.Context().Value(key{}).(string)
		name += "." + text + "." + cmd.Name() + "." + cmd.Parent().Name()
		return errors.New("no")
	}, Run: func(*cobra.Command, []string) { name = "never" }}
	root.AddCommand(work)
	if work.Context() == nil {
		name = "new"
	}
	cobra.OnFinalize(func() {
		r := runtime.NewRouter()
		r.MustRegister(route(name))
		if err := serve(r); err != nil {
			log.Fatal(err)
		}
	})
	_ = work.ExecuteContext(context.WithValue(context.Background(), key{}, "child"))
}

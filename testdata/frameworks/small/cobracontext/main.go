// The hooks of the commands above count where they are the only ones, whatever
// code that the service runs may have done to cobra's options.
package main

import (
	"context"
	"os"

	"example.com/frameworks/broker"
	"github.com/spf13/cobra"
	"github.com/warrenmq/warren/runtime"
)

func on(context.Context, string) error { return nil }

func route(q string) runtime.Route {
	return runtime.Route{Name: q, Queue: runtime.Queue{Name: q}, Handler: runtime.Consume(on)}
}

type key struct{}

func main() {
	r := runtime.NewRouter()
	root := &cobra.Command{Use: "shop", PersistentPreRun: func(cmd *cobra.Command, _ []string) {
		cmd.SetContext(context.WithValue(cmd.Context(), key{}, "orders"))
	}}
	root.AddCommand(&cobra.Command{Use: "serve", RunE: func(cmd *cobra.Command, _ []string) error {
		name, _ := cmd.Context().Value(key{}).(string)
		r.MustRegister(route(name))
		return broker.New().Start(cmd.Context(), r)
	}})
	if root.ExecuteContext(context.Background()) != nil {
		os.Exit(1)
	}
}

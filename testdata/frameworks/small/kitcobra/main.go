// A command that another module has made, of which the service sets the functions.
package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
	"example.com/kit"
)

func on(context.Context, string) error { return nil }

func main() {
	prefix := ""
	root := kit.Root("orders")
	root.PersistentPreRunE = func(*cobra.Command, []string) error {
		prefix = "shop."
		return nil
	}
	root.RunE = func(*cobra.Command, []string) error {
		router := runtime.NewRouter()
		router.MustRegister(runtime.Route{Name: "orders", Queue: runtime.Queue{Name: prefix + "orders"}, Handler: runtime.Consume(on)})
		return runtime.Run(context.Background(), broker.New(), router, time.Second)
	}
	cobra.CheckErr(root.Execute())
}

// An argument of the command chooses what it serves.
package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

func on(context.Context, string) error { return nil }

func work(_ *cobra.Command, args []string) error {
	router := runtime.NewRouter()
	switch args[0] {
	case "invoices", "reminders":
		router.MustRegister(runtime.Route{Name: args[0], Queue: runtime.Queue{Name: args[0]}, Handler: runtime.Consume(on)})
	default:
		return fmt.Errorf("there is no work %q", args[0])
	}
	return runtime.Run(context.Background(), broker.New(), router, time.Second)
}

func main() {
	root := &cobra.Command{Use: "shop"}
	root.AddCommand(&cobra.Command{Use: "work KIND", Args: cobra.ExactArgs(1), RunE: work})
	cobra.CheckErr(root.Execute())
}

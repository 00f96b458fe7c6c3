// A flag ends the command before it serves.
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

func main() {
	var version bool
	root := &cobra.Command{Use: "orders", RunE: func(*cobra.Command, []string) error {
		if version {
			fmt.Println("1.0")
			return nil
		}
		router := runtime.NewRouter()
		router.MustRegister(runtime.Route{Name: "orders", Queue: runtime.Queue{Name: "orders"}, Handler: runtime.Consume(on)})
		return runtime.Run(context.Background(), broker.New(), router, time.Second)
	}}
	root.Flags().BoolVar(&version, "version", false, "print the version")
	cobra.CheckErr(root.Execute())
}

// Two commands of one name, which -run can't tell apart.
package main

import (
	"context"
	"log"

	"github.com/spf13/cobra"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

func on(context.Context, string) error { return nil }

func command(queue string) *cobra.Command {
	return &cobra.Command{Use: "work", RunE: func(*cobra.Command, []string) error {
		r := runtime.NewRouter()
		r.MustRegister(runtime.Route{Name: queue, Queue: runtime.Queue{Name: queue}, Handler: runtime.Consume(on)})
		return broker.New().Start(context.Background(), r)
	}}
}

func main() {
	root := &cobra.Command{Use: "shop"}
	root.AddCommand(command("invoices"), command("reminders"))
	if err := root.Execute(); err != nil {
		log.Fatal(err)
	}
}

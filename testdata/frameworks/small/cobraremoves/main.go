// A command that is taken away again, by code of cobra's.
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
	return &cobra.Command{Use: queue, RunE: func(*cobra.Command, []string) error {
		r := runtime.NewRouter()
		r.MustRegister(runtime.Route{Name: queue, Queue: runtime.Queue{Name: queue}, Handler: runtime.Consume(on)})
		return broker.New().Start(context.Background(), r)
	}}
}

func logged(commands ...*cobra.Command) {
	for _, c := range commands {
		run := c.RunE
		c.RunE = func(cmd *cobra.Command, args []string) error {
			if err := run(cmd, args); err != nil {
				log.Print(err)
				return err
			}
			return nil
		}
	}
}

func main() {
	root := &cobra.Command{Use: "shop"}
	root.AddCommand(command("invoices"), command("reminders"))
	logged(root.Commands()...)
	root.RemoveCommand(root.Commands()[0])
	if err := root.Execute(); err != nil {
		log.Fatal(err)
	}
}

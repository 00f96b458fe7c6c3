// What urfave/cli adds to a command, and has in place of what is empty.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/urfave/cli/v3"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

func on(context.Context, string) error { return nil }

func main() {
	r := runtime.NewRouter()
	add := func(name string) {
		r.MustRegister(runtime.Route{Name: name, Queue: runtime.Queue{Name: name}, Handler: runtime.Consume(on)})
	}
	root := &cli.Command{Usage: "told"}
	root.Commands = []*cli.Command{{Name: "serve", Action: func(context.Context, *cli.Command) error {
		fmt.Fprint(root.Writer, "serving")
		if len(root.Commands) > 1 {
			add("help")
		}
		add(root.Usage)
		add(root.Name)
		return broker.New().Start(context.Background(), r)
	}}}
	if err := root.Run(context.Background(), os.Args); err != nil {
		log.Fatal(err)
	}
}

// Functions that cobra and pflag may call as they read the command line.
package main

import (
	"context"
	"log"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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
	help, usage, wrong, called, other := "a", "a", "a", "a", "a"
	root := &cobra.Command{Use: "shop", RunE: func(cmd *cobra.Command, _ []string) error {
		text, _ := cmd.Context().Value(key{}).(string)
		r := runtime.NewRouter()
		for _, name := range []string{"help" + help, "usage" + usage, "wrong" + wrong, "called" + called, "other" + other, "context" + text} {
			r.MustRegister(route(name))
		}
		return serve(r)
	}}
	child := &cobra.Command{Use: "child"}
	root.AddCommand(child)
	root.SetHelpFunc(func(*cobra.Command, []string) { help = "b" })
	root.SetUsageFunc(func(*cobra.Command) error { usage = "b"; return nil })
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { wrong = "b"; return err })
	root.Flags().Func("called", "", func(string) error { called = "b"; return nil })
	pflag.BoolFunc("other", "", func(string) error { other = "b"; return nil })
	root.Flags().AddFlagSet(pflag.CommandLine)
	if err := child.ExecuteContext(context.WithValue(context.Background(), key{}, "child")); err != nil {
		log.Fatal(err)
	}
}

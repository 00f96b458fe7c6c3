// What cobra calls of a command, in which order, and what Execute returns then. Each case
// has a tree of its own, of which the command line runs the same command.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

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

// trace has what was called of the tree that runs.
var trace string

func step(name string) func(*cobra.Command, []string) {
	return func(*cobra.Command, []string) { trace += "." + name }
}

func failing(name string) func(*cobra.Command, []string) error {
	return func(*cobra.Command, []string) error {
		trace += "." + name
		return errors.New(name)
	}
}

func noted(*cobra.Command, []string) error {
	trace += ".args"
	return nil
}

// perhaps fails or not.
func perhaps(*cobra.Command, []string) error {
	if os.Getenv("FAILS") != "" {
		return errors.New("fails")
	}
	return nil
}

// of executes a tree and returns what was called, and whether Execute returned an error.
func of(name string, change func(root, work *cobra.Command)) string {
	trace = name
	root := &cobra.Command{Use: "shop", SilenceErrors: true, SilenceUsage: true}
	work := &cobra.Command{
		Use: "work", PreRun: step("pre"), Run: step("run"), PostRun: step("post"),
		PersistentPreRun: step("persistentpre"), PersistentPostRun: step("persistentpost"),
	}
	root.AddCommand(work)
	change(root, work)
	if err := root.Execute(); err != nil {
		return trace + ".failed"
	}
	return trace
}

func panics(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}

func main() {
	r := runtime.NewRouter()
	names := []string{
		of("all", func(root, work *cobra.Command) { work.Args = noted }),
		of("literal", func(root, work *cobra.Command) {
			work.Args = func(*cobra.Command, []string) error { trace += ".literal"; return nil }
		}),
		of("library", func(root, work *cobra.Command) { work.Args = cobra.NoArgs }),
		of("badargs", func(root, work *cobra.Command) { work.Args = failing("args") }),
		of("badpersistentpre", func(root, work *cobra.Command) { work.PersistentPreRunE = failing("persistentpre") }),
		of("badpre", func(root, work *cobra.Command) { work.PreRunE = failing("pre") }),
		of("badpost", func(root, work *cobra.Command) { work.PostRunE = failing("post") }),
		of("badpersistentpost", func(root, work *cobra.Command) { work.PersistentPostRunE = failing("persistentpost") }),
		of("nearest", func(root, work *cobra.Command) { root.PersistentPreRun = step("never") }),
		of("roots", func(root, work *cobra.Command) {
			work.PersistentPreRun, root.PersistentPreRun = nil, step("root")
		}),
		of("family", func(root, work *cobra.Command) {
			if root.Parent() == nil && work.Parent() == root && work.Root() == root {
				trace += ".family"
			}
		}),
		of("context", func(root, work *cobra.Command) {
			work.Run = func(cmd *cobra.Command, args []string) {
				if cmd.Context() != nil && args != nil {
					trace += ".context"
				}
			}
		}),
	}
	work := &cobra.Command{Use: "work"}
	root := &cobra.Command{Use: "shop"}
	root.AddCommand(work)
	if work.SetContext(context.WithValue(context.Background(), "key", "own")); work.Context().Value("key") == "own" {
		names = append(names, "own")
	}
	cobra.EnableTraverseRunHooks = false
	names = append(names, of("nottraversed", func(root, work *cobra.Command) { root.PersistentPreRun = step("never") }))
	cobra.EnableTraverseRunHooks = true
	names = append(names, of("traversed", func(root, work *cobra.Command) {}))

	initialized, finalized := 0, 0
	cobra.OnInitialize(func() { initialized++; trace += ".initialized" })
	cobra.OnFinalize(func() { finalized++; trace += ".finalized" })
	names = append(names,
		of("both", func(root, work *cobra.Command) {}),
		of("bothfailing", func(root, work *cobra.Command) { work.PreRunE = failing("pre") }),
	)
	panicked := panics(func() {
		of("panics", func(root, work *cobra.Command) { work.Run = func(*cobra.Command, []string) { panic("boom") } })
	})
	names = append(names, fmt.Sprintf("%v.%s", panicked, trace))
	of("perhaps", func(root, work *cobra.Command) { work.RunE = perhaps })
	names = append(names, fmt.Sprintf("times.%d.%d", initialized, finalized))
	for _, name := range names {
		r.MustRegister(route(name))
	}
	if err := serve(r); err != nil {
		log.Fatal(err)
	}
}

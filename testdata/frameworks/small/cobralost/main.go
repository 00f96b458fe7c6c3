// Commands, flags and functions of cobra's commands that aren't known.
package main

import (
	"context"
	"log"
	"os"

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

// own is a flag of the program's own type.
type own struct{ text string }

func (o *own) String() string        { return o.text }
func (o *own) Type() string          { return "own" }
func (o *own) Set(text string) error { o.text = text; return nil }

func nothing(*cobra.Command, []string) {}

func tree() (root, work *cobra.Command) {
	root, work = &cobra.Command{Use: "shop"}, &cobra.Command{Use: "work", Run: nothing}
	root.AddCommand(work)
	return root, work
}

// oneOf is one of two commands, of which it isn't known.
func oneOf(a, b *cobra.Command) *cobra.Command {
	if os.Getpid() > 1 {
		return a
	}
	return b
}

func main() {
	r := runtime.NewRouter()
	commands := map[string][]*cobra.Command{"a": {{Use: "a", Run: nothing}}}
	functions := map[string]func(*cobra.Command, []string){"a": nothing}

	list, _ := tree()
	list.AddCommand(commands[os.Getenv("LIST")]...)
	list.Execute()

	child, _ := tree()
	child.AddCommand(oneOf(&cobra.Command{Use: "a", Run: nothing}, &cobra.Command{Use: "b", Run: nothing}))
	child.Execute()

	a, b := tree()
	oneOf(a, b).AddCommand(&cobra.Command{Use: "a", Run: nothing})
	a.Execute()

	oneOf(tree()).Execute()

	function, work := tree()
	work.Run = functions[os.Getenv("FUNCTION")]
	function.Execute()

	top, parents := "a", "a"
	above, below := tree()
	below.SetContext(context.Background())
	if oneOf(above, below).Parent() == nil {
		top = "b"
	}
	if oneOf(above, below).Context() == nil {
		parents = "b"
	}
	r.MustRegister(route(top), route("context"+parents))

	var bound, assigned string
	pflag.StringVar(&bound, "bound", "orders", "")
	r.MustRegister(route(bound))

	flags, run := tree()
	flags.PersistentFlags().StringVar(&assigned, "assigned", "orders", "")
	made := flags.PersistentFlags().StringP("made", "m", "orders", "")
	value := &own{}
	flags.Flags().Var(value, "own", "")
	assigned, value.text = "known", "known"
	run.Run = func(*cobra.Command, []string) {
		r.MustRegister(route(assigned), route(*made), route(value.text))
	}
	flags.Execute()

	started := "a"
	if os.Getenv("START") != "" {
		cobra.OnInitialize(func() { started = "b" })
	}
	starting, _ := tree()
	starting.Execute()
	finish := map[string][]func(){"a": {func() { started = "c" }}}[os.Getenv("FINISH")]
	cobra.OnFinalize(finish...)
	finishing, _ := tree()
	finishing.Execute()
	r.MustRegister(route(started))
	if err := serve(r); err != nil {
		log.Fatal(err)
	}
}

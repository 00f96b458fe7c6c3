// Whatever of the program's is in a value that a framework gets may be called by it.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/alecthomas/kong"
	"github.com/samber/do/v2"
	"github.com/spf13/cobra"
	cli2 "github.com/urfave/cli/v2"
	"github.com/urfave/cli/v3"
	"github.com/warrenmq/warren/runtime"
	"go.uber.org/dig"
	"go.uber.org/fx"

	"example.com/frameworks/broker"
)

type M struct {
	A string `json:"a"`
}

func on(context.Context, M) error { return nil }

func route(q string) runtime.Route {
	return runtime.Route{Name: q, Queue: runtime.Queue{Name: q}, Handler: runtime.Consume(on)}
}

// counter counts its calls.
type counter struct{ n *int }

func (c counter) Write(p []byte) (int, error) { *c.n++; return len(p), nil }
func (c counter) String() string              { *c.n++; return "counter" }
func (c counter) Help() string                { *c.n++; return "help" }

type counted struct {
	context.Context
	n *int
}

func (c counted) Done() <-chan struct{} { *c.n++; return c.Context.Done() }
func (c counted) Err() error            { *c.n++; return c.Context.Err() }
func (c counted) Value(key any) any     { *c.n++; return c.Context.Value(key) }

type argument struct {
	cli.StringArg
	n *int
}

func (a *argument) HasName(name string) bool               { *a.n++; return a.StringArg.HasName(name) }
func (a *argument) Parse(words []string) ([]string, error) { *a.n++; return words, nil }

type grammar struct {
	counter
	Serve struct{} `cmd:"" default:"1"`
}

func main() {
	r := runtime.NewRouter()
	background := context.Background()
	run := func(name string, n *int, cmd *cli.Command) {
		cmd.Name = "shop"
		_ = cmd.Run(background, os.Args)
		r.MustRegister(route(fmt.Sprint(name, *n > 0)))
	}
	var written, said, completed, parsed, extra, context3, started, stopped, templated, helped, recovered, rescued, used int
	run("writer", &written, &cli.Command{Writer: counter{&written}})
	run("authors", &said, &cli.Command{Authors: []any{counter{&said}}})
	run("completion", &completed, &cli.Command{
		EnableShellCompletion:           true,
		ConfigureShellCompletionCommand: func(*cli.Command) { completed++ },
	})
	run("arguments", &parsed, &cli.Command{Arguments: []cli.Argument{&argument{n: &parsed}}})

	_ = (&cli2.App{Name: "shop", ExtraInfo: func() map[string]string { extra++; return nil }}).Run(os.Args)
	r.MustRegister(route(fmt.Sprint("extra", extra > 0)))

	_ = (&cli.Command{Name: "shop"}).Run(counted{background, &context3}, os.Args)
	r.MustRegister(route(fmt.Sprint("context", context3 > 0)))

	app := fx.New(fx.NopLogger, fx.Invoke(func(lc fx.Lifecycle) { lc.Append(fx.StartHook(func() {})) }))
	_ = app.Start(counted{background, &started})
	r.MustRegister(route(fmt.Sprint("started", started > 0)))
	_ = app.Stop(counted{background, &stopped})
	r.MustRegister(route(fmt.Sprint("stopped", stopped > 0)))

	cobra.AddTemplateFunc("f", func() string { templated++; return "" })
	root := &cobra.Command{Use: "shop"}
	root.SetOut(io.Discard)
	root.SetHelpTemplate("{{f}}")
	_ = root.Execute()
	r.MustRegister(route(fmt.Sprint("templated", templated > 0)))

	_ = kong.Must(&grammar{counter: counter{&helped}})
	r.MustRegister(route(fmt.Sprint("helped", helped > 0)))

	_ = fx.New(fx.NopLogger, fx.RecoverFromPanics(), fx.Invoke(func() { panic(counter{&recovered}) }))
	r.MustRegister(route(fmt.Sprint("recovered", recovered > 0)))

	i := do.New()
	do.Provide(i, func(do.Injector) (int, error) { panic(counter{&rescued}) })
	_, _ = do.Invoke[int](i)
	r.MustRegister(route(fmt.Sprint("rescued", rescued > 0)))

	hooked := do.New()
	hooked.AddAfterInvocationHook(func(*do.Scope, string, error) { used++ })
	do.ProvideValue(hooked, 3)
	_ = do.MustInvoke[int](hooked)
	r.MustRegister(route(fmt.Sprint("used", used > 0)))

	var info dig.InvokeInfo
	if err := dig.New().Invoke(func() {}, dig.FillInvokeInfo(&info)); err != nil {
		log.Fatal(err)
	}
	r.MustRegister(route(fmt.Sprint("inputs", len(info.Inputs))))
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}

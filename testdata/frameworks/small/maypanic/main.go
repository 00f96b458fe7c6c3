// Functions of frameworks panic where they get what is wrong.
package main

import (
	"context"
	"errors"
	"log"
	"os"

	"github.com/samber/do/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"
	"github.com/urfave/cli/v3"
	"github.com/warrenmq/warren/runtime"
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

func one(i do.Injector) {
	type T struct{ a string }
	do.ProvideValue(i, T{"one"})
}

func main() {
	r := runtime.NewRouter()
	attempt := func(name string, f func()) {
		defer func() {
			if recover() != nil {
				name += "-panics"
			}
			r.MustRegister(route(name))
		}()
		f()
	}
	attempt("twice", func() {
		flags := pflag.NewFlagSet("shop", pflag.ContinueOnError)
		flags.Int("n", 1, "")
		flags.Int("n", 1, "")
	})
	attempt("together", func() { (&cobra.Command{Use: "shop"}).MarkFlagsRequiredTogether("a", "b") })
	attempt("nil-command", func() { (&cobra.Command{Use: "shop"}).AddCommand(nil) })
	attempt("group", func() {
		root := &cobra.Command{Use: "shop"}
		root.AddCommand(&cobra.Command{Use: "sub", GroupID: "none", Run: func(*cobra.Command, []string) {}})
		_ = root.Execute()
	})
	attempt("no-command", func() { (*cobra.Command)(nil).SetHelpTemplate("") })
	attempt("flags", func() {
		_ = (&cli.Command{Name: "shop", Flags: []cli.Flag{nil}}).Run(context.Background(), os.Args)
	})
	attempt("commands", func() {
		_ = (&cli.Command{Name: "shop", Commands: []*cli.Command{nil}}).Run(context.Background(), os.Args)
	})
	attempt("context", func() { _ = (&cli.Command{Name: "shop"}).Run(nil, os.Args) })
	attempt("supply", func() { fx.New(fx.NopLogger, fx.Supply(errors.New("no value"))) })
	attempt("flag-set", func() { _ = viper.BindPFlags(nil) })
	attempt("local-types", func() {
		type T struct{ a string }
		i := do.New()
		one(i)
		do.ProvideValue(i, T{"two"})
	})
	attempt("tags", func() {
		i := do.New()
		do.ProvideValue(i, struct {
			A int `a:"1"`
		}{})
		do.ProvideValue(i, struct {
			A int `a:"2"`
		}{})
	})
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}

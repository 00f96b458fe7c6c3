// What urfave/cli fills of an application, and the methods of flags that it calls.
package main

import (
	"context"
	"flag"
	"log"
	"os"
	"strconv"

	"github.com/urfave/cli/v2"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type region struct{ applied *int }

func (region) String() string              { return "region" }
func (region) Names() []string             { return []string{"region"} }
func (region) IsSet() bool                 { return false }
func (r region) Apply(*flag.FlagSet) error { *r.applied++; return nil }
func on(_ context.Context, _ string) error { return nil }

func main() {
	r := runtime.NewRouter()
	add := func(queue string) {
		r.MustRegister(runtime.Route{Name: queue, Queue: runtime.Queue{Name: queue}, Handler: runtime.Consume(on)})
	}
	applied := 0
	app := &cli.App{Name: "shop", Flags: []cli.Flag{region{&applied}}}
	app.Action = func(*cli.Context) error {
		add("version." + strconv.FormatBool(app.HideVersion))
		add("applied." + strconv.Itoa(applied))
		return nil
	}
	if err := app.Run(os.Args); err != nil {
		log.Fatal(err)
	}
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}

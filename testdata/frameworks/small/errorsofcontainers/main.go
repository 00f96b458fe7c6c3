// The error of a container leads to the one that the program has returned to it, and so do an
// error of Exit and a store to what was put there.
package main

import (
	"context"
	"errors"
	"os"

	"github.com/samber/do/v2"
	"github.com/spf13/viper"
	"github.com/urfave/cli/v2"
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

type failure struct{ name string }

func (*failure) Error() string { return "failure" }

// rename changes the failure that an error leads to.
func rename(err error) {
	var f *failure
	if errors.As(err, &f) {
		f.name = "renamed"
	}
}

type service struct{}

func main() {
	r := runtime.NewRouter()

	ofExit := &failure{"exit"}
	rename(cli.Exit(ofExit, 1))
	r.MustRegister(route(ofExit.name))

	ofDig := &failure{"dig"}
	rename(dig.New().Invoke(func() error { return ofDig }))
	r.MustRegister(route(ofDig.name))

	ofFx := &failure{"fx"}
	rename(fx.New(fx.NopLogger, fx.Invoke(func() error { return ofFx })).Err())
	r.MustRegister(route(ofFx.name))

	ofDo := &failure{"do"}
	injector := do.New()
	do.Provide(injector, func(do.Injector) (*service, error) { return nil, ofDo })
	_, err := do.Invoke[*service](injector)
	rename(err)
	r.MustRegister(route(ofDo.name))

	ofViper := &failure{"viper"}
	viper.SetDefault("failure", ofViper)
	viper.Get("failure").(*failure).name = "renamed"
	r.MustRegister(route(ofViper.name))

	if err := broker.New().Start(context.Background(), r); err != nil {
		os.Exit(1)
	}
}

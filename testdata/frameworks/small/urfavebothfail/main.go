// Where an action fails and After too, Run returns an error that is neither of the two.
package main

import (
	"context"
	"errors"
	"os"

	"github.com/urfave/cli/v3"
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

var errClosed = errors.New("closed")

func main() {
	cmd := &cli.Command{
		Name: "shop",
		Action: func(context.Context, *cli.Command) error {
			if os.Getenv("SHOP_OPEN") == "" {
				return errClosed
			}
			return nil
		},
		After: func(context.Context, *cli.Command) error {
			if os.Getenv("SHOP_OPEN") == "" {
				return errors.New("not left")
			}
			return nil
		},
	}
	err := cmd.Run(context.Background(), os.Args)
	r := runtime.NewRouter()
	if err == errClosed {
		r.MustRegister(route("closed"))
	} else {
		r.MustRegister(route("open"))
	}
	if err := broker.New().Start(context.Background(), r); err != nil {
		os.Exit(1)
	}
}

// Package broker opens the broker of the services here.
package broker

import (
	"context"
	"os"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/asyncapi"
	"github.com/warrenmq/warren/runtime/memory"
)

// New returns a broker in memory. Where DOCUMENT is set, it is one that writes
// the document of the routes that it is started with, and ends the program.
func New() runtime.Broker {
	b := memory.New(memory.Config{})
	if os.Getenv("DOCUMENT") != "" {
		return documenting{b}
	}
	return b
}

type documenting struct{ runtime.Broker }

func (documenting) Start(_ context.Context, router *runtime.Router) error {
	text, err := asyncapi.GenerateJSON(router.Routes(), nil, 2)
	if err != nil {
		return err
	}
	os.Stdout.Write(text)
	os.Exit(0)
	return nil
}

// An option of kong that isn't made where it is given: it may change how defaults are
// read.
package main

import (
	"context"

	"github.com/alecthomas/kong"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

func on(context.Context, string) error { return nil }

type HTTPDo struct {
	Queue string `default:"orders"`
}

func (h *HTTPDo) Run() error {
	r := runtime.NewRouter()
	r.MustRegister(runtime.Route{Name: "queue", Queue: runtime.Queue{Name: h.Queue}, Handler: runtime.Consume(on)})
	return broker.New().Start(context.Background(), r)
}

var cli struct {
	HTTPDo HTTPDo `cmd:""`
}

func main() {
	resolver := func(*kong.Context, *kong.Path, *kong.Flag) (any, error) { return nil, nil }
	option := kong.Resolvers(kong.ResolverFunc(resolver))
	kong.Parse(&cli, option).Run()
}

// What options of kong bind is given to the methods Run, unless the context or Run binds another one.
package main

import (
	"context"

	"github.com/alecthomas/kong"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type M struct {
	A string `json:"a"`
}

func on(context.Context, M) error { return nil }

type services struct {
	router *runtime.Router
	prefix string
}

func (s *services) add(queue string) {
	queue = s.prefix + queue
	s.router.MustRegister(runtime.Route{Name: queue, Queue: runtime.Queue{Name: queue}, Handler: runtime.Consume(on)})
}

type Namer interface{ Name() string }

type named string

func (n named) Name() string { return string(n) }

type Serve struct{}

func (Serve) Run(s *services, n Namer, text string, number int, flag bool) error {
	s.add(n.Name())
	s.add(text)
	s.add(string(rune('a' + number)))
	if flag {
		s.add("flag")
	}
	return broker.New().Start(context.Background(), s.router)
}

func main() {
	var cli struct {
		Serve Serve `cmd:""`
	}
	s := &services{router: runtime.NewRouter()}
	ctx := kong.Parse(&cli,
		kong.Name("service"),
		kong.Bind(s, "first", 1, false),
		kong.BindTo(named("orders"), (*Namer)(nil)),
		kong.Bind("second"),
	)
	s.prefix = "x."
	ctx.Bind(true)
	ctx.FatalIfErrorf(ctx.Run(2))
}

// What options of kong bind is given to functions and methods that kong calls at a time of its own, too.
package main

import (
	"context"
	"os"

	"github.com/alecthomas/kong"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

func on(context.Context, string) error { return nil }

type names struct{ queue string }

type Loud bool

func (Loud) AfterApply(n *names) error {
	n.queue += "!"
	return nil
}

type Serve struct{}

var router = runtime.NewRouter()

func (Serve) Run(n *names) error {
	router.MustRegister(runtime.Route{Name: n.queue, Queue: runtime.Queue{Name: n.queue}, Handler: runtime.Consume(on)})
	return nil
}

type CLI struct {
	Serve Serve `cmd:""`
}

func main() {
	var hooked struct {
		CLI
		Loud Loud `default:"true"`
	}
	_ = kong.Parse(&hooked, kong.Bind(&names{"hooked"})).Run()

	var cli CLI
	before := kong.WithBeforeApply(func(n *names) error {
		n.queue = "before"
		return nil
	})
	_ = kong.Parse(&cli, kong.Bind(&names{"changed"}), before).Run()

	provider := kong.BindToProvider(func(n *names) (int, error) {
		n.queue = "provided"
		return 1, nil
	})
	_ = kong.Parse(&cli, kong.Bind(&names{"given"}), provider).Run()

	values := []any{&names{"several"}}
	for range os.Args {
		values = append(values, "more")
	}
	_ = kong.Parse(&cli, kong.Bind(values...)).Run()
	_ = broker.New().Start(context.Background(), router)
}

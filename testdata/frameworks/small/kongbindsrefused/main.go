// What options of kong bind is given to functions and methods that kong calls at a time of its own,
// too, and other options may bind other values.
package main

import (
	"context"
	"os"

	"github.com/alecthomas/kong"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

func on(context.Context, string) error { return nil }

var router = runtime.NewRouter()

func add(queue string) error {
	return router.Register(runtime.Route{Name: queue, Queue: runtime.Queue{Name: queue}, Handler: runtime.Consume(on)})
}

type names struct{ queue string }

// A flag with a hook.
type Loud bool

func (Loud) AfterApply(n *names) error {
	n.queue += "!"
	return nil
}

type hooked struct {
	Hooked Hooked `cmd:""`
	Loud   Loud   `default:"true"`
}

type Hooked struct{}

func (Hooked) Run(n *names) error { return add(n.queue) }

// An option that calls a function.
type before struct {
	Before Before `cmd:""`
}

type Before struct{}

func (Before) Run(n *names) error { return add(n.queue) }

// A provider of another value.
type provided struct {
	Provided Provided `cmd:""`
}

type Provided struct{}

func (Provided) Run(queue string) error { return add(queue) }

// A number of values that isn't known.
type several struct {
	Several Several `cmd:""`
}

type Several struct{}

func (Several) Run(queue string) error { return add(queue) }

// An option that isn't known.
type chosen struct {
	Chosen Chosen `cmd:""`
}

type Chosen struct{}

func (Chosen) Run(queue string) error { return add(queue) }

// A check that gets the context.
type checked struct {
	Checked Checked `cmd:""`
}

type Checked struct{}

func (Checked) Validate(ctx *kong.Context) error {
	_, err := ctx.Call(func(n *names) error {
		n.queue = "x"
		return nil
	})
	return err
}

func (Checked) Run(n *names) error { return add(n.queue) }

// What kong itself binds.
type vars struct {
	Vars Vars `cmd:""`
}

type Vars struct{}

func (Vars) Run(v kong.Vars) error { return add(v["queue"]) }

func main() {
	_ = kong.Parse(new(hooked), kong.Bind(&names{"hooked"})).Run()
	_ = kong.Parse(new(before), kong.Bind(&names{"before"}), kong.WithBeforeApply(func(n *names) error {
		n.queue = "changed"
		return nil
	})).Run()
	_ = kong.Parse(new(provided), kong.Bind("given"), kong.BindToProvider(func() (string, error) { return "provided", nil })).Run()

	values := []any{"several"}
	for range os.Args {
		values = append(values, "more")
	}
	_ = kong.Parse(new(several), kong.Bind(values...)).Run()

	option := kong.Bind("one")
	if os.Getenv("OTHER") != "" {
		option = kong.Bind("other")
	}
	_ = kong.Parse(new(chosen), option).Run()
	_ = kong.Parse(new(checked), kong.Bind(&names{"checked"})).Run()
	_ = kong.Parse(new(vars), kong.Bind(kong.Vars{"queue": "a"})).Run()
	_ = broker.New().Start(context.Background(), router)
}

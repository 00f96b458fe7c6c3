// Hooks of kong on which routes depend.
package main

import (
	"context"

	"github.com/alecthomas/kong"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
	"example.com/kit/region"
)

func on(context.Context, string) error { return nil }

var router = runtime.NewRouter()

func add(queue string) error {
	return router.Register(runtime.Route{Name: queue, Queue: runtime.Queue{Name: queue}, Handler: runtime.Consume(on)})
}

// Of a command.
var commands struct {
	Cmd Cmd `cmd:""`
}

type Cmd struct {
	Queue string `default:"field"`
}

func (c *Cmd) AfterApply() error { c.Queue = "after"; return nil }
func (c *Cmd) Run() error        { return add(c.Queue) }

// Before flags have values.
var reset = "reset"

type Reset struct {
	Queue string `default:"q"`
}

func (r *Reset) BeforeReset() error {
	if r.Queue == "" {
		reset = "empty"
	}
	return nil
}

// One after another.
var resolved string

type Resolved struct{}

func (Resolved) BeforeResolve() error { resolved = "resolved"; return nil }

func (Resolved) BeforeApply() error {
	if resolved != "" {
		return add("applied")
	}
	return nil
}

// Of what is bound.
type names struct{ queue string }

type Named struct {
	Use Use `cmd:""`
}

func (Named) AfterApply(n *names) error { n.queue = "hook"; return nil }

type Use struct{}

func (Use) Run(n *names) error { return add(n.queue) }

// By the context, in another module.
type Binding struct {
	region.Flags
	Bound Bound `cmd:""`
}

type Bound struct{}

func (Bound) Run(queue string) error { return add(queue) }

// After the run.
type Later struct {
	Use Use `cmd:""`
}

func (Later) AfterRun() error { return add("later") }

// Of what kong makes: an embedded struct, a command that doesn't run, a flag.
type Made struct {
	Base   *Base   `embed:""`
	Idle   *Idle   `cmd:"" default:"1"`
	Strict *Strict `default:"true"`
}

type Base struct{}

func (*Base) AfterApply() error { return add("base") }

type Idle struct{}

func (*Idle) AfterApply() error { return add("idle") }

type Strict bool

func (*Strict) AfterApply() error { return add("strict") }

func main() {
	_ = kong.Parse(&commands).Run()
	kong.Parse(new(Reset))
	_ = add(reset)
	kong.Parse(new(Resolved))
	_ = kong.Parse(new(Named), kong.Bind(&names{"bound"})).Run()
	_ = kong.Parse(new(Binding)).Run("given")
	_ = kong.Parse(new(Later)).Run(&names{"n"})
	kong.Parse(new(Made))
	_ = broker.New().Start(context.Background(), router)
}

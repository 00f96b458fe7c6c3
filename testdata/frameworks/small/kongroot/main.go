// A command of kong with the method Run runs without one of those below it, too. Where
// one runs, it runs before it.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/alecthomas/kong"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type Version struct{}

func (Version) Run() error {
	fmt.Println("1.0")
	os.Exit(0)
	return nil
}

type Level string

func (l Level) AfterApply() error {
	level = string(l)
	return nil
}

type Shown string

func (Shown) BeforeReset() error {
	fmt.Println("shown")
	os.Exit(0)
	return nil
}

type CLI struct {
	Level   Level
	Shown   Shown
	Build   kong.VersionFlag
	Version Version `cmd:""`
}

func on(context.Context, string) error { return nil }

var level = "none"

func (*CLI) Run(ctx *kong.Context) error {
	r := runtime.NewRouter()
	r.MustRegister(runtime.Route{Name: "orders" + ctx.Command(), Queue: runtime.Queue{Name: "orders"}, Handler: runtime.Consume(on)})
	return broker.New().Start(context.Background(), r)
}

func main() {
	ctx := kong.Parse(new(CLI))
	if ctx.Run() != nil {
		os.Exit(1)
	}
}

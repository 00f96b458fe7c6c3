// Commands of kong in all forms: in embedded structs, with prefixes and names of
// their own, and after arguments. What is bound reaches their methods Run.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type Globals struct {
	Prefix string `default:"shop"`
	Dry    bool
}

type Named interface{ Name() string }

type named string

func (n named) Name() string { return string(n) }

type Extra struct{ suffix string }

type Tags struct {
	First  string `default:"first"`
	Second uint8  `default:"100"`
}

type Registering struct{ router *runtime.Router }

func (r *Registering) Run(ctx *kong.Context, globals *Globals, extra Extra) error {
	r.router = runtime.NewRouter()
	add(r.router, "promoted", ctx.Command(), globals.Prefix, extra.suffix)
	return broker.New().Start(context.Background(), r.router)
}

type HTTPServe struct {
	Queue  string `default:"orders"`
	Max    int8   `default:"-5"`
	Empty  string `default:""`
	Tags   Tags   `embed:"" prefix:"tag-"`
	hidden string
	Left   string `kong:"-"`
}

func (h HTTPServe) Run(globals *Globals, n Named, extra Extra, ctx *kong.Context) error {
	if globals.Dry {
		return nil
	}
	h.hidden += "!"
	r := runtime.NewRouter()
	add(r, "serve", h.Queue, h.Max, h.Tags.First, h.Tags.Second, h.hidden, h.Left, globals.Prefix, n.Name(), extra.suffix, ctx.Command())
	return broker.New().Start(context.Background(), r)
}

type Commands struct {
	V2Serve   Registering `cmd:""`
	HTTPServe HTTPServe   `cmd:"" aliases:"http"`
	Old       Registering `kong:"cmd,name='former',help='As it was.'"`
}

type Work struct {
	ID    string   `arg:""`
	Kinds string   `arg:"" default:"all"`
	Rest  []string `arg:"" optional:""`
}

func (w *Work) Run(jobs *Jobs, cli *CLI) error {
	r := runtime.NewRouter()
	add(r, "work", jobs.Exchange, cli.Own)
	return broker.New().Start(context.Background(), r)
}

type Jobs struct {
	Exchange string `default:"jobs"`
	Work     Work   `cmd:""`
	Of       struct {
		Of   string      `arg:""`
		Stop Registering `cmd:""`
		More struct {
			Last string `arg:"" optional:""`
		} `cmd:""`
	} `arg:"" name:"of"`
}

type CLI struct {
	Globals
	Commands `prefix:"x-"`
	Jobs     Jobs     `cmd:""`
	Own      string   `default:"own"`
	Version  struct{} `cmd:""`
}

func on(context.Context, string) error { return nil }

func add(r *runtime.Router, name string, values ...any) {
	r.MustRegister(runtime.Route{Name: name, Description: fmt.Sprintln(values...), Queue: runtime.Queue{Name: name}, Handler: runtime.Consume(on)})
}

func main() {
	cli := CLI{Commands: Commands{HTTPServe: HTTPServe{hidden: "kept", Left: "left"}}}
	parser := kong.Must(&cli, kong.Name("shop"), kong.Vars{"version": "1.0"})
	ctx, err := parser.Parse(os.Args[1:])
	parser.FatalIfErrorf(err)
	ctx.Bind(Extra{"later"})
	ctx.BindTo(named("a name"), (*Named)(nil))
	switch command := ctx.Command(); {
	case command == "version":
		parser.Printf("1.0")
	case strings.HasPrefix(command, "jobs <of> more"):
		r := runtime.NewRouter()
		switch command {
		case "jobs <of> more", "jobs <of> more <last>":
			add(r, "more")
		default:
			add(r, command)
		}
		ctx.FatalIfErrorf(broker.New().Start(context.Background(), r))
	default:
		ctx.FatalIfErrorf(ctx.Run(&cli.Globals, Extra{"sooner"}))
	}
}

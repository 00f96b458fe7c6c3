// Command lines of kong that aren't followed.
package main

import (
	"context"
	"os"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

func on(context.Context, string) error { return nil }

type Serve struct {
	Queue string `default:"orders"`
}

func (s *Serve) Run() error {
	r := runtime.NewRouter()
	r.MustRegister(runtime.Route{Name: s.Queue, Queue: runtime.Queue{Name: s.Queue}, Handler: runtime.Consume(on)})
	return broker.New().Start(context.Background(), r)
}

func main() {
	var pointer struct {
		Serve *Serve `cmd:""`
	}
	if os.Getenv("A") != "" {
		kong.Parse(&pointer).Run()
	}
	var embedded struct {
		*Serve `embed:""`
	}
	if os.Getenv("B") != "" {
		kong.Parse(&embedded).Run()
	}
	var plugins struct{ kong.Plugins }
	plugins.Plugins = append(plugins.Plugins, &pointer)
	if os.Getenv("C") != "" {
		kong.Parse(&plugins).Run()
	}
	var named struct {
		Serve   Serve    `cmd:""`
		Version struct{} `cmd:""`
	}
	if os.Getenv("D") != "" {
		if kong.Parse(&named, kong.FlagNamer(strings.ToUpper)).Command() == "SERVE" {
			named.Serve.Run()
		}
	}
	var cli any = &named
	if os.Getenv("E") != "" {
		cli = &pointer
	}
	kong.Parse(cli).Run()
}

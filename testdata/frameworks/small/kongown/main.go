// Options are known by the functions of kong that make them, and not by names alone.
package main

import (
	"context"
	"log"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
	"example.com/frameworks/small/kongown/opts"
)

type M struct {
	A string `json:"a"`
}

func on(context.Context, M) error { return nil }

func route(q string) runtime.Route {
	return runtime.Route{Name: q, Queue: runtime.Queue{Name: q}, Handler: runtime.Consume(on)}
}

type grammar struct {
	Name  string   `default:"tagged"`
	Serve struct{} `cmd:"" default:"1"`
}

func main() {
	r := runtime.NewRouter()
	var named, upper, function grammar
	kong.Parse(&named, opts.Name("resolved"))
	r.MustRegister(route(named.Name))
	r.MustRegister(route(kong.Parse(&upper, opts.Upper()).Command()))
	option := kong.OptionFunc(func(k *kong.Kong) error { return kong.FlagNamer(strings.ToUpper).Apply(k) })
	r.MustRegister(route("function-" + kong.Parse(&function, option).Command()))
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}

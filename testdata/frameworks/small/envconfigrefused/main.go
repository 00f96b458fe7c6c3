// What the tags of kelseyhightower/envconfig don't determine: a field without a
// default, and a type that reads itself.
package main

import (
	"context"
	"strings"

	"github.com/kelseyhightower/envconfig"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type Upper string

func (u *Upper) Decode(text string) error {
	*u = Upper(strings.ToUpper(text))
	return nil
}

type Specification struct {
	Queue string
	Upper Upper `default:"orders"`
}

func on(context.Context, int) error { return nil }

func main() {
	var s Specification
	envconfig.MustProcess("shop", &s)
	r := runtime.NewRouter()
	r.MustRegister(
		runtime.Route{Name: "plain", Queue: runtime.Queue{Name: s.Queue}, Handler: runtime.Consume(on)},
		runtime.Route{Name: "upper", Queue: runtime.Queue{Name: string(s.Upper)}, Handler: runtime.Consume(on)},
	)
	if err := broker.New().Start(context.Background(), r); err != nil {
		panic(err)
	}
}

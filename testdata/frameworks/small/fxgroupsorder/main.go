// A value group whose order matters: fx gives its values in another one each time.
package main

import (
	"context"
	"fmt"

	"github.com/warrenmq/warren/runtime"
	"go.uber.org/fx"

	"example.com/frameworks/broker"
)

type M struct {
	A string `json:"a"`
}

func on(context.Context, M) error { return nil }

func named(name string) any {
	return fx.Annotate(func() string { return name }, fx.ResultTags(`group:"names"`))
}

func main() {
	r := runtime.NewRouter()
	fx.New(fx.NopLogger, fx.Provide(named("a"), named("b")), fx.Invoke(fx.Annotate(func(names []string) {
		for i, name := range names {
			q := fmt.Sprint(name, i)
			r.MustRegister(runtime.Route{Name: q, Queue: runtime.Queue{Name: q}, Handler: runtime.Consume(on)})
		}
	}, fx.ParamTags(`group:"names"`))))
	_ = broker.New().Start(context.Background(), r)
}

// Containers know a type of a package that is read late as the same, wherever it is named.
package main

import (
	"context"
	"log"
	"slices"

	do "github.com/samber/do/v2"
	"github.com/warrenmq/warren/runtime"
	"go.uber.org/dig"
	"go.uber.org/fx"

	"example.com/frameworks/broker"
	"example.com/frameworks/small/latepackage/config"
)

type M struct {
	A string `json:"a"`
}

func on(context.Context, M) error { return nil }

func route(q string) runtime.Route {
	return runtime.Route{Name: q, Queue: runtime.Queue{Name: q}, Handler: runtime.Consume(on)}
}

func serve(r *runtime.Router) error { return broker.New().Start(context.Background(), r) }

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

type needed struct {
	dig.In
	Config *config.Config `optional:"true"`
	Queues []config.Queue `group:"queues"`
}

func byDig(r *runtime.Router) {
	c := dig.New()
	must(config.Provide(c))
	must(c.Invoke(func(n needed) {
		if n.Config != nil {
			r.MustRegister(route("dig." + n.Config.Name))
		}
		for _, q := range n.Queues {
			r.MustRegister(route("dig." + q.Name))
		}
	}))
}

type orders struct{}

func (orders) Topic() config.Topic { return config.Topic{Name: "orders"} }

// topic is an interface of the program's own, of which the package knows nothing.
type topic interface{ Topic() config.Topic }

func byFx(r *runtime.Router) {
	app := fx.New(fx.NopLogger,
		config.Invoked, config.Provided, config.Supplied,
		fx.Provide(fx.Annotate(func() orders { return orders{} }, fx.As(new(config.Source)), fx.ResultTags(`group:"topics"`))),
		fx.Provide(fx.Annotate(config.NewService, fx.As(new(topic)))),
		fx.Decorate(config.Decorator),
		fx.Invoke(func(c *config.Config, q config.Queue, t topic) {
			r.MustRegister(route("fx." + c.Name))
			r.MustRegister(route("fx." + q.Name))
			r.MustRegister(route("fx." + t.Topic().Name))
		}),
	)
	must(app.Err())
	for _, name := range config.Topics() {
		r.MustRegister(route("topic." + name))
	}
}

// inGroup copies a value group: its array has no room for more.
func inGroup(r *runtime.Router) {
	give := func(name string) fx.Option {
		return fx.Provide(fx.Annotate(func() string { return name }, fx.ResultTags(`group:"names"`)))
	}
	app := fx.New(fx.NopLogger, give("a"), give("b"), give("c"), fx.Invoke(fx.Annotate(func(names []string) {
		names = slices.Clone(names)
		slices.Sort(names)
		for _, name := range names {
			r.MustRegister(route("group." + name))
		}
	}, fx.ParamTags(`group:"names"`))))
	must(app.Err())
}

func main() {
	r := runtime.NewRouter()
	byDig(r)
	byFx(r)
	inGroup(r)
	r.MustRegister(route("do." + do.MustInvoke[*config.Config](do.New(config.Package)).Name))
	if err := serve(r); err != nil {
		log.Fatal(err)
	}
}

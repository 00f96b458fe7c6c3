// Value groups whose order matters, and annotations that fx refuses or that aren't followed.
package main

import (
	"context"
	"fmt"

	"github.com/warrenmq/warren/runtime"
	"go.uber.org/dig"
	"go.uber.org/fx"

	"example.com/frameworks/broker"
)

type M struct {
	A string `json:"a"`
}

func on(context.Context, M) error { return nil }

func route(q string) runtime.Route {
	return runtime.Route{Name: q, Queue: runtime.Queue{Name: q}, Handler: runtime.Consume(on)}
}

func serve(r *runtime.Router) error { return broker.New().Start(context.Background(), r) }

type consumer struct{ name string }

func newNamed(name string) func() *consumer { return func() *consumer { return &consumer{name} } }

func inGroup(name string) any {
	return fx.Annotate(newNamed(name), fx.ResultTags(`group:"consumers"`))
}

func ofGroup(f any) any { return fx.Annotate(f, fx.ParamTags(`group:"consumers"`)) }

func newTagged(name string, with ...fx.Annotation) {
	fx.New(fx.NopLogger, fx.Provide(fx.Annotate(newNamed(name), with...)))
}

func annotations(r *runtime.Router) {
	newTagged("twice", fx.ResultTags(`name:"a"`), fx.ResultTags(`name:"b"`))
	newTagged("key", fx.ResultTags(`called:"a"`))
	newTagged("hook of another", fx.OnStart(func(string) {}))
	newTagged("hook with results", fx.OnStop(func() (int, error) { return 0, nil }))
	newTagged("two hooks", fx.OnStart(func() {}), fx.OnStart(func(context.Context) error { r.MustRegister(route("hook")); return nil }))
	newTagged("variadic hook", fx.OnStart(func(...*consumer) {}))
	newTagged("hook by name", fx.ResultTags(`name:"a"`), fx.OnStart(func(*consumer) {}))
	newTagged("hook of a struct", fx.OnStart(func(struct{ fx.In }) {}))
	fx.New(fx.NopLogger, fx.Provide(fx.Annotate(newNamed("none"), fx.OnStart(nil))))
	for _, f := range []any{
		func(struct{ fx.In }, int) *consumer { return nil },
		func(struct {
			Name string
			fx.In
		}) *consumer {
			return nil
		},
		func(struct {
			fx.In
			Name string `optional:"true"`
		}) *consumer {
			return nil
		},
		func(error) *consumer { return nil },
		func(a, b string) *consumer { return nil },
		func(struct {
			fx.In
			Name  *consumer
			Other string
		}) *consumer {
			return nil
		},
	} {
		fx.New(fx.NopLogger, fx.Provide(fx.Annotate(f, fx.OnStart(func() {}))))
	}
	newTagged("interface", fx.As(new(fmt.Stringer)))
	newTagged("pointer", fx.As(new(consumer)))
	newTagged("group and name", fx.ResultTags(`group:"a" name:"b"`))
	newTagged("soft", fx.ResultTags(`group:"a,soft"`))
	fx.New(fx.NopLogger, fx.Provide(fx.Annotate("text", fx.ResultTags(`name:"a"`))))
	fx.New(fx.NopLogger, fx.Provide(fx.Annotate(func() error { return nil }, fx.ResultTags(`name:"a"`))))
	fx.New(fx.NopLogger, fx.Provide(fx.Annotated{Name: "a", Group: "b", Target: newNamed("both")}))
	fx.New(fx.NopLogger, fx.Provide(inGroup("circle"), fx.Annotate(func([]*consumer) *consumer { return nil }, fx.ParamTags(`group:"consumers"`), fx.ResultTags(`group:"consumers"`))))
	fx.New(fx.NopLogger, fx.Provide(inGroup("array")), fx.Invoke(ofGroup(func([1]*consumer) {})))

	c := dig.New()
	_ = c.Provide(newNamed("both"), dig.Name("a"), dig.Group("b"))
	_ = c.Provide(newNamed("interface"), dig.As(new(fmt.Stringer)))
	_ = c.Provide(newNamed("exported"), dig.Export(true))
	_ = c.Provide(fx.Annotate(newNamed("of fx"), fx.OnStart(func() {})))
}

// room is that of the list of a group, of which a constructor gives several values.
func room(r *runtime.Router) {
	flat := fx.Annotate(func() []*consumer { return []*consumer{{"a"}, {"a"}} }, fx.ResultTags(`group:"flat,flatten"`))
	fx.New(fx.NopLogger, fx.Provide(flat), fx.Invoke(fx.Annotate(func(all []*consumer) {
		more := append(all, &consumer{"b"})
		more[0] = &consumer{"c"}
		r.MustRegister(route(all[0].name))
	}, fx.ParamTags(`group:"flat"`))))
}

func main() {
	r := runtime.NewRouter()
	annotations(r)
	room(r)
	_ = serve(r)
}

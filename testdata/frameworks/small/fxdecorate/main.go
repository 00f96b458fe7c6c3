// What decorators of fx and dig come to.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"slices"

	"github.com/warrenmq/warren/runtime"
	"go.uber.org/dig"
	"go.uber.org/fx"
	"go.uber.org/fx/fxevent"

	"example.com/frameworks/broker"
)

type M struct {
	A string `json:"a"`
}

func on(context.Context, M) error { return nil }

func route(parts ...any) runtime.Route {
	q := fmt.Sprintln(parts...)
	q = q[:len(q)-1]
	for i, c := range q {
		if c == ' ' {
			q = q[:i] + "." + q[i+1:]
		}
	}
	return runtime.Route{Name: q, Queue: runtime.Queue{Name: q}, Handler: runtime.Consume(on)}
}

func serve(r *runtime.Router) error { return broker.New().Start(context.Background(), r) }

// application runs one of fx, and names it where it fails.
func application(r *runtime.Router, name string, options ...fx.Option) {
	app := fx.New(append(options, fx.NopLogger)...)
	if app.Err() != nil {
		r.MustRegister(route(name, "fails"))
	}
}

type config struct{ name, zone string }

// A namer is what replaces a struct of another type.
type namer interface{ Name() string }

func (c *config) Name() string { return c.name }

type (
	given struct {
		fx.Out
		Size   int
		Second string `name:"second"`
	}
	taken struct {
		fx.In
		Size   int
		Second string `name:"second"`
		None   int64  `optional:"true"`
	}
)

func plain(r *runtime.Router) {
	calls := 0
	application(r, "plain", fx.Supply(config{name: "a"}, 3),
		fx.Decorate(func(c config, n int) config { calls++; c.name += fmt.Sprint("b", n); return c }),
		fx.Provide(func(c config) string { return c.name }),
		fx.Invoke(func(s string, c config) { r.MustRegister(route("plain", s, c.name)) }, func(c config) { r.MustRegister(route("again", c.name)) }))
	application(r, "unused", fx.Supply("a"), fx.Decorate(func(s string) string { calls += 10; return s }), fx.Invoke(func() { r.MustRegister(route("unused")) }))
	application(r, "replaced", fx.Provide(func() string { calls += 100; return "a" }), fx.Replace("r"), fx.Invoke(func(s string) { r.MustRegister(route("replaced", s)) }))
	application(r, "wrong", fx.Supply("a"), fx.Decorate(func(s string) (string, error) { return s, errors.New("no") }), fx.Invoke(func(s string) { calls += 1000 }))
	application(r, "fine", fx.Supply("a"), fx.Decorate(func(s string) (string, error) { return s + "f", nil }), fx.Invoke(func(s string) { r.MustRegister(route("fine", s)) }))
	application(r, "panics", fx.RecoverFromPanics(), fx.Supply("a"), fx.Decorate(func(s string) string { panic(s) }), fx.Invoke(func(s string) { calls += 10000 }))
	application(r, "structs", fx.Provide(func() given { return given{Size: 1, Second: "s"} }),
		fx.Decorate(func(t taken) given { return given{Size: t.Size + 10, Second: t.Second + "2"} }),
		fx.Invoke(func(t taken) { r.MustRegister(route("structs", t.Size, t.Second)) }))
	application(r, "annotated", fx.Provide(fx.Annotate(func() string { return "first" }, fx.ResultTags(`name:"one"`)), fx.Annotate(func() *config { return &config{name: "c"} }, fx.As(new(namer)))),
		fx.Supply("other"),
		fx.Decorate(fx.Annotate(func(s, other string) string { return s + "." + other }, fx.ParamTags(`name:"one"`), fx.ResultTags(`name:"one"`))),
		fx.Replace(fx.Annotate(&config{name: "d"}, fx.As(new(namer)))),
		fx.Invoke(fx.Annotate(func(s, other string, n namer) { r.MustRegister(route("annotated", s, other, n.Name())) }, fx.ParamTags(`name:"one"`))))
	application(r, "group", fx.Provide(fx.Annotate(func() int { return 1 }, fx.ResultTags(`group:"n"`)), fx.Annotate(func() int { return 2 }, fx.ResultTags(`group:"n"`))), fx.Supply("s"),
		fx.Decorate(fx.Annotate(func(s string, all []int) string { slices.Sort(all); return fmt.Sprint(s, len(all), all[1]) }, fx.ParamTags(``, `group:"n"`))),
		fx.Invoke(func(s string) { r.MustRegister(route("group", s)) }))
	r.MustRegister(route("calls", calls))
}

func modules(r *runtime.Router) {
	within := func(name string) any { return func(s string, n int) { r.MustRegister(route(name, s, n)) } }
	add := func(text string) fx.Option { return fx.Decorate(func(s string) string { return s + text }) }
	application(r, "modules", fx.Supply("a", 1), add("r"), fx.Invoke(within("root")),
		fx.Module("outer", add("o"), fx.Replace(2), fx.Invoke(within("outer")),
			fx.Module("inner", add("i"), fx.Invoke(within("inner"))),
			fx.Module("plain", fx.Invoke(within("plain")))),
		fx.Module("side", fx.Invoke(within("side"))))
	application(r, "providers", fx.Supply("a"),
		fx.Module("one", add("1"), fx.Provide(func(s string) int { return len(s) }), fx.Invoke(func(n int, s string) { r.MustRegister(route("one", n, s)) })),
		fx.Invoke(func(n int, s string) { r.MustRegister(route("all", n, s)) }))
	application(r, "first", fx.Supply("a"), fx.Provide(func(s string) config { return config{name: s} }),
		fx.Module("one", add("1"), fx.Invoke(func(c config, s string) { r.MustRegister(route("kept", c.name, s)) })))
	application(r, "both", fx.Supply("a", 1),
		fx.Decorate(func(s string, n int) (string, int) { return s + "b", n + 1 }),
		fx.Module("one", fx.Decorate(func(n int, s string) int { return n*10 + len(s) }), fx.Invoke(within("both"))))
	named := ""
	fx.New(fx.Supply("log"), add(".decorated"), fx.WithLogger(func(s string) (fxevent.Logger, error) { named = s; return fxevent.NopLogger, nil }))
	r.MustRegister(route("logger", named))
	var s string
	application(r, "populated", fx.Supply("p"), add("q"), fx.Populate(&s))
	r.MustRegister(route("populated", s))
}

func byDig(r *runtime.Router) {
	c := dig.New()
	must := func(err error) {
		if err != nil {
			log.Fatal(err)
		}
	}
	must(c.Provide(func() string { return "a" }))
	must(c.Provide(func(s string) int { return len(s) }))
	must(c.Invoke(func(n int, s string) { r.MustRegister(route("before", n, s)) }))
	must(c.Decorate(func(s string) string { return s + "late" }))
	must(c.Invoke(func(n int, s string) { r.MustRegister(route("after", n, s)) }))
	must(c.Decorate(func(n int, s string) (int, error) { return n + len(s), nil }))
	must(c.Invoke(func(n int) { r.MustRegister(route("number", n)) }))
}

func main() {
	r := runtime.NewRouter()
	plain(r)
	modules(r)
	byDig(r)
	if err := serve(r); err != nil {
		log.Fatal(err)
	}
}

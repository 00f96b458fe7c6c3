// What annotations, names and value groups of fx and dig come to.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"slices"
	"strings"

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

// A Consumer is what groups are of.
type Consumer interface{ Name() string }

type consumer struct{ name string }

func (c *consumer) Name() string   { return c.name }
func (c *consumer) String() string { return c.name }

type mails struct{ consumer }

func newMails() *mails { return &mails{consumer{"mails"}} }

func newNamed(name string) func() *consumer { return func() *consumer { return &consumer{name} } }

// inGroup is a constructor of a consumer as the user's guide of fx has it.
func inGroup(constructor any) any {
	return fx.Annotate(constructor, fx.As(new(Consumer)), fx.ResultTags(`group:"consumers"`))
}

// ofGroup is a function that takes the group.
func ofGroup(f any) any { return fx.Annotate(f, fx.ParamTags(`group:"consumers"`)) }

func names(of string, consumers []Consumer) string {
	all := []string{of}
	for _, c := range consumers {
		all = append(all, c.Name())
	}
	slices.Sort(all[1:])
	return fmt.Sprintf("%s.%d.%v", strings.Join(all, "."), len(consumers), consumers == nil)
}

// application runs one of fx, and names it where it fails.
func application(r *runtime.Router, name string, options ...fx.Option) {
	app := fx.New(append(options, fx.NopLogger)...)
	if app.Err() != nil {
		r.MustRegister(route(name + ".fails"))
	}
}

// Kept and given are what constructors and functions take and give by structs.
type (
	given struct {
		fx.Out
		One   Consumer   `group:"consumers"`
		Many  []Consumer `group:"consumers,flatten"`
		Mails *mails
		Name  string `name:"given"`
	}
	taken struct {
		fx.In
		Consumers []Consumer `group:"consumers"`
		Soft      []Consumer `group:"others,soft"`
		None      []Consumer `group:"none"`
		Mails     *mails     `optional:"true"`
		Name      string     `name:"given"`
	}
	other struct {
		fx.Out
		Other Consumer `group:"others"`
		Count int
	}
)

func byGroup(r *runtime.Router) {
	application(r, "one", fx.Provide(inGroup(newMails), inGroup(newNamed("chats")), inGroup(func() (*consumer, error) { return &consumer{"calls"}, nil })),
		fx.Invoke(ofGroup(func(consumers []Consumer) {
			for _, c := range consumers {
				r.MustRegister(route("one." + c.Name()))
			}
		})),
		fx.Invoke(ofGroup(func(consumers ...Consumer) { r.MustRegister(route(names("variadic", consumers))) })),
		fx.Invoke(func(consumers ...Consumer) { r.MustRegister(route(names("plain", consumers))) }),
		fx.Invoke(fx.Annotate(func(text string, consumers ...Consumer) { r.MustRegister(route(names("missing"+text, consumers))) }, fx.ParamTags(`optional:"true"`))),
	)
	application(r, "structs", fx.Provide(func() given {
		m := newMails()
		return given{One: m, Many: []Consumer{&consumer{"a"}, &consumer{"b"}}, Mails: m, Name: "given"}
	}, func() other { return other{Other: &consumer{"other"}, Count: 1} }, inGroup(newNamed("c"))),
		fx.Invoke(func(t taken) {
			r.MustRegister(route(names(t.Name+t.Mails.name, t.Consumers)), route(names("soft", t.Soft)), route(names("none", t.None)))
		}, func(_ int, t taken) { r.MustRegister(route(names("asked", t.Soft))) }),
	)
	calls := 0
	application(r, "fails", fx.Provide(inGroup(newMails), inGroup(func() (*consumer, error) { calls++; return nil, errors.New("no") }), inGroup(func() *consumer {
		calls++
		return new(consumer)
	})), fx.Invoke(ofGroup(func([]Consumer) { r.MustRegister(route("never")) })))
	r.MustRegister(route(fmt.Sprint("calls", calls)))
	application(r, "modules",
		fx.Module("own", fx.Provide(inGroup(newNamed("own")), fx.Private), fx.Invoke(ofGroup(func(consumers []Consumer) { r.MustRegister(route(names("in.own", consumers))) }))),
		fx.Module("shared", fx.Provide(inGroup(newNamed("shared")))),
		fx.Invoke(ofGroup(func(consumers []Consumer) { r.MustRegister(route(names("in.all", consumers))) })),
	)
}

type number struct{ n int }

func copied(r *runtime.Router) {
	annotated := func(n int) any {
		return fx.Annotate(func() number { return number{n} }, fx.ResultTags(`group:"numbers"`))
	}
	use := func(prefix string) any {
		return fx.Annotate(func(numbers []number) {
			for i := range numbers {
				numbers[i].n *= 10
				r.MustRegister(route(fmt.Sprint(prefix, numbers[i].n)))
			}
		}, fx.ParamTags(`group:"numbers"`))
	}
	application(r, "copied", fx.Provide(annotated(1), annotated(2)), fx.Invoke(use("first"), use("second")))
	appended := fx.Annotate(func(numbers []number) {
		more := append(numbers, number{3})
		for i := range more {
			more[i].n *= 100
		}
		for _, one := range append(more, numbers...) { // which had no room
			r.MustRegister(route(fmt.Sprint("appended", one.n)))
		}
	}, fx.ParamTags(`group:"numbers"`))
	application(r, "appended", fx.Provide(annotated(1), annotated(2)), fx.Invoke(appended))
}

// calls notes in which order the constructors of a group are called.
func calls(r *runtime.Router) {
	order := ""
	called := func(name string) any {
		return fx.Annotate(func() *consumer { order += name; return &consumer{name} }, fx.ResultTags(`group:"called"`))
	}
	use := fx.Invoke(fx.Annotate(func([]*consumer) {}, fx.ParamTags(`group:"called"`)))
	application(r, "order", fx.Provide(called("a")),
		fx.Module("outer", fx.Provide(called("b")), fx.Provide(called("p"), fx.Private),
			fx.Module("inner", fx.Provide(called("q"), fx.Private), fx.Provide(called("c")), use), use), use, fx.Provide(called("r"), fx.Private))
	r.MustRegister(route("order." + order))
}

func byName(r *runtime.Router) {
	application(r, "named",
		fx.Provide(fx.Annotate(func() string { return "read" }, fx.ResultTags(`name:"read"`)),
			fx.Annotate(func() (string, int, error) { return "write", 7, nil }, fx.ResultTags(`name:"write"`)),
			func() string { return "plain" },
			fx.Annotated{Name: "old", Target: func() string { return "old" }},
			fx.Annotated{Group: "texts", Target: func() (string, error) { return "t1", nil }},
			fx.Annotated{Group: "texts,flatten", Target: func() []string { return []string{"t2", "t3"} }}),
		fx.Supply(fx.Annotate("supplied", fx.ResultTags(`name:"supplied"`)), fx.Annotated{Name: "annotated", Target: "annotated"}, fx.Annotate(newMails(), fx.As(new(Consumer)))),
		fx.Invoke(fx.Annotate(func(write, read, plain string, n int) { r.MustRegister(route(fmt.Sprint(write, read, plain, n))) }, fx.ParamTags(`name:"write"`, `name:"read"`)),
			fx.Annotate(func(old, supplied, annotated string, texts []string, c Consumer, none fmt.Stringer) {
				r.MustRegister(route(fmt.Sprint(old, supplied, annotated, len(texts), c.Name(), none == nil)))
				for _, text := range texts {
					r.MustRegister(route(text))
				}
			}, fx.ParamTags(`name:"old"`, `name:"supplied"`, `name:"annotated"`, `group:"texts"`, ``, `name:"none" optional:"true"`))),
	)
	application(r, "as",
		fx.Provide(fx.Annotate(newMails, fx.As(new(Consumer)), fx.As(new(fmt.Stringer)), fx.As(fx.Self())),
			fx.Annotate(func() (*mails, *consumer) { return nil, &consumer{"second"} }, fx.As(new(Consumer)), fx.ResultTags(`name:"first"`, `name:"second"`))),
		fx.Invoke(func(c Consumer, s fmt.Stringer, m *mails) {
			r.MustRegister(route(fmt.Sprint("as", c.Name(), s, m.name, c == Consumer(m))))
		}, fx.Annotate(func(c Consumer, d *consumer) { r.MustRegister(route(fmt.Sprint(c != nil, d.name))) }, fx.ParamTags(`name:"first"`, `name:"second"`))),
	)
}

type wanted struct {
	dig.In
	Consumers []Consumer `group:"consumers"`
	Named     *consumer  `name:"named"`
}

func byDig(r *runtime.Router) {
	c := dig.New()
	must := func(err error) {
		if err != nil {
			log.Fatal(err)
		}
	}
	must(c.Provide(newNamed("grouped"), dig.Group("consumers"), dig.As(new(Consumer))))
	must(c.Provide(newNamed("named"), dig.Name("named")))
	must(c.Provide(newMails, dig.As(new(Consumer), new(fmt.Stringer))))
	must(c.Provide(func() []Consumer { return []Consumer{newMails()} }, dig.Group("consumers,flatten")))
	must(c.Provide(func() Consumer { return &consumer{"same"} }, dig.As(new(Consumer)), dig.Name("same")))
	must(c.Invoke(func(w wanted, c Consumer, s fmt.Stringer) {
		r.MustRegister(route(names("dig"+w.Named.name+c.Name()+s.String(), w.Consumers)))
	}))
	must(c.Provide(newNamed("late"), dig.Group("consumers"), dig.As(new(Consumer))))
	must(c.Invoke(func(w wanted) { r.MustRegister(route(names("late", w.Consumers))) }))
}

func main() {
	r := runtime.NewRouter()
	byGroup(r)
	copied(r)
	byName(r)
	calls(r)
	byDig(r)
	if err := serve(r); err != nil {
		log.Fatal(err)
	}
}

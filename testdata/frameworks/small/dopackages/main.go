// Packages of samber/do, and what it provides by names.
package main

import (
	"context"
	"errors"
	"log"

	"github.com/samber/do/v2"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type M struct {
	A string `json:"a"`
}

func on(context.Context, M) error { return nil }

func route(q string) runtime.Route {
	return runtime.Route{Name: q, Queue: runtime.Queue{Name: q}, Handler: runtime.Consume(on)}
}

type (
	orders struct{ queue string }
	bills  struct{ of *orders }
)

func newBills(i do.Injector) (*bills, error) {
	of, err := do.Invoke[*orders](i)
	return &bills{of}, err
}

func orderPackage(i do.Injector) {
	do.Provide(i, func(do.Injector) (*orders, error) { return &orders{"orders"}, nil })
}

var consumers = do.Package(
	do.Lazy(newBills),
	do.Eager(7),
	do.LazyNamed("archive", func(do.Injector) (*orders, error) { return &orders{"archive"}, nil }),
	do.EagerNamed("prefix", "shop."),
)

func main() {
	r := runtime.NewRouter()
	i := do.New(orderPackage, consumers)
	do.ProvideNamed(i, "audit", func(i do.Injector) (*bills, error) {
		return &bills{do.MustInvokeNamed[*orders](i, "archive")}, nil
	})
	do.ProvideNamedValue(i, "suffix", ".v1")
	do.ProvideNamed(i, "failing", func(do.Injector) (*orders, error) { return nil, errors.New("no") })

	prefix, suffix := do.MustInvokeNamed[string](i, "prefix"), do.MustInvokeNamed[string](i, "suffix")
	r.MustRegister(route(prefix + do.MustInvoke[*bills](i).of.queue + suffix))
	r.MustRegister(route(prefix + do.MustInvokeNamed[*bills](i, "audit").of.queue))
	if do.MustInvoke[int](i) == 7 {
		r.MustRegister(route("seven"))
	}
	if _, err := do.InvokeNamed[*orders](i, "failing"); err != nil {
		r.MustRegister(route("failed"))
	}
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}

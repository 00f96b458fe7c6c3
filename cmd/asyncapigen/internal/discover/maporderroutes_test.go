package discover_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/onefile"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
)

// What is registered in one order of a map alone depends on the order, also where nothing is
// in the others.
func TestRoutes_RegisteredInOneOrderOfAMapAlone(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	const loop = `for _, n := range map[string]int{"a": 1, "b": 2} { _ = n; `
	for name, test := range map[string]struct{ main, want string }{
		"the only route in the first":         {loop + `if n == 1 { ` + order + ` }; serve(router); return }`, "map-order"},
		"the only route in another one":       {loop + `if n == 2 { ` + order + ` }; serve(router); return }`, "map-order"},
		"the same in each":                    {loop + order + `; serve(router); return }`, ""},
		"the only declaration in the first":   {loop + `if n == 1 { router.Declare(queue("a")) }; serve(router); return }`, "map-order"},
		"the only declaration in another one": {loop + `if n == 2 { router.Declare(queue("a")) }; serve(router); return }`, "map-order"},
		"the same declaration in each":        {loop + `router.Declare(queue("a")); serve(router); return }`, ""},
		"a declaration beside a route":        {loop + `if n == 1 { router.Declare(queue("a")) }; ` + order + `; serve(router); return }`, "map-order"},
		"a panic before the route in another": {loop + `if n == 2 { panic("x") }; ` + order + `; serve(router); return }`, "map-order"},
		"a route of another command":          {`if os.Args[1] == "b" { ` + loop + `if n == 2 { ` + order + ` }; serve(router); return } }; router.Declare(queue("a")); ` + order + `serve(router)`, "map-order"},
		"no route of another command":         {`if os.Args[1] == "b" { ` + loop + `if n == 2 { println() }; return } }; ` + order + `serve(router)`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, d := range foundOf(t, program, declaringFile(test.main)).Diagnostics {
				got = append(got, string(d.Code))
			}
			require.Equal(t, test.want, strings.Join(got, " "))
		})
	}
}

// How a route is consumed isn't known where that differs between the orders of a map.
func TestRoutes_LeaveOpenWhatTheOrderOfAMapDecides(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	const (
		last  = `last := 0; for _, n := range map[string]int{"a": 3, "b": 2, "c": 1} { last = n }; `
		route = `router.MustRegister(runtime.Route{Name: "order", Queue: runtime.Queue{Name: "orders"}, Handler: runtime.Consume(on), `
		order = `order := runtime.Strict(); if last == 2 { order = runtime.PerKey(func(*runtime.Delivery) string { return "" }) }; `
		twice = `again := 0; for n := range map[int]int{1: 1, 2: 2} { again = n }; `
	)
	for name, test := range map[string]struct {
		main                string
		settings, arguments []string
		said                string
	}{
		"nothing":                         {last + `_ = last; ` + route + `Prefetch: 2})`, nil, nil, ""},
		"a setting":                       {last + route + `Prefetch: last, Concurrency: 1})`, []string{"prefetch"}, nil, ""},
		"settings by an order each":       {last + twice + route + `Prefetch: last, PrefetchBytes: int64(again)})`, []string{"prefetch", "prefetchBytes"}, nil, ""},
		"which messages are in order":     {last + order + route + `Order: order})`, []string{"order"}, []string{registered.TheOrder}, ""},
		"what isn't known anyway":         {last + route + `Prefetch: last, Timeout: time.Duration(os.Getpid())})`, []string{"timeout", "prefetch"}, nil, ""},
		"a priority":                      {last + route + `ConsumerPriority: last})`, nil, nil, "isn't the same in each"},
		"what the router refuses another": {last + route + `Prefetch: 2, Concurrency: last})`, nil, nil, "in another order, the router refuses the route"},
	} {
		t.Run(name, func(t *testing.T) {
			result := foundOf(t, program, declaringFile(test.main+`; serve(router)`))
			if test.said != "" {
				require.Len(t, result.Diagnostics, 1)
				require.Contains(t, result.Diagnostics[0].Why, test.said)
				return
			}
			require.Empty(t, result.Diagnostics)
			require.Len(t, result.Routes, 1)
			require.Equal(t, test.settings, result.Routes[0].UnknownSettings)
			require.Equal(t, test.arguments, result.Routes[0].UnknownArguments)
		})
	}
}

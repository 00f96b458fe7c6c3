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

// The compiler may make entries of a map literal before the others whose calls it inlines.
func TestRoutes_RegisteredInOneOrderOfAMapLiteralAlone(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	const (
		functions = `type pair struct { v any; n int }; type flag bool
			n := 0; next := func() int { n++; return n }; set := func() bool { n++; return true }; pure := func() bool { return true }
			named := func() (ok bool) { n++; ok = true; return }; given := func(ok bool) bool { n++; return ok }; by := func() bool { return set() }
			either := func() bool { if n > 0 { n++ }; return true }; held := func() bool { ok := true; n++; return ok }; old := func() int { before := n; n++; return before }
			_, _, _, _, _, _, _, _, _, _, _, _ = next, set, pure, named, given, by, either, held, old, pair{}, flag(true), n; `
		ordered = `; if m["a"] == 1 { ` + order + ` }; serve(router); return`
	)
	for name, test := range map[string]struct{ literal, want string }{
		"a call after another one":           {`m := map[string]any{"a": next(), "b": set()}` + ordered, "map-order"},
		"a call after a variable":            {`n = 1; m := map[string]any{"a": n, "b": set()}` + ordered, "map-order"},
		"a call that is the key":             {`m := map[any]int{"a": next(), set(): 2}` + ordered, "map-order"},
		"a call that is converted":           {`m := map[string]any{"a": next(), "b": any(flag(set()))}` + ordered, "map-order"},
		"a call in a struct":                 {`o := map[string]pair{"a": {next(), 1}, "b": {set(), 1}}; m := map[string]any{"a": o["a"].v}` + ordered, "map-order"},
		"a call in a struct in an interface": {`m := map[string]any{"a": next(), "b": pair{set(), 1}}` + ordered, "map-order"},
		"a call with a named result":         {`m := map[string]any{"a": next(), "b": named()}` + ordered, "map-order"},
		"a call that returns what it gets":   {`m := map[string]any{"a": next(), "b": given(true)}` + ordered, "map-order"},
		"a call that returns a call":         {`m := map[string]any{"a": next(), "b": by()}` + ordered, "map-order"},
		"a call that returns a variable":     {`m := map[string]any{"a": next(), "b": held()}` + ordered, "map-order"},
		"a call of a literal":                {`m := map[string]any{"a": next(), "b": func() bool { n = 7; return true }()}` + ordered, "map-order"},
		"a call that looks at another":       {`m := map[string]any{"a": next(), "b": either(), "c": next()}; _ = m; if n == 3 { ` + order + ` }; serve(router); return`, "map-order"},
		"one of three calls":                 {`m := map[string]any{"b": set(), "a": given(true), "c": next(), "d": by()}; if m["c"] == 3 { ` + order + ` }; serve(router); return`, "map-order"},
		"a call before another one":          {`m := map[string]any{"b": set(), "a": next() - 1}` + ordered, ""},
		"a call that returns a sum":          {`m := map[string]any{"a": next(), "b": next()}` + ordered, ""},
		"a call that returns an old value":   {`n = 1; m := map[string]any{"a": old(), "b": old()}` + ordered, ""},
		"a call that changes nothing":        {`m := map[string]any{"a": next(), "b": pure()}` + ordered, ""},
		"a call in a list":                   {`m := map[string]any{"a": next(), "b": []any{set()}}` + ordered, ""},
		"a call for no interface":            {`o := map[string]bool{"a": next() == 1, "b": set()}; m := map[string]any{"a": next() - 2}; _ = o` + ordered, ""},
		"calls whose order tells nothing":    {`m := map[string]any{"b": given(true), "c": set(), "a": n - 1}` + ordered, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, d := range foundOf(t, program, declaringFile(functions+test.literal)).Diagnostics {
				got = append(got, string(d.Code))
				require.Equal(t, "make the calls before the literal", d.Remedy)
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

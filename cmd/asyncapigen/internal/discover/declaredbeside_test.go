package discover_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/discover"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/onefile"
	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/internal/modtest"
	"github.com/warrenmq/warren/runtime"
)

// declaring is a program whose main is yet to be written.
const declaring = `-- main.go --
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"sync"
	"time"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/memory"
)

// unknown returns anything.
func unknown[T any]() (v T) {
	json.Unmarshal([]byte(os.Getenv("UNKNOWN")), &v)
	return v
}

var (
	_ = time.Now
	_ = json.Unmarshal
	_ = http.HandleFunc
	_ = fmt.Sscan
	_ = io.EOF
	_ = slices.Max[[]int]
	_ = signal.Notify
	_ sync.Once
)

func on(context.Context, string) error { return nil }

var atEnd = func() {}

func end(again bool) {
	if again {
		end(false)
		return
	}
	atEnd()
}

func on2(context.Context, string) error { return nil }

func count(context.Context, int) error { return nil }

func all(context.Context, []int) error { return nil }

func raw(context.Context, []byte) error { return nil }

func answer(context.Context, string) (string, error) { return "", nil }

func queue(name string) runtime.Topology {
	return runtime.Topology{Queues: []runtime.Queue{{Name: name, Durable: true}}}
}

var transport runtime.Transport = memory.New(memory.Config{})

func serve(router *runtime.Router) {
	if err := memory.New(memory.Config{}).Start(context.Background(), router); err != nil {
		log.Fatal(err)
	}
}

func main() {
	router := runtime.NewRouter()
	MAIN
	_ = os.Getenv
}
`

// order registers a route.
const order = `router.MustRegister(runtime.Route{Name: "order", Queue: runtime.Queue{Name: "orders"}, Handler: runtime.Consume(on)})
`

// foundIn evaluates the program with a main.
func foundIn(t *testing.T, main string) discover.Result {
	t.Helper()
	return foundInModule(t, strings.Replace(declaring, "MAIN", main, 1))
}

func foundInModule(t *testing.T, module string) discover.Result {
	t.Helper()
	dir := modtest.Write(t, txtar.Parse([]byte(module)))
	program, err := load.Packages(t.Context(), load.Config{Dir: dir, Patterns: []string{"."}})
	require.NoError(t, err)
	for _, pkg := range program.Roots {
		require.Empty(t, pkg.Errors)
	}
	return discover.Routes(t.Context(), program)
}

// declaringFile returns the file of the program with a main.
func declaringFile(main string) string {
	_, source, _ := strings.Cut(strings.Replace(declaring, "MAIN", main, 1), "\n")
	return source
}

// foundOf evaluates a program of one file, which compiles.
func foundOf(t *testing.T, program *onefile.Program, source string, options ...discover.Option) discover.Result {
	t.Helper()
	require.NoError(t, program.Set("main.go", source))
	require.Empty(t, program.Roots[0].Errors)
	return discover.Routes(t.Context(), program.Program, options...)
}

// A declaringCase is a program and what it declares.
type declaringCase struct {
	main  string
	names []string // of the queues that are surely declared
	isAll bool
}

func (c declaringCase) check(t *testing.T) {
	result := foundIn(t, c.main)
	require.Empty(t, result.Diagnostics)
	requireDeclared(t, result, c.isAll, c.names...)
}

func requireDeclared(t *testing.T, result discover.Result, isAll bool, want ...string) {
	t.Helper()
	var names []string
	for _, q := range result.Declared.Topology.Queues {
		names = append(names, q.Name)
	}
	require.Equal(t, want, names)
	require.Equal(t, isAll, !result.Declared.Unknown)
}

func TestRoutes_DeclaredUnderACondition(t *testing.T) {
	for name, c := range map[string]declaringCase{
		"in a deferred function of one that may panic": {
			`func() { defer func() { router.Declare(queue("web")) }(); if os.Getpid() > 5 { panic("x") } }(); serve(router)`, []string{"web"}, true,
		},
		"where no error comes before it": {
			`setup := func() error { if _, err := os.Stat("web"); err != nil { return err }; return router.Declare(queue("web")) }
			if err := setup(); err != nil { fmt.Println(err) }; serve(router)`, nil, false,
		},
		"in a goroutine that serves":   {`go func() { router.Declare(queue("web")); serve(router) }(); select {}`, []string{"web"}, true},
		"that isn't known":             {`router.Declare(unknown[runtime.Topology]()); serve(router)`, nil, false},
		"by a router that isn't known": {`unknown[*runtime.Router]().Declare(queue("web")); serve(router)`, nil, false},
		"whose name the library makes": {`router.Declare(queue(slices.Max([]string{"a", "web"}))); serve(router)`, []string{"web"}, true},
		"in every case":                {`router.Declare(queue("web")); serve(router)`, []string{"web"}, true},
		"in a branch that serves without an end": {
			`if os.Getenv("MODE") != "" { router.Declare(queue("worker")); serve(router); select {} }
			router.Declare(queue("web")); serve(router); select {}`, nil, false,
		},
		"in the branch alone": {
			`if os.Getenv("MODE") != "" { router.Declare(queue("worker")); serve(router); select {} }
			serve(router); select {}`, nil, false,
		},
		"in a branch that exits": {
			`if os.Getenv("MODE") != "" { router.Declare(queue("audit")); serve(router); os.Exit(0) }
			router.Declare(queue("other")); serve(router)`, nil, false,
		},
		"in a branch that fails": {
			`if os.Getenv("MODE") != "" { router.Declare(queue("audit")); serve(router); log.Fatal("end") }
			serve(router)`, nil, false,
		},
		"in all branches": {`switch os.Getenv("MODE") { case "a": router.Declare(queue("a")); default: router.Declare(queue("b")) }`, nil, false},
		"after what is certain": {
			`router.Declare(queue("web")); if os.Getenv("MODE") != "" { router.Declare(queue("worker")) }; serve(router)`, []string{"web"}, false,
		},
		"in a goroutine": {`go func() { router.Declare(queue("web")) }(); serve(router)`, nil, false},
	} {
		c.main = order + c.main
		t.Run(name, c.check)
	}
}

// perhaps serves a router that isn't known.
const perhaps = `var routers map[string]*runtime.Router; json.Unmarshal([]byte(os.Getenv("ROUTERS")), &routers); serve(routers["a"])`

// A router's declarations count where a broker gets the router, with routes or without.
func TestRoutes_DeclaredByARouterWithoutRoutes(t *testing.T) {
	const other = "other := runtime.NewRouter(); "
	for name, c := range map[string]declaringCase{
		"that is served":                       {`router.Declare(queue("web")); serve(router)`, []string{"web"}, true},
		"that may be served":                   {`router.Declare(queue("web")); ` + perhaps, nil, false},
		"of which nothing is known":            {`router.Declare(queue("web"))`, nil, false},
		"that unread code gets":                {other + `other.Declare(queue("web")); fmt.Sscan("", other); serve(router)`, nil, false},
		"that isn't served, but another is":    {other + `other.Declare(queue("web")); router.Declare(queue("sent")); serve(router)`, []string{"sent"}, true},
		"that isn't served, nor by sending":    {other + `other.Declare(queue("web")); runtime.NewPublisher[string](transport, runtime.Endpoint{}); serve(router)`, nil, true},
		"that isn't served, nor by Run":        {other + `other.Declare(queue("web")); runtime.Run(context.Background(), memory.New(memory.Config{}), router, 0)`, nil, true},
		"that is served beside one with":       {order + other + `other.Declare(queue("web")); serve(other); serve(router)`, []string{"web"}, true},
		"that isn't served, but one with is":   {order + other + `other.Declare(queue("web")); serve(router)`, nil, true},
		"after one that declares in some case": {order + other + `if os.Getenv("MODE") != "" { router.Declare(queue("sent")) }; other.Declare(queue("web")); serve(other); serve(router)`, nil, false},
	} {
		t.Run(name, c.check)
	}
}

// Of two routers it isn't known which one is served, so the route of one is refused.
func TestRoutes_DeclaredByARouterThatMayBeServed(t *testing.T) {
	result := foundIn(t, order+`other := runtime.NewRouter(); other.Declare(queue("web")); router.Declare(queue("sent")); `+perhaps)
	require.Len(t, result.Diagnostics, 1)
	require.Equal(t, diagnostic.UnservedRouter, result.Diagnostics[0].Code)
	requireDeclared(t, result, false, "sent")
}

func TestRoutes_DeclaredByWhatUnreadCodeCalls(t *testing.T) {
	declaringCase{order + `http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { router.Declare(queue("web")) }); serve(router)`, nil, false}.check(t)
}

func TestRoutes_DeclaredByCommands(t *testing.T) {
	const both = `if len(os.Args) > 1 && os.Args[1] == "worker" { router.Declare(queue("jobs")) } else { router.Declare(queue("mails")) }
	router.Declare(queue("audit")); serve(router)`
	declaringCase{order + both, []string{"audit"}, false}.check(t)
	declaringCase{both, []string{"audit"}, false}.check(t)
}

func TestRoutes_DeclaredAfterTheStart(t *testing.T) {
	result := foundIn(t, order+`router.Declare(queue("early")); serve(router); router.Declare(queue("late"))`)
	require.Len(t, result.Diagnostics, 1)
	require.Equal(t, diagnostic.UnservedRouter, result.Diagnostics[0].Code)
	require.Contains(t, result.Diagnostics[0].Why, "after the router was given to a broker")
	require.Len(t, result.Declared.Topology.Queues, 1)
}

func TestRoutes_DeclaredInTheOrderOfAMap(t *testing.T) {
	const loop = `for name, n := range map[string]int{"a": 1, "b": 2, "c": 3} { router.Declare(queue(name)); BODY }; serve(router)`
	in := func(body string) discover.Result { return foundIn(t, strings.Replace(loop, "BODY", body, 1)) }
	result := in(`_ = n`)
	require.Empty(t, result.Diagnostics)
	requireDeclared(t, result, true, "a", "b", "c")

	result = in(`_ = n; break`)
	require.Len(t, result.Diagnostics, 1)
	require.Equal(t, diagnostic.MapOrder, result.Diagnostics[0].Code)
	require.Equal(t, "what Router.Declare gets isn't the same in each, and the order is another one each time", result.Diagnostics[0].Why)
	requireDeclared(t, result, true, "a")
}

// What isn't known in one of the orders alone is the reason, also where that order lacks a
// route because of it.
func TestRoutes_UnknownInAnotherOrderOfAMap(t *testing.T) {
	const loop = `first := true
	for _, n := range map[string]int{"a": 1, "b": 2} {
		if first && n == 2 { panic("two") }
		first = false
	}
	`
	for _, main := range []string{order + loop + `serve(router)`, loop + order + `serve(router)`} {
		result := foundIn(t, main)
		require.Len(t, result.Diagnostics, 1)
		require.Equal(t, diagnostic.MapOrder, result.Diagnostics[0].Code)
		require.Regexp(t, "^in another order, the program panics here, at .*main.go:[0-9:]+: two$", result.Diagnostics[0].Why)
	}
}

// Whoever calls a library that serves a router of its own may serve another one.
func TestRoutes_DeclaredByALibraryThatServes(t *testing.T) {
	library := strings.Replace(declaring, "package main", "package shop", 1)
	library = strings.Replace(library, "func main() {", `func Declare(r *runtime.Router) { r.Declare(queue("audit")) }

func Run() {`, 1)
	result := foundInModule(t, strings.Replace(library, "MAIN", order+`router.Declare(queue("own")); serve(router)`, 1))
	require.Empty(t, result.Diagnostics)
	requireDeclared(t, result, false, "own")
}

// A library's functions fill routers that others serve, also those that only declare.
func TestRoutes_DeclaredByALibrary(t *testing.T) {
	result := foundInModule(t, `-- shop.go --
package shop

import (
	"context"
	"os"

	"github.com/warrenmq/warren/runtime"
)

func on(context.Context, string) error { return nil }

func Declare(r *runtime.Router) error {
	return r.Declare(runtime.Topology{Queues: []runtime.Queue{{Name: "audit"}}})
}

func Register(r *runtime.Router) error {
	if err := r.Register(runtime.Route{Name: "order", Queue: runtime.Queue{Name: "orders"}, Handler: runtime.Consume(on)}); err != nil {
		return err
	}
	return r.Declare(runtime.Topology{Queues: []runtime.Queue{{Name: "mails"}}})
}

func Setup(r *runtime.Router) {
	if err := ship(r); err != nil {
		println("no ships")
	}
}

func ship(r *runtime.Router) error {
	if _, err := os.Stat("ships"); err != nil {
		return err
	}
	return r.Register(runtime.Route{Name: "ship", Queue: runtime.Queue{Name: "ships"}, Handler: runtime.Consume(on)})
}
`)
	require.Len(t, result.Entries(), 1)
	require.Len(t, result.Diagnostics, 1, "what another function declares doesn't hide a condition")
	require.Contains(t, result.Diagnostics[0].What, `the route "ship" is registered under a condition`)
	requireDeclared(t, result, true, "audit", "mails")
}

// What a goroutine declares comes where it is waited for, behind the routes before that.
func TestRoutes_DeclaredWhereAGoroutineIsWaitedFor(t *testing.T) {
	result := foundIn(t, `done := make(chan bool); go func() { router.Declare(queue("web")); close(done) }()
	`+order+`if os.Getenv("MODE") != "" { <-done; select {} }
	serve(router)`)
	require.Empty(t, result.Diagnostics)
	requireDeclared(t, result, false)
}

// Of three entries each of the six orders is looked at.
func TestRoutes_LookAtEachOrderOfThreeEntries(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	for _, last := range []string{"acb", "bac", "bca", "cab", "cba"} {
		t.Run(last, func(t *testing.T) {
			result := foundOf(t, program, declaringFile(`keys := ""
			for key := range map[string]int{"a": 1, "b": 2, "c": 3} { keys += key }
			if keys == "`+last+`" { router.MustRegister(runtime.Route{Name: "other", Queue: runtime.Queue{Name: "others"}, Handler: runtime.Consume(on)}) }
			`+order+`serve(router)`))
			require.Len(t, result.Diagnostics, 1)
			require.Equal(t, diagnostic.MapOrder, result.Diagnostics[0].Code)
		})
	}
}

// What is declared is that of the literal, and not what a route declares in another way.
func TestRoutes_DeclareTopologies(t *testing.T) {
	want := runtime.Topology{
		Queues:           []runtime.Queue{{Name: "q", Durable: true}},
		Exchanges:        []runtime.Exchange{{Name: "x", Type: runtime.Topic}, {Name: "y", Type: runtime.Fanout, Durable: true}},
		Bindings:         []runtime.Binding{{Exchange: "x", Queue: "q", RoutingKey: "k", Arguments: map[string]any{"a": 1}}},
		ExchangeBindings: []runtime.ExchangeBinding{{Source: "x", Destination: "y", RoutingKey: "l", Arguments: map[string]any{"b": "c"}}},
	}
	result := foundIn(t, `router.Declare(runtime.Topology{
		Queues:           []runtime.Queue{{Name: "q", Durable: true}},
		Exchanges:        []runtime.Exchange{{Name: "x", Type: runtime.Topic}, {Name: "y", Type: runtime.Fanout, Durable: true}},
		Bindings:         []runtime.Binding{{Exchange: "x", Queue: "q", RoutingKey: "k", Arguments: map[string]any{"a": 1}}},
		ExchangeBindings: []runtime.ExchangeBinding{{Source: "x", Destination: "y", RoutingKey: "l", Arguments: map[string]any{"b": "c"}}},
	}); serve(router)`)
	require.Empty(t, result.Diagnostics)
	router := runtime.NewRouter()
	require.NoError(t, router.Declare(want))
	require.Equal(t, router.Topology(), result.Declared.Topology)

	result = foundIn(t, order+`router.Declare(runtime.Topology{Queues: []runtime.Queue{{Name: "orders", MaxLength: 5}}}); serve(router)`)
	require.Len(t, result.Diagnostics, 1)
	require.Equal(t, diagnostic.RefusedRoute, result.Diagnostics[0].Code)
}

// A loop whose orders differ in several ways is one diagnostic.
func TestRoutes_ReportALoopOverAMapOnce(t *testing.T) {
	result := foundIn(t, order+`keys := ""
	for key := range map[string]int{"a": 1, "b": 2, "c": 3} { keys += key }
	if keys == "acb" { panic("one") }
	if keys == "bac" { panic("two") }
	serve(router)`)
	require.Len(t, result.Diagnostics, 1)
	require.Equal(t, diagnostic.MapOrder, result.Diagnostics[0].Code)
}

// Of up to eight loops over maps the one is named whose order matters.
func TestRoutes_NameTheLoopOverAMapThatMatters(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	const other, matters = "for _, n := range map[string]int{`a`: 1, `b`: 2} { _ = n }\n", "for key := range map[string]int{`a`: 1, `b`: 2} { last = key }\n"
	for loops, named := range map[int]string{8: matters, 9: other} {
		source := declaringFile(order + "last := ``\n" + strings.Repeat(other, loops-1) + matters + "if last == `a` { panic(last) }\nserve(router)")
		result := foundOf(t, program, source)
		require.Len(t, result.Diagnostics, 1)
		require.Equal(t, strings.TrimSpace(named), strings.TrimSpace(strings.Split(source, "\n")[result.Diagnostics[0].Pos.Line-1]))
	}
}

func TestDeclared_NotesTheFirstPlaceThatIsNotKnown(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	for _, test := range []struct {
		main string
		line int // of main, 0 for none
	}{
		{"router.Declare(queue(\"a\"))", 0},
		{"router.Declare(queue(\"a\"))\nrouter.Declare(unknown[runtime.Topology]())\nrouter.Declare(unknown[runtime.Topology]())", 2},
		{"if os.Getpid() > 5 {\nrouter.Declare(queue(\"a\"))\n}\nrouter.Declare(queue(\"b\"))", 2},
	} {
		t.Run(test.main, func(t *testing.T) {
			source := declaringFile(test.main + "; serve(router)")
			result := foundOf(t, program, source)
			first := strings.Count(source[:strings.Index(source, test.main)], "\n")
			require.Equal(t, test.line > 0, result.Declared.Unknown)
			require.Equal(t, test.line, max(0, result.Declared.Pos.Line-first))
		})
	}
}

// Whoever calls a library gives its functions routers that have what they do to them.
func TestRoutes_OfTheRoutersThatALibraryIsGiven(t *testing.T) {
	result := foundInModule(t, `-- shop.go --
package shop

import (
	"context"

	"github.com/warrenmq/warren/runtime"
)

func on(context.Context, string) error { return nil }

func route(name string) runtime.Route {
	return runtime.Route{Name: name, Queue: runtime.Queue{Name: name}, Handler: runtime.Consume(on)}
}

func Register(first, second *runtime.Router, err error) {
	if first == second {
		return
	}
	first.OnFailure(runtime.FailurePolicy{Endless: true})
	first.MustRegister(route("first"))
	second.MustRegister(route("second"))
}
`)
	require.Empty(t, result.Diagnostics)
	require.Len(t, result.Routes, 2)
	require.True(t, result.Routes[0].Failure.Endless)
	require.False(t, result.Routes[1].Failure.Endless)
}

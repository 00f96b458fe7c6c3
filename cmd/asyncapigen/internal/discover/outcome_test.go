package discover_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/discover"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/onefile"
)

// outcomes are mains of programs with a function add that registers a route of a queue, f of
// which nothing is known, and load that fails or not; and the queues of the routes that each
// start registers which serves, with the codes of what is said.
var outcomes = map[string]struct{ main, want string }{
	"the last call of what has failed, which registers less": {
		`pick := func(s string, err error) *runtime.Router { if err == nil { add(s) }; return router }; serve(pick(load())); return`, "unknown-condition",
	},
	"the last statement, which serves unless a call has failed": {
		`pick := func(s string, err error) bool { return err != nil || s == os.Getenv("X") }; if pick(load()) { fmt.Println("no") } else { add("b"); serve(router) }; return`, "b",
	},
	"a deferred call that serves while the program panics": {
		`add("a"); defer func() { memory.New(memory.Config{}).Start(context.Background(), router) }(); if os.Getpid() > 5 { panic("x") }; add("b")`, "a unknown-condition",
	},
	"a deferred call that serves by a function of sync.OnceFunc": {
		`add("a"); start := sync.OnceFunc(func() { serve(router) }); defer start(); if os.Getpid() > 5 { panic("x") }; add("b")`, "a unknown-condition",
	},
	"a deferred call that serves by a function that a variable holds": {
		`add("a"); start := func() { serve(router) }; defer func() { start() }(); if os.Getpid() > 5 { panic("x") }; add("b")`, "a unknown-condition",
	},
	"a deferred call that serves by a function of a list": {
		`add("a"); starts := []func(){func() { serve(router) }}; defer func() { for _, start := range starts { start() } }(); if os.Getpid() > 5 { panic("x") }; add("b")`, "a unknown-condition",
	},
	"a deferred call that serves by a method value of the library": {
		`add("a"); start := memory.New(memory.Config{}).Start; defer func() { start(context.Background(), router) }(); if os.Getpid() > 5 { panic("x") }; add("b")`, "a unknown-condition",
	},
	"a deferred call that serves by a function that a variable of the package holds": {
		`add("a"); atEnd = func() { serve(router) }; defer func() { end(true) }(); if os.Getpid() > 5 { panic("x") }; add("b")`, "a unknown-condition",
	},
	"words that decide, beside more conditions of words than are decided together": {
		`if len(os.Args) > 4 { fmt.Println() }; if len(os.Args) > 5 { fmt.Println() }; if len(os.Args) > 6 { fmt.Println() }; if len(os.Args) > 7 { fmt.Println() }; serving := len(os.Args) > 2; if serving { add("a") }; if serving { serve(router) }`, "a",
	},
	"a deferred call of a method that has the name of a function that serves": {
		`add("a"); s := unknown[interface{ serve() }](); func() { defer func() { s.serve() }(); if os.Getpid() > 5 { panic("x") } }(); add("b"); serve(router)`, "a b",
	},
	"a deferred call of functions of other libraries": {
		`add("a"); text, say := io.EOF.Error, fmt.Println; defer func() { say(text()) }(); if os.Getpid() > 5 { panic("x") }; add("b"); serve(router)`, "a b",
	},
	"a deferred call of a function that doesn't serve": {
		`add("a"); done := func() {}; func() { defer func() { done(); add("b") }(); if os.Getpid() > 5 { panic("x") } }(); serve(router)`, "a b",
	},
	"a route that is processed before any is served": {
		`name := "a"; first := route("x", func(context.Context, string) error { name = "b"; return nil }); runtime.Process(context.Background(), &first, &runtime.Delivery{}, nil); add(name); serve(router)`, "unknown-value",
	},
	"a registration in sync.Once that panics where it fails": {
		`var once sync.Once; once.Do(func() { if err := router.Register(route("a", f)); err != nil { panic(err) } }); add("b"); serve(router)`, "a b",
	},
	"a command that panics after its only route": {
		`switch os.Args[1] { case "a": add("a"); panic("x"); case "b": add("b"); serve(router) }`, "b unknown-route",
	},
	"a command that panics before any": {
		`switch os.Args[1] { case "a": panic("x"); case "b": add("b"); serve(router) }`, "b",
	},
	"a loop at the end that serves": {
		`for os.Getpid() > 5 { router = runtime.NewRouter(); add("a"); serve(router) }; return`, "a",
	},
	"a loop over a variable at the end that serves": {
		`again := os.Getpid() > 5; for again { router = runtime.NewRouter(); add("a"); serve(router) }; return`, "a",
	},
	"a loop over what is not known at the end that serves": {
		`for range os.Args[1:] { router = runtime.NewRouter(); add("a"); serve(router) }; return`, "a",
	},
	"a loop without a condition that serves until it ends": {
		`for { router = runtime.NewRouter(); add("a"); serve(router); if os.Getpid() > 5 { return } }`, "a",
	},
	"a loop that serves, before the end": {
		`for os.Getpid() > 5 { router = runtime.NewRouter(); add("a"); serve(router) }; fmt.Println()`, "unknown-loop",
	},
	"a loop at the end that does not serve": {
		`for os.Getpid() > 5 { add("a"); break }; return`, "unknown-loop",
	},
	"a loop at the end of what a deferred call serves": {
		`defer serve(router); for os.Getpid() > 5 { add("a"); serve(router); return }; return`, "unknown-loop",
	},
	"a loop at the end of another function": {
		`func() { for os.Getpid() > 5 { router = runtime.NewRouter(); add("a"); serve(router) } }(); add("b"); serve(router)`, "b unserved-router unknown-loop",
	},
	"a loop at the end that registers more in a later round": {
		`n := 0; for os.Getpid() > 5 { router = runtime.NewRouter(); add("a"); if n == 2 { add("b") }; n++; serve(router) }; return`, "a unknown-loop",
	},
	"a loop that tries several times in each round, and is left": {
		`outer: for { router := runtime.NewRouter(); router.MustRegister(route("a", on)); for i := 0; i < 3; i++ { if err := runtime.Run(context.Background(), memory.New(memory.Config{}), router, 0); err == nil { break outer } } }; return`, "a uncalled",
	},
	"a loop that hands something on in each round": {
		`ready := [7]bool{true}; for range os.Args { copy(ready[1:], ready[:6]) }; add("a"); if ready[6] { add("b") }; serve(router)`, "a unknown-condition",
	},
	"a loop that hands something on in more rounds than are followed": {
		`ready := [20]bool{true}; for range os.Args { copy(ready[1:], ready[:19]) }; add("a"); if ready[19] { add("b") }; serve(router)`, "too-many-steps",
	},
	"a loop that hands pointers on, of which one is written through": {
		`var names [20]string; var all [20]*string; for i := range all { all[i] = &names[i] }; for range os.Args { copy(all[:], all[1:]) }; *all[0] = "x"; add(names[19] + "a"); serve(router)`, "unknown-value",
	},
	"a loop that makes something in each round, and changes that of the round before": {
		`type item struct { notes map[string]string }; var items []item; for _, arg := range os.Args { i := item{map[string]string{}}; if len(items) > 0 { items[len(items)-1].notes[arg] = arg }; items = append(items, i) }; add("a"); serve(router)`, "a",
	},
	"a condition before a call that is returned": {
		`func() error { if os.Getpid() > 5 { fmt.Println() } else { add("b") }; return memory.New(memory.Config{}).Start(context.Background(), router) }(); return`, "unknown-condition",
	},
	"a condition before an error that is returned": {
		`func() error { if os.Getpid() > 5 { fmt.Println() } else { add("b"); serve(router) }; return fmt.Errorf("x") }(); return`, "b",
	},
	"a condition before a panic of the log, and a deferred call that serves then": {
		`defer func() { if recover() != nil { serve(router) } }(); if os.Getpid() > 5 { fmt.Println() } else { add("b") }; log.Panic("x"); return`, "unknown-condition",
	},
	"a deferred call that serves by an interface while the program panics": {
		`add("a"); var broker interface { Start(context.Context, *runtime.Router) error } = memory.New(memory.Config{}); defer func() { _ = broker.Start(context.Background(), router) }(); if os.Getpid() > 5 { panic("x") }; add("b")`, "a unknown-condition",
	},
	"a function for the library that isn't called": {
		`add("a"); slices.IndexFunc([]int{}, func(int) bool { router.MustRegister(route("b", on)); return true }); serve(router)`, "a",
	},
	"a recover under a condition": {
		`func() { defer func() { if os.Getenv("A") != "" { recover() } }(); panic("x") }(); add("a"); serve(router)`, "a unknown-route",
	},
	"a recover in one of two branches that both recover": {
		`ok := func() (ok bool) { defer func() { if os.Getenv("A") != "" { recover() } else if recover() != nil { ok = true } }(); panic("x") }(); if ok { add("a") }; serve(router)`, "unknown-route",
	},
	"a loop that recovers": {
		`func() { defer func() { for recover() != nil { }; add("a") }(); panic("x") }(); add("b"); serve(router)`, "a b",
	},
	"a goroutine that asks for a variable of the environment that others set meanwhile": {
		askingLater + `os.Setenv("Q", "off"); go ask(func() string { return os.Getenv("Q") }); os.Setenv("Q", "on"); close(start); <-done; serve(router)`, "unknown-value unknown-route",
	},
	"a goroutine that asks for one that others set for the first time": {
		askingLater + `os.Setenv("OTHER", "x"); go ask(func() string { return runtime.Env("Q", "off") }); os.Setenv("Q", "on"); close(start); <-done; serve(router)`, "unknown-value unknown-route",
	},
	"a goroutine that asks for one that was set before": {
		askingLater + `os.Setenv("Q", "on"); go ask(func() string { return os.Getenv("Q") }); close(start); <-done; serve(router)`, "on",
	},
	"a loop that registers until that is refused": {
		`for { if err := router.Register(route("a", on)); err != nil { break } }; add("b"); serve(router)`, "a a a refused-route",
	},
	"a function that isn't called": {
		`add("a"); _ = func() { router.MustRegister(route("b", on)) }; serve(router)`, "a uncalled",
	},
}

// askingLater begins a main whose goroutine registers a queue of a name that it asks for, once it may start.
const askingLater = `start, done := make(chan struct{}), make(chan struct{}); ask := func(name func() string) { <-start; add(name()); close(done) }; `

func TestRoutes_AreThoseOfEachStartThatServes(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	const helpers = `route := func(queue string, f func(context.Context, string) error) runtime.Route { return runtime.Route{Name: queue, Queue: runtime.Queue{Name: queue}, Handler: runtime.Consume(f)} }
	add := func(queue string) { router.MustRegister(route(queue, on)) }
	f := unknown[func(context.Context, string) error]()
	load := func() (string, error) { if _, err := os.Stat("x"); err != nil { return "", err }; return "a", nil }
	_, _, _, _ = route, add, f, load
	`
	for name, test := range outcomes {
		t.Run(name, func(t *testing.T) {
			queues, codes := outcomeOf(foundOf(t, program, declaringFile(helpers+test.main)))
			require.Equal(t, test.want, strings.Join(append(queues, codes...), " "))
		})
	}
}

// outcomeOf returns the queues of the routes that were found, and the codes of what is said.
func outcomeOf(result discover.Result) (queues, codes []string) {
	for _, r := range result.Routes {
		queues = append(queues, r.Queue.Name)
	}
	for _, d := range result.Diagnostics {
		codes = append(codes, string(d.Code))
	}
	return queues, codes
}

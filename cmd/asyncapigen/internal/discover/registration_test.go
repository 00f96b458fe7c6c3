package discover_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/onefile"
)

// branches are mains of programs that register routes in some cases only, the queues of those
// that are the contract's, and the codes of what is said.
var branches = map[string]struct{ main, want string }{
	"in the branch that serves":                {`if maybe { add("a"); serve(router) }`, "a"},
	"in the branch that serves, before others": {`if maybe { add("a"); serve(router) } else { fmt.Println() }; select {}`, "a"},
	"in the branch that serves in a goroutine": {`if maybe { add("a"); go serve(router) }; select {}`, "a"},
	"by a goroutine of the branch that serves": {`if maybe { go func() { add("a"); serve(router) }() }; select {}`, "a"},
	"in a case":                                           {`switch mode { case "consume": add("a"); serve(router); case "send": fmt.Println() }`, "a"},
	"in a branch of the branch that serves":               {`if maybe { add("a"); if other { add("b") }; serve(router) }`, "a unknown-condition"},
	"around the branch that serves":                       {`if maybe { add("a"); if other { serve(router) } }`, "a"},
	"of two branches that serve":                          {`if maybe { add("a"); serve(router) } else { add("b"); serve(router) }`, "unknown-condition"},
	"of two, one of which only serves":                    {`if maybe { add("a"); serve(router) } else { serve(router) }`, "unknown-condition"},
	"in a branch before the serving":                      {`if maybe { add("a") }; serve(router)`, "unknown-condition"},
	"in a branch like the one that serves":                {`if maybe { add("a") }; if maybe { serve(router) }`, "unknown-condition"},
	"in a branch whose router isn't served":               {`if maybe { add("a") }; if other { serve(runtime.NewRouter()) }`, "unknown-condition"},
	"after a branch that has served":                      {`if maybe { serve(router); return }; r := runtime.NewRouter(); r.MustRegister(route("a")); serve(r)`, "unknown-condition"},
	"in a loop that serves":                               {`for range os.Getpid() { add("a"); serve(router) }`, "unknown-loop"},
	"in a loop that makes the router":                     {`for range os.Getpid() { r := runtime.NewRouter(); r.MustRegister(route("a")); serve(r) }`, "unknown-loop"},
	"in a loop whose first round stays":                   {`for range os.Getpid() { add("a"); serve(router); select {} }`, "unknown-loop"},
	"by a function for the library that makes the router": {`http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { r := runtime.NewRouter(); r.MustRegister(route("a")); serve(r) }); http.ListenAndServe("", nil)`, "unknown-condition"},
	"by a function for the library that stays":            {`http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { add("a"); serve(router); select {} }); http.ListenAndServe("", nil)`, "unknown-condition"},
	"where nothing is served":                             {`if maybe { add("a") }`, "unknown-condition"},
	"beside what may hold a router":                       {`if maybe { add("a"); serve(router) }; runtime.Drop(unknown[error]())`, "unknown-condition"},
	"in a loop that only an error leaves":                 {`for { r := runtime.NewRouter(); r.MustRegister(route("a")); if err := runtime.Run(context.Background(), memory.New(memory.Config{}), r, 0); err != nil { os.Exit(1) } }`, "a uncalled"}, // add
	"in goroutines that a signal starts anew":             {`hup := make(chan os.Signal, 1); signal.Notify(hup); for { ctx, cancel := context.WithCancel(context.Background()); done := make(chan error, 1); go func() { r := runtime.NewRouter(); r.MustRegister(route("a")); done <- runtime.Run(ctx, memory.New(memory.Config{}), r, 0) }(); select { case err := <-done: log.Fatal(err); case <-hup: cancel(); <-done } }`, "a uncalled"},
	"in goroutines whose routes are others":               {`hup := make(chan os.Signal, 1); signal.Notify(hup); for n := 0; ; n++ { ctx, cancel := context.WithCancel(context.Background()); done := make(chan error, 1); go func() { r := runtime.NewRouter(); r.MustRegister(route(fmt.Sprint("a", min(n, 1)))); done <- runtime.Run(ctx, memory.New(memory.Config{}), r, 0) }(); select { case err := <-done: log.Fatal(err); case <-hup: cancel(); <-done } }`, "a0 unknown-condition too-many-steps"},
	"in a loop that is started anew by a signal":          {`hup := make(chan os.Signal, 1); signal.Notify(hup); for { ctx, cancel := context.WithCancel(context.Background()); go func() { <-hup; cancel() }(); r := runtime.NewRouter(); r.MustRegister(route("a")); if err := runtime.Run(ctx, memory.New(memory.Config{}), r, 0); err != nil { os.Exit(1) } }`, "a uncalled"},
	"by a function for the library":                       {`http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { add("a"); serve(router) }); http.ListenAndServe("", nil)`, "unknown-condition"},
	"with a router that is replaced then":                 {`if maybe { add("a"); *router = *runtime.NewRouter(); serve(router) }`, "a unserved-router"},
	"with a router that is replaced before":               {`if maybe { *router = *runtime.NewRouter(); add("a"); serve(router) }`, "a"},
	"whose name isn't known":                              {`if maybe { add(mode); serve(router) }`, "unknown-value"},
	"whose name isn't known, beside another serving":      {`if maybe { add(mode); serve(router) } else { serve(router) }`, "unknown-condition"},
	"by a call whose error is logged":                     {start + `if err := start(); err != nil { fmt.Println(err) }; select {}`, "a"},
	"by a call whose error is dropped":                    {start + `start(); select {}`, "a"},
	"by a call of a goroutine whose error is sent":        {start + `errs := make(chan error, 1); go func() { errs <- start() }(); select { case err := <-errs: fmt.Println(err); os.Exit(1); case <-context.Background().Done(): }`, "a"},
	"by a call after whose error others serve":            {start + `if err := start(); err != nil { serve(router) }; select {}`, "unknown-condition"},
	"by a call after which others serve":                  {start + `start(); serve(router)`, "unknown-condition"},
	"by a call that serves where it fails":                {`start := func() error { if _, err := load(); err != nil { serve(router); return err }; add("a"); serve(router); return nil }; start(); select {}`, "unknown-condition"},
	"by a call that serves at its end":                    {`start := func() error { defer serve(router); if _, err := load(); err != nil { return err }; add("a"); return nil }; start(); select {}`, "unknown-condition"},
	"by a call whose panic is recovered":                  {`start := func() { defer func() { recover() }(); if maybe { panic("x") }; add("a"); serve(router) }; start(); select {}`, "a"},
	"by a call whose recovery serves":                     {`start := func() { defer func() { if recover() != nil { serve(router) } }(); if maybe { panic("x") }; add("a"); serve(router) }; start(); select {}`, "unknown-condition"},
	"by a call one of whose panics comes between":         {`start := func() { defer func() { recover() }(); if maybe { panic("x") }; add("a"); serve(router); if other { panic("y") }; r := runtime.NewRouter(); r.MustRegister(route("b")); serve(r) }; start(); select {}`, "a unknown-condition"},
	"with a router that is served by unread code":         {`if maybe { add("a"); serve(router) }; serve(unknown[*runtime.Router]())`, "unknown-condition"},
}

const start = `start := func() error { if _, err := load(); err != nil { return err }; add("a"); serve(router); return nil }; `

func TestRoutes_UnderAConditionCountWhereNothingElseIsServed(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	const helpers = `route := func(queue string) runtime.Route { return runtime.Route{Name: queue, Queue: runtime.Queue{Name: queue}, Handler: runtime.Consume(on)} }
	add := func(queue string) { router.MustRegister(route(queue)) }
	maybe, other, mode := os.Getenv("A") != "", os.Getenv("B") != "", os.Getenv("C")
	load := func() (string, error) { if _, err := os.Stat("x"); err != nil { return "", err }; return "a", nil }
	_, _, _, _, _ = add, maybe, other, mode, load
	`
	for name, test := range branches {
		t.Run(name, func(t *testing.T) {
			result := foundOf(t, program, declaringFile(helpers+test.main))
			queues, codes := outcomeOf(result)
			require.Equal(t, test.want, strings.Join(append(queues, slices.Compact(codes)...), " "), "%s", result.Diagnostics)
		})
	}
}

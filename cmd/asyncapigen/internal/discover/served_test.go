package discover_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/onefile"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// A route is one of the contract where each way that serves a router serves its router.
func TestRoutes_OfRoutersThatAreServedOrMayNotBe(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	const (
		second   = `other := runtime.NewRouter(); other.MustRegister(runtime.Route{Name: "other", Queue: runtime.Queue{Name: "others"}, Handler: runtime.Consume(on)}); `
		given    = "the router that it is registered with is given to a broker under a condition that isn't known: "
		pid      = given + "os.Getpid() > 5 depends on the result of os.Getpid()"
		ppid     = given + "os.Getppid() > 5 depends on the result of os.Getppid()"
		assigned = "another router may be assigned to the one that it is registered with"
	)
	for name, test := range map[string]struct{ main, why string }{
		"one":                                                        {order + `serve(router)`, ""},
		"one in one branch":                                          {order + `if os.Getpid() > 5 { serve(router) }`, ""},
		"one in each branch, one alone":                              {order + second + `if os.Getpid() > 5 { serve(router) } else { serve(router) }; serve(other)`, ""},
		"one in one branch, one alone":                               {order + second + `if os.Getpid() > 5 { serve(router) }; serve(other)`, pid},
		"both in one branch":                                         {order + second + `if os.Getpid() > 5 { serve(router); serve(other) }`, ""},
		"both in each of two branches":                               {order + second + `if os.Getpid() > 5 { serve(router); serve(other) } else { serve(other); serve(router) }`, ""},
		"one in each of two branches":                                {order + second + `if os.Getpid() > 5 { serve(router) } else { serve(other) }`, pid},
		"one in a branch of a branch":                                {order + second + `if os.Getpid() > 5 { if os.Getppid() > 5 { serve(router) }; serve(other) }`, ppid},
		"one before a branch is left":                                {order + second + `for range 1 { if os.Getpid() > 5 { serve(router); if os.Getppid() > 5 { break }; serve(other) } }`, ppid},
		"both in a branch after one that serves one and ends":        {order + second + `if os.Getpid() > 5 { serve(router); return }; if os.Getppid() > 5 { serve(router); serve(other) }`, pid},
		"both in goroutines of one branch":                           {order + second + `if os.Getpid() > 5 { go serve(router); go serve(other) }`, ""},
		"both in one loop of a branch":                               {order + second + `if os.Getpid() > 5 { for _, r := range []*runtime.Router{router, other} { go serve(r) } }`, ""},
		"both by functions that others call, each by one":            {order + second + `http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { serve(router) }); serve(other)`, given + "http.HandleFunc calls the function it is given"},
		"one before an exit, one after it":                           {order + second + `serve(router); if os.Getpid() > 5 { os.Exit(0) }; serve(other)`, pid},
		"one before a way that stays, one after it":                  {order + second + `serve(router); if os.Getpid() > 5 { select {} }; serve(other)`, pid},
		"one before an error, one after it":                          {order + second + `if err := func() error { serve(router); if os.Getpid() > 5 { return io.EOF }; return nil }(); err != nil { log.Fatal(err) }; serve(other)`, pid},
		"one before a deferred exit, one deferred before it":         {order + second + `defer serve(other); defer func() { if os.Getpid() > 5 { os.Exit(0) } }(); serve(router)`, pid},
		"one before and in a way that exits, and after it":           {order + second + `serve(router); if os.Getpid() > 5 { serve(other); os.Exit(0) }; serve(other)`, ""},
		"both in a way that exits, and in another one":               {order + second + `if os.Getpid() > 5 { serve(router); serve(other); os.Exit(0) }; if os.Getppid() > 5 { serve(other); serve(router) }`, ""},
		"one beside a panic that is recovered":                       {order + second + `func() { defer func() { recover() }(); if os.Getpid() > 5 { panic(1) }; serve(router) }(); serve(other)`, pid},
		"one beside an error that is tolerated":                      {order + second + `if err := func() error { if os.Getpid() > 5 { return io.EOF }; serve(router); return nil }(); err != nil { log.Print(err) }; serve(other)`, pid},
		"both beside an error that is tolerated":                     {order + second + `if err := func() error { if os.Getpid() > 5 { return io.EOF }; serve(router); serve(other); return nil }(); err != nil { log.Print(err) }`, ""},
		"each by one of several functions":                           {order + second + `[]func(){func() { serve(router) }, func() { serve(other) }}[os.Getpid()%2]()`, given + "[]func(){…}[os.Getpid() % 2] calls the function it is given depends on the result of os.Getpid()"},
		"one by a goroutine that exits, one after it":                {order + second + `done := make(chan bool); go func() { serve(router); if os.Getpid() > 5 { os.Exit(0) }; close(done) }(); <-done; serve(other)`, pid},
		"one after a goroutine was waited for that exits":            {order + second + `serve(router); done := make(chan bool); go func() { if os.Getpid() > 5 { os.Exit(0) }; close(done) }(); <-done; serve(other)`, pid},
		"one after a goroutine that exits some time":                 {order + second + `serve(router); go func() { if os.Getpid() > 5 { os.Exit(0) } }(); serve(other)`, ""},
		"one by a goroutine that goes on, one after it":              {order + second + `done := make(chan bool); go func() { serve(router); for { if _, more := <-done; more { return } } }(); serve(other)`, ""},
		"one after a function of others that exits":                  {order + second + `serve(router); http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { if os.Getpid() > 5 { os.Exit(0) } }); serve(other)`, pid},
		"one by a function of others that exits, both after it":      {order + second + `http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { serve(router); os.Exit(0) }); serve(router); serve(other)`, given + "memory.New panics depends on the result of memory.New(memory.Config{})"},
		"one after a function of others that may stay":               {order + second + `serve(router); http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { if os.Getpid() > 5 { select {} } }); serve(other)`, pid},
		"one after a function of others that may loop for ever":      {order + second + `serve(router); http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { if os.Getpid() > 5 { for { } } }); serve(other)`, pid},
		"one after a function of others that may sleep for ever":     {order + second + `serve(router); http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { if os.Getpid() > 5 { for { time.Sleep(1) } } }); serve(other)`, pid},
		"one after a function of others that surely stays":           {order + second + `serve(router); http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { select {} }); serve(other)`, given + "http.HandleFunc calls the function it is given"},
		"one after a function of others that waits for a context":    {order + second + `serve(router); http.HandleFunc("/", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }); serve(other)`, ""},
		"one after a function of others that streams":                {order + second + `serve(router); http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { events := make(chan string); for { select { case <-r.Context().Done(): return; case e := <-events: io.WriteString(w, e) } } }); serve(other)`, ""},
		"one after a function of others with a goroutine that stays": {order + second + `serve(router); http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { go func() { select {} }() }); serve(other)`, ""},
		"one after a function of others with a goroutine that loops": {order + second + `serve(router); http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { go func() { for { time.Sleep(1) } }() }); serve(other)`, ""},
		"one after a function of others that surely exits":           {order + second + `serve(router); http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { os.Exit(0) }); serve(other)`, given + "http.HandleFunc calls the function it is given"},
		"after a function of others that serves it, and an exit":     {`http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { println(len(router.Routes())) }); if os.Getpid() > 5 { os.Exit(1) }; ` + order + `serve(router)`, ""},
		"one by a goroutine that exits some time, one beside it":     {order + second + `go func() { serve(router); if os.Getpid() > 5 { os.Exit(0) } }(); serve(other)`, pid},
		"both in a way that exits, one before another exit":          {order + second + `if os.Getpid() > 5 { serve(router); serve(other); os.Exit(0) }; serve(router); if os.Getppid() > 5 { os.Exit(0) }; serve(other)`, pid},
		"each by a goroutine that exits where it didn't start":       {order + second + `third := runtime.NewRouter(); go serve(router); go serve(other); go serve(third)`, ""},
		"each after a goroutine that serves one":                     {order + second + `third := runtime.NewRouter(); go serve(third); serve(router); serve(other)`, ""},
		"one after a function of others that fails":                  {order + second + `serve(router); http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { _ = func() error { if os.Getpid() > 5 { return io.EOF }; return nil }() }); serve(other)`, ""},
		"both by goroutines beside a call that doesn't change them":  {order + second + `type app struct { router *runtime.Router; done chan any }; apps := []any{&app{router, make(chan any)}, &app{other, make(chan any)}}; start := func(a *app) { go func() { serve(a.router); close(a.done) }() }; for _, a := range apps { start(a.(*app)) }; for _, a := range slices.Backward(apps) { <-a.(*app).done }`, ""},
		"both by goroutines with contexts of one":                    {order + second + `parent := context.Background(); var stops []func(); all, end := context.WithCancel(parent); for _, r := range []*runtime.Router{router, other} { ctx, stop := context.WithCancel(all); stops = append(stops, stop); go func() { if err := memory.New(memory.Config{}).Start(ctx, r); err != nil { log.Fatal(err) } }() }; for _, stop := range slices.Backward(stops) { stop() }; end()`, ""},
		"one by a goroutine that waits for a condition":              {order + second + `start := make(chan bool); go func() { <-start; serve(other) }(); if os.Getpid() > 5 { close(start) }; serve(router)`, given + "something comes from the channel start"},
		"one by main that waits beside a goroutine":                  {order + second + `start := make(chan bool); http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { close(start) }); go serve(router); <-start; serve(other)`, given + "something comes from the channel start"},
		"one after waiting for a function of others":                 {order + second + `start := make(chan bool); http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { close(start) }); serve(router); <-start; serve(other)`, given + "something comes from the channel start"},
		"one after waiting for a close under a condition":            {order + second + `start := make(chan bool); go func() { if os.Getpid() > 5 { close(start) } }(); serve(router); <-start; serve(other)`, given + "something comes from the channel start"},
		"one after waiting for a value under a condition":            {order + second + `start := make(chan bool); go func() { if os.Getpid() > 5 { start <- true } }(); serve(router); <-start; serve(other)`, given + "something comes from the channel start"},
		"one after all of a channel":                                 {order + second + `jobs := make(chan int, 1); go func() { if os.Getpid() > 5 { close(jobs) } }(); serve(router); for range jobs {}; serve(other)`, given + "something comes from the channel jobs"},
		"one after waiting for who surely sends":                     {order + second + `start := make(chan bool); go func() { serve(router); start <- true }(); <-start; serve(other)`, ""},
		"one after waiting for code that is not followed":            {order + second + `ctx, stop := context.WithCancel(context.Background()); http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { stop() });  serve(router); <-ctx.Done(); serve(other)`, ""},
		"one by a goroutine that waits for main":                     {order + second + `start := make(chan bool); go func() { <-start; serve(other) }(); close(start); serve(router)`, ""},
		"one by a goroutine that waits for a function of others":     {order + second + `start := make(chan bool); http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { close(start) }); go func() { <-start; serve(other) }(); serve(router)`, given + "something comes from the channel start"},
		"one by a goroutine that waits for another one":              {order + second + `ready := make(chan bool); go func() { serve(router); close(ready) }(); go func() { <-ready; serve(other) }()`, ""},
		"one by a goroutine that waits for one that waits":           {order + second + `start, ready := make(chan bool), make(chan bool); go func() { <-start; close(ready) }(); go func() { <-ready; serve(other) }(); if os.Getpid() > 5 { close(start) }; serve(router)`, given + "something comes from the channel ready"},
		"one by goroutines that wait for each other":                 {order + second + `one, two := make(chan bool), make(chan bool); go func() { <-one; close(two) }(); go func() { <-two; close(one); serve(other) }(); serve(router)`, given + "something comes from the channel two"},
		"one by a goroutine of one that waits":                       {order + second + `start := make(chan bool); go func() { <-start; go serve(other) }(); if os.Getpid() > 5 { close(start) }; serve(router)`, given + "something comes from the channel start"},
		"one by a goroutine that has taken all":                      {order + second + `jobs := make(chan int, 1); go func() { for range jobs {}; serve(other) }(); if os.Getpid() > 5 { close(jobs) }; serve(router)`, given + "something comes from the channel jobs"},
		"both by a goroutine that waits":                             {order + second + `start := make(chan bool); go func() { <-start; serve(other); serve(router) }(); if os.Getpid() > 5 { close(start) }`, ""},
		"both beside a goroutine that waits":                         {order + second + `stop := make(chan bool); go func() { <-stop; os.Remove("a") }(); serve(router); serve(other)`, ""},
		"one after one that didn't start":                            {order + second + `if err := memory.New(memory.Config{}).Start(context.Background(), router); err != nil { return }; serve(other)`, ""},
		"one after one that did start":                               {order + second + `if err := memory.New(memory.Config{}).Start(context.Background(), router); err == nil { os.Exit(0) }; serve(other)`, given + "err == nil depends on the result of memory.New(memory.Config{}).Start(context.Background(), rout..., and so on the result of memory.New(memory.Config{})"},
		"one before another error, one after it":                     {order + second + `serve(router); if _, err := os.Open("a"); err != nil { log.Fatal(err) }; serve(other)`, given + `err != nil depends on the result of os.Open("a")`},
		"both":                                                       {order + second + `serve(router); serve(other)`, ""},
		"one of two":                                                 {order + second + `serve(other)`, "no broker gets the router that it is registered with"},
		"assigned to":                                                {order + `*router = runtime.Router{}; serve(router)`, assigned},
		"assigned to by another type":                                {`type mine runtime.Router; var m mine; router = (*runtime.Router)(&m); ` + order + `m = mine{}; serve(router)`, assigned},
		"one before a function of several that exits, one after it":  {order + second + `serve(router); map[string]func(int){"exit": os.Exit}[os.Getenv("MODE")](1); serve(other)`, given + "map[string]func(int){…}[os.Getenv(\"MODE\")] calls the function it is given depends on the result of os.Getenv(\"MODE\")"},
		"one before a function of several that stays":                {order + second + `serve(router); map[string]func(){"stay": func() { select {} }}[os.Getenv("MODE")](); serve(other)`, given + "map[string]func(){…}[os.Getenv(\"MODE\")] depends on the result of os.Getenv(\"MODE\")"},
		"one before a wait for a goroutine that may exit":            {order + second + `ctx, cancel := context.WithCancel(context.Background()); serve(router); go func() { if os.Getpid() > 5 { os.Exit(0) }; cancel() }(); <-ctx.Done(); serve(other)`, pid},
		"both before a wait for a goroutine that may exit":           {order + second + `ctx, cancel := context.WithCancel(context.Background()); serve(router); go func() { if os.Getpid() > 5 { os.Exit(0) }; cancel() }(); serve(other); <-ctx.Done()`, ""},
		"assigned to in a goroutine":                                 {order + `done := make(chan bool); go func() { *router = runtime.Router{}; router.MustRegister(runtime.Route{Name: "other", Queue: runtime.Queue{Name: "others"}, Handler: runtime.Consume(on)}); close(done) }(); <-done; serve(router)`, assigned},
		"assigned to with a policy":                                  {`router.OnFailure(runtime.FailurePolicy{Endless: true}); *router = runtime.Router{}; ` + order + `serve(router)`, assigned},
		"a copy of one with a policy":                                {`router.OnFailure(runtime.FailurePolicy{Endless: true}); other := *router; router = &other; ` + order + `serve(router)`, assigned},
		"with a policy that is set anew":                             {`router.OnFailure(runtime.FailurePolicy{Endless: true}); ` + order + `router.OnFailure(runtime.FailurePolicy{}); serve(router)`, ""},
		"assigned to after it may have got something":                {`if os.Getpid() > 5 { router.Declare(queue("b")) }; *router = runtime.Router{}; ` + order + `serve(router)`, ""},
		"beside an unknown one that has another":                     {order + `unknown[*runtime.Router]().MustRegister(runtime.Route{Name: "other", Queue: runtime.Queue{Name: "others"}, Handler: runtime.Consume(on)}); ` + perhaps, "the router that is served is a value that json.Unmarshal may have changed, and so on the result of os.Getenv(\"ROUTERS\")"},
		"assigned to before it has any":                              {`*router = runtime.Router{}; ` + order + `serve(router)`, ""},
		"the only one, where an unknown one is served":               {order + perhaps, ""},
		"one of two, where an unknown one is served":                 {order + second + perhaps, "the router that is served is a value that json.Unmarshal may have changed, and so on the result of os.Getenv(\"ROUTERS\")"},
		"that is used by unread code":                                {order + `http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { println(len(router.Routes())) }); serve(router)`, ""},
		"one of a context, the only one":                             {`router = context.Background().Value("r").(*runtime.Router); ` + order + `serve(router)`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			result := foundOf(t, program, declaringFile(test.main))
			why := ""
			for _, d := range result.Diagnostics {
				require.Equal(t, diagnostic.UnservedRouter, d.Code)
				require.Contains(t, []string{"", d.Why}, why)
				why = d.Why
			}
			require.Equal(t, test.why, why)
		})
	}
}

package eval_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The programs of these tests also call serve, by which they work: what is served on each way to the end is shown last.
const servedDeclarations = `
var _ context.Context
var _ flag.Value
var _ http.Handler
var _ = syscall.Exec
var _ time.Time

func serve(what string) error { return nil }

var never chan int

func stop() { panic("x") }

func load(n int) (int, error) {
	if maybe(n) {
		return 0, errors.New("x")
	}
	return n, nil
}
`

func TestEvaluator_KnowsWhatIsServedOnEachWay(t *testing.T) {
	for _, test := range []struct {
		name, body string
		want       []string
	}{
		{"one thing", `serve("a")`, []string{"serves a", "a"}},
		{"nothing", `showIf("nothing")`, []string{"nothing"}},
		{"under a condition", `if maybe(1) { serve("a") }`, []string{"serves a by maybe(1)", "a"}},
		{"under two conditions", `if maybe(1) && maybe(2) { serve("a") }`, []string{"serves a by maybe(1) && maybe(2)", "a"}},
		{"in each branch", `if maybe(1) { serve("a") } else { serve("a") }`, []string{"serves a by maybe(1)", "serves a by maybe(1)", "a"}},
		{"after a call that may fail", `if _, err := load(1); err != nil { return }; serve("a")`, []string{"serves a", "a"}},
		{"where a call has failed", `if _, err := load(1); err != nil { serve("a"); return }; serve("b")`, []string{"serves a by maybe(n), or on another way if not maybe(n)", "serves b by maybe(n)"}},
		{"after one that failed and is looked at", `_, err := load(1); if err != nil { showIf("failed") }; serve("a")`, []string{"failed if maybe(n) if not maybe(n)", "serves a", "a"}},
		{"after an end", `serve("a"); if maybe(1) { return }; serve("b")`, []string{"serves a", "serves b by maybe(1)", "a"}},
		{"after an exit", `serve("a"); if maybe(1) { os.Exit(0) }; serve("b")`, []string{"serves a", "serves b by maybe(1)", "a"}},
		{"after a panic", `serve("a"); if maybe(1) { panic(1) }; serve("b")`, []string{"serves a", "serves b by maybe(1)", "a"}},
		{"before an end without service", `if maybe(1) { return }; serve("a")`, []string{"serves a", "a"}},
		{"before an exit without service", `if maybe(1) { os.Exit(0) }; serve("a")`, []string{"serves a", "a"}},
		{"by a deferred function", `defer func() { serve("a") }(); if maybe(1) { return }; showIf("rest")`, []string{"serves a by maybe(1), or on another way", "rest if maybe(1)", "serves a by maybe(1), or on another way", "a"}},
		{"by a deferred function before a panic", `func() { defer func() { serve("a") }(); if maybe(1) { panic(1) } ; showIf("rest") }(); serve("b")`, []string{"rest if not maybe(1)", "serves a, or on another way if not maybe(1)", "serves a by maybe(1), or on another way if not maybe(1)", "serves b by maybe(1)"}},
		{"by a deferred function before an error", `f := func() error { defer func() { serve("a") }(); if maybe(1) { return errors.New("x") }; showIf("rest"); return nil }; if f() != nil { return }; serve("b")`, []string{"rest if not maybe(1) if not maybe(1)", "serves a, or on another way if not maybe(1) if not maybe(1)", "serves a by maybe(1), or on another way if not maybe(1) if not maybe(1)", "serves b by f() != nil by maybe(1)"}},
		{"by a goroutine", `c := make(chan int); go func() { serve("a"); close(c) }(); <-c`, []string{"serves a"}},
		{"after a goroutine that ends", `serve("a"); c := make(chan int); go func() { defer close(c); if maybe(1) { return }; showIf("rest") }(); <-c; serve("b")`, []string{"serves a", "rest if maybe(1)", "serves b", "a", "b"}},
		{"after a goroutine that may exit", `serve("a"); c := make(chan int); go func() { defer close(c); if maybe(1) { os.Exit(1) } }(); <-c; serve("b")`, []string{"serves a", "serves b by maybe(1)", "a"}},
		{"after two ends", `serve("a"); if maybe(1) { return }; serve("b"); if maybe(2) { return }; serve("c")`, []string{"serves a", "serves b by maybe(1)", "serves c by maybe(1) by maybe(2)", "a"}},
		{"after two ends without more between", `serve("a"); if maybe(1) { return }; if maybe(2) { return }; serve("b")`, []string{"serves a", "serves b by maybe(1) by maybe(2)", "a"}},
		{"after a call that fails if it serves nothing", `if err := serve("a"); err != nil { os.Exit(1) }; serve("b")`, []string{"serves a", "serves b", "a", "b"}},
		{"after a loop without end", `serve("a"); for maybe(1) { }; serve("b")`, []string{"serves a", "serves b", "a", "b"}},
		{"in a loop", `for range 2 { if maybe(1) { serve("a"); break } }`, []string{"serves a by maybe(1)", "serves a by maybe(1) by maybe(1)"}},
		{"after a way that has served and ended by an error", `f := func() error { if maybe(1) { serve("a"); return errors.New("x") }; return nil }; if f() != nil { return }; serve("b")`, []string{"serves a by maybe(1)", "serves b by f() != nil by maybe(1)"}},
		{"after a start that has failed", `if maybe(1) { if err := serve("a"); err != nil { return } }; serve("b")`, []string{"serves a by maybe(1)", "serves b", "b"}},
		{"after code that isn't followed and exits", `serve("a"); http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { os.Exit(1) }); http.ListenAndServe("", nil); serve("b")`, []string{"serves a", "serves b by http.HandleFunc calls the function it is given", "a"}},
		{"after code that isn't followed and ends", `serve("a"); http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { if maybe(1) { return } }); http.ListenAndServe("", nil); serve("b")`, []string{"serves a", "serves b", "a", "b"}},
		{"after a goroutine that begins to serve and then exits", `c := make(chan int); go func() { serve("a"); if maybe(1) { os.Exit(1) }; close(c) }(); <-c; serve("b")`, []string{"serves b by maybe(1)", "serves a if waited for"}},
		{"after a wait for nobody knows whom", `serve("a"); c := make(chan int); go func() { if maybe(1) { os.Exit(1) } }(); select { case <-c: case <-time.After(1): }; serve("b")`, []string{"serves a", "serves b by maybe(1)", "a"}},
		{"in a loop that ends the program", `for { if maybe(1) { serve("a"); return } }`, []string{"serves a by maybe(1)", "a"}},
		{"in the last of the loops", `for maybe(1) { serve("a") }`, []string{"serves a", "serves a by maybe(1)", "a"}},
		{"in a loop over what isn't known", `for range os.Args { serve("a") }`, []string{"serves a", "serves a by os.Args", "a"}},
		{"in a loop that isn't the last", `for maybe(1) { serve("a") }; showIf("rest")`, []string{"serves a by maybe(1)", "serves a by maybe(1) by maybe(1)", "rest"}},
		{"by a function that a deferred one calls", `f := func() { serve("a") }; defer func() { f() }(); if maybe(1) { return }; showIf("rest")`, []string{"serves a by maybe(1), or on another way", "rest if maybe(1)", "serves a by maybe(1), or on another way", "a"}},
		{"before a panic, with a deferred function that calls methods of others", `text, short := context.Canceled.Error, time.Duration.String; defer func() { println(text(), short(1)) }(); if maybe(1) { panic("x") }; serve("a")`, []string{"serves a", "a"}},
		{"by two in either order", `if maybe(1) { serve("a"); serve("b"); return }; serve("b"); serve("a")`, []string{"serves a by maybe(1)", "serves b by maybe(1)", "serves b by maybe(1)", "serves a by maybe(1)", "a", "b"}},
		{"after a send to nil", `serve("a"); var c chan int; if maybe(1) { c <- 1 }; serve("b")`, []string{"serves a", "serves b by maybe(1)", "a"}},
		{"after a receive from nil", `serve("a"); var c chan int; if maybe(1) { <-c }; serve("b")`, []string{"serves a", "serves b by maybe(1)", "a"}},
		{"after a select without cases", `serve("a"); if maybe(1) { select {} }; serve("b")`, []string{"serves a", "serves b by maybe(1)", "a"}},
		{"after the end of a goroutine", `serve("a"); if maybe(1) { runtime.Goexit() }; serve("b")`, []string{"serves a", "serves b by maybe(1)", "a"}},
		{"after a function of one of two that exits", `serve("a"); f := map[string]func(){"x": func() { os.Exit(1) }, "y": func() {}}[os.Getenv("F")]; f(); serve("b")`, []string{"serves a", "serves b by f", "a"}},
		{"after a function of one of two that panics", `serve("a"); map[string]func(){"x": func() { panic("x") }, "y": func() {}}[os.Getenv("F")](); serve("b")`, []string{"serves a", `serves b by map[string]func(){…}[os.Getenv("F")]`, "a"}},
		{"after a function of one of two that calls one that panics", `serve("a"); map[string]func(){"x": func() { stop() }, "y": func() {}}[os.Getenv("F")](); serve("b")`, []string{"serves a", `serves b by map[string]func(){…}[os.Getenv("F")]`, "a"}},
		{"after a function of one of two that receives", `serve("a"); map[string]func(){"x": func() { <-never }, "y": func() {}}[os.Getenv("F")](); serve("b")`, []string{"serves a", `serves b by map[string]func(){…}[os.Getenv("F")]`, "a"}},
		{"after a function of one of two that sends", `serve("a"); map[string]func(){"x": func() { never <- 1 }, "y": func() {}}[os.Getenv("F")](); serve("b")`, []string{"serves a", `serves b by map[string]func(){…}[os.Getenv("F")]`, "a"}},
		{"after a function of one of two that ranges over a channel", `serve("a"); map[string]func(){"x": func() { for range never { } }, "y": func() {}}[os.Getenv("F")](); serve("b")`, []string{"serves a", `serves b by map[string]func(){…}[os.Getenv("F")]`, "a"}},
		{"after a function of one of two that selects", `serve("a"); map[string]func(){"x": func() { select { case <-never: } }, "y": func() {}}[os.Getenv("F")](); serve("b")`, []string{"serves a", `serves b by map[string]func(){…}[os.Getenv("F")]`, "a"}},
		{"after a function of one of two that goes on for ever", `serve("a"); map[string]func(){"x": func() { for { } }, "y": func() {}}[os.Getenv("F")](); serve("b")`, []string{"serves a", `serves b by map[string]func(){…}[os.Getenv("F")]`, "a"}},
		{"after a function of one of two that goes on for a while", `serve("a"); map[string]func(){"x": func() { for i := 0; i < 2; i++ { for range []int{1} { println(-i) } } }, "y": func() {}}[os.Getenv("F")](); serve("b")`, []string{"serves a", "serves b", "a", "b"}},
		{"after flags that may be wrong", `serve("a"); f := flag.NewFlagSet("x", flag.ExitOnError); f.Int("n", 1, ""); f.Parse(os.Args[1:]); serve("b")`, []string{"serves a", "serves b by f.Parse ends the program", "a"}},
		{"after flags that may be wrong before", `f := flag.NewFlagSet("x", flag.ExitOnError); f.Int("n", 1, ""); f.Parse(os.Args[1:]); serve("a"); serve("b")`, []string{"serves a", "serves b", "a", "b"}},
		{"after a function of one of two that exits before", `map[string]func(){"x": func() { os.Exit(1) }, "y": func() {}}[os.Getenv("F")](); serve("a"); serve("b")`, []string{"serves a", "serves b", "a", "b"}},
		{"after a start that fails and isn't looked at", `err := serve("a"); serve("b"); if err != nil { return }; serve("c")`, []string{"serves a", "serves b", "serves c", "a", "b", "c"}},
		{"after one of two starts that fails", `err := serve("a"); if err == nil { err = serve("b") }; if err != nil { return }; serve("c")`, []string{"serves a", "serves b by err == nil", "serves c", "a", "c"}},
		{"after two goroutines that may exit", `serve("a"); var wg sync.WaitGroup; wg.Go(func() { if maybe(1) { os.Exit(1) } }); wg.Go(func() { if maybe(2) { os.Exit(1) } }); wg.Wait(); serve("b")`, []string{"serves a", "serves b by maybe(1) by maybe(2)", "a"}},
		{"after two goroutines that serve and may exit", `c, d := make(chan int), make(chan int); go func() { serve("a"); if maybe(1) { os.Exit(1) }; close(c) }(); go func() { serve("b"); if maybe(2) { os.Exit(1) }; close(d) }(); <-c; <-d; serve("c")`, []string{"serves c by maybe(1) by maybe(2)", "serves a if waited for", "serves b by maybe(1) if waited for"}},
		{"after a wait beside a goroutine that may be run and exit", `serve("a"); c := make(chan int); if maybe(1) { go func() { if maybe(2) { os.Exit(1) } }() }; select { case <-c: case <-time.After(1): }; serve("b")`, []string{"serves a", "serves b by maybe(2)", "a"}},
		{"after a wait beside a goroutine that ends", `serve("a"); c := make(chan int); go func() { if maybe(2) { return } }(); select { case <-c: case <-time.After(1): }; serve("b")`, []string{"serves a", "serves b", "a", "b"}},
		{"after waits beside goroutines that may exit", `serve("a"); c := make(chan int); go func() { if maybe(1) { os.Exit(1) } }(); go func() { if maybe(2) { os.Exit(1) } }(); select { case <-c: case <-time.After(1): }; serve("b")`, []string{"serves a", "serves b by maybe(1)", "a"}},
		{"after code that isn't followed and ends its goroutine", `serve("a"); http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { if maybe(1) { runtime.Goexit() } }); http.ListenAndServe("", nil); serve("b")`, []string{"serves a", "serves b by maybe(1)", "a"}},
		{"after code that isn't followed and stays", `serve("a"); http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { if maybe(1) { select {} } }); http.ListenAndServe("", nil); serve("b")`, []string{"serves a", "serves b by maybe(1)", "a"}},
		{"after code that isn't followed and loops for ever", `serve("a"); http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { if maybe(1) { for { } } }); http.ListenAndServe("", nil); serve("b")`, []string{"serves a", "serves b by maybe(1)", "a"}},
		{"after code that isn't followed and loops and may return", `serve("a"); http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { for { if maybe(1) { return } } }); http.ListenAndServe("", nil); serve("b")`, []string{"serves a", "serves b", "a", "b"}},
		{"after code that isn't followed and fails", `serve("a"); http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { _ = func() error { if maybe(1) { return errors.New("x") }; return nil }() }); http.ListenAndServe("", nil); serve("b")`, []string{"serves a", "serves b", "a", "b"}},
		{"after code that isn't followed and starts a goroutine that stays", `serve("a"); http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { go func() { select {} }() }); http.ListenAndServe("", nil); serve("b")`, []string{"serves a", "serves b", "a", "b"}},
		{"after a method of the program's that the library calls and stays", `serve("a"); slices.SortFunc([]any{os.Getpid(), 1}, func(x, y any) int { if maybe(1) { select {} }; return 0 }); serve("b")`, []string{"serves a", "serves b by maybe(1)", "a"}},
		{"after another program that may have taken its place", `serve("a"); syscall.Exec("/bin/true", nil, nil); serve("b")`, []string{"serves a", "serves b by syscall.Exec ends the program", "a"}},
		{"after a function of one of two that gives its place to another program", `serve("a"); map[string]func(){"x": func() { syscall.Exec("/bin/true", nil, nil) }, "y": func() {}}[os.Getenv("F")](); serve("b")`, []string{"serves a", "serves b by syscall.Exec ends the program", "a"}},
		{"under a recursion", `var f func(int); f = func(n int) { if maybe(n) { return }; serve("a"); f(n+1) }; f(1)`, []string{"serves a", "serves a by maybe(n)", "serves a by maybe(n) by maybe(n)", "serves a by maybe(n) by maybe(n) by maybe(n)", "serves a by maybe(n) by maybe(n) by maybe(n) by maybe(n)", "serves a by maybe(n) by maybe(n) by maybe(n) by maybe(n) by maybe(n)", "a"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			body := []struct{ name, body string }{{test.name, test.body}}
			source := libraryProgram([]string{"context", "errors", "flag", "fmt", "net/http", "os", "runtime", "slices", "sync", "syscall", "time"}, waysDeclarations+servedDeclarations, body, 0, 1)
			require.Equal(t, append([]string{"# " + test.name}, test.want...), evaluateMain(t, source).shown)
		})
	}
}

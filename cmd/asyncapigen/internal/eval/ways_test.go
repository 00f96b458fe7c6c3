package eval_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// The programs of these tests call showIf as well, which notes the condition under which it
// is called, and maybe, of which nothing is known.
const waysDeclarations = `
var _ = errors.New
var _ = runtime.Goexit
var _ = slices.Max[[]int]
var _ sync.Once

func showIf(v any) { fmt.Println(v) }

func maybe(n int) bool { return os.Getpid() == n }

// walk recurses, and calls a method of an interface that may write where that is too deep to be
// followed.
func walk(n int) {
	if maybe(n) {
		by.visit(n)
		walk(n + 1)
	}
}

var (
	by      visitor = first{}
	visited int
	late    = "a"
)

type visitor interface{ visit(n int) }

type first struct{}

func (first) rescue() { recover() }

func (first) visit(n int) {
	if n > 1000 {
		visited = 5
	}
}

type greeter interface{ greet() string }

type only struct{}

func (only) greet() string { return "only" }

// A tallied embeds what has a method of its pointer.
type tallied struct{ tally }

type tally struct{ n int }

func (t *tally) inc() { t.n++ }

type loud struct{}

func (loud) greet() string { visited = 7; return "" }

func (first) rename() { late = "b" }

func (first) put(n int) { setVisited(n) }

func setVisited(n int) {
	if n > 1000 {
		visited = 8
	}
}

type alsoOf[T any] struct{}

func (alsoOf[T]) greet() string { return "also" }

// asGiven returns what it is given, by a recursion that is too deep to be followed.
func asGiven(n int, g greeter) greeter {
	if maybe(n) {
		return asGiven(n+1, g)
	}
	return g
}

// A list of unknown room, and one that may share its array.
var (
	listOfPackage = make([]int, 0, os.Getpid())
	longerList    = append(listOfPackage, 1)
)
`

// ways are bodies of functions with several ways through them, and what is shown by which.
var ways = []struct {
	name, body string
	want       []string
}{
	{"early return", `func() { if maybe(1) { return }; showIf("rest") }(); showIf("after")`, []string{"rest if maybe(1)", "after"}},
	{"early return of an error", `f := func() error { if maybe(1) { return errors.New("x") }; showIf("rest"); return nil }; if f() != nil { panic("no") }; showIf("after")`, []string{"rest if not maybe(1)", "after"}},
	{"early return of an error that is tolerated", `f := func() error { if maybe(1) { return errors.New("x") }; showIf("rest"); return nil }; f(); showIf("after")`, []string{"rest if not maybe(1)", "after"}},
	{"exit", `if maybe(1) { os.Exit(1) }; showIf("rest")`, []string{"rest"}},
	{"all but the last end", `switch { case maybe(1): panic("a"); case maybe(2): os.Exit(1); default: showIf("default") }; showIf("rest")`, []string{"default", "rest"}},
	{"all end", `switch { case maybe(1): panic("a"); default: os.Exit(1) }; showIf("never")`, nil},
	{"both branches return", `func() { if maybe(1) { return } else { return }; showIf("never") }(); showIf("after")`, []string{"after"}},
	{"break", `for range 2 { if maybe(1) { break }; showIf("round") }; showIf("after")`, []string{"round if maybe(1)", "round if maybe(1)", "after"}},
	{"continue", `for range 2 { if maybe(1) { continue }; showIf("round") }; showIf("after")`, []string{"round if maybe(1)", "round if maybe(1)", "after"}},
	{"break out of two", `L: for range 2 { for range 2 { if maybe(1) { break L }; showIf("inner") }; showIf("outer") }; showIf("after")`, []string{"inner if maybe(1)", "inner if maybe(1)", "outer if maybe(1)", "inner if maybe(1)", "inner if maybe(1)", "outer if maybe(1)", "after"}},
	{"continue the outer", `L: for range 2 { for range 1 { if maybe(1) { continue L }; showIf("inner") }; showIf("outer") }; showIf("after")`, []string{"inner if maybe(1)", "outer if maybe(1)", "inner if maybe(1)", "outer if maybe(1)", "after"}},
	{"break of a switch", `switch { case true: if maybe(1) { break }; showIf("rest") }; showIf("after")`, []string{"rest if maybe(1)", "after"}},
	{"break of a switch in a loop", `for range 2 { switch { case true: if maybe(1) { break }; showIf("rest") }; showIf("round") }`, []string{"rest if maybe(1)", "round", "rest if maybe(1)", "round"}},
	{"return in a loop", "n := func() int { for i := range 2 { if maybe(1) { return i } }; return 5 }(); showIf(n)", []string{"unknown: a value that depends on the condition maybe(1), and so on the result of os.Getpid()"}},
	{"panic that is recovered", `func() { defer func() { recover() }(); if maybe(1) { panic("x") }; showIf("rest") }(); showIf("after")`, []string{"rest if not maybe(1)", "after"}},
	{"panic that a caller recovers", `f := func() { if maybe(1) { panic("x") }; showIf("rest") }; func() { defer func() { recover() }(); f(); showIf("called") }(); showIf("after")`, []string{"rest if not maybe(1)", "called if not maybe(1)", "after"}},
	{"what recover gives", `func() { defer func() { showIf(recover()) }(); if maybe(1) { panic("x") } else if maybe(2) { panic("y") } }()`, []string{"<nil> if not maybe(1) if not maybe(2)", "x if maybe(1) if not maybe(1) if not maybe(2)", "y if maybe(2) if not maybe(1) if not maybe(2)"}},
	{"what recover gives of two alike", `func() { defer func() { showIf(recover()) }(); if maybe(1) { panic("x") } else if maybe(2) { panic("x") }; panic("x") }()`, []string{"x if maybe(1) if not maybe(1) if not maybe(1) if not maybe(2)", "x if maybe(1) if not maybe(1) if not maybe(1) if not maybe(2)", "x if maybe(2) if not maybe(1) if not maybe(1) if not maybe(2)"}},
	{"deferred under a condition", `func() { if maybe(1) { defer showIf("deferred") }; showIf("body") }()`, []string{"body", "deferred if maybe(1)"}},
	{"deferred after an early return", `func() { if maybe(1) { return }; defer showIf("deferred"); showIf("body") }()`, []string{"body if maybe(1) if not maybe(1)", "deferred if maybe(1) if not maybe(1)"}},
	{"deferred before an early return", `func() { defer showIf("deferred"); if maybe(1) { return }; showIf("body") }()`, []string{"body if maybe(1)", "deferred if maybe(1)"}},
	{"deferred in a branch that returns", `func() { if maybe(1) { defer showIf("deferred"); return }; showIf("body") }()`, []string{"body if maybe(1) if not maybe(1)", "deferred if maybe(1) if not maybe(1)"}},
	{"deferred in a loop that may end", "func() { for i := range 2 { if maybe(1) { break }; defer showIf(i) } }()", []string{"1 if maybe(1)", "0 if maybe(1)"}},
	{"a recover by a method expression", `func() { rescue := first.rescue; defer rescue(first{}); if maybe(1) { panic("x") }; showIf("body") }(); showIf("after")`, []string{"body if not maybe(1)", "after"}},
	{"a recover that may be deferred", `func() { func() { if maybe(1) { defer func() { recover() }() }; panic("x") }(); showIf("caller") }()`, []string{"caller"}},
	{"a recover that may be deferred by one branch", `func() { n := 1; func() { if maybe(1) { defer func() { recover(); n = 2 }() }; panic("x") }(); showIf(n) }()`, []string{"2"}},
	{"results of two ways", `f := func() (int, string) { if maybe(1) { return 1, "a" }; return 1, "b" }; a, b := f(); showIf(a); showIf(b)`, []string{"1", "unknown: a value that depends on the condition maybe(1), and so on the result of os.Getpid()"}},
	{"named results of two ways", `f := func() (n int, s string) { n = 1; if maybe(1) { s = "a"; return }; s = "a"; return }; a, b := f(); showIf(a); showIf(b)`, []string{"1", "a"}},
	{"results that deferred functions change", "f := func() (n int) { defer func() { n++ }(); if maybe(1) { return 1 }; return 1 }; showIf(f())", []string{"2"}},
	{"results that one way's deferred function changes", "f := func() (n int) { if maybe(1) { return 1 }; defer func() { n++ }(); return 0 }; showIf(f())", []string{"1"}},
	{"results after recover", "f := func() (n int) { defer func() { recover() }(); if maybe(1) { panic(1) }; return 4 }; showIf(f())", []string{"unknown: a value that depends on the condition maybe(1), and so on the result of os.Getpid()"}},
	{"results after recover without names", "f := func() (int, bool) { defer func() { recover() }(); if maybe(1) { panic(1) }; return 0, false }; a, b := f(); showIf(a); showIf(b)", []string{"0", "false"}},
	{"an error of a deferred function", `f := func() (err error) { defer func() { if maybe(1) { err = errors.New("x") } }(); showIf("in"); return nil }; if err := f(); err != nil { os.Exit(1) }; showIf("after")`, []string{"in", "after"}},
	{"an error from recover", `f := func() (err error) { defer func() { if e := recover(); e != nil { err = errors.New("x") } }(); if maybe(1) { panic(1) }; showIf("in"); return nil }; if err := f(); err != nil { os.Exit(1) }; showIf("after")`, []string{"in", "after"}},
	{"an error in all ways", `f := func() (int, error) { if maybe(1) { return 1, errors.New("x") }; return 2, errors.New("y") }; n, err := f(); showIf(n); showIf(err == nil)`, []string{"unknown: a value that depends on the condition maybe(1), and so on the result of os.Getpid()", "false"}},
	{"an error after a declaration", `f := func() (int, error) { if maybe(1) { return 0, errors.New("x") }; return 1, nil }; a, err := f(); var b int; if err != nil { return }; showIf(a + b)`, []string{"1 if maybe(1)"}},
	{"an error after a declaration with a value", `f := func() (int, error) { if maybe(1) { return 0, errors.New("x") }; return 1, nil }; a, err := f(); var b = 1; if err != nil { return }; showIf(a + b)`, []string{"unknown: a value that depends on the condition maybe(1), and so on the result of os.Getpid() if err != nil"}},
	{"an error that ends the program after a declaration", `f := func() error { if maybe(1) { return errors.New("x") }; return nil }; err := f(); var b int; if err != nil { panic("no") }; showIf(b)`, []string{"0"}},
	{"an error of two calls", `f := func(n int) (int, error) { if maybe(n) { return 0, errors.New("x") }; return n, nil }; a, err := f(1); if err != nil { return }; b, err := f(2); if err != nil { return }; showIf(a + b)`, []string{"3 if maybe(n)"}},
	{"an error that is looked at after another statement", `f := func() (int, error) { if maybe(1) { return 0, errors.New("x") }; return 1, nil }; a, err := f(); b := 2; if err != nil { return }; showIf(a + b)`, []string{"unknown: a value that depends on the condition maybe(1), and so on the result of os.Getpid() if err != nil"}},
	{"an error that the second call replaces", `f := func(n int) (int, error) { if maybe(n) { return 0, errors.New("x") }; return n, nil }; a, err := f(1); b, err := f(2); if err != nil { return }; showIf(a); showIf(b)`, []string{"unknown: a value that depends on the condition maybe(n), and so on the result of os.Getpid() if err != nil", "unknown: a value that depends on the condition maybe(n), and so on the result of os.Getpid() if err != nil"}},
	{"an error in a deferred call's argument", `f := func() (int, error) { if maybe(1) { return 0, errors.New("x") }; return 1, nil }; func() { defer func(n int, err error) { showIf(n) }(f()) }()`, []string{"unknown: a value that depends on the condition maybe(1), and so on the result of os.Getpid() if (func(n int, err error) literal)", "unknown: a value that depends on the condition maybe(1), and so on the result of os.Getpid() if (func(n int, err error) literal)"}},
	{"an error in a goroutine's argument", `f := func() (int, error) { if maybe(1) { return 0, errors.New("x") }; return 1, nil }; c := make(chan int, 1); go func(n int, err error) { c <- n }(f()); showIf(<-c)`, []string{"unknown: a value that depends on the condition (func(n int, err error) literal), and so on the result of os.Getpid()"}},
	{"an error whose call changes the receiver", `type t struct{ n int }; var p *t; f := func() (int, error) { if maybe(1) { return 0, errors.New("x") }; p = &t{5}; return 1, nil }; g := func(a int, err error) int { if err != nil { panic(err) }; return p.n }; showIf(g(f()))`, []string{"5"}},
	{"an error whose call changes the function", `var g func(int, error); h := func(n int, err error) { showIf(n) }; f := func() (int, error) { if maybe(1) { return 7, errors.New("x") }; g = h; return 1, nil }; func() { defer func() { showIf(recover() == nil) }(); g(f()) }()`, []string{"1 if not maybe(1)", "true if not maybe(1)", "false if maybe(1) if not maybe(1)"}},
	{"an assertion of a failing call", `f := func() (any, error) { if maybe(1) { return nil, errors.New("x") }; return 1, nil }; var n int; v, err := f(); if err == nil { n = v.(int) }; showIf(n)`, []string{"unknown: a value that depends on the condition maybe(1), and so on the result of os.Getpid()"}},
	{"an assignment that panics where a call has failed", `f := func() (*int, error) { if maybe(1) { return nil, errors.New("x") }; return new(int), nil }; m := map[int]int{}; get := func(p *int, err error) int { return *p }; func() { defer func() { recover() }(); m[get(f())] = 1 }(); showIf(len(m))`, []string{"unknown: a value that depends on the condition maybe(1), and so on the result of os.Getpid()"}},
	{"a goroutine that may not run", "c := make(chan int, 1); if maybe(1) { go func() { c <- 1 }() }; c <- 2; showIf(<-c)", []string{"unknown: a value of the channel c"}},
	{"a goroutine that shows", `go func() { showIf("g") }(); showIf("main")`, []string{"main", "g if waited for"}},
	{"a goroutine that shows and is waited for", `c := make(chan bool); go func() { showIf("g"); close(c) }(); <-c; showIf("main")`, []string{"g", "main"}},
	{"a goroutine that shows after it was waited for", `c := make(chan bool); go func() { close(c); showIf("g") }(); <-c; showIf("main")`, []string{"main", "g if waited for"}},
	{"a goroutine that is waited for under a condition", `c := make(chan bool); go func() { showIf("g"); close(c) }(); if maybe(1) { <-c }; showIf("main")`, []string{"main", "g if waited for"}},
	{"a goroutine that is waited for by another", `c, d := make(chan bool), make(chan bool); go func() { go func() { showIf("inner"); close(c) }(); <-c; close(d) }(); <-d; showIf("main")`, []string{"main", "inner if waited for"}},
	{"a goroutine that panics where it is waited for", `c := make(chan bool); go func() { c <- true; panic("x") }(); <-c; showIf("main")`, nil},
	{"a goroutine that exits the program before it is waited for", `c := make(chan bool); go func() { if maybe(1) { os.Exit(1) }; close(c) }(); <-c; showIf("main")`, []string{"main"}},
	{"a goroutine that ends by Goexit under a condition", `c := make(chan bool); go func() { defer close(c); if maybe(1) { runtime.Goexit() }; showIf("g") }(); <-c; showIf("main")`, []string{"g if not maybe(1)", "main"}},
	{"a goroutine that panics under a condition", `c := make(chan bool); go func() { defer close(c); if maybe(1) { panic("x") }; showIf("g") }(); <-c; showIf("main")`, []string{"g", "main"}},
	{"a wait group that may be counted down by another", "var wg sync.WaitGroup; x := 0; wg.Add(1); go func() { x = 1; wg.Done() }(); if maybe(1) { go func() { wg.Done() }() }; wg.Wait(); showIf(x)", []string{"unknown: a value that may change while the goroutine of main.go:103 runs"}},
	{"a select statement between two", `c, d := make(chan int, 1), make(chan int, 1); c <- 1; d <- 2; select { case v := <-c: showIf(v); case v := <-d: showIf(v) }; showIf("after")`, []string{"1 if which case of this select statement runs", "2 if which case of this select statement runs", "after"}},
	{"a select statement with a default that may be taken", `c := make(chan int); go func() { c <- 1 }(); select { case v := <-c: showIf(v); default: showIf("none") }; showIf("after")`, []string{"1 if which case of this select statement runs", "none if which case of this select statement runs", "after"}},
	{"a channel that may be closed", "c := make(chan int, 1); if maybe(1) { close(c) }; func() { defer func() { showIf(recover() == nil) }(); c <- 1 }()", []string{"true if not c panics", "false if c panics if not c panics"}},
	{"a close that others may do", "c := make(chan int); go func() { close(c) }(); func() { defer func() { showIf(recover() == nil) }(); close(c) }()", []string{"true if not close(c) panics", "false if close(c) panics if not close(c) panics"}},
	{"a close by another than made the channel", `c, d := make(chan int), make(chan bool); go func() { defer close(d); func() { defer func() { showIf(recover() == nil) }(); close(c) }() }(); <-d`, []string{"true if not close(c) panics", "false if close(c) panics if not close(c) panics"}},
	{"jumps from two places to one label", "again:\nif maybe(1) { goto again }; if maybe(2) { goto again }; showIf(1)", slices.Repeat([]string{"1 if maybe(1)"}, 31)},
	{"whether an error of the library is one of the program's own", `type own struct{ error }; _, err := os.Open("x"); var e own; showIf(errors.As(err, &e))`, []string{"false"}},
	{"a send to another's channel", "c := make(chan chan int, 1); d := make(chan int, 1); c <- d; e := make(chan bool); go func() { defer close(e); defer func() { showIf(recover() == nil) }(); d <- 1 }(); <-e; showIf(<-d)", []string{"1", "true if not d panics if waited for", "false if d panics if not d panics if waited for"}},
	{"a goroutine that deadlocks", `c := make(chan int); go func() { <-c; showIf("g") }(); showIf("main")`, []string{"main", "g if waited for"}},
	{"panics with deferred functions that show", `func() { defer func() { showIf(recover()) }(); func() { defer showIf("inner"); if maybe(1) { panic("x") }; showIf("body") }(); showIf("on") }()`, []string{"body if not maybe(1)", "inner if not maybe(1)", "inner if maybe(1) if not maybe(1)", "on if not maybe(1)", "<nil> if not maybe(1)", "x if maybe(1) if not maybe(1)"}},
	{"os.Exit in a deferred function", `func() { defer func() { if maybe(1) { os.Exit(1) } }(); showIf("body") }(); showIf("after")`, []string{"body", "after"}},
	{"a loop over a function that may end", `for v := range func(yield func(int) bool) { if maybe(1) { return }; yield(1); yield(2) } { showIf(v) }; showIf("after")`, []string{"1 if maybe(1)", "2 if maybe(1)", "after"}},
	{"a break in a loop over a function", `for v := range func(yield func(int) bool) { _ = yield(1) && yield(2) } { if maybe(1) { break }; showIf(v) }; showIf("after")`, []string{"1 if maybe(1)", "2 if maybe(1)", "after"}},
	{"a panic in a loop over a function", `func() { defer func() { recover() }(); for v := range func(yield func(int) bool) { defer showIf("end"); yield(1) } { if maybe(1) { panic("x") }; showIf(v) } }(); showIf("after")`, []string{"1 if not maybe(1)", "end if not maybe(1)", "end if maybe(1) if not maybe(1)", "after"}},
	{"return in a loop over a function", `func() { for range func(yield func(int) bool) { _ = yield(1) && yield(2) } { if maybe(1) { return } }; showIf("rest") }(); showIf("after")`, []string{"rest if maybe(1)", "after"}},
	{"return in all ways in a loop over a function", `func() { for range func(yield func(int) bool) { yield(1) } { if maybe(1) { return } else { return } }; showIf("never") }(); showIf("after")`, []string{"after"}},
	{"return in a loop over a function that may not yield", `func() { for range func(yield func(int) bool) { if maybe(2) { yield(1) } } { return }; showIf("rest") }(); showIf("after")`, []string{"rest if maybe(2)", "after"}},
	{"return in all ways in a loop over a function that may not yield", `func() { for range func(yield func(int) bool) { if maybe(2) { yield(1) } } { if maybe(1) { return } else { return } }; showIf("rest") }(); showIf("after")`, []string{"rest if maybe(2)", "after"}},
	{"results of a loop over a function that may not yield", "n := func() int { for v := range func(yield func(int) bool) { if maybe(2) { yield(1) } } { return v }; return 2 }(); showIf(n)", []string{"unknown: a value that depends on the condition maybe(2), and so on the result of os.Getpid()"}},
	{"an error of a loop over a function that may not yield", `f := func() error { for range func(yield func(int) bool) { if maybe(2) { yield(1) } } { return errors.New("x") }; showIf("rest"); return nil }; if f() != nil { os.Exit(1) }; showIf("after")`, []string{"rest if not maybe(2)", "after"}},
	{"break in a loop over a function that may not yield", `func() { for range func(yield func(int) bool) { if maybe(2) { yield(1) } } { break }; showIf("rest") }()`, []string{"rest"}},
	{"break of the loop around one over a function", `L: for range 1 { for range func(yield func(int) bool) { yield(1) } { if maybe(1) { break L } }; showIf("rest") }; showIf("after")`, []string{"rest if maybe(1)", "after"}},
	{"continue of the loop around one over a function", `L: for range 2 { for range func(yield func(int) bool) { yield(1) } { if maybe(1) { continue L } }; showIf("rest") }; showIf("after")`, []string{"rest if maybe(1)", "rest if maybe(1)", "after"}},
	{"break of the loop around one over a function that may not yield", `L: for range 2 { for range func(yield func(int) bool) { if maybe(2) { yield(1) } } { break L }; showIf("rest") }; showIf("after")`, []string{"rest if maybe(2)", "rest if maybe(2)", "after"}},
	{"continue of the loop around one over a function that may not yield", `L: for range 2 { for range func(yield func(int) bool) { if maybe(2) { yield(1) } } { continue L }; showIf("rest") }; showIf("after")`, []string{"rest if maybe(2)", "rest if maybe(2)", "after"}},
	{"return after what may return in a loop over a function", `func() { for range func(yield func(int) bool) { yield(1) } { if maybe(1) { return }; return }; showIf("never") }(); showIf("after")`, []string{"after"}},
	{"deferred in a loop over a function that may not yield", `func() { for range func(yield func(int) bool) { if maybe(2) { yield(1) } } { defer showIf("deferred") }; showIf("body") }()`, []string{"body", "deferred if maybe(2)"}},
	{"a deferred literal in a loop over a function that may not yield", "func() { n := 1; for range func(yield func(int) bool) { if maybe(2) { yield(1) } } { defer func() { showIf(n) }() }; n = 2 }()", []string{"2 if maybe(2)"}},
	{"recover that is deferred in a loop over a function that may not yield", `func() { n := 1; func() { for range func(yield func(int) bool) { if maybe(2) { yield(1) } } { defer func() { recover(); n = 2 }() }; panic("x") }(); showIf(n) }()`, []string{"2"}},
	{"a panic after a loop over a function that may not yield", `func() { n := 1; func() { defer func() { recover() }(); for range func(yield func(int) bool) { if maybe(2) { yield(1) } } { defer func() { n = 2 }() }; panic("x") }(); showIf(n) }()`, []string{"unknown: a value that depends on the condition maybe(2), and so on the result of os.Getpid()"}},
	{"a result that is deferred in a loop over a function that may not yield", "f := func() (n int) { for range func(yield func(int) bool) { if maybe(2) { yield(1) } } { defer func() { n = 5 }() }; return 1 }; showIf(f())", []string{"unknown: a value that depends on the condition maybe(2), and so on the result of os.Getpid()"}},
	{"a panic of a function that may not yield", `f := func() (n int) { defer func() { recover() }(); for range func(yield func(int) bool) { if maybe(2) { yield(1); panic("i") } } { defer func() { n = 5 }() }; return 1 }; showIf(f())`, []string{"unknown: a value that depends on the condition maybe(2), and so on the result of os.Getpid()"}},
	{"return and defer in a loop over a function that may not yield", "f := func() (n int) { for range func(yield func(int) bool) { if maybe(2) { yield(1) } } { defer func() { n = 5 }(); return 2 }; return 1 }; showIf(f())", []string{"unknown: a value that depends on the condition maybe(2), and so on the result of os.Getpid()"}},
	{"an error and defer in a loop over a function that may not yield", `f := func() (err error) { for range func(yield func(int) bool) { if maybe(2) { yield(1) } } { defer func() { err = nil }(); return errors.New("x") }; return errors.New("y") }; showIf(f() == nil)`, []string{"unknown: a value that depends on the condition maybe(2), and so on the result of os.Getpid()"}},
	{"an error that one way's deferred function takes back", `f := func() (err error) { if maybe(1) { defer func() { err = nil }(); return errors.New("x") }; return errors.New("y") }; showIf(f() == nil)`, []string{"unknown: a value that depends on the condition maybe(1), and so on the result of os.Getpid()"}},
	{"an error that one way takes back before the caller looks at it", `f := func() (err error) { if maybe(1) { defer func() { err = nil }(); return errors.New("x") }; return errors.New("y") }; if err := f(); err != nil { os.Exit(1) }; showIf("after")`, []string{"after"}},
	{"goto after a goto under a condition", "{\nif maybe(1) { goto a }; showIf(\"rest\")\na: showIf(\"a\"); goto out }\nshowIf(\"never\")\nout: showIf(\"out\")", []string{"a if maybe(1)", "out if maybe(1)", "rest if maybe(1)", "a if maybe(1)", "out if maybe(1)"}},
	{"goto back under a condition", "n := 0\nagain: n++; if maybe(1) { goto again }; showIf(n)", []string{"unknown: a value that changes between a goto and its label again if maybe(1)", "4 if maybe(1)", "3 if maybe(1)", "2 if maybe(1)", "1 if maybe(1)"}},
	{"a return before an exit", `f := func() int { if maybe(1) { return 1 }; os.Exit(1); return 0 }; showIf(f())`, []string{"1"}},
	{"a return before an exit of what has deferred", `f := func() (n int) { defer func() { n++ }(); if maybe(1) { return 1 }; os.Exit(1); return 0 }; showIf(f())`, []string{"2"}},
	{"an error before an exit", `f := func() (n int, err error) { defer func() { n++ }(); if maybe(1) { return 1, errors.New("x") }; os.Exit(1); return 0, nil }; n, err := f(); showIf(n); showIf(err == nil)`, []string{"2", "false"}},
	{"a goroutine that goes on when others go on", `n := 0; c := make(chan bool); go func() { close(c); n = 1 }(); <-c; n = 5; showIf(n)`, []string{"unknown: a value that may change while the goroutine of main.go:103 runs"}},
	{"a goroutine that may be waited for", `n := 0; c := make(chan bool); go func() { n = 1; close(c) }(); if maybe(1) { <-c }; n = 5; showIf(n)`, []string{"unknown: a value that may change while the goroutine of main.go:103 runs"}},
	{"a goroutine that receives meanwhile", `c := make(chan int, 2); c <- 1; c <- 2; go func() { <-c }(); showIf(<-c)`, []string{"unknown: a value received from the channel c"}},
	{"a goroutine that has received", `c, done := make(chan int, 2), make(chan bool); c <- 1; c <- 2; go func() { <-c; close(done) }(); <-done; showIf(<-c)`, []string{"unknown: a value received from the channel c"}},
	{"a goroutine that receives what another one sends", `c := make(chan int); go func() { c <- 1; c <- 2 }(); go func() { <-c }(); showIf(<-c)`, []string{"unknown: a value received from the channel c"}},
	{"a goroutine that reads when others go on", `n := 0; c := make(chan bool); go func() { close(c); showIf(n) }(); <-c; n = 5`, []string{"unknown: a value that may change while the goroutine of main.go:103 runs if waited for"}},
	{"a goroutine that reads and may be waited for", `n := 0; c := make(chan bool); go func() { showIf(n); close(c) }(); if maybe(1) { <-c }; n = 5`, []string{"unknown: a value that may change while the goroutine of main.go:103 runs if waited for"}},
	{"a return before an exit of what recovers", `f := func() (n int) { defer func() { recover(); n++ }(); if maybe(1) { return 1 }; os.Exit(1); return 0 }; showIf(f())`, []string{"2"}},
	{"an error before an exit of what recovers", `f := func() (n int, err error) { defer func() { recover(); n++ }(); if maybe(1) { return 1, errors.New("x") }; os.Exit(1); return 0, nil }; n, _ := f(); showIf(n)`, []string{"2"}},
	{"a return and an error before an exit of what recovers", `f := func() (n int, err error) { defer func() { recover(); n++ }(); if maybe(1) { return 1, errors.New("x") }; if maybe(2) { return 1, nil }; os.Exit(1); return 0, nil }; n, _ := f(); showIf(n)`, []string{"2"}},
	{"one of two goroutines that send", `x, y, c := 0, 0, make(chan int); go func() { x = 1; c <- 1 }(); go func() { y = 2; c <- 2 }(); <-c; showIf(x); <-c; showIf(x); showIf(y)`, []string{"unknown: a value that may change while the goroutine of main.go:103 runs", "1", "2"}},
	{"what a case calls after one that isn't known", `n := 0; f := func() int { n = 5; return 1 }; switch os.Getpid() { case 7: case f(): }; showIf(n)`, []string{"unknown: a value that depends on the condition os.Getpid(), and so on the result of os.Getpid()"}},
	{"a switch of all that a value may be", `x := 1; if maybe(1) { x = 2 }; switch x + 1 { case 2: showIf("two"); case 3: showIf("three"); default: showIf("never") }; showIf("after")`, []string{"three if x + 1", "two if x + 1", "after"}},
	{"a variable of the environment that isn't a text", `x := os.Getenv("A"); if x != "" { showIf(os.Getenv("A") == "") }`, []string{"false if x != \"\""}},
	{"a deferred built-in function", `func() { c := make(chan int); defer close(c); if maybe(1) { panic("x") }; showIf("rest") }()`, []string{"rest"}},
	{"a group that is counted down to zero", `func() { defer func() { recover() }(); var wg sync.WaitGroup; wg.Add(1); wg.Done(); showIf("in") }()`, []string{"in"}},
	{"a group that is counted down below zero", `func() { defer func() { recover() }(); var wg sync.WaitGroup; wg.Done(); showIf("in") }()`, []string{"in if not wg.Done panics"}},
	{"a method of one of an implementation and nil", `e := []greeter{only{}, nil}[os.Getpid()&1]; func() { defer func() { recover() }(); f := e.greet; showIf("in"); f(); showIf("called") }()`, []string{"in if not e.greet panics", "called if not e.greet panics if not f panics"}},
	{"append of unknown elements, which has room", `func() { defer func() { recover() }(); _ = append([]byte{}, make([]byte, os.Getpid())...); showIf("in") }()`, []string{"in if not make([]byte, os.Getpid()) panics"}},
	{"append of unknown elements without a size", `l := make([]struct{}, os.Getpid()); func() { defer func() { recover() }(); _ = append([]struct{}{}, l...); showIf("in") }()`, []string{"in if not append([]struct{}{}, l...) panics"}},
	{"append of elements without a size to unknown ones", `l := make([]struct{}, os.Getpid()); func() { defer func() { recover() }(); _ = append(l, struct{}{}); showIf("in") }()`, []string{"in if not append(l, struct{}{}) panics"}},
	{"goto out of a loop over a function that may not yield", "func() { for range func(yield func(int) bool) { if maybe(2) { yield(1) } } { goto out }; showIf(\"rest\")\nout: showIf(\"out\") }()", []string{"out if maybe(2)", "rest if maybe(2)", "out if maybe(2)"}},
	{"yield in a loop over a function that may not yield", `func() { for range func(yield func(int) bool) { for range func(y2 func(int) bool) { if maybe(2) { y2(1) } } { if !yield(3) { return } } } { return }; showIf("rest") }()`, []string{"rest if maybe(2)"}},
	{"return in the inner one of two loops over a function", `func() { s := func(yield func(int) bool) { if maybe(2) { yield(1) } }; for range s { for range s { return } ; showIf("inner") }; showIf("rest") }()`, []string{"inner if maybe(2)", "rest if maybe(2)"}},
	{"an error that the body of a loop over a function returns", `load := func() (int, error) { if maybe(1) { return 0, errors.New("x") }; return 4, nil }; f := func() (int, error) { for range func(yield func(int) bool) { yield(1) } { n, err := load(); if err != nil { return 0, err }; return n, nil }; return 9, nil }; n, err := f(); if err != nil { os.Exit(1) }; showIf(n)`, []string{"4"}},
	{"an error that ends a loop over a function", `load := func() (int, error) { if maybe(1) { return 0, errors.New("x") }; return 4, nil }; f := func() (int, error) { t := 0; for range func(yield func(int) bool) { yield(1) } { n, err := load(); if err != nil { return 0, err }; t += n }; return t, nil }; n, err := f(); if err != nil { os.Exit(1) }; showIf(n)`, []string{"4"}},
	{"an error that a loop over a function passes over", `load := func() (int, error) { if maybe(1) { return 0, errors.New("x") }; return 4, nil }; t := 0; for range func(yield func(int) bool) { yield(1) } { n, err := load(); if err != nil { continue }; t += n; showIf("in") }; showIf(t)`, []string{"in if maybe(1)", "unknown: a value that depends on the condition maybe(1), and so on the result of os.Getpid()"}},
	{"an error that is looked at after a loop over a function", `load := func() (int, error) { if maybe(1) { return 7, errors.New("x") }; return 4, nil }; var n int; var err error; for range func(yield func(int) bool) { yield(1) } { n, err = load() }; if err != nil { os.Exit(1) }; showIf(n)`, []string{"unknown: a value that depends on the condition maybe(1), and so on the result of os.Getpid()"}},
	{"an exit in a loop over a function that may not yield", `for range func(yield func(int) bool) { if maybe(2) { yield(1) } } { os.Exit(1) }; showIf("rest")`, []string{"rest"}},
	{"a function that exits after the body has left", `func() { for range func(yield func(int) bool) { if maybe(2) { if !yield(1) { os.Exit(1) } } } { return }; showIf("rest") }(); showIf("after")`, []string{"rest if maybe(2)", "after"}},
	{"a function that may be called", `func() { ok := true; each := func(f func(int) bool) { if maybe(2) { f(1) } }; each(func(int) bool { ok = false; return false }); if !ok { return }; showIf("rest") }()`, []string{"rest if !ok"}},
	{"goto out of a loop over a function", "func() { for range func(yield func(int) bool) { yield(1) } { goto out }; showIf(\"rest\")\nout: showIf(\"out\") }()", []string{"out"}},
	{"goto under a condition out of a loop over a function", "func() { for range func(yield func(int) bool) { yield(1) } { if maybe(1) { goto out } }; showIf(\"rest\")\nout: showIf(\"out\") }()", []string{"out if maybe(1)", "rest if maybe(1)", "out if maybe(1)"}},
	{"a list of unknown room of a package that is appended to", `showIf(longerList[0])`, []string{"unknown: a slice whose array another one may share, as its capacity isn't known"}},
	{"a list of unknown room that another variable gets longer", `s := make([]int, 0, os.Getpid()); var a []int; a = append(s, 1); s = append(s, 2); _ = s; showIf(a[0])`, []string{"unknown: a slice whose array another one may share, as its capacity isn't known"}},
	{"what a method of an interface writes deep in a recursion", `walk(1); showIf(visited)`, []string{"unknown: a value that a recursion which is too deep to follow may have changed"}},
	{"a variable of the package that a goroutine waits for", `go func() { for { runtime.Gosched(); if late == "b" { showIf("seen"); return } } }(); late = "b"`, []string{`seen if late == "b" if waited for`}},
	{"a variable of the package that only another goroutine has looked at", `c := make(chan bool); go func() { showIf(visited); c <- true }(); visited = 5; <-c`, []string{"unknown: a value that may change while the goroutine of main.go:103 runs"}},
	{"a variable of the package that another goroutine looks at", `c := make(chan bool); go func() { showIf(late); c <- true }(); late = "b"; <-c`, []string{"unknown: a value that may change while the goroutine of main.go:103 runs"}},
	{"a result of a return before a panic that is recovered", `n := func() (n int) { defer func() { recover() }(); if maybe(1) { return 1 }; n = 1; panic("x") }(); showIf(n)`, []string{"1"}},
	{"one result of two returns before a panic that is recovered", `n := func() int { defer func() { recover() }(); if maybe(1) { return 1 }; if maybe(2) { return 1 }; panic("x") }(); showIf(n)`, []string{"unknown: a value that depends on the condition maybe(1), and so on the result of os.Getpid()"}},
	{"the order of a send", `c := func() chan string { showIf("channel"); return make(chan string, 1) }; v := func() string { showIf("value"); return "" }; c() <- v()`, []string{"channel", "value"}},
	{"an unknown value and an interface that is nil", `var e any; v := any(os.Getpid()); showIf(v == nil); showIf(v == e); showIf(e == v); showIf(os.Getpid() == e); p := []*int{nil, new(int)}[os.Getpid()&1]; showIf(p == e); showIf(e == p); showIf(p == nil)`, []string{"false", "false", "false", "false", "false", "false", "unknown: the result of os.Getpid()"}},
	{"continue in the first round", `for i := range 2 { if i == 0 { if maybe(1) { continue } }; showIf(i) }`, []string{"0 if maybe(1)", "1"}},
	{"a result of a return before another branch and a panic that is recovered", `x := 0; n := func() int { defer func() { recover() }(); if maybe(1) { return 1 }; if maybe(2) { x++ }; panic("x") }(); showIf(n)`, []string{"unknown: a value that depends on the condition maybe(1), and so on the result of os.Getpid()"}},
	{"what a recursion writes deep through its argument", `var f func(*int, int); f = func(p *int, n int) { if maybe(n) { if n > 1000 { *p = 5 }; f(p, n + 1) } }; x := 0; f(&x, 1); showIf(x)`, []string{"unknown: the result of a recursion that is too deep to follow"}},
	{"what a function value writes deep in a recursion", `x := 0; g := func(n int) { if n > 1000 { x = 5 } }; var f func(int); f = func(n int) { if maybe(n) { g(n); f(n + 1) } }; f(1); showIf(x)`, []string{"unknown: a value that a recursion which is too deep to follow may have changed"}},
	{"what a function writes deep in a recursion that a variable holds", `g := setVisited; var f func(int); f = func(n int) { if maybe(n) { g(n); f(n + 1) } }; f(1); showIf(visited)`, []string{"unknown: a value that a recursion which is too deep to follow may have changed"}},
	{"what a method expression writes deep in a recursion", `g := first.put; var f func(int); f = func(n int) { if maybe(n) { g(first{}, n); f(n + 1) } }; f(1); showIf(visited)`, []string{"unknown: a value that a recursion which is too deep to follow may have changed"}},
	{"what a function of sync.OnceFunc writes deep in a recursion", `x := 0; once := sync.OnceFunc(func() { x = 5 }); var f func(int); f = func(n int) { if maybe(n) { if n > 1000 { once() }; f(n + 1) } }; f(1); showIf(x)`, []string{"unknown: a value that a recursion which is too deep to follow may have changed"}},
	{"what another method of the name doesn't write in a recursion", `var f func(int); f = func(n int) { if maybe(n) { only{}.greet(); f(n + 1) } }; f(1); showIf(visited)`, []string{"0"}},
	{"what a method of another name doesn't write in a recursion", `walk(1); showIf(late)`, []string{"a"}},
	{"a recursion that is too deep", `var f func(int); f = func(n int) { showIf(n); if maybe(n) { f(n + 1) } }; f(1)`, []string{"1", "2 if maybe(n)", "3 if maybe(n)", "4 if maybe(n)", "5 if maybe(n)"}},
	{"a recursion under one condition", `var f func(int) int; f = func(n int) int { if n == 0 { return 0 }; return f(n - 1) }; if maybe(1) { showIf(f(6)) }`, []string{"unknown: the result of a recursion that is too deep to follow if maybe(1)"}},
	{"a variable that a goroutine sees by sync.OnceFunc", `x := 0; once := sync.OnceFunc(func() { showIf(x) }); c := make(chan bool); go func() { once(); close(c) }(); x = 5; <-c`, []string{"unknown: a value that may change while the goroutine of main.go:103 runs"}},
	{"a variable that a goroutine sees by the body of a loop over a function", `x := 0; c := make(chan bool); for range func(yield func(int) bool) { go func() { yield(1); close(c) }(); x = 5; <-c } { showIf(x) }`, []string{"unknown: a value that may change while the goroutine of main.go:103 runs"}},
	{"a function of sync.OnceFunc that a goroutine calls first", `x := 0; once := sync.OnceFunc(func() { x++ }); c := make(chan bool); go func() { once(); close(c) }(); <-c; once(); showIf(x)`, []string{"1"}},
	{"a function of sync.OnceFunc that a goroutine calls meanwhile", `x := 0; once := sync.OnceFunc(func() { x++ }); c := make(chan bool); go func() { once(); close(c) }(); once(); <-c; showIf(x)`, []string{"unknown: a value that may change while the goroutine of main.go:103 runs"}},
	{"a long call of the library that starts a goroutine", `n := 0; slices.IndexFunc(make([]int, 40000), func(int) bool { if n == 0 { n = 1; go showIf("g") }; return false }); showIf(n)`, []string{"unknown: a value that depends on the condition slices.IndexFunc calls the function it is given", "g if slices.IndexFunc calls the function it is given if waited for", "g if slices.IndexFunc calls the function it is given if waited for"}},
	{"a long call of the library that shows", `n := 0; slices.IndexFunc(make([]int, 40000), func(int) bool { if n == 0 { n = 1; showIf("in") }; return false }); showIf(n)`, []string{"in if slices.IndexFunc calls the function it is given", "in if slices.IndexFunc calls the function it is given", "unknown: a value that depends on the condition slices.IndexFunc calls the function it is given"}},
	{"an unknown pointer in an interface isn't nil", `p := []*int{nil, new(int)}[os.Getpid()&1]; showIf(any(p) == nil); var e any; showIf(e == any(p))`, []string{"false", "false"}},
	{"a variable in the clauses of a switch", `m := maybe(1); switch { case m: showIf(m); case maybe(2): showIf(!m) }`, []string{"true if m", "true if m"}},
	{"what a function writes later that one for the library calls", `n := 1; runtime.AddCleanup(new(int), func(int) { setVisited(n) }, 0); showIf(visited); n = 2000; runtime.GC(); showIf(visited)`, []string{"0", "unknown: a value that depends on the condition code that isn't read calls the function it is given"}},
	{"an exit where the source of the library tells that it comes", `if slices.ContainsFunc([]int{1}, func(n int) bool { return n == 1 }) { os.Exit(1) }; showIf("never")`, nil},
	{"an exit by the choice of a select", `a, b := make(chan int, 1), make(chan int, 1); a <- 1; b <- 1; select { case <-a: os.Exit(1); case <-b: }; showIf("rest")`, []string{"rest"}},
	{"a method of an interface that a struct embeds", `x := struct{ greeter }{only{}}; showIf(x.greet()); f := x.greet; x.greeter = loud{}; showIf(f())`, []string{"only", "only"}},
	{"a text that is an operand of an interface", `x := "a"; f := func(v any, _ int) { showIf(v) }; f(x, func() int { x = "b"; return 1 }())`, []string{"b"}},
	{"a number of two bytes that is an operand of an interface", `x := int16(1); f := func(v any, _ int) { showIf(v) }; f(x, func() int { x = 2; return 1 }())`, []string{"2"}},
	{"three numbers that are an operand of an interface", `x := [3]int{1}; f := func(v any, _ int) { showIf(v.([3]int)[0]) }; f(x, func() int { x[0] = 2; return 1 }())`, []string{"unknown: the variable that a call in the same statement changes"}},
	{"products that one factor decides", `n := os.Getpid(); showIf(0 * n); showIf(n * 0); showIf(1 * n); showIf(n * 1)`, []string{"0", "0", "unknown: the result of os.Getpid()", "unknown: the result of os.Getpid()"}},
	{"the larger of a number and one that isn't known", `n := float64(os.Getpid()); showIf(max(n, 1.5)); showIf(max(1.5, n))`, []string{"unknown: the result of os.Getpid()", "unknown: the result of os.Getpid()"}},
	{"an unknown part of an array without elements", `var a [0]int; s := a[:os.Getpid()]; showIf(len(s))`, []string{"unknown: the result of os.Getpid()"}},
	{"an else branch that ends where a text is another", `if os.Getenv("A") == "x" { showIf("then") } else { os.Exit(1) }; showIf("rest")`, []string{"then", "rest"}},
	{"a channel to which nothing more is sent", `c := make(chan int, 1); go func() { c <- 1 }(); showIf(<-c); _, ok := <-c; showIf(ok)`, []string{"1", "unknown: a value received from the channel c"}},
	{"a struct of one slice that is an operand of an interface", `type one struct{ s []int }; x := one{[]int{1}}; f := func(v any, _ int) { showIf(v.(one).s[0]) }; f(x, func() int { x = one{[]int{2}}; return 1 }())`, []string{"2"}},
	{"a struct of two fields that is an operand of an interface", `type two struct{ s []int; n int }; x := two{[]int{1}, 1}; f := func(v any, _ int) { showIf(v.(two).s[0]) }; f(x, func() int { x = two{[]int{2}, 1}; return 1 }())`, []string{"unknown: the variable that a call in the same statement changes"}},
	{"a method of an interface that two types implement", `showIf(asGiven(1, alsoOf[int]{}).greet())`, []string{"unknown: the result of asGiven(1, alsoOf[int]{}).greet(), and so on the result of a recursion that is too deep to follow"}},
	{"a type switch on one of several values", `v := []any{only{}, loud{}, 1}[os.Getpid()%3]; switch w := v.(type) { case only: showIf(w.greet()); case loud, int: showIf(w == any(1)) }`, []string{"only if v", "unknown: the result of os.Getpid() if v"}},
	{"a type switch on one of several values, by two types", `v := []greeter{only{}, alsoOf[int]{}, loud{}}[os.Getpid()%3]; switch w := v.(type) { case only, alsoOf[string]: showIf(w.greet()); case loud: showIf("loud") }`, []string{"unknown: the result of w.greet(), and so on the result of os.Getpid() if v", "loud if v"}},
	{"a text in the case of a switch", `s := os.Getenv("A"); switch s { case "x": showIf(s); case "y", "z": showIf(s) }`, []string{`unknown: the result of os.Getenv("A") if s`, "x if s"}},
	{"a send that nobody receives", `c := make(chan int); func() { defer func() { recover() }(); c <- 1 }(); showIf("never")`, nil},
	{"a case that panics after one that may hold", `s := "a"; list := []int{}; func() { defer func() { recover() }(); switch os.Getpid() { case 1: case list[0]: s = "c" }; s = "b" }(); showIf(s)`, []string{"unknown: a value that depends on the condition os.Getpid(), and so on the result of os.Getpid()"}},
	{"a comparison that panics after one that may hold", `s := "a"; var list any = []int{}; func() { defer func() { recover() }(); switch any(list) { case os.Getenv("A") + "a": case list: s = "c" }; s = "b" }(); showIf(s)`, []string{"a"}},
	{"an expression that panics in a case after another one", `s := "a"; n := 0; func() { defer func() { recover() }(); switch os.Getpid() { case 1, 7 / n: }; s = "b" }(); showIf(s)`, []string{"unknown: a value that depends on the condition os.Getpid(), and so on the result of os.Getpid()"}},
	{"a complex number that may be minus zero", `z := complex(float64(os.Getpid()), 0); if z == 0 { showIf(real(z)) }`, []string{"unknown: the result of os.Getpid() if z == 0"}},
	{"a complex number that isn't known", `z := complex(float64(os.Getpid()), 0); showIf(z + 1i); showIf(1i + z); showIf(z == z+0)`, []string{"unknown: the result of os.Getpid()", "unknown: the result of os.Getpid()", "unknown: the result of os.Getpid()"}},
	{"a key that may not be comparable", `m := map[any]int{}; k := []any{1, []int{1}}[os.Getpid()&1]; func() { defer func() { recover() }(); m[k] = 1; showIf("in") }()`, []string{"in if not m[k] panics if not m[k] panics"}},
	{"a key of a struct that may not be comparable", `type key struct{ v any }; m := map[key]int{}; k := key{[]any{1, []int{1}}[os.Getpid()&1]}; func() { defer func() { recover() }(); _ = m[k]; showIf("in") }()`, []string{"in if not m[k] panics"}},
	{"two returns in a loop after which nothing follows", `func() { func() { for { if maybe(1) { return }; if maybe(2) { return } } }(); showIf("rest") }(); showIf("after")`, []string{"rest", "after"}},
	{"two breaks by which a loop ends", `func() { L: for { for { if maybe(1) { break L }; if maybe(2) { break L } } }; showIf("rest") }(); showIf("after")`, []string{"rest", "after"}},
	{"remainders that one side decides", `n := os.Getpid(); showIf(0 % (n*2 + 1)); showIf(n % 1); showIf(n % -1); showIf(n % 2); showIf(n % 0x10 % 1)`, []string{"0", "0", "0", "unknown: the result of os.Getpid()", "0"}},
	{"an error that is one of those that are known", `load := func() error { if maybe(1) { return os.ErrNotExist }; if maybe(2) { return errors.New("x") }; return nil }; err := load(); if errors.Is(err, os.ErrNotExist) { showIf(err == nil) }`, []string{"false if maybe(1) if not maybe(1)"}},
	{"an unknown error that is nil or another", `_, err := os.Open("x"); var none error; if errors.Is(err, none) { showIf(err == nil) }; if errors.Is(err, os.ErrNotExist) { showIf(err == nil) }`, []string{`unknown: the result of os.Open("x") if errors.Is(err, none)`, "false if errors.Is(err, os.ErrNotExist)"}},
	{"a variable of the environment that is read twice", `a := os.Getenv("A"); showIf(os.Getenv("A") == a); os.Setenv(a, "x"); showIf(os.Getenv("A") == a)`, []string{"true", `unknown: the result of os.Getenv("A")`}},
	{"a variable of the environment that other code may set", `a := os.Getenv("A"); os.Chdir("/"); showIf(os.Getenv("A") == a); runtime.GC(); f := slices.Max(os.Args); showIf(os.Getenv("A") == a); _ = f`, []string{"true", `unknown: the result of os.Getenv("A")`}},
	{"a field behind an embedded pointer that isn't known", `type in struct{ N int }; type out struct{ *in }; o := []*out{{&in{}}, {&in{}}}[os.Getpid()&1]; o.N = 5; showIf(o.N); showIf(o.in.N)`, []string{"unknown: the result of os.Getpid()", "unknown: the result of os.Getpid()"}},
	{"a field of a pointer that isn't known", `f, _ := os.Open("x"); p := &struct{ f *os.File }{f}; showIf(p.f == f); showIf(p.f == nil)`, []string{`unknown: the result of os.Open("x")`, `unknown: the result of os.Open("x")`}},
	{"a number of one byte that is an operand of an interface", `x := int8(1); f := func(v any, _ int) { showIf(v) }; f(x, func() int { x = 2; return 1 }())`, []string{"unknown: the variable that a call in the same statement changes"}},
	{"a number of four bytes that is an operand of an interface", `x := int32(1); f := func(v any, _ int) { showIf(v) }; f(x, func() int { x = 2; return 1 }())`, []string{"2"}},
	{"a number of eight bytes that is an operand of an interface", `x := int64(1); f := func(v any, _ int) { showIf(v) }; f(x, func() int { x = 2; return 1 }())`, []string{"2"}},
	{"a word that may not be there", `func() { defer func() { recover() }(); _ = os.Args[1]; showIf("in") }()`, []string{"in if not os.Args[1] panics"}},
	{"a word that is there", `func() { defer func() { recover() }(); _ = os.Args[0]; showIf("in") }(); if len(os.Args) > 2 { func() { defer func() { recover() }(); _ = os.Args[2]; showIf("in") }() }`, []string{"in", "in if len(os.Args) > 2 if not os.Args[2] panics"}},
	{"a loop over one of two numbers", `n := 1; if maybe(1) { n = 2 }; for i := range n { showIf(i) }`, []string{"0 if n", "1 if n", "0 if n"}},
	{"a loop over one of two texts", `s := "a"; if maybe(1) { s = "bc" }; for _, c := range s { showIf(c) }`, []string{"98 if s", "99 if s", "97 if s"}},
	{"a loop over one of two slices", `l := []string{"a"}; if maybe(1) { l = []string{"b", "c"} }; for _, c := range l { showIf(c) }`, []string{"b if l", "c if l", "a if l"}},
	{"a loop over one of two maps", `m := map[string]int{"a": 1}; if maybe(1) { m = map[string]int{"b": 1} }; for k := range m { showIf(k) }`, []string{"unknown: a value that depends on the condition maybe(1), and so on the result of os.Getpid() if m"}},
	{"a place that panics whether a call fails or not", `load := func() (int, error) { if maybe(1) { return 0, errors.New("x") }; return 4, nil }; func() { defer func() { recover(); showIf("recovered") }(); var m map[string]int; var err error; m["a"], err = load(); showIf(err == nil) }()`, []string{"recovered if maybe(1) if not maybe(1) if not maybe(1)", "recovered if maybe(1) if not maybe(1) if not maybe(1)"}},
	{"a method of what a struct that isn't known embeds", `o := []*tallied{{}, {}}[os.Getpid()&1]; o.inc(); showIf(o.n); h := tallied{}; showIf(h.n)`, []string{"unknown: the result of os.Getpid()", "0"}},
	{"a method of what one of two structs embeds", `a, b := &tallied{}, &tallied{}; o := a; if maybe(1) { o = b }; o.inc(); showIf(a.n); showIf(b.n); showIf(o.n)`, []string{"unknown: a value that depends on the condition maybe(1), and so on the result of os.Getpid()", "unknown: a value that depends on the condition maybe(1), and so on the result of os.Getpid()", "unknown: a value that depends on the condition maybe(1), and so on the result of os.Getpid()"}},
	{"a type switch that surely has a case after one that it may have", `v := []any{only{}, 1}[os.Getpid()&1]; switch w := v.(type) { case greeter: showIf(w.greet()); case any: showIf(w == nil); default: showIf("never") }`, []string{"unknown: the result of w.greet(), and so on the result of os.Getpid() if v", "unknown: the result of os.Getpid() if v", "never if v"}},
	{"what is received from one of two channels", `n := 1; c := make(chan *int, 1); c <- &n; d := c; if maybe(1) { d = make(chan *int) }; p := <-d; *p = 5; showIf(n)`, []string{"unknown: a value received from the channel d"}},
	{"what is received from a channel that isn't known", `n := 1; c := make(chan *int, 1); c <- &n; cs := []chan *int{c, make(chan *int, 1)}; i := os.Getpid() & 1; p := <-cs[i]; *p = 5; showIf(n)`, []string{"unknown: a value received from the channel cs[i]"}},
	{"a wait group that another one may have counted down", `var w sync.WaitGroup; w.Add(1); c := make(chan int); go func() { w.Done(); close(c) }(); func() { defer func() { recover() }(); w.Done(); showIf("in") }(); <-c`, []string{"in if not w.Done panics"}},
	{"a case behind a call that changes what is compared", `s := os.Getenv("A"); f := func() string { s = "b"; return "y" }; switch s { case f(): showIf(s); case "x": showIf(s) }`, []string{"b if s", "b if s"}},
	{"a value that may have another type, in a switch of two types", `var v any = 1; if maybe(1) { v = "a" }; switch v.(type) { case int, string: showIf("one"); default: showIf("never") }`, []string{"one"}},
	{"what one of two functions returns", `f := func() (int, string) { showIf("f"); return 1, "a" }; if maybe(1) { f = func() (int, string) { showIf("g"); return 2, "a" } }; n, s := f(); showIf(n); showIf(s)`, []string{"g if f", "f if f", "unknown: a value that depends on the condition f, and so on the result of os.Getpid()", "a"}},
	{"a number that each round of a loop changes", `for n := 0; maybe(1); n++ { showIf(n) }`, []string{"0 if maybe(1)", "1 if maybe(1)", "2 if maybe(1)", "unknown: a value that changes in a loop over maybe(1), and so on the result of os.Getpid() if maybe(1)"}},
	{"what a method of a nil pointer in an interface panics with", `func() { defer func() { e := recover(); showIf(e != nil); showIf(e) }(); var n greeter = (*only)(nil); n.greet() }()`, []string{"true", "unknown: a panic of n.greet()"}},
	{"what follows a loop over a function that may call its body", `for range func(yield func(int) bool) { if maybe(1) { yield(1) } } { showIf("in") }; showIf("after")`, []string{"in if maybe(1)", "after"}},
	{"what follows a loop over a function whose body may return", `for range func(yield func(int) bool) { if maybe(1) { yield(1) } } { showIf("in"); if maybe(2) { return } }; showIf("after")`, []string{"in if maybe(1)", "after if maybe(2)"}},
	{"room of one of two slices", `xs, ys := make([]string, 1, 2), make([]string, 1, 2); zs := xs; if maybe(1) { zs = ys }; zs = append(zs, "a"); showIf(xs[:2][1])`, []string{"unknown: a value that depends on the condition zs, and so on the result of os.Getpid()"}},
	{"a method of one of two values", `var g greeter = only{}; if maybe(1) { g = loud{} }; showIf(g.greet()); showIf(visited)`, []string{"unknown: a value that depends on the condition g.greet, and so on the result of os.Getpid()", "unknown: a value that depends on the condition g.greet, and so on the result of os.Getpid()"}},
}

func TestEvaluator_FollowsEachWay(t *testing.T) {
	for _, test := range ways {
		t.Run(test.name, func(t *testing.T) {
			body := []struct{ name, body string }{{test.name, test.body}}
			source := libraryProgram([]string{"errors", "fmt", "os", "runtime", "slices", "sync"}, waysDeclarations, body, 0, 1)
			require.Equal(t, append([]string{"# " + test.name}, test.want...), evaluate(t, source).shown)
		})
	}
}

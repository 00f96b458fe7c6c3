package discover_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/diagnostic"
)

// No program makes the analysis panic, run for long or give two answers. A
// source of the fuzzer's own is taken as it is, with its type errors; bytes after
// an "m" change a golden module's; all others choose a generated program.
func FuzzRoutes(f *testing.F) {
	originals := goldens(f)
	for i := 0; i < len(originals); i += 10 { // package service reads them all
		f.Add([]byte(originals[i]))
	}
	for _, source := range endless {
		f.Add([]byte("package main\n\nimport \"github.com/warrenmq/warren/runtime\"\n\nvar router = runtime.NewRouter()\n\n" + source))
	}
	for i := range byte(20) {
		f.Add([]byte(strings.Repeat(string([]byte{i, 7 * i, 13, 3 + i}), 40)))
	}
	for i := 0; i < len(originals); i += 2 {
		f.Add([]byte{'m', byte(i / 256), byte(i), 1, 40, 9, 0, 30, 3})
	}
	b := newBench(f)
	b.lenient = true
	f.Fuzz(func(t *testing.T, data []byte) {
		source := string(data)
		switch {
		case strings.HasPrefix(source, "package "):
		case strings.HasPrefix(source, "m") && len(data) > 2:
			source = changed(originals[(int(data[1])*256+int(data[2]))%len(originals)], data[3:])
		default:
			source = generated(data)
		}
		ctx := &calledOff{Context: t.Context()}
		first, err := b.routes(ctx, source)
		if err != nil {
			return
		}
		require.Less(t, ctx.asked, lastAsked)
		for _, d := range first.Diagnostics {
			require.NotEqual(t, diagnostic.InternalError, d.Code, d.String())
		}
		again, err := b.routes(ctx, source)
		require.NoError(t, err)
		if ctx.Err() != nil {
			return // given up, the second time at once
		}
		require.Equal(t, fmt.Sprint(first.Diagnostics), fmt.Sprint(again.Diagnostics))
		require.Len(t, again.Routes, len(first.Routes))
		for i, route := range first.Routes {
			require.Equal(t, route.Name, again.Routes[i].Name)
			require.Equal(t, route.Queue, again.Routes[i].Queue)
		}
	})
}

// changed deletes, repeats and swaps lines of a source; three bytes are a
// change.
func changed(source string, data []byte) string {
	lines := strings.SplitAfter(source, "\n")
	for ; len(data) >= 3; data = data[3:] {
		i, j := int(data[1])%len(lines), int(data[2])%len(lines)
		switch data[0] % 4 {
		case 0:
			lines[i] = ""
		case 1:
			lines[i] += lines[i]
		case 2:
			lines[i], lines[j] = lines[j], lines[i]
		default:
			lines[i] += lines[j]
		}
	}
	return strings.Join(lines, "")
}

func generated(data []byte) string {
	g := &generator{world: len(data)%2 == 0, next: func(n int) int {
		if len(data) == 0 {
			return 0
		}
		b := data[0]
		data = data[1:]
		return int(b) % n
	}}
	return g.sample("p").source()
}

// endless lists programs that take unbounded steps, depth or memory.
var endless = []string{
	"func main() { for { } }",
	"func main() { for i := 0; ; i++ { } }",
	"func main() { main() }",
	"func a() { b() }\nfunc b() { a() }\nfunc main() { a() }",
	"func f(n int) int { return f(n-1) + f(n-2) }\nfunc main() { f(100) }",
	"func main() { s := \"x\"; for { s += s } }",
	"func main() { s := \"x\"; for { s += \"y\" } }",
	"func main() { var s []int; for { s = append(s, s...); s = append(s, 1) } }",
	"func main() { for { _ = make([]int, 60000) } }",
	"func main() { var a [1 << 30]int; a[1] = 2; _ = a }",
	"func main() { var a [60000]int; for { b := a; _ = b } }",
	"func main() { var a [200][200][200]int; _ = a }",
	"type t struct { a, b [30000]int }\nfunc main() { m := map[int]t{}; for i := 0; ; i++ { m[i] = t{} } }",
	"func main() { m := map[string]int{}; for i := 0; ; i++ { m[string(rune(i))]++ } }",
	"func main() { x := 1; for { x = x<<1 | x } }",
	"type l struct { next *l }\nfunc main() { var h *l; for { h = &l{h} } }",
	"type l struct { next *l }\nfunc (x *l) n() int { return 1 + x.next.n() }\nfunc main() { x := &l{}; x.next = x; _ = x.n() }",
	"func main() { l: goto l }",
	"func main() { var f func(); f = func() { defer f(); panic(1) }; f() }",
	"func main() { var f func(int); f = func(n int) { defer func() { recover(); f(n+1) }(); panic(n) }; f(0) }",
	"func f(c chan bool) { if <-c { f(c) }; if <-c { f(c) }; if <-c { f(c) } }\nfunc main() { f(make(chan bool)) }",
	"func main() { c := make(chan bool); n := 0; for <-c { for <-c { for <-c { for <-c { n++ } } } }; _ = n }",
	"func main() { c := make(chan bool); for i := 0; i < 1000; i++ { if <-c { return } } }",
	"func main() { c := make(chan bool); var s []int; for i := 0; i < 100000; i++ { if <-c { s = append(s, i); continue }; s = append(s, 2) } }",
	"func f[T any]() { }\nfunc main() { for { f[int]() } }",
	"type i interface { m() i }\ntype t struct { i }\nfunc (x t) m() i { return t{x} }\nfunc main() { var x i = t{}; for { x = x.m() } }",
	"func main() { for i := range 1 << 40 { _ = i } }",
	"func main() { a := [...]any{1, 2}; for { a[0] = a; if a[1] == a[0] { break } } }",
	"type s struct { a any }\nfunc main() { x := s{}; for { x = s{x} } }",
	"type s struct { a any }\nfunc main() { x := s{}; for i := 0; i < 100000; i++ { x = s{x} }; println(x == x) }",
	"func main() { var a any; for { a = &a } }",
	"func main() { f := func() {}; for { g := f; f = func() { g(); g() }; f() } }",
}

// Every one of them counts its steps, and so ends when the analysis is called
// off.
func TestRoutes_GivesUpProgramsWithoutEnd(t *testing.T) {
	b := newBench(t)
	for i, source := range endless {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			ctx := &calledOff{Context: t.Context()}
			_, err := b.routes(ctx, "package main\n\nimport \"github.com/warrenmq/warren/runtime\"\n\nvar router = runtime.NewRouter()\n\n"+source)
			require.NoError(t, err, source)
			require.Less(t, ctx.asked, lastAsked)
		})
	}
}

// calledOff is a context that is called off when the analysis has asked often enough
// whether it is: it does so by its steps, whatever the machine.
type calledOff struct {
	context.Context
	asked int
}

// The analysis asks every few thousand steps. Called off, it ends: it asks no more than
// a few times again, for the parts of the program that are left.
const (
	offAfter  = 30
	lastAsked = offAfter + 100
)

func (c *calledOff) Err() error {
	if c.asked++; c.asked > offAfter {
		return context.Canceled
	}
	return nil
}

package eval_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What the bodies of TestEvaluator_WritesThroughUnknownReferences begin with: references
// that are one of two, and memory that unread code has.
const references = `package plain

import (
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"unsafe"
)

var _ unsafe.Pointer
var _ sync.Once

type counter struct{ n int }

func (c *counter) add() { c.n++ }

type adder interface{ add() }

type pair struct {
	counter
	c    counter
	m    map[string]int
	l    []int
	once sync.Once
}

func oneOf[T any](a, b T) T {
	if os.Getpid() > 1 {
		return b
	}
	return a
}

func unread(v any) { json.Unmarshal([]byte(os.Getenv("X")), v) }

`

// A write through a reference that isn't known exactly is a write to each thing that it
// may be. None of these is what it was before the write.
func TestEvaluator_WritesThroughUnknownReferences(t *testing.T) {
	for _, test := range []struct{ name, body string }{
		{"delete from one of two maps", `a := map[string]int{"x": 1}; delete(oneOf(a, map[string]int{}), "x"); _, ok := a["x"]; show(ok); show(len(a)); show(a["x"])`},
		{"clear one of two maps", `a := map[string]int{"x": 1}; clear(oneOf(a, map[string]int{})); _, ok := a["x"]; show(ok); show(len(a))`},
		{"delete of an unknown key", `a := map[int]int{1: 2}; delete(a, os.Getpid()); _, ok := a[1]; show(ok); show(len(a))`},
		{"delete from a map of one of two structs", `a, b := &pair{m: map[string]int{"x": 1}}, &pair{}; delete(oneOf(a, b).m, "x"); _, ok := a.m["x"]; show(ok)`},
		{"delete from a map of unread code", `a := map[string]int{}; var m map[string]map[string]int; unread(&struct{ M any }{a}); unread(&m); a["x"] = 1; delete(m["m"], "x"); _, ok := a["x"]; show(ok)`},
		{"clear a map of unread code", `a := map[string]int{}; var m map[string]map[string]int; unread(&struct{ M any }{a}); unread(&m); a["x"] = 1; clear(m["m"]); _, ok := a["x"]; show(ok)`},
		{"copy to one of two slices", `a := []int{1}; copy(oneOf(a, []int{2}), []int{3}); show(a[0])`},
		{"copy to a slice of unread code", `a := make([]int, 0, 4); var l [][]int; unread(&struct{ L any }{a}); unread(&l); b := append(a, 1); copy(l[0], []int{3}); show(b[0])`},
		{"append to one of two slices", `a := make([]int, 0, 2); _ = append(oneOf(a, make([]int, 0, 2)), 3); show(a[:1][0])`},
		{"append to the slice of one of two structs", `a, b := &pair{l: make([]int, 0, 4)}, &pair{l: make([]int, 0, 4)}; c := append(a.l, 1); _ = append(oneOf(a, b).l, 3); show(c[0])`},
		{"append to a slice of unread code", `a := make([]int, 0, 4); var l [][]int; unread(&struct{ L any }{a}); unread(&l); b := append(a, 1); _ = append(l[0], 3); show(b[0])`},
		{"receive from one of two channels", `a := make(chan int, 2); a <- 1; a <- 2; <-oneOf(a, make(chan int, 2)); show(<-a)`},
		{"range over one of two channels", `a := make(chan int, 2); a <- 1; a <- 2; for range oneOf(a, make(chan int, 2)) { break }; show(<-a)`},
		{"send to one of two channels", `a := make(chan int, 2); oneOf(a, make(chan int, 2)) <- 1; a <- 2; show(<-a)`},
		{"close one of two channels", `a := make(chan int, 2); a <- 1; close(oneOf(a, make(chan int, 2))); <-a; _, ok := <-a; show(ok)`},
		{"a pointer that was sent to a channel of unknown size", `a := make(chan any, os.Getpid()); x := 1; a <- &x; a <- a; p := <-a; x = 2; if q, ok := p.(*int); ok { *q = 3 }; show(x)`},
		{"a pointer in one of two slices", `x := 1; a := []*int{&x}; copy(oneOf(a, []*int{nil}), []*int{new(int)}); x = 1; *a[0] = 5; show(x)`},
		{"a pointer in one of two maps", `x := 1; a := map[string]*int{"p": &x}; oneOf(a, map[string]*int{})["q"] = new(int); x = 1; if p := a["p"]; p != nil { *p = 5 }; show(x)`},
		{"a pointer under a key that isn't known", `x := 1; a := map[int]*int{}; a[os.Getpid()] = &x; if p := a[1]; p != nil { *p = 5 }; show(x)`},
		{"a pointer under a key of an unknown part", `type key struct{ a, b int }; x := 1; a := map[key]*int{{1, 2}: &x}; if p := a[key{1, os.Getpid()}]; p != nil { *p = 5 }; show(x)`},
		{"a part of a slice of unread code", `a := []int{1}; var l [][]int; unread(&struct{ L any }{a}); unread(&l); a[0] = 1; n := oneOf(0, 1); l[0][n:][0] = 5; show(a[0])`},
		{"a key that another goroutine deletes", `a, found, done := map[string]int{"x": 1}, false, make(chan bool); go func() { _, found = a["x"]; done <- true }(); delete(a, "x"); <-done; show(found)`},
		{"a method of one of two elements", `var l [2]counter; l[os.Getpid()&1].add(); show(l[0].n)`},
		{"a method of a field of one of two structs", `a, b := &pair{}, &pair{}; oneOf(a, b).c.add(); show(a.c.n)`},
		{"a method of an embedded field of one of two structs", `a, b := &pair{}, &pair{}; oneOf(a, b).add(); show(a.n)`},
		{"a method of an embedded pointer of one of two structs", `a, b := &struct{ *counter }{&counter{}}, &struct{ *counter }{&counter{}}; oneOf(a, b).add(); show(a.n)`},
		{"a method of an embedded interface of one of two structs", `a, b := &struct{ adder }{&counter{}}, &struct{ adder }{&counter{}}; oneOf(a, b).add(); show(a.adder.(*counter).n)`},
		{"a method of a field of a field of one of two structs", `a, b := &struct{ pair }{}, &struct{ pair }{}; oneOf(a, b).add(); show(a.n)`},
		{"a function of one of two onces", `a, b, n := &sync.Once{}, &sync.Once{}, 0; oneOf(a, b).Do(func() { n = 1 }); show(n); n = 2; a.Do(func() { n = 3 }); show(n)`},
		{"a function of the once of one of two structs", `a, b, n := &pair{}, &pair{}, 0; s := oneOf(a, b); s.once.Do(func() { n = 1 }); n = 2; a.once.Do(func() { n = 3 }); show(n)`},
		{"one of two groups", `a, b, n := &sync.WaitGroup{}, &sync.WaitGroup{}, 0; a.Add(1); go func() { n = 1; a.Done() }(); w := oneOf(a, b); w.Add(1); w.Done(); a.Wait(); show(n)`},
		{"an element by unsafe.Slice", `x := []int{1, 2}; p := unsafe.Slice(&x[0], 2); x[1] = 2; p[1] = 5; show(x[1])`},
		{"an element by unsafe.SliceData", `x := []int{1}; *unsafe.SliceData(x) = 5; show(x[0])`},
		{"an element by unsafe.Add", `x := [2]int{1, 2}; *(*int)(unsafe.Add(unsafe.Pointer(&x[0]), 8)) = 0; show(x[1])`},
		{"an element by uintptr", `x := [2]int{1, 2}; p := (*int)(unsafe.Pointer(uintptr(unsafe.Pointer(&x[0])) + 8)); x[1] = 3; *p = 0; show(x[1])`},
		{"a field by another's memory", `x := struct{ a int; b counter }{}; p := (*[2]int)(unsafe.Pointer(&x.b.n)); x.a = 7; p[1] = 0; show(x.a)`},
		{"memory of another type, later", `x := 1.5; p := (*uint64)(unsafe.Pointer(&x)); x = 2; *p = 0; show(x)`},
	} {
		t.Run(test.name, func(t *testing.T) {
			shown := evaluate(t, references+showDecl+"func run() {\n"+test.body+"\n}\n").shown
			require.NotEmpty(t, shown)
			for _, v := range shown {
				require.Regexp(t, "^unknown: ", v)
			}
		})
	}
}

// A write to one of two maps doesn't panic, as neither is nil.
func TestEvaluator_WritesToOneOfTwoMapsWithoutPanic(t *testing.T) {
	const body = `defer func() { show(recover() == nil) }(); oneOf(map[string]int{}, map[string]int{"x": 1})["x"] = 2`
	require.Equal(t, []string{"true"}, evaluate(t, references+showDecl+"func run() {\n"+body+"\n}\n").shown)
}

// Whether a key is there isn't known of a map that code has which isn't read.
func TestEvaluator_AssumesNoKeysOfUnreadCode(t *testing.T) {
	const body = `
	a := map[string]counter{"x": {1}}
	unread(&struct{ M any }{a})
	_, ok := a["x"]
	show(ok)
	_, ok = a["y"]
	show(ok)
	show(len(a))
	a["x"] = counter{1}
	delete(a, "y")
	_, ok = a["x"]
	show(ok)
	unread(new(int))
	_, ok = a["x"]
	show(ok)
	_, ok = a["y"]
	show(ok)
	clear(a)
	_, ok = a["x"]
	show(ok)
	unread(new(int))
	_, ok = a["x"]
	show(ok)
`
	shown := evaluate(t, references+showDecl+"func run() {\n"+body+"}\n").shown
	getenv := ", and so on the result of os.Getenv(\"X\")"
	x, y := `unknown: whether a["x"] succeeds`+getenv, `unknown: whether a["y"] succeeds`+getenv
	require.Equal(t, []string{x, y, "unknown: a value that json.Unmarshal may have changed, and so on the result of os.Getenv(\"X\")", "true", x, y, "false", x}, shown)
}

func TestEvaluator_EndsOnChannelsThatLeadToThemselves(t *testing.T) {
	for _, body := range []string{
		`type C chan C; c := make(C, 2); c <- c; unread(c); x := <-c; x <- c; go func() { c <- <-c }(); show(<-c)`,
		`type S struct { C chan *S; n int }; s := &S{C: make(chan *S, 1)}; s.C <- s; go func() { u := <-s.C; u.C = s.C; s = u }(); s.C <- s; t := <-s.C; t.C = s.C; s = t; show(<-t.C)`,
		`c, d := make(chan any, 2), make(chan any, 2); c <- d; d <- c; e := oneOf(c, d); e <- e; go func() { e = (<-e).(chan any); e <- c }(); e = c; e <- <-d; show(<-e)`,
	} {
		shown := evaluate(t, references+showDecl+"func run() {\n"+body+"\n}\n").shown
		require.NotEmpty(t, shown)
		require.Regexp(t, "^unknown: ", shown[0])
	}
}

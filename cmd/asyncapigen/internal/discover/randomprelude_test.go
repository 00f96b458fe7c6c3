package discover_test

// prelude declares what generated programs use.
const prelude = `package main

import (
	"bufio"
	"bytes"
	"cmp"
	"container/heap"
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"iter"
	"log"
	"maps"
	"math"
	"math/bits"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"text/template"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/warrenmq/warren/runtime"
)

var _ = []any{
	bytes.Equal, cmp.Compare[int], heap.Init, list.New, hex.EncodeToString, json.Marshal, errors.New, fmt.Sprint,
	html.EscapeString, io.EOF, fs.ErrNotExist, log.Fatal, maps.Clone[map[int]int], math.Abs, url.PathEscape, os.Exit,
	path.Base, filepath.Base, reflect.TypeOf, slices.Max[[]int], sort.Ints, strconv.Itoa, strings.Index, new(sync.Once),
	new(atomic.Int64), bufio.NewReader, sha256.Sum256, base64.StdEncoding, bits.Len, regexp.MustCompile, template.New, time.Second, unicode.IsDigit, utf8.RuneLen, iter.Seq[int](nil), context.Background,
}

type S struct {
	A int
	B string
	C [3]int
	D *S
	E []int
}

func (s S) Get(n int) int  { s.A += n; return s.A }
func (s *S) Add(n int) int { s.A += n; return s.A }
func (s *S) Name() string  { return s.B + "." }

type T struct {
	S
	F func(int) int
}

type U struct {
	*S
	shape
	N small
}

type named interface{ Name() string }

type small int8

func (n small) Name() string { return "small" }

type ends [2]string

type point struct{ X, Y int }

func (p *point) Move(n int) *point { p.X, p.Y = p.Y+n, p.X; return p }

// money formats itself.
type money int

func (m money) Format(s fmt.State, verb rune) {
	width, ok := s.Width()
	fmt.Fprint(s, int(m), string(verb), width, ok, s.Flag('+'))
}

// sink is a writer with a field of the name that a buffer has.
type sink struct {
	buf   []byte
	calls int
}

func (s *sink) Write(data []byte) (int, error) {
	s.calls++
	s.buf = append(s.buf, data...)
	return len(data), nil
}

func (s *sink) String() string { return strconv.Itoa(s.calls) + string(s.buf) }

type level int

const (
	low level = iota - 1
	_
	mid
	high = mid << (iota + 1)
)

func (l level) String() string {
	switch l {
	case low:
		return "low"
	case mid, high:
		return "not low"
	}
	return "level " + strconv.Itoa(int(l))
}

type ints []int

func (l ints) Len() int           { return len(l) }
func (l ints) Less(i, j int) bool { return l[i] < l[j] }
func (l ints) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }
func (l *ints) Push(x any)        { *l = append(*l, x.(int)) }
func (l *ints) Pop() any {
	last := (*l)[len(*l)-1]
	*l = (*l)[:len(*l)-1]
	return last
}

type shape interface {
	Area() int
	Grow(n int) shape
}

type attempts struct{ n int }

func (a *attempts) more() bool { a.n++; return a.n%3 != 0 }

var (
	retries struct {
		n   int
		log [2]string
	}
	dial  attempts
	dials [2]attempts
)

type square struct{ side int }

func (s square) Area() int        { return s.side * s.side }
func (s square) Grow(n int) shape { return square{s.side + n} }
func (s square) Twice(n int) int  { return 2*n + s.side }

type circle struct {
	square
	label string
}

func (c *circle) Area() int        { return 3 * c.side }
func (c *circle) Grow(n int) shape { c.side += n; return c }

type Pair[A, B any] struct {
	First  A
	Second B
}

func (p Pair[A, B]) Swapped() Pair[B, A] { return Pair[B, A]{p.Second, p.First} }

type Stack[X any] struct{ items []X }

func (s *Stack[X]) Push(x ...X) *Stack[X] { s.items = append(s.items, x...); return s }
func (s *Stack[X]) Pop() (x X, ok bool) {
	if len(s.items) == 0 {
		return
	}
	last := len(s.items) - 1
	x, s.items = s.items[last], s.items[:last]
	return x, true
}
func (s *Stack[X]) All() iter.Seq2[int, X] {
	return func(yield func(int, X) bool) {
		for i, x := range s.items {
			if !yield(i, x) {
				return
			}
		}
	}
}

type number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

func sum[N number](list ...N) (total N) {
	for _, n := range list {
		total += n
	}
	return
}

// counted counts the methods of its own that the library calls.
type counted struct{ N int }

var calls int

func (c counted) Read([]byte) (int, error)     { calls++; return 0, io.EOF }
func (c counted) MarshalJSON() ([]byte, error) { calls += 2; return []byte("1"), nil }
func (c *counted) UnmarshalJSON([]byte) error  { calls += 3; c.N++; return nil }

type opError struct {
	Op  string
	Err error
}

func (e *opError) Error() string { return e.Op + ": " + fmt.Sprint(e.Err) }
func (e *opError) Unwrap() error { return e.Err }

type code int

func (c code) Error() string        { return "code " + strconv.Itoa(int(c)) }
func (c code) Is(target error) bool { return target == errOdd && c%2 != 0 }

var (
	errOdd  = errors.New("odd")
	errEven = errors.New("even")
)

func check(n int) error {
	switch {
	case n%3 == 0:
		return nil
	case n%3 == 1:
		return fmt.Errorf("check %d: %w", n, errOdd)
	}
	return &opError{"check", code(n)}
}

func parse(n int) (result int, err error) {
	defer func() {
		if err != nil {
			err = &opError{"parse", err}
			result--
		}
	}()
	if err := check(n); err != nil {
		return n, err
	}
	return n * 2, nil
}

func try(f func()) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	f()
	return nil
}

func pick[X any](b bool, x, y X) X {
	if b {
		return x
	}
	return y
}

func apply[X, Y any](list []X, f func(X) Y) (result []Y) {
	for _, x := range list {
		result = append(result, f(x))
	}
	return
}

func fold[X, Y any](list []X, y Y, f func(Y, X) Y) Y {
	for _, x := range list {
		y = f(y, x)
	}
	return y
}

func ptr[X any](x X) *X { return &x }

// some returns p, or a pointer to a zero value instead of nil.
func some[X any](p *X) *X {
	if p == nil {
		return new(X)
	}
	return p
}

// elem returns list[i], or the zero value where there is none.
func elem[X any](list []X, i int) (x X) {
	if 0 <= i && i < len(list) {
		return list[i]
	}
	return
}

func nonzero[N number](n N) N {
	if n == 0 {
		return 1
	}
	return n
}

func identity[X any](x X) X { return x }

func must[X any](x X, err error) (result X) {
	if err == nil {
		return x
	}
	return
}

func count(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < n && yield(i); i++ {
		}
	}
}

func through[X any](p *X, f func(X) string) string {
	if p == nil {
		return "nil"
	}
	return "&" + f(*p)
}

func each[X any](list []X, f func(X) string) string {
	text := "["
	for i, x := range list {
		text += strconv.Itoa(i) + ":" + f(x) + " "
	}
	return text
}

func eachKey[K cmp.Ordered, X any](m map[K]X, f func(X) string) string {
	if m == nil {
		return "no map"
	}
	var text strings.Builder
	for _, key := range slices.Sorted(maps.Keys(m)) {
		fmt.Fprintf(&text, "%v=%s ", key, f(m[key]))
	}
	return text.String()
}

func describe(v any) string {
	switch x := v.(type) {
	case nil:
		return "nil"
	case int, string, bool, uint8, int8:
		return fmt.Sprintf("%T %v", x, x)
	case error:
		return "error " + x.Error()
	case level:
		return x.String() + "!"
	case shape:
		return "area " + strconv.Itoa(x.Area())
	case named:
		return x.Name()
	case *S:
		return "*S"
	case float64:
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return "other"
}

func pair(n int) (int, string) { return n + 1, strconv.Itoa(n) }

func on(context.Context, int) error { return nil }

var router = runtime.NewRouter()

var times = map[string]int{}

func add(site, text string) {
	times[site]++
	name := site + "-" + strconv.Itoa(times[site])
	router.MustRegister(runtime.Route{Name: name, Description: text, Queue: runtime.Queue{Name: name}, Handler: runtime.Consume(on)})
}

func unused(...any) bool { return true }

`

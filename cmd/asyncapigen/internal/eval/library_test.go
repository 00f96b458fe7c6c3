package eval_test

import (
	"bytes"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// libraryImports are the packages that the bodies below use.
var libraryImports = []string{
	"bufio", "bytes", "context", "crypto/sha256", "encoding/base64", "encoding/hex", "encoding/json", "errors", "fmt", "io", "maps", "math", "net/http", "net/url",
	"os", "reflect", "regexp", "slices", "sort", "strconv", "strings", "sync", "sync/atomic", "text/template", "time", "unicode",
}

// libraryDeclarations are those that the bodies below use.
const libraryDeclarations = `
type color int

func plainOf(c *color) *plain { return (*plain)(c) }

func (c color) String() string { return [...]string{"red", "green"}[c] }

type plain int

type point struct{ X, Y int }

func (p point) String() string { return fmt.Sprintf("(%d,%d)", p.X, p.Y) }

type byPointer struct{ Name string }

func (p *byPointer) String() string { return "*" + p.Name }

type shape struct {
	Name   string
	At     point
	Color  color
	hidden color
	Tags   []string
	Sizes  map[string]int
	Any    any
	Err    error
	Next   *shape
}

type promoted struct {
	point
	Z int
}

type withError struct{ code int }

func (e withError) Error() string { return fmt.Sprint("code ", e.code) }
func (e withError) Is(target error) bool { return target == errBase }

type wrapping struct{ err error }

func (w *wrapping) Error() string { return "wrapping " + w.err.Error() }
func (w *wrapping) Unwrap() error { return w.err }

type formatting struct{}

func (formatting) Format(s fmt.State, verb rune) {
	w, hasW := s.Width()
	p, hasP := s.Precision()
	fmt.Fprintf(s, "<%c %d %v %d %v %v %v>", verb, w, hasW, p, hasP, s.Flag('+'), s.Flag('#'))
	io.WriteString(s, "!")
}

// counted counts how often it is formatted.
type counted struct{ calls *int }

func (c counted) Format(s fmt.State, _ rune) {
	*c.calls++
	for _, flag := range "-0 +#" {
		if s.Flag(int(flag)) {
			fmt.Fprintf(s, "%c", flag)
		}
	}
}

// failing panics where it is nil.
type failing struct{ name string }

func (f *failing) String() string { return f.name }

// listing wraps a list of errors, selfless one that may be nil.
type listing struct{ errs []error }

func (l *listing) Error() string { return "listing" }
func (l *listing) Unwrap() []error { return l.errs }

type selfless struct{ err error }

func (s *selfless) Error() string { return "selfless" }
func (s *selfless) Unwrap() error { return s.err }

type panickingError struct{}

func (panickingError) Error() string { panic(errBase) }

type panickingSyntax struct{}

func (panickingSyntax) GoString() string { panic("syntax") }

type goSyntax struct{ N int }

func (g goSyntax) GoString() string { return fmt.Sprintf("goSyntax!%d", g.N) }

type panicking struct{ why any }

func (p panicking) String() string { panic(p.why) }

type box[T any] struct{ V T }

func (b box[T]) String() string { return fmt.Sprintf("box of %v", b.V) }

type page[T any] struct{ Items []T }

type own struct {
	buf   []byte
	calls int
}

func (o *own) Write(data []byte) (int, error) {
	o.calls++
	o.buf = append(o.buf, data...)
	return len(data), nil
}

type upper struct{ to io.Writer }

func (u upper) Write(data []byte) (int, error) { return u.to.Write(bytes.ToUpper(data)) }

type myBytes []byte

type inner struct {
	A int      ` + "`json:\"a\"`" + `
	B []string ` + "`json:\"b,omitempty\"`" + `
}

type Base struct {
	ID string ` + "`json:\"id\"`" + `
}

type config struct {
	Base
	Name    string            ` + "`json:\"name\"`" + `
	Count   int
	hidden  func()
	Rate    float64           ` + "`json:\"rate\"`" + `
	On      bool              ` + "`json:\"on\"`" + `
	In      inner             ` + "`json:\"in\"`" + `
	Ptr     *inner            ` + "`json:\"ptr\"`" + `
	List    []inner           ` + "`json:\"list\"`" + `
	Labels  map[string]string ` + "`json:\"labels\"`" + `
	Any     any               ` + "`json:\"any\"`" + `
	Skipped string            ` + "`json:\"-\"`" + `
	Color   color             ` + "`json:\"color\"`" + `
	At      time.Time         ` + "`json:\"at,omitzero\"`" + `
	Wait    time.Duration     ` + "`json:\"wait\"`" + `
}

type ownJSON struct{ text string }

func (o *ownJSON) UnmarshalJSON(data []byte) error { o.text = string(data); return nil }

var errBase = errors.New("base")
`

// libraryBodies are bodies of functions whose values the library determines.
// They are evaluated, and run.
var libraryBodies = []struct{ name, body string }{
	{"verbs of basic values", `
		for _, format := range []string{"%v", "%+v", "%#v", "%d", "%5d", "%-5d|", "%05d", "%x", "%X", "%o", "%b", "%c", "%q", "%U", "%s", "%10s|", "%.2f", "%e", "%g", "%t", "%T", "%8.3f|", "% d", "%+d", "%#x", "%z"} {
			show(fmt.Sprintf(format, 42)); show(fmt.Sprintf(format, "text")); show(fmt.Sprintf(format, 1.5)); show(fmt.Sprintf(format, true))
			show(fmt.Sprintf(format, uint8(7))); show(fmt.Sprintf(format, 'x')); show(fmt.Sprintf(format, []byte("ab")))
		}`},
	{"verbs of composite values", `
		s := shape{Name: "s", At: point{1, 2}, Color: 1, hidden: 1, Tags: []string{"a", "b"}, Sizes: map[string]int{"z": 1, "a": 2}, Any: point{3, 4}, Err: withError{1}}
		for _, format := range []string{"%v", "%+v", "%s", "%d", "%x", "%q", "%5v", "%T"} {
			show(fmt.Sprintf(format, s)); show(fmt.Sprintf(format, &s)); show(fmt.Sprintf(format, []any{1, "a", nil, point{1, 2}, color(0)}))
			show(fmt.Sprintf(format, map[color]string{1: "x", 0: "y"})); show(fmt.Sprintf(format, [2]color{0, 1})); show(fmt.Sprintf(format, []plain{1, 2}))
			show(fmt.Sprintf(format, struct{}{})); show(fmt.Sprintf(format, map[bool]int{true: 1, false: 2})); show(fmt.Sprintf(format, [][]int{{1}, {2, 3}, nil}))
			show(fmt.Sprintf(format, promoted{point{1, 2}, 3})); show(fmt.Sprintf(format, box[int]{4})); show(fmt.Sprintf(format, page[string]{[]string{"p"}}))
			show(fmt.Sprintf(format, myBytes("hi"))); show(fmt.Sprintf(format, [3]byte{1, 2, 3})); show(fmt.Sprintf(format, map[any]int{"b": 1, "a": 2}))
		}`},
	{"go syntax", `
		s := shape{Name: "s", At: point{1, 2}, Tags: []string{"a"}, Sizes: map[string]int{"z": 1, "a": 2}, Any: 5}
		show(fmt.Sprintf("%#v", s)); show(fmt.Sprintf("%#v", &s.At)); show(fmt.Sprintf("%#v %#v %#v", []any{1, "a", nil}, map[string]point{}, goSyntax{3}))
		show(fmt.Sprintf("%#v %#v %#v", []byte(nil), []string(nil), map[int]int(nil))); show(fmt.Sprintf("%#v", []goSyntax{{1}, {2}}))
		show(fmt.Sprintf("%#v %#v %#v", uint(3), []uint8{1, 2}, myBytes("x"))); show(fmt.Sprintf("%#v %#v", (*point)(nil), error(nil))); show(fmt.Sprintf("%#v", color(1)))
		show(fmt.Sprintf("%#v %#v", [2]int{}, struct{}{})); show(fmt.Sprintf("%#v", box[point]{point{1, 2}}))`},
	{"nil operands", `
		var p *point; var q *byPointer; var e error; var m map[string]int; var s []int; var f func(); var b []byte
		for _, format := range []string{"%v", "%+v", "%s", "%d", "%5v|", "%x", "%t", "%T"} {
			show(fmt.Sprintf(format, p)); show(fmt.Sprintf(format, q)); show(fmt.Sprintf(format, e)); show(fmt.Sprintf(format, m)); show(fmt.Sprintf(format, s)); show(fmt.Sprintf(format, nil))
			show(fmt.Sprintf(format, b)); show(fmt.Sprintf(format, []*point{nil})); show(fmt.Sprintf(format, []error{nil}))
		}
		show(fmt.Sprintf("%v", f)); show(fmt.Sprintf("%p", p))`},
	{"methods of operands", `
		show(fmt.Sprintf("%s %v %d %x %q", color(1), color(0), color(1), color(0), color(1))); show(fmt.Sprint(point{1, 2}, &point{3, 4}, byPointer{"a"}, &byPointer{"b"}))
		show(fmt.Sprintf("%v %+v %s", promoted{point{1, 2}, 3}, &promoted{point{1, 2}, 3}, []point{{1, 2}})); show(fmt.Sprint(withError{3}, errBase, &wrapping{errBase}))
		show(fmt.Sprintf("%5s|%-8v|%.2s", color(0), color(1), color(1))); show(fmt.Sprintf("%v %+5.2v %#x", formatting{}, formatting{}, formatting{}))
		show(fmt.Sprint([]formatting{{}}, map[string]formatting{"a": {}})); show(fmt.Sprintln("a", 1, color(1)))
		show(fmt.Sprintf("%v %s", panicking{"boom"}, panicking{errBase})); show(fmt.Sprintf("%z %!", color(1)))
		show(fmt.Sprint("a", 1, 2, "b", "c", 3.5, nil, nil)); show(fmt.Sprintf("%v", []fmt.Stringer{color(1), point{}}))`},
	{"types", `
		var c color; *(*int)(&c) = 1; show(fmt.Sprint(c)); (*plainOf(&c))--; show(fmt.Sprint(c)); var v any = c; _, isColor := v.(color); show(isColor); show(fmt.Sprintf("%T %T", *plainOf(&c), c))
		json.Unmarshal([]byte("0"), (*int)(&c)); show(fmt.Sprint(c)); fmt.Sscan("1", (*int)(&c)); show(fmt.Sprint(c, *(*plain)(&c), (*color)((*plain)(&c)).String()))
		type state bool; on, off := state(true), state(false); two := 2; show(fmt.Sprintf("%T %T %T %T %T", off || two > 1, two > 1 && on, two < 1 || on, on || two > 1, two > 1 && two < 3))
		p := point{1, 2}; type named point; n := (*named)(&p); n.X = 3; *n = named{n.X, n.X + 1}; show(fmt.Sprintf("%T %v %T", p, p, *n)); w := &p.Y; *n = named{}; show(*w); var none *color; show((*plain)(none) == nil)
		byType := map[reflect.Type]string{reflect.TypeOf(1): "int", reflect.TypeFor[point](): "point", reflect.TypeFor[*point](): "pointer", reflect.TypeFor[error](): "error"}
		show(byType[reflect.TypeOf(point{1, 2})] + byType[reflect.TypeOf(&point{})] + byType[reflect.TypeFor[error]()] + byType[reflect.TypeOf("a")]); show(len(byType))
		show(reflect.TypeOf(1) == reflect.TypeOf(2)); show(reflect.TypeOf(1) == reflect.TypeOf("a")); show(reflect.TypeOf(1) == nil); show(any(reflect.TypeOf(color(1))) == any(reflect.TypeFor[color]()))
		for _, t := range []reflect.Type{reflect.TypeOf(true), reflect.TypeOf(uint8(1)), reflect.TypeOf(2i), reflect.TypeOf("a"), reflect.TypeOf([1]int{}), reflect.TypeOf(make(chan int)), reflect.TypeOf(func() {}), reflect.TypeFor[error](), reflect.TypeOf(map[int]int{}), reflect.TypeOf(&point{}), reflect.TypeOf([]int{}), reflect.TypeOf(point{}), reflect.TypeOf(color(1))} { show(t.Kind().String()); show(fmt.Sprint(uint(t.Kind()))); show(t.Kind() == reflect.Ptr) }
		show(fmt.Sprint(reflect.TypeOf(point{}), reflect.TypeFor[*box[int]]())); show(fmt.Sprintf("%v %s %q", reflect.TypeOf(1), reflect.TypeOf([]string{}), reflect.TypeOf(color(1)).Name())); show(reflect.TypeOf(map[string]point{}).Elem().Name())`},
	{"indexes and stars", `
		show(fmt.Sprintf("%[2]d %[1]d", 1, 2)); show(fmt.Sprintf("%*d|%-*d|", 5, 1, 5, 2)); show(fmt.Sprintf("%[3]*.[2]*[1]f", 12.0, 2, 6)); show(fmt.Sprintf("%.*f", 2, 3.14159))
		show(fmt.Sprintf("%d %d", 1)); show(fmt.Sprintf("%d", 1, "x", color(1))); show(fmt.Sprintf("%")); show(fmt.Sprintf("%[5]d", 1)); show(fmt.Sprintf("%[x]d", 1))
		show(fmt.Sprintf("%!d", 1)); show(fmt.Sprintf("%*d", "x", 1)); show(fmt.Sprintf("%.*d", -2, 1)); show(fmt.Sprintf("%d%%", 5)); show(fmt.Sprintf("%[2]*[1]d", 7, 4)); show(fmt.Sprintf("%[1]d %d %[1]q", 65, 66))
		show(fmt.Sprintf("%-010d|%+q|%#q|% x|%#U", 5, "é", "raw", "abc", 'é')); show(fmt.Sprintf("%6.2f|%+.1e|%08.3f", 3.14159, 12345.678, -3.5)); show(fmt.Sprintf("%*d", -4, 7)); show(fmt.Sprintf("%.3x|%.1q", "abcdef", "xyz")); show(fmt.Sprintf("%d %s", []any{1, "a"}...))`},
	{"errors", `
		a := errors.New("a"); b := errors.New("a"); w := fmt.Errorf("w: %w", a); ww := fmt.Errorf("%w and %w: %d", w, b, 3); j := errors.Join(a, nil, b)
		show(a == b); show(a == a); show(a.Error()); show(w.Error()); show(ww.Error()); show(j.Error()); show(errors.Join(nil, nil) == nil)
		show(errors.Is(w, a)); show(errors.Is(w, b)); show(errors.Is(ww, b)); show(errors.Is(j, b)); show(errors.Is(nil, a)); show(errors.Is(a, nil)); show(errors.Is(nil, nil))
		show(errors.Unwrap(w) == a); show(errors.Unwrap(ww) == nil); show(errors.Unwrap(a) == nil); show(errors.Is(withError{1}, errBase)); show(errors.Is(fmt.Errorf("x %w", withError{2}), withError{2}))
		var target withError; show(errors.As(fmt.Errorf("x %w", withError{7}), &target)); show(target.code); var p *wrapping; show(errors.As(a, &p)); show(p == nil); show(errors.As(fmt.Errorf("%w", &wrapping{a}), &p)); show(p.Error())
		var iface interface{ Unwrap() error }; show(errors.As(w, &iface)); show(errors.Is(&wrapping{w}, a)); show(fmt.Errorf("plain %d", 1).Error()); show(fmt.Sprintf("%T %T %T %T", a, w, ww, j)); show(fmt.Errorf("%w", 5).Error())
		e, ok := errors.AsType[withError](fmt.Errorf("x %w", withError{9})); show(ok); show(e.code); _, ok = errors.AsType[*wrapping](a); show(ok)
		switch err := fmt.Errorf("again: %w", errBase); { case errors.Is(err, os.ErrNotExist): show("not found"); case errors.Is(err, errBase): show("base") }
		var typed *wrapping; var held error = typed; show(errors.Is(held, nil)); show(errors.As(held, &p)); show(p == nil); show(errors.Join(held) != nil)
		m := map[error]string{a: "A", b: "B"}; show(m[a]); show(m[b]); func() { defer func() { show(recover().(error).Error()) }(); panic(w) }()`},
	{"atomic values", `
		say := func(do func()) { defer func() { show(recover()) }(); do() }; var v atomic.Value; show(v.Load()); say(func() { v.Store(nil) }); say(func() { v.Swap(nil) }); say(func() { v.CompareAndSwap(1, nil) }); show(v.CompareAndSwap("a", "b")); show(v.CompareAndSwap(nil, "b")); show(v.Swap("a"))
		say(func() { v.Store(1) }); say(func() { v.Swap(1) }); say(func() { v.CompareAndSwap(1, 2) }); say(func() { v.CompareAndSwap("a", 2) }); say(func() { v.CompareAndSwap(nil, 2) }); show(v.CompareAndSwap("b", "c")); show(v.CompareAndSwap("a", "c")); show(v.Load()); show(v.CompareAndSwap(nil, "z"))`},
	{"trees of errors", `
		s := &selfless{errBase}; show(errors.Is(s, errBase)); show(errors.Is(&selfless{}, errBase)); show(errors.Is(&listing{}, errBase)); show(errors.Is(&listing{[]error{nil, s}}, errBase)); show(errors.Unwrap(&listing{[]error{s}}) == nil); show(errors.Unwrap(nil) == nil); show(errors.Is(&listing{[]error{errors.New("a"), withError{1}}}, withError{2}))
		w := fmt.Errorf("%w %w %w", errBase, nil, s); show(w.Error()); show(errors.Is(w, s)); show(errors.Unwrap(w) == nil); x := fmt.Errorf("%w %[1]w", errBase); show(fmt.Sprintf("%T", x)); show(errors.Unwrap(x) == nil); show(errors.Is(x, errBase))
		show(fmt.Sprintf("%T", fmt.Errorf("%w", nil))); show(errors.Unwrap(fmt.Errorf("%w", nil)) == nil); show(errors.Unwrap(fmt.Errorf("%w", 5)) == nil); show(fmt.Sprintf("%T %T", fmt.Errorf("%w", 5), fmt.Errorf("%w %w", 5, 6)))
		say := func(do func()) { defer func() { show(recover()) }(); do() }; say(func() { errors.As(errBase, nil) }); say(func() { var t any = 5; errors.As(errBase, t) }); say(func() { var t any = &struct{}{}; errors.As(errBase, t) }); say(func() { show(errors.As(nil, nil)) })
		var e error; show(errors.As(errBase, &e)); show(e == errBase); var st fmt.Stringer; show(errors.As(errBase, &st)); none, ok := errors.AsType[withError](nil); show(ok); show(none.code); joined := errors.Join(w, s); show(joined.Error()); var l *listing; show(errors.As(errors.Join(s, &listing{[]error{s}}), &l)); show(len(l.errs))`},
	{"methods that print, and that panic", `
		n := 0; f := counted{&n}; show(fmt.Sprintf("%-5d|%05d|% d|%+d|%#x|%6.2v|%v|%+v|%#v", f, f, f, f, f, f, f, f, f)); show(n); var none *failing; show(fmt.Sprintf("%v %s %d", none, none, 3)); show(fmt.Sprint(&failing{"f"})); show(fmt.Sprintf("%v", panickingError{})); show(fmt.Sprintf("%#v %v", panickingSyntax{}, panickingSyntax{}))
		show(fmt.Sprintf("%v", []any{panickingError{}, none})); show(fmt.Sprintf("%x %X %q", errBase, errBase, errBase)); show(fmt.Sprintf("%5.1s|%-6v|", errBase, errBase)); show(fmt.Sprintf("%w", errBase) != ""); show(fmt.Sprintf("%5x|%-05d|%+q", panicking{1}, panicking{"a"}, panicking{nil}))`},
	{"builders", `
		var b strings.Builder; show(b.Cap()); b.Grow(0); show(b.Cap()); n, err := b.WriteString("é"); show(n); show(err); n, err = b.WriteRune('é'); show(n); n, _ = b.WriteRune(-1); show(n); show(b.WriteByte(200)); show(b.Len()); n, _ = b.Write([]byte("xy")); show(n); show(fmt.Sprintf("%q", b.String()))
		say := func(do func()) { defer func() { show(recover()) }(); do() }; say(func() { b.Grow(-1) }); say(func() { c := b; c.WriteString("x") }); b.Reset(); c := b; c.WriteString("ok"); show(c.String()); b.Grow(3); d := b; say(func() { d.WriteByte('x') }); show(d.Len()); d.Reset(); d.WriteByte('y'); show(d.String()); say(func() { e := c; e.Grow(1) }); var none *strings.Builder; say(func() { defer func() { show(recover() != nil) }(); none.WriteString("x") })`},
	{"sorting and inserting", `
		type entry struct { k string; v int }; s := []entry{{"b", 1}, {"a", 2}, {"c", 0}, {"a", 1}}; p := &s[0]; sort.SliceStable(s, func(i, j int) bool { return s[i].k < s[j].k }); show(fmt.Sprint(s, *p)); sort.Slice(s, func(i, j int) bool { return s[i].v < s[j].v }); show(fmt.Sprint(s[0])); sort.Slice([]int(nil), nil); sort.Slice([]int{1}, nil); at := ""; ups := []int{1, 2, 2, 5, 4}; show(sort.SliceIsSorted(ups, func(i, j int) bool { at += fmt.Sprint(i, j, " "); return ups[i] < ups[j] })); show(sort.SliceIsSorted(ups[:4], func(i, j int) bool { at += fmt.Sprint(i, j, " "); return ups[i] < ups[j] })); show(at); show(sort.SliceIsSorted([]int(nil), nil)); show(sort.SliceIsSorted([2]string{"b", "a"}, func(i, j int) bool { return false }))
		func() { defer func() { show(recover()) }(); sort.SliceIsSorted(nil, nil) }()
		func() { defer func() { show(recover() != nil) }(); sort.Slice(nil, nil) }(); m := map[string]int{"a": 1}; c := maps.Clone(m); c["b"] = 2; show(len(m)); show(len(c)); show(maps.Clone(map[string]int(nil)) == nil); x := make([]string, 2, 8); x[0], x[1] = "a", "b"; y := slices.Insert(x, 1, x[0:2]...); show(strings.Join(y, "")); show(strings.Join(x, "")); z := slices.Replace(y, 0, 1, y[2:4]...); show(strings.Join(z, ""))
		show(strings.Join(slices.Insert([]string{"a"}, 1, "b"), "")); func() { defer func() { show(recover() != nil) }(); slices.Insert([]int{1}, 2, 1) }(); grown := append([]string(nil), "a", "b", "c"); show(strings.Join(slices.Insert(grown, 1, "x"), "")); show(strings.Join(slices.Replace(slices.Insert(grown, 3, "y", "z"), 1, 3, "q"), "")); show(strings.Join(grown, ""))`},
	{"atomic variables", `
		var i atomic.Int32; show(i.Add(-1)); show(i.And(6)); show(i.Or(9)); show(i.Load()); show(i.Swap(3)); show(i.CompareAndSwap(3, 4)); show(i.CompareAndSwap(3, 5)); show(i.Load()); var u atomic.Uint32; show(u.Add(^uint32(0))); var b atomic.Bool; show(b.Swap(true)); show(b.CompareAndSwap(true, false)); show(b.CompareAndSwap(true, false)); show(b.Load()); b.Store(true); show(b.Load()); b.Store(false); show(b.Load())
		var n int64; show(atomic.AddInt64(&n, 5)); atomic.StoreInt64(&n, 7); show(atomic.LoadInt64(&n)); show(atomic.SwapInt64(&n, 8)); show(atomic.CompareAndSwapInt64(&n, 8, 9)); show(n); show(atomic.AndInt64(&n, 8)); show(n); show(atomic.OrInt64(&n, 3)); show(n); up := atomic.Uintptr{}; show(up.Add(3))
		var p atomic.Pointer[int]; show(p.Load() == nil); show(p.Swap(new(int)) == nil); q := p.Load(); show(p.CompareAndSwap(q, nil)); show(p.Load() == nil); var none *atomic.Int32; fails := func(do func()) { defer func() { show(recover() != nil) }(); do() }; fails(func() { none.Add(1) }); fails(func() { atomic.AddInt32(nil, 1) }); var held atomic.Value; held.Store(point{1, 2}); show(held.Load().(point).Y); show(held.CompareAndSwap(point{1, 2}, point{3, 4}))`},
	{"deep equality of all kinds", `
		show(reflect.DeepEqual([]any{1, "a", nil}, []any{1, "a", nil})); show(reflect.DeepEqual(map[string][]int{"a": {1}}, map[string][]int{"a": {1}})); show(reflect.DeepEqual(map[string]int{"a": 1}, map[string]int{"a": 1, "b": 2})); show(reflect.DeepEqual(map[string]int{}, map[string]int(nil))); show(reflect.DeepEqual([2]int{1, 2}, [2]int{1, 3})); show(reflect.DeepEqual([]int{1}, []int{1, 2})); show(reflect.DeepEqual(point{1, 2}, point{1, 2}))
		show(reflect.DeepEqual(&point{1, 2}, point{1, 2})); show(reflect.DeepEqual(errors.New("a"), errors.New("a"))); show(reflect.DeepEqual(1, 1.0)); show(reflect.DeepEqual(1, plain(1))); var a, b *point; show(reflect.DeepEqual(a, b)); show(reflect.DeepEqual(a, &point{})); show(reflect.DeepEqual(nil, a)); m := map[string]any{}; m["m"] = m; show(reflect.DeepEqual(m, m)); show(reflect.DeepEqual(map[string]any{"a": nil}, map[string]any{"b": nil}))
		show(reflect.DeepEqual(time.Second, time.Duration(1e9))); type calling struct { f func() }; c := calling{func() {}}; show(reflect.DeepEqual(c, c)); var held any = c; show(reflect.DeepEqual(held, held)); show(reflect.DeepEqual(&c, &c)); held = [1]func(){c.f}; show(reflect.DeepEqual(held, held)); calls := []func(){c.f}; show(reflect.DeepEqual(calls, calls)); show(reflect.DeepEqual(calls, calls[:0])); show(reflect.DeepEqual([]any{c}, []any{c}))`},
	{"JSON of all kinds", `
		type EA struct { X int "json:\"x\""; Y string }; type EB struct { X int "json:\"x\""; Z string }; type both struct { EA; EB }; type byPointer struct { *EA; N int }; type bytes []byte; type octet byte; type parts struct { A bytes; B []octet; C [3]byte; D any; E *int; F float32; G int "json:\",omitempty\""; H int "json:\",string\""; I map[int]string; J []string }
		data, err := json.Marshal(both{EA{1, "y"}, EB{2, "z"}}); show(string(data)); show(err); data, _ = json.Marshal(byPointer{&EA{1, "y"}, 2}); show(string(data)); data, _ = json.Marshal(byPointer{}); show(string(data)); data, _ = json.Marshal(&parts{bytes("a"), []octet{1, 2}, [3]byte{1, 2}, map[string]any{"k": 1}, new(int), 1.5, 0, 4, map[int]string{2: "b", 1: "a"}, nil}); show(string(data)); data, err = json.Marshal(nil); show(string(data)); _, err = json.Marshal([]float64{math.Inf(1)}[:0]); show(err)
		var e both; show(json.Unmarshal([]byte("{\"x\": 3, \"Y\": \"q\"}"), &e) == nil); show(e.EA.X); show(e.Y); var p byPointer; show(json.Unmarshal([]byte("{\"x\": 3, \"N\": 1}"), &p) == nil); show(p.X); f := []int{1, 2, 3}; g := f; show(json.Unmarshal([]byte("[7,8]"), &f) == nil); show(fmt.Sprint(f, g)); h := []int{1}; k := h; show(json.Unmarshal([]byte("[7,8]"), &h) == nil); show(fmt.Sprint(h, k))
		a := [3]int{1, 2, 3}; show(json.Unmarshal([]byte("[7]"), &a) == nil); show(fmt.Sprint(a)); show(json.Unmarshal([]byte("[7,8,9,10]"), &a) == nil); show(fmt.Sprint(a)); m := map[string]int{"a": 1}; n := m; show(json.Unmarshal([]byte("{\"b\": 2, \"a\": null}"), &m) == nil); show(fmt.Sprint(n)); numbers := map[int]string{}; show(json.Unmarshal([]byte("{\"1\": \"a\", \"x\": \"b\"}"), &numbers) == nil); show(fmt.Sprint(numbers)); show(json.Unmarshal([]byte("null"), &m) == nil); show(m == nil); show(len(n))
		q := new(int); *q = 4; s := struct { A, B *int }{q, nil}; show(json.Unmarshal([]byte("{\"A\": 5, \"B\": 6}"), &s) == nil); show(*q); show(*s.B); show(json.Unmarshal([]byte("{\"A\": null}"), &s) == nil); show(s.A == nil); show(*q); var pp **int; show(json.Unmarshal([]byte("3"), &pp) == nil); show(**pp); var raw json.RawMessage; show(json.Unmarshal([]byte("{\"a\": 1}"), &raw) == nil); show(string(raw)); var x any; show(json.Unmarshal([]byte("[1, \"a\", null, {\"b\": 2.5}]"), &x) == nil); show(fmt.Sprint(x)); var wrong struct { A int; B []string }; show(json.Unmarshal([]byte("{\"A\": \"x\", \"B\": [\"y\"]}"), &wrong) == nil); show(wrong.B[0])`},
	{"values that the library keeps", `
		e := base64.StdEncoding.WithPadding('*'); show(e.EncodeToString([]byte("a"))); f := *base64.URLEncoding; show(f.EncodeToString([]byte{255, 254})); show(f.Strict().EncodeToString([]byte("a"))); d := time.Date(2020, 1, 2, 3, 4, 5, 6, time.UTC); c := d; c = c.Add(time.Hour); show(d.Hour()); show(c.Equal(d)); type stamped struct { T time.Time }; s := stamped{d}; u := s; u.T = c; show(s.T.Hour()); show(u.T.Hour())
		r := regexp.MustCompile("a+"); q := r; show(q.FindString("baa")); var t time.Time; show(t == time.Time{}); show(t.Unix()); show(t.IsZero()); show(strings.NewReplacer("a", "b", "c", strings.Repeat("d", 9)).Replace("abc")); show(strings.Repeat("", 1<<40) == ""); show(strconv.FormatFloat(1.5, 'f', 3, 32)); show(strings.ToValidUTF8("a\xffb", "?"))`},
	{"writers", `
		o := &own{}; fmt.Fprintln(o, "a", 1); fmt.Fprintf(o, "%s", color(1)); fmt.Fprint(o, "x", "y"); show(string(o.buf)); show(o.calls)
		var b strings.Builder; fmt.Fprintf(&b, "%d-%v", 1, color(0)); fmt.Fprint(upper{&b}, "up"); io.WriteString(&b, "!"); show(b.String()); show(b.Len()); b.Reset(); show(b.Len()); show(b.Cap())
		n, err := fmt.Fprintf(&b, "%s", "four"); show(n); show(err == nil); var buf bytes.Buffer; fmt.Fprintf(&buf, "n=%d", 5); show(buf.String()); fmt.Fprintln(io.Writer(&buf), "z"); show(buf.Len())
		w := bufio.NewWriter(&buf); fmt.Fprintf(w, "late"); show(buf.String()); w.Flush(); show(buf.String()); show(string(fmt.Appendf(nil, "%03d", 7)))`},
	{"buffers", `
		b := bytes.NewBufferString("hello world"); show(string(b.Next(5))); show(b.Len()); c, _ := b.ReadByte(); show(c); b.UnreadByte(); s, err := b.ReadString('r'); show(s); show(err == nil)
		rest, err := b.ReadBytes('x'); show(string(rest)); show(err == io.EOF); b.Reset(); b.WriteString("abc"); b.Truncate(1); b.WriteRune('é'); b.WriteByte('!'); show(b.String()); r, size, _ := b.ReadRune(); show(r); show(size)
		x := b.Bytes(); x[0] = 'Z'; show(b.String()[1:]); b.Grow(100); b.Write([]byte("more")); show(b.Len()); var to strings.Builder; b.WriteTo(&to); show(to.Len()); show(b.Len()); b.ReadFrom(strings.NewReader("from")); show(b.String())
		var nilBuffer *bytes.Buffer; show(nilBuffer.String())`},
	{"readers", `
		r := strings.NewReader("line one\nline two\n\nend"); sc := bufio.NewScanner(r); for sc.Scan() { show(sc.Text()) }; show(sc.Err() == nil)
		words := bufio.NewScanner(strings.NewReader("a bc  d")); words.Split(bufio.ScanWords); for words.Scan() { show(words.Text()) }
		all, err := io.ReadAll(strings.NewReader("everything")); show(string(all)); show(err == nil); br := bufio.NewReader(strings.NewReader("x=1;y=2")); s, _ := br.ReadString(';'); show(s); s, err = br.ReadString(';'); show(s); show(err == io.EOF)
		p := make([]byte, 3); n, _ := io.ReadFull(strings.NewReader("abcdef"), p); show(n); show(string(p)); n, err = strings.NewReader("").Read(p); show(n); show(errors.Is(err, io.EOF)); var b strings.Builder; io.Copy(&b, strings.NewReader("copied")); show(b.String())
		l := io.LimitReader(strings.NewReader("limited"), 3); all, _ = io.ReadAll(l); show(string(all)); m := io.MultiReader(strings.NewReader("a"), bytes.NewReader([]byte("b"))); all, _ = io.ReadAll(m); show(string(all))`},
	{"atomic", `
		var n atomic.Int32; show(n.Add(3)); show(n.Load()); show(n.Swap(7)); show(n.CompareAndSwap(7, 9)); show(n.CompareAndSwap(7, 9)); show(n.Load()); n.Store(1); show(n.Load()); show(n.Or(6)); show(n.And(3)); show(n.Load())
		var b atomic.Bool; show(b.Load()); b.Store(true); show(b.Load()); show(b.Swap(false)); show(b.CompareAndSwap(false, true)); show(b.Load()); var u uint8 = 1; _ = u; var m uint32 = 1; show(atomic.AddUint32(&m, ^uint32(0))); show(m); var i int64; atomic.StoreInt64(&i, 5); show(atomic.LoadInt64(&i)); show(atomic.CompareAndSwapInt64(&i, 5, 6)); show(i)
		var p atomic.Pointer[point]; show(p.Load() == nil); q := &point{1, 2}; p.Store(q); show(p.Load() == q); p.Load().X = 8; show(q.X); show(p.Swap(nil) == q); show(p.Load() == nil); var c atomic.Uint64; for range 3 { c.Add(2) }; show(c.Load())
		var v atomic.Value; show(v.Load() == nil); v.Store("text"); show(v.Load().(string)); show(v.Swap("other").(string)); func() { defer func() { show(recover() != nil) }(); v.Store(1) }(); var w atomic.Int32; w.Add(math.MaxInt32); show(w.Add(1))`},
	{"sync", `
		var m sync.Map; m.Store("a", 1); v, ok := m.Load("a"); show(v); show(ok); _, ok = m.Load("b"); show(ok); v, ok = m.LoadOrStore("b", 2); show(v); show(ok); v, ok = m.LoadOrStore("b", 3); show(v); show(ok); m.Delete("a"); m.Range(func(k, v any) bool { show(k); show(v); return true })
		v, ok = m.LoadAndDelete("b"); show(v); show(ok); v, ok = m.LoadAndDelete("b"); show(v); show(ok); v, ok = m.Swap("c", &point{1, 2}); show(ok); v, _ = m.Load("c"); v.(*point).X = 5; v, _ = m.Load("c"); show(v.(*point).X); m.Clear(); _, ok = m.Load("c"); show(ok)
		pool := sync.Pool{New: func() any { show("made"); return &point{3, 4} }}; show(pool.Get().(*point).Y); var empty sync.Pool; show(empty.Get() == nil); f := sync.OnceValue(func() int { show("once"); return 4 }); show(f() + f())`},
	{"functions with callbacks", `
		show(strings.Map(func(r rune) rune { if r == 'h' { return -1 }; return unicode.ToUpper(r) }, "hello")); show(strings.Map(func(r rune) rune { return r }, "same")); n := 0; show(strings.Map(func(r rune) rune { n++; return r + 1 }, "abc")); show(n)
		show(strings.IndexFunc("abc1", unicode.IsDigit)); show(strings.TrimFunc("--x--", func(r rune) bool { return r == '-' })); show(len(strings.FieldsFunc("a,b;c", func(r rune) bool { return r == ',' || r == ';' }))); show(strings.ContainsFunc("abc", func(r rune) bool { return r == 'b' })); show(strings.LastIndexFunc("a1b2c", unicode.IsDigit))
		func() { defer func() { show(recover()) }(); strings.Map(func(rune) rune { panic("inside") }, "x") }(); show(strings.NewReplacer("a", "1", "b", "2").Replace("abc")); for part := range strings.SplitSeq("x-y", "-") { show(part) }; show(strings.ToTitle("ab")); show(strings.TrimRightFunc("ab12", unicode.IsDigit))
		for line := range strings.Lines("one\ntwo") { show(line) }; show(string(bytes.Map(func(r rune) rune { return r + 1 }, []byte("abc")))); show(string(bytes.TrimSpace([]byte(" x ")))); show(string(bytes.Join([][]byte{[]byte("a"), []byte("b")}, []byte("-")))); show(len(bytes.Fields([]byte("a b  c"))))`},
	{"regular expressions", `
		re := regexp.MustCompile("(\\w+)\\.(?P<last>\\w+)"); show(re.MatchString("a.b")); show(re.FindStringSubmatch("x a.b y")[2]); show(re.ReplaceAllString("a.b c.d", "$2-$1")); show(re.String()); show(re.NumSubexp()); show(re.SubexpIndex("last")); show(re.ReplaceAllStringFunc("a.b", strings.ToUpper)); show(len(re.FindAllString("a.b c.d", -1)))
		_, err := regexp.Compile("("); show(err != nil); func() { defer func() { show(recover() != nil) }(); regexp.MustCompile("(") }(); ok, err := regexp.MatchString("^a+$", "aaa"); show(ok); show(err == nil); show(regexp.QuoteMeta("a.b")); show(strings.Join(regexp.MustCompile("[,;]").Split("a,b;c", -1), "|")); show(re.FindStringIndex("..a.b")[0]); show(re.FindString("none") == ""); show(fmt.Sprint(re.FindStringSubmatch("none") == nil)); show(fmt.Sprintf("%s", re))`},
	{"deep equality", `
		type tree struct { N int; L []*tree; M map[string]any; f func() }; x, y := &tree{N: 1, L: []*tree{{N: 2}}, M: map[string]any{"a": []int{1}}}, &tree{N: 1, L: []*tree{{N: 2}}, M: map[string]any{"a": []int{1}}}
		show(reflect.DeepEqual(x, y)); y.L[0].N = 3; show(reflect.DeepEqual(x, y)); show(reflect.DeepEqual([]int(nil), []int{})); show(reflect.DeepEqual(1, int8(1))); show(reflect.DeepEqual(nil, nil)); show(reflect.DeepEqual(map[int]int{1: 0}, map[int]int{2: 0})); show(reflect.DeepEqual(error(nil), (*tree)(nil)))
		m := map[string]func(){"a": func() {}}; n := m; show(reflect.DeepEqual(m, n)); show(reflect.DeepEqual([]map[string]func(){m}, []map[string]func(){n})); show(reflect.DeepEqual(m, map[string]func(){"a": m["a"]})); m["b"] = nil; show(reflect.DeepEqual(n, m))
		f := func() {}; show(reflect.DeepEqual(f, f)); show(reflect.DeepEqual([2]any{1, "a"}, [2]any{1, "a"})); show(reflect.DeepEqual(tree{M: map[string]any{}}, tree{}))`},
	{"maps in the order of their keys", `
		type key struct { A int; B string }; show(fmt.Sprint(map[key]int{{2, "a"}: 1, {1, "b"}: 2, {1, "a"}: 3})); show(fmt.Sprint(map[[2]bool]int{{true, false}: 1, {false, true}: 2}))`},
	{"texts that are appended", `
		a := make([]byte, 1, 40); b := strconv.AppendInt(a, -12, 10); c := strconv.AppendBool(a, true); show(string(b)); show(string(c)); show(string(strconv.AppendUint(nil, 255, 16))); show(string(fmt.Appendf(a[:0:0], "%d", 7))); show(cap(fmt.Append(a, "xyz")))`},
	{"times that are appended", `
		b := []byte("orders"); d := time.Date(2024, time.February, 29, 12, 30, 5, 0, time.UTC); c := d.AppendFormat(b[:0], "06"); show(string(b)); show(string(c)); show(string(d.AppendFormat(nil, time.Kitchen)))
		long := d.AppendFormat(nil, "2006-01-02T15:04:05.000000000 Monday Jan"); show(cap(long)); show(cap(d.AppendFormat(long[:40:40], "06 Monday"))); e, f := append(long, "0123456789"...), append(long, "ABCDEFGHIJ"...); show(string(e)); show(string(f))
		g := d.AppendFormat(long[:4], ""); g[0] = 'x'; show(string(long)); room := make([]byte, 2, 90); show(cap(d.AppendFormat(room, time.RFC1123))); show(string(room[:9]))`},
	{"variables of the environment that the program sets", `
		os.Setenv("WARREN_A", "a"); v, ok := os.LookupEnv("WARREN_A"); show(v); show(ok); show(os.ExpandEnv("$WARREN_A-${WARREN_A}")); os.Setenv("WARREN_A", ""); v, ok = os.LookupEnv("WARREN_A"); show(v); show(ok); show(os.ExpandEnv("<$WARREN_A>"))
		os.Unsetenv("WARREN_A"); v, ok = os.LookupEnv("WARREN_A"); show(v); show(ok); show(os.ExpandEnv("<${WARREN_A}>")); n := 0; show(os.Expand("$x ${y} $*z", func(name string) string { n++; return name + name })); show(n)`},
	{"hashes and encodings", `
		sum := sha256.Sum256([]byte("text")); show(hex.EncodeToString(sum[:4])); show(fmt.Sprintf("%x", sum)); show(base64.StdEncoding.EncodeToString([]byte("text"))); show(base64.RawURLEncoding.EncodeToString([]byte{0xfb, 0xff})); data, err := base64.StdEncoding.DecodeString("dGV4dA=="); show(string(data)); show(err == nil)
		_, err = base64.StdEncoding.DecodeString("!"); show(err != nil); data, _ = hex.DecodeString("616263"); show(string(data)); show(base64.StdEncoding.WithPadding(base64.NoPadding).EncodeToString([]byte("a")))
		text := make([]byte, 8); show(hex.Encode(text, sum[:4])); show(string(text)); show(string(hex.AppendEncode([]byte("x-"), sum[:2]))); n, err := hex.Decode(text, []byte("616z")); show(n); show(err.Error()); show(text[0])`},
	{"times", `
		d := time.Date(2024, time.February, 29, 12, 30, 5, 0, time.UTC); show(d.Format(time.RFC3339)); show(d.Format("2006-01-02")); show(d.AddDate(0, 0, 1).Format("Jan 2")); show(d.Weekday().String()); show(d.Year()); show(d.YearDay()); show(d.Unix()); show(d.Add(90 * time.Minute).Format(time.Kitchen)); show(d.Sub(d.Add(-time.Hour)).String())
		t, err := time.Parse("2006-01-02", "2020-05-06"); show(t.Format(time.RFC1123)); show(err == nil); _, err = time.Parse("2006", "x"); show(err != nil); show(t.Before(d)); show(time.Time{}.IsZero()); var zero time.Time; show(zero.Year()); show(d.String()); show(fmt.Sprint(d)); show(fmt.Sprintf("%v", []time.Duration{time.Second, 1500 * time.Millisecond})); p, _ := time.ParseDuration("1h15m"); show(p.Minutes()); show((90 * time.Second).String())
		zone := time.FixedZone("X", 3600); show(d.In(zone).Format(time.RFC3339)); show(d.Month() == time.February); show(d.Truncate(24 * time.Hour).Format(time.DateTime)); show((2*time.Hour + 30*time.Minute).Round(time.Hour).String()); show(int64(time.Hour / time.Millisecond)); type stamped struct { At time.Time; Name string }; s := stamped{d, "n"}; show(s.At.Day()); show(fmt.Sprintf("%+v", s)); show(time.Duration(1.5 * float64(time.Second)).String())`},
	{"contexts", `
		type key struct{}; type other string; ctx := context.WithValue(context.Background(), key{}, "value"); show(ctx.Value(key{})); show(ctx.Value("none") == nil); ctx = context.WithValue(ctx, other("o"), &point{1, 2}); show(ctx.Value(key{})); ctx.Value(other("o")).(*point).X = 6; show(ctx.Value(other("o")).(*point).X)
		c, cancel := context.WithCancel(ctx); show(c.Value(key{})); _ = cancel; _, ok := c.Value(other("p")).(string); show(ok)`},
	{"headers and values", `
		h := http.Header{}; h.Set("content-type", "a"); h.Add("X-Y", "1"); h.Add("x-y", "2"); show(h.Get("Content-Type")); show(len(h["X-Y"])); show(h.Get("none")); h.Del("x-y"); show(len(h)); var none http.Header; show(none.Get("x"))
		v := url.Values{}; v.Set("b", "2 3"); v.Add("a", "1"); v.Add("a", "x&y"); show(v.Encode()); show(v.Get("a")); show(v.Has("c")); v.Del("a"); show(len(v)); u, err := url.Parse("amqp://user:pw@host:5672/vhost?x=1#f"); show(err == nil); show(u.Host); show(u.Hostname()); show(u.Port()); show(u.Path); show(u.Query().Get("x")); show(u.User.Username()); show(u.String()); u.Path = "/other"; show(u.String()); show(url.PathEscape("a/b c"))`},
	{"JSON", `
		text := "{\"id\": \"i\", \"name\": \"n\", \"count\": 3, \"rate\": 1.5, \"on\": true, \"in\": {\"a\": 1, \"b\": [\"x\", \"y\"]}, \"ptr\": {\"a\": 2}, \"list\": [{\"a\": 3}, {\"a\": 4}], \"labels\": {\"k\": \"v\"}, \"any\": [1, \"s\", null, {\"z\": true}], \"color\": 1, \"at\": \"2024-02-29T01:02:03Z\", \"wait\": 5}"
		var c config; show(json.Unmarshal([]byte(text), &c) == nil); show(c.Name); show(c.ID); show(c.Count); show(c.Rate); show(c.On); show(c.In.B[1]); show(c.Ptr.A); show(len(c.List)); show(c.List[1].A); show(c.Labels["k"]); show(c.Color.String()); show(c.At.Year()); show(int(c.Wait)); show(fmt.Sprint(c.Any)); show(cap(c.List)); show(c.hidden == nil)
		data, err := json.Marshal(c); show(string(data)); show(err == nil); data, _ = json.MarshalIndent(map[string]any{"b": 1, "a": []int{1, 2}, "c": nil}, "", " "); show(string(data)); d := config{Name: "default", Labels: map[string]string{}, Ptr: &inner{A: 7, B: nil}}; ptr := d.Ptr; show(json.Unmarshal([]byte("{\"count\": 1, \"ptr\": {\"b\": [\"q\"]}, \"labels\": {\"x\": \"y\"}}"), &d) == nil); show(d.Name); show(ptr.A); show(ptr.B[0]); show(d.Labels["x"])
		var m map[string]any; show(json.Unmarshal([]byte("{\"a\": {\"b\": [1.5]}}"), &m) == nil); show(m["a"].(map[string]any)["b"].([]any)[0].(float64)); var list []string; show(json.Unmarshal([]byte("[\"x\"]"), &list) == nil); show(list[0]); var none map[string]int; show(json.Unmarshal([]byte("{"), &none) != nil); var bad config; show(json.Unmarshal([]byte("{\"name\": 5, \"count\": 9}"), &bad) != nil); show(bad.Count); show(bad.Name)
		dec := json.NewDecoder(strings.NewReader("{\"name\": \"one\"} {\"name\": \"two\"}")); var e config; show(dec.Decode(&e) == nil); show(e.Name); show(dec.Decode(&e) == nil); show(e.Name); show(dec.Decode(&e) != nil); strict := json.NewDecoder(strings.NewReader("{\"unknown\": 1}")); strict.DisallowUnknownFields(); show(strict.Decode(&e) != nil); show(json.Valid([]byte("{}"))); null := struct{ P *int }{}; show(json.Unmarshal([]byte("{\"P\": 4}"), &null) == nil); show(*null.P)`},
	{"templates", `
		type item struct { Name string; N int; Tags []string; Sub inner }
		data := map[string]any{"Env": "prod", "Items": []item{{"a", 1, []string{"x", "y"}, inner{A: 5}}, {"b", 2, nil, inner{}}}, "On": true, "Rate": 1.5}
		t, err := template.New("t").Parse("{{.Env}}:{{range $i, $e := .Items}}{{if $i}},{{end}}{{$e.Name}}-{{printf \"%03d\" $e.N}}{{range .Tags}}<{{.}}>{{end}}{{with .Sub}}{{if .A}}sub {{.A}}{{end}}{{end}}{{end}} {{if and .On (eq .Env \"prod\")}}yes{{else}}no{{end}} {{len .Items}} {{.Rate | print}} {{range 3}}{{.}}{{end}}")
		show(err == nil); var b strings.Builder; show(t.Execute(&b, data) == nil); show(b.String()); b.Reset(); template.Must(template.New("").Parse("{{.P.A}}{{with .P}}{{.B}}{{end}}")).Execute(&b, struct{ P *inner }{&inner{A: 3}}); show(b.String()); show(t.Name()); var buf bytes.Buffer; template.Must(template.New("x").Parse("{{.X}}/{{.Y}} {{.}}")).Execute(&buf, struct{ X, Y int }{1, 2}); show(buf.String())
		_, err = template.New("bad").Parse("{{"); show(err != nil); func() { defer func() { show(recover() != nil) }(); template.Must(template.New("bad").Parse("{{end}}")) }(); b.Reset(); show(template.Must(template.New("missing").Parse("a{{.None.X}}b")).Execute(&b, struct{ A int }{}) != nil); show(b.String()); b.Reset(); d := template.Must(template.New("d").Delims("<<", ">>").Option("missingkey=zero").Parse("<<.a>>")); d.Execute(&b, map[string]string{}); show(b.String())`},
	{"numbers as large as pointers", `
		type size uintptr; u, s := uintptr(18), size(7); show(fmt.Sprintf("%v %x %#v %T %08b %v %d %v", u, u, u, u, u, s, []size{s}, map[uintptr]string{u: "a", 2: "b"})); data, err := json.Marshal(struct { A uintptr; M map[size]int }{u, map[size]int{s: 1}}); show(string(data)); show(err == nil)
		var held struct { A uintptr; B []size; C map[uintptr]size }; show(json.Unmarshal([]byte("{\"A\": 3, \"B\": [1, 2], \"C\": {\"4\": 5}}"), &held) == nil); show(fmt.Sprint(held, held.A+1, held.B[1])); show(json.Unmarshal([]byte("-1"), &u) == nil); n, _ := fmt.Sscan("12", &u); show(n); show(u == 12); show(^u > 1<<63); show(u-13 > 1<<63)
		var b strings.Builder; template.Must(template.New("").Parse("{{.}} {{eq . 12}} {{printf \"%x\" .}}")).Execute(&b, u); show(b.String()); l := []uintptr{3, 1}; slices.Sort(l); show(fmt.Sprint(l)); show(reflect.DeepEqual(l, []uintptr{1, 3})); show(fmt.Sprint(any(u) == any(uint64(12)), any(u) == any(uintptr(12))))`},
	{"numbers that constants don't have", `
		zero := 0.0; negative, infinite, none := -zero, 1/zero, zero/zero; show(fmt.Sprint(negative, infinite, -infinite, none, math.Ceil(-0.5), zero*-1, float32(infinite)))
		show(none != none); show(none == none); show(negative == zero); show(infinite > 1); show(none < 1); show(!(none >= 1)); show(infinite == math.Inf(1)); show(infinite-infinite == 0)
		show(fmt.Sprint(min(none, 1), max(1, none), min(zero, negative), max(negative, zero), min(1, infinite))); show(int(negative)); show(fmt.Sprintf("%5.1f|%+g|%v|%T", negative, infinite, []float64{none}, none))
		show(fmt.Sprint(infinite+1, 1/infinite, 1/-infinite, -negative, none+1, infinite*zero)); show(any(none) == any(none)); show(any(negative) == any(zero)); show([2]float64{negative} == [2]float64{})
		type f float32; large := f(3e38); show(fmt.Sprint(large*10, -large*10, float64(large)*10 > 1e39)); x := 1e19; show(fmt.Sprint(uint64(x))); x = -3.9; show(int8(x)); x *= 0; show(fmt.Sprint(x)); x /= zero; show(fmt.Sprint(x))
		show(strconv.FormatFloat(negative, 'g', -1, 64)); show(math.IsNaN(none)); show(math.IsInf(-infinite, -1)); show(math.Signbit(negative)); show(fmt.Sprint(math.Copysign(2, negative), math.Max(none, 1), math.Sqrt(-1)))
		switch none { case none: show("one"); default: show("none") }; switch negative { case zero: show("zero"); default: show("none") }; if infinite > 5 { show("more") }`},
	{"numbers", `
		show(math.Sqrt(16)); show(math.Mod(7, 4)); show(math.Pow(2, 10)); show(math.Floor(-1.5)); show(math.MaxInt64); n, err := strconv.Atoi("x1"); show(n); show(err != nil); show(err.Error()); show(errors.Is(err, strconv.ErrSyntax)); var failed *strconv.NumError; show(errors.As(fmt.Errorf("w: %w", err), &failed)); show(failed.Num); show(failed.Func); show(fmt.Sprintf("%T %v", err, err)); _, err = strconv.ParseInt("1", 99, 64); show(err.Error()); _, err = strconv.ParseUint("300", 10, 8); show(errors.Is(err, strconv.ErrRange)); _, err = strconv.Unquote("x"); show(err == strconv.ErrSyntax); show(strconv.Quote("a\n")); show(strconv.FormatInt(-255, 16)); f, _ := strconv.ParseFloat("1.25", 64); show(f); b, _ := strconv.ParseBool("true"); show(b); u, err := strconv.ParseUint("300", 10, 8); show(u); show(err != nil)
		show(math.Round(2.5)); show(math.Trunc(-2.7)); i, frac := math.Modf(3.25); show(i); show(frac); show(strconv.FormatFloat(1.0/3, 'f', 3, 64)); show(unicode.IsUpper('Ä'))`},
}

// libraryProgram is a program that has all bodies, and runs those between two indexes one
// after the other.
func libraryProgram(imports []string, declarations string, bodies []struct{ name, body string }, from, to int) string {
	var source strings.Builder
	source.WriteString("package main\n\nimport (\n")
	for _, path := range imports {
		fmt.Fprintf(&source, "\t%q\n", path)
	}
	source.WriteString(")\n\n" + showDecl + declarations)
	source.WriteString("\nfunc main() { run() }\n\nfunc run() {\n")
	for i := from; i < to; i++ {
		fmt.Fprintf(&source, "\tshow(%s)\n\tcase%d()\n", strconv.Quote("# "+bodies[i].name), i)
	}
	source.WriteString("}\n")
	for i, c := range bodies {
		fmt.Fprintf(&source, "\nfunc case%d() {\n%s\n}\n", i, c.body)
	}
	return source.String()
}

// printedBy runs a program and returns what it prints.
func printedBy(t *testing.T, source string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, source)
	run := exec.CommandContext(t.Context(), "go", "run", ".")
	run.Dir = dir
	var stderr bytes.Buffer
	run.Stderr = &stderr
	printed, err := run.Output()
	require.NoError(t, err, stderr.String())
	return string(printed)
}

// requireAsPrinted evaluates bodies of functions, each by itself, and requires what a program
// of all of them prints.
func requireAsPrinted(t *testing.T, imports []string, declarations string, bodies []struct{ name, body string }) {
	t.Helper()
	var printed []string // by each body
	for line := range strings.Lines(printedBy(t, libraryProgram(imports, declarations, bodies, 0, len(bodies)))) {
		if strings.HasPrefix(line, "# ") {
			printed = append(printed, "")
		}
		printed[len(printed)-1] += line
	}
	require.Len(t, printed, len(bodies))
	for i, b := range bodies {
		t.Run(b.name, func(t *testing.T) {
			shown := evaluate(t, libraryProgram(imports, declarations, bodies, i, i+1)).shown
			require.Equal(t, printed[i], strings.Join(shown, "\n")+"\n")
		})
	}
}

func TestEvaluator_KnowsWhatTheLibraryDoes(t *testing.T) {
	requireAsPrinted(t, libraryImports, libraryDeclarations, libraryBodies)
}

// undetermined are bodies of functions whose values the library doesn't
// determine: what is shown is "unknown", and where it isn't, that is what all
// possible programs show.
var undetermined = []struct{ name, body, want string }{
	{"a handler that a long call of the library registers", `n := 0; slices.IndexFunc(make([]int, 40_000), func(int) bool { if n == 0 { n = 1; http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { show("h") }) }; return false }); show(n)`, "h\nh\nunknown: a value that depends on the condition slices.IndexFunc calls the function it is given"},
	{"what a handler gives away after a change, within a conversion", `m := 0; f := func() {}; http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { g := f; _ = any(time.AfterFunc(1, g)) }); f = func() { m = 5 }; http.ListenAndServe("", nil); show(m)`, "unknown: a value that may change while the goroutine of main.go:97 runs"},
	{"what a handler gives away after a change, within a call of the library", `m := 0; f := func() {}; http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { g := f; slices.Contains([]*time.Timer{time.AfterFunc(1, g)}, nil) }); f = func() { m = 5 }; http.ListenAndServe("", nil); show(m)`, "unknown: a value that may change while the goroutine of main.go:97 runs"},
	{"what a handler gives away after a change", `n, m := 0, 0; f := func(http.ResponseWriter, *http.Request) { n = 5 }; http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { g := f; http.HandleFunc("/g", g) }); f = func(http.ResponseWriter, *http.Request) { m = 5 }; http.ListenAndServe("", nil); show(m); show(n)`, "unknown: a value that depends on the condition http.ListenAndServe calls the function it is given\nunknown: a value that depends on the condition http.HandleFunc calls the function it is given"},
	{"the text of an error that isn't known", `_, err := os.Stat("x"); log.Print(err.Error()); show(err.Error())`, "unknown: the result of err.Error(), and so on the result of os.Stat(\"x\")"},
	{"the text of an error that is", `err := errors.New("x"); log.Print(err.Error()); show(err.Error())`, "x"},
	{"what a file holds", `buf := []byte("ab"); f, _ := os.Open("x"); f.Read(buf); show(buf[0])`, "unknown: a value that f.Read may have changed, and so on the result of os.Open(\"x\")"},
	{"whether an error is another", `_, err := os.Stat("x"); n := 1; if errors.Is(err, os.ErrNotExist) { n = 2 }; show(n)`, "unknown: a value that depends on the condition errors.Is(err, os.ErrNotExist), and so on the result of os.Stat(\"x\")"},
	{"an error with an unknown text", `show(fmt.Errorf("%s", os.Getenv("X")) == nil)`, "false"},
	{"its text", `show(fmt.Errorf("%s", os.Getenv("X")).Error())`, `unknown: the result of os.Getenv("X")`},
	{"what it wraps", `base := errors.New("b"); show(errors.Is(fmt.Errorf("%s %w", os.Getenv("X"), base), base))`, "true"},
	{"an error of what isn't nil", `n := 1; if err := json.NewDecoder(os.Stdin).Decode(&n); err != nil { log.Fatal(err) }; show(n)`, "unknown: a value that json.NewDecoder(os.Stdin).Decode may have changed, and so on the variable os.Stdin"},
	{"an error among those that are joined", `p := &queued{"a"}; _, err := os.Stat("x"); var held *queued; if errors.As(errors.Join(p, err), &held) { held.queue = "b" }; show(p.queue)`, "unknown: a value that errors.As may have changed, and so on the result of os.Stat(\"x\")"},
	{"an error among those that are wrapped", `p := &queued{"a"}; _, err := os.Stat("x"); var held *queued; if errors.As(fmt.Errorf("%w %w", err, p), &held) { held.queue = "b" }; show(p.queue)`, "unknown: a value that errors.As may have changed, and so on the result of os.Stat(\"x\")"},
	{"an error of a type among those that are joined", `p := &queued{"a"}; _, err := os.Stat("x"); if held, ok := errors.AsType[*queued](errors.Join(p, err)); ok { held.queue = "b" }; show(p.queue)`, "unknown: the result of os.Stat(\"x\")"},
	{"an error that holds another", `p := &queued{"a"}; _, err := os.Stat("x"); var held holding; if errors.As(errors.Join(holding{p}, err), &held) { held.queued.queue = "b" }; show(p.queue)`, "unknown: a value that errors.As may have changed, and so on the result of os.Stat(\"x\")"},
	{"an error that an error may give", `p := &queued{"a"}; if held, ok := errors.AsType[*queued](holding{p}); ok { held.queue = "b" }; show(p.queue)`, "unknown: the result of os.Getpid()"},
	{"a target that no error can be assigned to", `_, err := os.Stat("x"); target := &struct{}{}; show(errors.As(err, any(target))); show(errors.As(err, nil)); show(errors.As(err, any(1)))`, "false\nfalse\nfalse"},
	{"an end that a reader makes itself", `var n int; show(json.NewDecoder(&ending{}).Decode(&n) == nil); show(n)`, "unknown: the expression json.NewDecoder(&ending{}).Decode(&n)\nunknown: a value that json.NewDecoder(&ending{}).Decode may have changed"},
	{"a pointer that is swapped or not", `p, q := &queued{"a"}, &queued{"x"}; var at atomic.Pointer[queued]; at.Store(q); if os.Getpid() > 1 { q = nil }; at.CompareAndSwap(q, p); at.Load().queue = "b"; show(p.queue)`, "unknown: a value that depends on the condition os.Getpid() > 1, and so on the result of os.Getpid()"},
	{"an address", `n := 1; show(fmt.Sprint(&n))`, "unknown: an address in fmt.Sprint(&n)"},
	{"a document that isn't known", `c := struct{ A int }{1}; data, _ := os.ReadFile("x"); json.Unmarshal(data, &c); show(c.A)`, "unknown: a value that json.Unmarshal may have changed, and so on the result of os.ReadFile(\"x\")"},
	{"a struct with a type that decodes itself", `var c struct{ decoding; B int }; json.Unmarshal([]byte("{}"), &c); show(c.B)`, "unknown: a value that json.Unmarshal may have changed, and so on a value of the type struct{main.decoding; B int}, which isn't followed"},
	{"a time that is appended where there is too little room", `b, d := make([]byte, 0, 8), time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC); c := d.AppendFormat(b, "2006-01-02 Monday"); show(len(c)); b = append(b, 'x'); show(b[:2][1])`, "unknown: the expression d.AppendFormat(b, \"2006-01-02 Monday\")\nunknown: the result of d.AppendFormat(b, \"2006-01-02 Monday\")"},
	{"a sync.Map that is copied after use", `var m sync.Map; m.Store("a", 1); type held struct{ m sync.Map }; c := m; h := held{m}; _, ok := m.Load("a"); show(ok); c.Store("b", 1); _, ok = m.Load("b"); show(ok); _, ok = h.m.Load("a"); show(ok)`, "true\nunknown: a value that c.Store may have changed, and so on what a copied sync.Map holds\nunknown: the result of h.m.Load(\"a\"), and so on what a copied sync.Map holds"},
	{"a sync.Map that is copied before use", `var m sync.Map; c := m; m.Store("a", 1); _, ok := c.Load("a"); show(ok); _, ok = m.Load("a"); show(ok)`, "false\ntrue"},
	{"a time zone of the machine", `show(time.Date(2024, 1, 1, 0, 0, 0, 0, time.Local).Format("15"))`, "unknown: the variable time.Local"},
	{"a callback that isn't known", `n := 0; strings.Map(func(r rune) rune { n++; return rune(os.Getpid()) }, "ab"); show(n)`, "unknown: a value that depends on the condition strings.Map calls the function it is given, and so on the result of os.Getpid()"},
	{"what was put into a pool", `var p sync.Pool; p.Put(1); show(p.Get())`, "unknown: a value of the pool that p.Put(1) returns to"},
	{"a width that is too long", `show(fmt.Sprintf("%999999d", 1))`, "unknown: a string longer than those that are looked at"},
	{"a result that explodes", `show(strings.NewReplacer("a", strings.Repeat("x", 60000)).Replace(strings.Repeat("a", 60000)))`, "unknown: a string longer than those that are looked at"},
	{"a template over a method", `var b strings.Builder; template.Must(template.New("").Parse("{{.}}")).Execute(&b, counting{new(int)}); show(b.String())`, "unknown: a value that template.Must(template.New(\"\").Parse(\"{{.}}\")).Execute may have changed, and so on a value of the type main.counting, which isn't followed"},
	{"a template that counts far", `var b strings.Builder; template.Must(template.New("").Parse("{{range 9999}}{{range 9999}}{{range 9999}}{{end}}{{end}}{{end}}")).Execute(&b, nil); show(b.String() == "x")`, "unknown: a value that template.Must(template.New(\"\").Parse(\"{{range 9999}}{{range ... may have changed, and so on a template that may take long"},
	{"a template of addresses", `var b strings.Builder; template.Must(template.New("").Parse("{{.}}")).Execute(&b, struct{ P *int }{new(int)}); show(b.Len())`, "unknown: a value that template.Must(template.New(\"\").Parse(\"{{.}}\")).Execute may have changed"},
	{"a variable of the environment that may be set", `if os.Getpid() > 1 { os.Setenv("X", "a") }; v, ok := os.LookupEnv("X"); show(v); show(ok)`, "unknown: a value that depends on the condition os.Getpid() > 1, and so on the result of os.Getpid()\nunknown: a value that depends on the condition os.Getpid() > 1, and so on the result of os.Getpid()"},
	{"a variable that is expanded and isn't set", `os.Setenv("X", "a"); show(os.ExpandEnv("$X$Y"))`, `unknown: the result of os.ExpandEnv("$X$Y")`},
	{"a name that can't be set", `os.Setenv("", "a"); show(os.Getenv("X"))`, `unknown: the expression os.Setenv("", "a")`},
	{"a method that a logger calls", `c := 0; log.Print(counting{&c}); show(c)`, "unknown: a value that depends on the condition log.Print calls the method String of a value that it is given"},
	{"a method that encoding/json calls", `c := 0; json.Marshal(map[string]any{"a": encoding{&c}}); show(c)`, "unknown: a value that depends on the condition json.Marshal calls the method MarshalText of a value that it is given"},
	{"a method that fmt calls", `c := 0; fmt.Println(os.Getenv("X"), counting{&c}); show(c)`, "1"},
	{"what a flag is bound to", `n := 1; flag.IntVar(&n, "n", 2, ""); show(n); flag.Parse(); show(n)`, "2\nunknown: the value of the flag -n"},
	{"what a flag points to", `p := flag.String("name", "a", ""); show(*p); flag.Parse(); show(*p)`, "a\nunknown: the value of the flag -name"},
	{"flags of an own set", `set := flag.NewFlagSet("", flag.ContinueOnError); p := set.Bool("on", true, ""); var d time.Duration; set.DurationVar(&d, "wait", 5, ""); show(*p); show(int(d)); set.Parse(os.Args[1:]); show(*p); show(int(d))`, "true\n5\nunknown: the value of the flag -on\nunknown: the value of the flag -wait"},
	{"a flag of an own type", `asked := 0; s := setting{"a", &asked}; flag.Var(&s, "s", ""); show(asked); show(s.text); flag.Parse(); show(s.text)`, "1\na\nunknown: the value of the flag -s"},
	{"a flag of an own type in an own set", `s := setting{text: "a"}; set := flag.NewFlagSet("", flag.ContinueOnError); set.Var(&s, "s", ""); show(s.text); set.Parse(os.Args[1:]); show(s.text)`, "a\nunknown: the value of the flag -s"},
	{"a flag that decodes itself", `d := time.Time{}; flag.TextVar(&d, "at", time.Time{}, ""); show(d.Year())`, `unknown: a value that flag.TextVar may have changed`},
	{"a function of a flag", `n := 0; flag.Func("f", "", func(string) error { n++; return nil }); show(n); flag.Parse(); show(n)`, "0\nunknown: a value that depends on the condition flag.Parse calls the function it is given, and so on the value of the flag -f"},
	{"a function of a flag without a value", `n := 0; set := flag.NewFlagSet("", flag.ContinueOnError); set.BoolFunc("f", "", func(string) error { n++; return nil }); show(n); set.Parse(os.Args[1:]); show(n)`, "0\nunknown: a value that depends on the condition set.Parse calls the function it is given, and so on the value of the flag -f"},
	{"a flag that the program sets", `a, b := flag.Int("a", 1, ""), flag.Int("b", 2, ""); show(flag.Set("a", "3") == nil); show(*a); show(*b)`, "unknown: the result of flag.Set(\"a\", \"3\")\nunknown: the value of the flag -a\n2"},
	{"a flag of an unknown name", `a := flag.Int("a", 1, ""); show(flag.Set(os.Getenv("X"), "3") == nil); show(*a)`, "unknown: the result of flag.Set(os.Getenv(\"X\"), \"3\")\nunknown: the value of the flag -a"},
	{"flags that are visited", `a := flag.Int("a", 1, ""); n := 0; flag.Visit(func(*flag.Flag) { n++ }); show(*a); show(n)`, "unknown: a value that flag.Visit may have changed\nunknown: a value that depends on the condition flag.Visit calls the function it is given"},
	{"a flag that is looked up", `a := flag.Int("a", 1, ""); show(flag.Lookup("a") == nil); show(*a)`, "unknown: the result of flag.Lookup(\"a\")\nunknown: the value of the flag -a"},
	{"the words after the flags", `flag.Parse(); show(flag.Args()); show(flag.NArg()); show(flag.Arg(1)); show(flag.NFlag()); show(flag.Parsed())`, "unknown: the result of flag.Args()\nunknown: the result of flag.NArg()\nunknown: the result of flag.Arg(1)\nunknown: the result of flag.NFlag()\ntrue"},
	{"the words of a set that parses later", `set := flag.NewFlagSet("", flag.ContinueOnError); show(set.Args()); show(set.NArg()); show(set.Arg(1)); show(set.NFlag()); show(set.Parsed())`, "unknown: the result of set.Args()\nunknown: the result of set.NArg()\nunknown: the result of set.Arg(1)\nunknown: the result of set.NFlag()\nunknown: the result of set.Parsed()"},
	{"a word after the flags at an unknown place", `flag.Parse(); show(flag.Arg(os.Getpid()))`, `unknown: the result of flag.Arg(os.Getpid())`},
	{"two flags of one variable that the program sets", `set := flag.NewFlagSet("", flag.ContinueOnError); q, on := "", false; set.StringVar(&q, "queue", "", ""); set.StringVar(&q, "q", "", ""); set.BoolVar(&on, "on", true, ""); set.Parse([]string{"-queue=a", "-q", "b", "-on=false", "-on"}); show(q); show(on)`, "b\ntrue"},
	{"what only reads flags", `a := flag.Int("a", 1, ""); flag.PrintDefaults(); show(*a); set := flag.NewFlagSet("x", flag.ContinueOnError); b := set.Int("b", 2, ""); set.SetOutput(os.Stderr); show(set.Name()); set.PrintDefaults(); set.Output(); set.ErrorHandling(); show(*b)`, "1\nunknown: the result of set.Name()\n2"},
	{"names that flags can't have", `set := flag.NewFlagSet("x", flag.ContinueOnError); func() { defer func() { show(recover() != nil) }(); set.Int("-a", 1, "") }(); func() { defer func() { show(recover() != nil) }(); set.Int("a=b", 1, "") }(); func() { defer func() { show(recover() != nil) }(); set.Int("a", 1, ""); set.Int("b", 1, ""); set.String("a", "", "") }(); func() { defer func() { show(recover() != nil) }(); set.Int("c", 1, "") }()`, "true\ntrue\ntrue\nfalse"},
	{"one of two sets of flags", `var set *flag.FlagSet; if os.Getpid() > 1 { set = flag.NewFlagSet("", 0) } else { set = flag.CommandLine }; n := 5; set.IntVar(&n, "n", 1, ""); show(n); p := set.Int("p", 2, ""); show(*p); set.Parse(os.Args[1:]); show(n); show(set.Arg(0)); set.Set("n", "4"); show(set.Lookup("n") != nil); set.Visit(func(*flag.Flag) { n++ }); show(set.Parsed()); var v setting; set.Var(&v, "v", ""); show(v.text); set.Func("f", "", func(string) error { return nil }); show(set.NArg()); set.Init("", 0)`, "unknown: a value that set.IntVar may have changed, and so on the variable flag.CommandLine\nunknown: the result of set.Int(\"p\", 2, \"\"), and so on the variable flag.CommandLine\nunknown: a value that set.IntVar may have changed, and so on the variable flag.CommandLine\nunknown: the result of set.Arg(0)\nunknown: the result of set.Lookup(\"n\"), and so on the variable flag.CommandLine\nunknown: the result of set.Parsed()\nunknown: an argument that set.Var gives\nunknown: the result of set.NArg()"},
	{"flags that other code may parse", `n := 1; flag.IntVar(&n, "n", 2, ""); log.Print(os.Getpid()); http.Get("x"); show(n); m := 1; set := flag.NewFlagSet("", 0); set.IntVar(&m, "m", 2, ""); http.Get("x"); show(m)`, "unknown: a value that http.Get may have changed\n2"},
	{"a flag that is defined too late", `flag.Parse(); p := flag.Int("p", 1, ""); show(*p)`, `unknown: the value of the flag -p`},
	{"a time in another zone, and what later versions of Go may know", `_, err := time.Parse("2006", "x"); show(err == nil); d, _ := time.Parse("2006 -0700", "2020 +0100"); show(d.Year()); d, _ = time.Parse("2006", "2020"); show(d.Year()); show(http.StatusText(404)); show(http.StatusText(999)); show(time.FixedZone("", 3) == nil)`, "false\nunknown: the result of time.Parse(\"2006 -0700\", \"2020 +0100\")\n2020\nNot Found\nunknown: the result of http.StatusText(999)\nunknown: the result of time.FixedZone(\"\", 3)"},
	{"results that are far too long", `s := strings.Repeat("x", 60000); show(len(strings.ReplaceAll(strings.Repeat("a", 900), "a", s))); show(len(strings.ToValidUTF8(strings.Repeat("\xff.", 900), s))); show(len(strings.Join(slices.Repeat([]string{s}, 900), ","))); show(len(strconv.FormatFloat(1, 'f', 9000000, 64))); show(len(regexp.MustCompile("a").ReplaceAllString(strings.Repeat("a", 900), s))); show(len(regexp.MustCompile("a").ReplaceAllLiteralString(strings.Repeat("a", 900), s))); show(len(regexp.MustCompile("a").ReplaceAllStringFunc(strings.Repeat("a", 900), func(string) string { return s }))); show(len(os.Expand(strings.Repeat("$a", 900), func(string) string { return s })));show(len(strings.NewReplacer("a", s).Replace(strings.Repeat("a", 900)))); show(len(strings.Repeat(s, 900)))`, "unknown: a string longer than those that are looked at\nunknown: a string longer than those that are looked at\nunknown: a string longer than those that are looked at\nunknown: a string longer than those that are looked at\nunknown: a string longer than those that are looked at\nunknown: a string longer than those that are looked at\nunknown: a string longer than those that are looked at\nunknown: a string longer than those that are looked at\nunknown: a string longer than those that are looked at\nunknown: a string longer than those that are looked at"},
	{"one of two callbacks, and a callback for an unknown text", `n := 0; f := func(r rune) rune { n++; return r }; if os.Getpid() > 1 { f = func(r rune) rune { n += 2; return r } }; show(strings.Map(f, "a")); show(n); n = 0; show(strings.IndexFunc(os.Getenv("X"), func(r rune) bool { n++; return true })); show(n)`, "unknown: a value that depends on the condition os.Getpid() > 1, and so on the result of os.Getpid()\nunknown: a value that depends on the condition strings.Map calls the function it is given, and so on the result of os.Getpid()\nunknown: the result of os.Getenv(\"X\")\nunknown: a value that depends on the condition code that isn't read calls the function it is given"},
}

func TestEvaluator_SaysWhatTheLibraryLeavesOpen(t *testing.T) {
	for _, test := range undetermined {
		t.Run(test.name, func(t *testing.T) {
			source := libraryProgram([]string{
				"encoding/json", "errors", "flag", "fmt", "log", "net/http", "os", "regexp", "slices", "strconv", "strings", "sync", "sync/atomic", "text/template", "time",
			}, `
type setting struct {
	text  string
	asked *int
}

func (s *setting) String() string {
	if s.asked != nil {
		*s.asked++
	}
	return s.text
}

func (s *setting) Set(text string) error { s.text = text; return nil }

type queued struct{ queue string }

func (q *queued) Error() string { return q.queue }

type holding struct{ queued *queued }

func (h holding) Error() string { return "holding" }

func (h holding) As(target any) bool {
	if to, ok := target.(**queued); ok {
		*to = h.queued
	}
	return os.Getpid() > 1
}

type ending struct{ ended bool }

func (e *ending) Read(p []byte) (int, error) {
	if e.ended {
		return 0, errors.New("EOF")
	}
	e.ended = true
	return copy(p, "12"), nil
}

type decoding struct{ n int }

func (d *decoding) UnmarshalJSON([]byte) error { d.n++; return nil }

type counting struct{ n *int }

func (c counting) String() string { *c.n++; return "" }

type encoding struct{ n *int }

func (e encoding) MarshalText() ([]byte, error) { *e.n++; return nil, nil }

var _ = json.Valid
var _ = errors.New
var _ = flag.Parse
var _ = log.Print
var _ = http.StatusText
var _ = os.Exit
var _ = regexp.MustCompile
var _ = slices.Contains[[]int]
var _ = strconv.Itoa
var _ = strings.ToUpper
var _ sync.Pool
var _ atomic.Int32
var _ time.Time
var _ template.Template
`, []struct{ name, body string }{{test.name, test.body}}, 0, 1)
			require.Equal(t, append([]string{"# " + test.name}, strings.Split(test.want, "\n")...), evaluate(t, source).shown)
		})
	}
}

package eval_test

import (
	"go/ast"
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// effectsImports are the packages that the bodies below use.
var effectsImports = []string{
	"bytes", "context", "encoding/json", "errors", "fmt", "io", "iter", "maps", "math", "os", "os/signal", "reflect", "regexp", "runtime", "slices", "sort", "strconv",
	"strings", "sync", "sync/atomic", "text/template", "time", "unicode/utf8",
}

// goexitDeclarations are those of types whose methods end their goroutine, wherever a value may
// have them.
const goexitDeclarations = `
type exits struct{}

func (exits) String() string { runtime.Goexit(); return "" }

type exitsFormat struct{}

func (exitsFormat) Format(s fmt.State, verb rune) { runtime.Goexit() }
`

// effectsDeclarations are those that the bodies below use.
const effectsDeclarations = waysDeclarations + `
var (
	_ bytes.Buffer
	_ context.Context
	_ = json.Valid
	_ io.Reader
	_ iter.Seq[int]
	_ = maps.Clone[map[int]int]
	_ = math.Pi
	_ = signal.Notify
	_ = reflect.TypeOf
	_ = regexp.MustCompile
	_ = slices.Max[[]int]
	_ = sort.Ints
	_ = strconv.Itoa
	_ = strings.ToUpper
	_ atomic.Bool
	_ template.Template
	_ time.Time
	_ = utf8.RuneLen
)

func interrupted() context.Context { c, _ := signal.NotifyContext(context.Background()); return c }

// wordOf is a text by another name.
type wordOf string

type pair struct{ A, B int }

type holder struct{ held *pair }

type namer interface{ String() string }

type named struct{ n int }

func (n named) String() string { return "named " + strconv.Itoa(n.n) }

type structOfMethods struct {
	N named
	m int
}

// These have methods of the names that package fmt looks for.
type ofMany []int

func (o ofMany) String() string { return "many" }

type wrongFormat struct{ n int }

func (wrongFormat) Format(s string, verb rune) {}

type twoResults struct{ n int }

func (twoResults) Format(s fmt.State, verb rune) error { return nil }
func (twoResults) String() (string, error)             { return "two", nil }

type otherParameter struct{ n int }

func (otherParameter) Format(s fmt.State, verb ...rune) {}
func (otherParameter) Error(n int) string               { return "other" }

type plusState struct{}

func (plusState) Format(s fmt.State, verb rune) {
	_, hasW := s.Width()
	p, hasP := s.Precision()
	fmt.Fprintf(s, "%c %v %v %d %v %v", verb, s.Flag('+'), s.Flag('#'), p, hasW, hasP)
}

type flagged struct{ flag int }

func (f flagged) Format(s fmt.State, verb rune) { fmt.Fprint(s, s.Flag(f.flag)) }

type panicsInPanic struct{}

func (panicsInPanic) String() string { panic("three") }

type panics struct{}

func (panics) String() string { panic(panicsInPanic{}) }

type panickingWith struct{ v any }

func (p panickingWith) String() string { panic(p.v) }

// mayPanicking may panic with one that counts.
type mayPanicking struct{ n *int }

func (m mayPanicking) String() string {
	if os.Getpid() > 5 {
		panic(counter(m))
	}
	return "s"
}

type counter struct{ n *int }

func (c counter) String() string { *c.n++; return "" }

type mayFormat struct{ n *int }

func (m mayFormat) Format(s fmt.State, verb rune) {
	io.WriteString(s, "before")
	if os.Getpid() > 5 {
		panic(counter(m))
	}
}

type formatsUnknown struct{}

func (formatsUnknown) Format(s fmt.State, verb rune) { io.WriteString(s, os.Getenv("X")) }

type printsUnknown struct{}

func (printsUnknown) String() string { return os.Getenv("X") }

type statesUnknown struct{}

func (statesUnknown) Format(s fmt.State, verb rune) { fmt.Fprint(s, s.Flag(os.Getpid())) }

type nilMap map[string]int

func (nilMap) String() string { panic("map") }

var kept [2]fmt.State

type keeps struct{ i int }

func (k keeps) Format(s fmt.State, verb rune) { kept[k.i] = s }

// These decode themselves, or don't.
type jsonExits struct{}

func (*jsonExits) UnmarshalJSON([]byte) error { runtime.Goexit(); return nil }

type jsonPanics struct{}

func (*jsonPanics) UnmarshalJSON([]byte) error { panic("json") }

type jsonPanicsWith struct{}

func (*jsonPanicsWith) UnmarshalJSON([]byte) error { panic(os.Getenv("X")) }

type jsonFailsWith struct{}

func (*jsonFailsWith) UnmarshalJSON([]byte) error { return fmt.Errorf("%s", os.Getenv("X")) }

type jsonFails struct{}

func (*jsonFails) UnmarshalJSON([]byte) error { return errors.New("fails") }

type jsonMayFail struct{}

func (*jsonMayFail) UnmarshalJSON([]byte) error {
	if maybe(1) {
		return errors.New("fails")
	}
	return nil
}

type jsonMayPanic struct{}

func (*jsonMayPanic) UnmarshalJSON([]byte) error {
	if maybe(1) {
		panic("json")
	}
	return nil
}

type jsonText struct{ N int }

func (t *jsonText) UnmarshalJSON(text string) error { t.N = 9; return nil }

type jsonResult struct{ N int }

func (r *jsonResult) UnmarshalJSON(data []byte) string { r.N = 9; return "" }

type jsonVariadic struct{ N int }

func (v *jsonVariadic) UnmarshalJSON(data ...byte) error { v.N = 9; return nil }

type panicsFormat struct{}

func (panicsFormat) Format(s fmt.State, verb rune) { io.WriteString(s, "before"); panic("format") }

// say shows what f panics with.
func say(f func()) {
	defer func() { show(recover()) }()
	f()
}

// failure shows the text of the run-time error that f panics with.
func failure(f func()) {
	defer func() { show(recover().(error).Error()) }()
	f()
}

// mayPanic tells whether the evaluation takes f for one that may panic, or not.
func mayPanic(f func()) {
	defer func() { showIf(recover() == nil) }()
	f()
}
`

// followed are bodies of functions whose values are determined, though they wait for one
// another, or go through the library. They are evaluated, and run.
var followed = []struct{ name, body string }{
	{"once and wait groups that are nil", `var once *sync.Once; failure(func() { once.Do(func() { show("never") }) }); var group *sync.WaitGroup; failure(func() { group.Add(1) }); failure(func() { group.Done() })`},
	{"typed nils in atomics", `
		var p atomic.Pointer[pair]; show(fmt.Sprintf("%T", p.Load())); var v any = p.Load(); show(v == any((*pair)(nil))); show(v == nil); show(p.Swap(&pair{1, 2}) == nil); show(p.Load().B); show(p.CompareAndSwap(nil, nil)); show(p.CompareAndSwap(p.Load(), nil)); show(p.Load() == nil)
		var none atomic.Value; show(none.Load() == nil); none.Store((*pair)(nil)); show(none.Load() == any((*pair)(nil))); show(none.Load() == nil)`},
	{"atomic booleans", `var b atomic.Bool; show(b.Load()); show(b.CompareAndSwap(true, true)); show(b.CompareAndSwap(false, true)); show(b.Load()); show(b.Swap(false)); show(b.CompareAndSwap(false, false)); b.Store(true); show(b.Load()); show(b.CompareAndSwap(true, false)); b.Store(true); show(b.Swap(true)); var v any = b.Load(); _, ok := v.(bool); show(ok)`},
	{"the types of functions that run once", `
		_, ok := any(sync.OnceFunc(func() {})).(func()); show(ok); _, ok = any(sync.OnceValue(func() int { return 1 })).(func() int); show(ok); _, ok = any(sync.OnceValues(func() (string, error) { return "", nil })).(func() (string, error)); show(ok)
		f := sync.OnceFunc(func() { show("in"); panic("boom") }); say(f); say(f); g := sync.OnceFunc(func() { show("in"); runtime.Goexit() }); var group sync.WaitGroup; group.Add(1); go func() { defer group.Done(); defer func() { show(recover() != nil) }(); g() }(); group.Wait(); failure(g)`},
	{"lists of structs that grow by the library", `
		a := append([]pair(nil), pair{1, 2}, pair{3, 4}); b := slices.Insert(a, 0, pair{5, 6}); b[1].A = 9; show(b[0].A); show(b[1].A); show(b[2].A); b[2].B = 8; show(b[1].B)
		c := slices.Replace(append([]pair(nil), pair{1, 2}, pair{3, 4}), 0, 1, pair{5, 6}, pair{7, 8}, pair{9, 10}); c[0].A = 0; show(c[1].A); show(c[3].A); show(len(c))
		d := append([]int(nil), 1, 2); e := slices.Insert(d, 2, 5); show(e[2]); show(e[1]); failure(func() { slices.Insert(d, 3, 1) }); var m map[string]int; show(maps.Clone(m) == nil)`},
	{"what is decoded into types of the library", `
		type stamp = time.Time; var c struct { At stamp; M int; Raw json.RawMessage }; show(json.Unmarshal([]byte("{\"At\":\"2024-01-02T03:04:05Z\",\"M\":2,\"Raw\":[1]}"), &c) == nil); show(c.M); show(c.At.Year()); show(string(c.Raw))
		list := make([]int, 1200); show(json.Unmarshal([]byte("[1,2]"), &list) == nil); show(len(list)); show(list[1]); full := []int{1, 2, 3}; other := full; show(json.Unmarshal([]byte("[7,8]"), &full) == nil); show(len(full)); show(other[1]); show(other[2])
		x := struct { P *pair; Q [2]int; hidden []int; M map[string]int }{P: &pair{1, 2}, M: map[string]int{"a": 1}}; p := x.P; m := x.M; show(json.Unmarshal([]byte("{\"P\":{\"A\":5},\"Q\":[3],\"M\":{\"b\":2,\"c\":3}}"), &x) == nil); show(p.A); show(p.B); show(x.Q[0]); show(len(m)); show(m["c"]); show(x.hidden == nil)`},
	{"what is encoded", `
		type inner struct { B []byte; c int }; data, err := json.Marshal(struct { A int; I inner; P *inner; L []string; M map[string]any; F float64; T time.Time; Any any; R [2]bool; N *int }{1, inner{[]byte("x"), 2}, &inner{}, []string{"a"}, map[string]any{"z": 1, "a": []int{1}}, 1.5, time.Date(2024, 2, 3, 4, 5, 6, 0, time.UTC), pair{1, 2}, [2]bool{true}, nil}); show(string(data)); show(err)
		data, err = json.MarshalIndent(map[string]int{"b": 1, "a": 2}, ">", "  "); show(string(data)); show(err); data, _ = json.Marshal(nil); show(string(data)); data, _ = json.Marshal((*pair)(nil)); show(string(data))`},
	{"functions that are called for real", `
		show(strings.Map(func(r rune) rune { if r == 'a' { return -1 }; return r + 1 }, "abc")); show(strings.IndexFunc("abc", func(r rune) bool { return r == 'c' })); say(func() { strings.Map(func(rune) rune { panic("in") }, "a") }); say(func() { strings.Repeat("x", -1) }); show(strings.Join(nil, ",")); show(strings.Join([]string(nil), ",")); show(len(strings.Repeat("", 1<<40)))
		show(os.Expand("$a-$b", func(s string) string { return s + s })); show(regexp.MustCompile("a+").ReplaceAllStringFunc("baab", strings.ToUpper)); f := math.Inf(1); show(math.IsInf(f, 0)); show(strconv.FormatFloat(f, 'g', -1, 32)); show(math.Signbit(-1)); show(len(strings.Repeat("x", 1<<16))); show(strings.EqualFold("A", "a"))
		var b bytes.Buffer; b.Grow(5); b.Write(make([]byte, 100)); show(b.Len()); show(strings.Compare("a", "b")); var zero time.Time; show(zero.IsZero()); show(zero.Add(time.Hour).Hour()); show((time.Time{}).Equal(zero)); u := zero.UTC(); show(u.IsZero()); show(time.Time.Year(zero))`},
	{"methods that print", `
		show(fmt.Sprintf("%v", ofMany{1})); show(fmt.Sprintf("%v|%s", reflect.TypeOf(""), reflect.TypeOf(pair{}))); show(fmt.Sprintf("%w|%!w", 5, 6)); show(fmt.Sprintf("%v %s", wrongFormat{1}, wrongFormat{2})); show(fmt.Sprintf("%v %v", twoResults{1}, otherParameter{1})); show(fmt.Sprintf("%#v|%+v|%v", plusState{}, plusState{}, plusState{})); show(fmt.Sprintf("%5d|%v", plusState{}, []any{plusState{}}))
		say(func() { fmt.Sprint(panics{}) }); show(fmt.Sprintf("%v|%d", panicsInPanic{}, 5)); show(fmt.Sprintf("%+v|%#v", structOfMethods{named{1}, 2}, structOfMethods{named{1}, 2})); show(fmt.Sprintf("%+v", []any{named{1}, pair{1, 2}})); show(fmt.Sprintf("%#v", []any{named{1}, pair{1, 2}})); show(fmt.Sprintf("%+d %+v %d", named{1}, named{2}, pair{3, 4})); show(fmt.Sprintf("%x|%X|%q|%5s|%-5s|", named{1}, named{1}, named{1}, named{1}, named{1}))
		var none *named; show(fmt.Sprintf("%v %s %+v", none, none, none)); show(fmt.Sprint(any(nil), error(nil))); var n namer; show(fmt.Sprintf("%v", n)); show(fmt.Sprintf("%v %+v", flagged{0}, flagged{'+'})); show(fmt.Sprintf("%+v %+v %+v", flagged{200}, flagged{'+'}, flagged{-1})); show(fmt.Sprintf("%+v", flagged{0xE9}))
		say(func() { fmt.Sprintf("%v", panickingWith{panickingWith{1}}) }); show(fmt.Sprintf("%+5.1v|%5d", panickingWith{1}, 7)); show(fmt.Sprintf("%+v", []any{panickingWith{2}, 3}))
		done := make(chan bool); go func() { defer close(done); fmt.Sprint(exits{}); show("never") }(); <-done; again := make(chan bool); go func() { defer close(again); fmt.Sprint(exitsFormat{}); show("never") }(); <-again; show(fmt.Sprint(panicsFormat{}) != "")
		show(fmt.Sprintf("%+v", []any{reflect.TypeOf(1), pair{1, 2}})); show(fmt.Sprintf("%+v", []any{panickingWith{2}, pair{1, 2}})); show(fmt.Sprintf("%+v|%v", panickingWith{pair{1, 2}}, panickingWith{pair{3, 4}})); show(fmt.Sprint(nilMap(nil))); var wrapped interface { error; Unwrap() error }; show(errors.Unwrap(wrapped) == nil); show(fmt.Sprintf("%w", pair{1, 2})); show(fmt.Sprintf("%w", panickingWith{1})); show(fmt.Sprintf("%+v", flagged{1<<32 + '+'}))`},
}

func TestEvaluator_FollowsWhatWaitsAndGoesThroughTheLibrary(t *testing.T) {
	requireAsPrinted(t, effectsImports, effectsDeclarations+goexitDeclarations, followed)
}

// partlyKnown are bodies of functions of which the library leaves something open, and what
// is shown by which of their ways.
var partlyKnown = []struct {
	name, body string
	want       []string
}{
	{"one of two sync.Once", `var a, b sync.Once; o := &a; if maybe(1) { o = &b }; o.Do(func() { showIf("x") }); a.Do(func() { showIf("y") })`, []string{"x if o.Do calls the function it is given", "y if the first call of a.Do"}},
	{"a sync.Once that isn't known", `o := []sync.Once{{}, {}}[os.Getpid()]; o.Do(func() { showIf("x") }); showIf("rest")`, []string{"x if o.Do calls the function it is given", "rest"}},
	{"one of two wait groups counts down", `var a, b sync.WaitGroup; g := &a; if maybe(1) { g = &b }; mayPanic(func() { g.Add(1) }); mayPanic(func() { g.Add(0) }); mayPanic(func() { g.Done() }); mayPanic(func() { g.Add(os.Getpid()) })`, []string{"true", "true", "true if not g.Done panics", "false if g.Done panics if not g.Done panics", "true if not g.Add panics", "false if g.Add panics if not g.Add panics"}},
	{"a wait group that counts by what isn't known", `var g sync.WaitGroup; mayPanic(func() { g.Add(os.Getpid()) }); mayPanic(func() { g.Add(0) }); mayPanic(func() { g.Add(1) }); mayPanic(func() { g.Done() })`, []string{"true if not g.Add panics", "false if g.Add panics if not g.Add panics", "true", "true", "true if not g.Done panics", "false if g.Done panics if not g.Done panics"}},
	{"a wait group that may count more", `var g sync.WaitGroup; g.Add(1); if maybe(1) { g.Add(1) }; mayPanic(func() { g.Done() })`, []string{"true if not g.Done panics", "false if g.Done panics if not g.Done panics"}},
	{"a wait group that counts by nothing", `var g sync.WaitGroup; mayPanic(func() { g.Add(0) }); g.Add(1); go func() { g.Add(0); showIf("x"); g.Done() }(); g.Wait(); showIf("after")`, []string{"true", "x", "after"}},
	{"a function that a timer calls", `t := time.AfterFunc(0, func() { showIf("x") }); showIf(t == nil)`, []string{"false", "x if the time of time.AfterFunc(0, (func() literal)) comes if waited for"}},
	{"a sync.Once that code may have written to", `var o sync.Once; json.Unmarshal([]byte(os.Getenv("X")), &o); o.Do(func() { showIf("x") }); showIf("rest")`, []string{"x if the first call of o.Do", "rest"}},
	{"a sync.Map that isn't known", `m := map[string]*sync.Map{"a": {}}[os.Getenv("X")]; m.Store("a", 1); v, ok := m.Load("a"); showIf(v); showIf(ok); m.Clear(); m.Range(func(any, any) bool { showIf("round"); return true })`, []string{"unknown: the result of m.Load(\"a\"), and so on the result of os.Getenv(\"X\")", "unknown: the result of m.Load(\"a\"), and so on the result of os.Getenv(\"X\")", "round if m.Range calls the function it is given"}},
	{"one of two sync.Map", `x, y := new(sync.Map), new(sync.Map); x.Store("k", 1); m := x; if maybe(1) { m = y }; m.Clear(); v, _ := x.Load("k"); showIf(v)`, []string{"unknown: the result of x.Load(\"k\"), and so on the result of os.Getpid()"}},
	{"a sync.Map of unknown size", `var m sync.Map; m.Store(os.Getenv("X"), 1); m.Store("a", 1); m.Range(func(any, any) bool { showIf("round"); return true })`, []string{"round if m.Range calls the function it is given"}},
	{"a sync.Map whose range may end", `var m sync.Map; m.Store("a", 1); m.Store("b", 1); n := 0; m.Range(func(any, any) bool { n++; return maybe(1) }); showIf(n)`, []string{"unknown: a value that depends on the condition m.Range calls the function it is given, and so on the result of os.Getpid()"}},
	{"a sync.Map that is cleared while it is visited", `var m sync.Map; m.Store("a", 1); m.Store("b", 1); n := 0; m.Range(func(any, any) bool { n++; m.Clear(); return true }); showIf(n)`, []string{"unknown: a value that depends on the condition m.Range calls the function it is given"}},
	{"a sync.Map that is cleared in its last round", `var m sync.Map; m.Store("a", 1); n := 0; m.Range(func(any, any) bool { n++; m.Clear(); return true }); showIf(n)`, []string{"1"}},
	{"a sync.Map whose range may end, with one entry", `var m sync.Map; m.Store("a", 1); m.Range(func(any, any) bool { showIf("round"); return maybe(1) })`, []string{"round", "round if m.Range calls the function it is given"}},
	{"a pool after Put", `n := 0; p := sync.Pool{New: func() any { n++; return 1 }}; p.Put(&n); showIf(n); mayPanic(func() { p.Get() }); showIf(n)`, []string{"unknown: a value that p.Put may have changed", "true if not p.Get panics", "false if p.Get panics if not p.Get panics", "unknown: a value that p.Put may have changed"}},
	{"a pool without New", `var p sync.Pool; showIf(p.Get()); x := &pair{1, 2}; p.Put(x); p.Get().(*pair).A = 5; showIf(x.A)`, []string{"<nil>", "unknown: a value that p.Put may have changed"}},
	{"a pool whose New isn't known", `n := 0; f := func() any { n = 1; return 1 }; if maybe(1) { f = func() any { n = 2; return 2 } }; p := sync.Pool{New: f}; var v any; mayPanic(func() { v = p.Get() }); showIf(v); showIf(n)`, []string{"true if not p.Get panics", "false if p.Get panics if not p.Get panics", "unknown: a value that depends on the condition maybe(1), and so on the result of os.Getpid()", "unknown: a value that depends on the condition p.Get calls the function it is given, and so on the result of os.Getpid()"}},
	{"a pool whose New may be nothing", `var f func() any; if maybe(1) { f = func() any { return 1 } }; p := sync.Pool{New: f}; mayPanic(func() { p.Get() })`, []string{"true if not p.Get panics", "false if p.Get panics if not p.Get panics"}},
	{"a pool that isn't known", `p := map[string]*sync.Pool{"a": {}}[os.Getenv("X")]; x := &pair{1, 2}; p.Put(x); v, _ := p.Get().(*pair); v.A = 3; showIf(x.A)`, []string{"unknown: a value that p.Put may have changed, and so on the result of os.Getenv(\"X\")"}},
	{"atomics that aren't known", `p := map[string]*atomic.Int32{"a": {}}[os.Getenv("X")]; p.Store(1); showIf(p.Load()); v := map[string]*atomic.Value{"a": {}}[os.Getenv("X")]; v.Store(1); showIf(v.Swap(2)); showIf(v.Load()); n := map[string]*int32{"a": new(int32)}[os.Getenv("X")]; atomic.StoreInt32(n, 1); showIf(atomic.LoadInt32(n))`, []string{"unknown: the result of p.Load(), and so on the result of os.Getenv(\"X\")", "unknown: the result of v.Swap(2), and so on the result of os.Getenv(\"X\")", "unknown: the result of v.Load(), and so on the result of os.Getenv(\"X\")", "unknown: the result of atomic.LoadInt32(n), and so on the result of os.Getenv(\"X\")"}},
	{"numbers in atomics that aren't known", `var n atomic.Int32; showIf(n.Add(int32(os.Getpid()))); showIf(n.Load()); n.Store(3); showIf(n.Or(int32(os.Getpid()))); showIf(n.Load()); showIf(n.Add(1)); var m int64 = 5; showIf(atomic.AddInt64(&m, 2)); showIf(m)`, []string{"unknown: the result of os.Getpid()", "unknown: the result of os.Getpid()", "3", "unknown: the result of os.Getpid()", "unknown: the result of os.Getpid()", "7", "7"}},
	{"booleans in atomics that aren't known", `var b atomic.Bool; b.Store(maybe(1)); showIf(b.Load()); showIf(b.CompareAndSwap(true, false)); showIf(b.Swap(true)); showIf(b.Load())`, []string{"unknown: the result of os.Getpid()", "unknown: the result of os.Getpid()", "unknown: the result of os.Getpid()", "true"}},
	{"a function that may have run once", `f := sync.OnceFunc(func() { showIf("x") }); if maybe(1) { f() }; f(); v := sync.OnceValue(func() int { showIf("y"); return 1 }); if maybe(1) { v() }; showIf(v())`, []string{"x if maybe(1)", "x if sync.OnceFunc calls the function it is given", "y if maybe(1)", "y if sync.OnceValue calls the function it is given", "x if sync.OnceValue calls the function it is given", "unknown: a value that depends on the condition maybe(1), and so on the result of os.Getpid()"}},
	{"a function that may panic, once", `f := sync.OnceValue(func() *pair { _ = 1 / os.Getpid(); return nil }); mayPanic(func() { showIf(f() == nil) }); mayPanic(func() { showIf(f() == nil) })`, []string{"unknown: a value that depends on the condition 1 / os.Getpid() panics, and so on the result of os.Getpid() if not sync.OnceValue panics", "true if not sync.OnceValue panics", "false if sync.OnceValue panics if not sync.OnceValue panics", "unknown: a value that depends on the condition 1 / os.Getpid() panics, and so on the result of os.Getpid() if not sync.OnceValue panics", "true if not sync.OnceValue panics", "false if sync.OnceValue panics if not sync.OnceValue panics"}},
	{"a list that isn't known, sorted", `s := []int{3, 1, 2}[:os.Getpid()]; n := 0; mayPanic(func() { sort.Slice(s, func(i, j int) bool { n++; return s[i] < s[j] }) }); showIf(n); var v any = s; mayPanic(func() { sort.SliceStable(v, func(i, j int) bool { showIf("less"); return false }) })`, []string{"true if not sort.Slice panics", "false if sort.Slice panics if not sort.Slice panics", "unknown: a value that depends on the condition sort.Slice calls the function it is given, and so on the result of os.Getpid()", "less if sort.SliceStable calls the function it is given if not sort.SliceStable panics", "true if not sort.SliceStable panics", "false if sort.SliceStable panics if not sort.SliceStable panics"}},
	{"a list that is sorted by what isn't known", `s := []int{3, 1, 2}; n := 0; sort.Slice(s, func(i, j int) bool { n++; return maybe(1) }); showIf(n); showIf(s[0])`, []string{"unknown: a value that depends on the condition sort.Slice calls the function it is given, and so on the result of os.Getpid()", "unknown: the result of os.Getpid()"}},
	{"a list whose parts are replaced where it isn't known", `a := append([]int(nil), 1, 2); b := slices.Replace(a, 0, os.Getpid(), 7, 8, 9); showIf(b[0]); showIf(len(b)); c := slices.Insert(a, os.Getpid(), 5); showIf(len(c))`, []string{"unknown: the result of os.Getpid()", "unknown: the result of os.Getpid()", "unknown: the result of os.Getpid()"}},
	{"a list that is appended to in its middle", `a := append([]int(nil), 1, 2); b := slices.Insert(a, 2, 5); b[0] = 7; showIf(a[0]); showIf(b[2]); showIf(b[0])`, []string{"unknown: an element of a slice whose array another one may share, as the compiler chooses", "5", "7"}},
	{"a map that isn't known, cloned", `m := map[string]map[string]int{"a": {"x": 1}}[os.Getenv("X")]; c := maps.Clone(m); showIf(c["x"]); c["x"] = 2; showIf(c["x"]); showIf(m["x"])`, []string{"unknown: the result of os.Getenv(\"X\")", "unknown: the result of os.Getenv(\"X\")", "unknown: the result of os.Getenv(\"X\")"}},
	{"an iterator that is pulled", `n := 0; next, stop := iter.Pull(func(yield func(int) bool) { n++; showIf("in"); yield(1) }); showIf(next == nil); showIf(stop == nil); next(); showIf(n)`, []string{"in if iter.Pull calls the function it is given", "in if iter.Pull calls the function it is given", "false", "false", "in if next calls the function it is given", "in if next calls the function it is given", "unknown: a value that yield may have changed, and so on an argument that next gives"}},
	{"a pool after Put that has a function", `n := 0; p := sync.Pool{New: func() any { n++; return 1 }}; p.Put(1); showIf(n); p.Get(); showIf(n)`, []string{"0", "unknown: a value that depends on the condition p.Get calls the function it is given, and so on a value of the pool that p.Put(1) returns to"}},
	{"a pool of any function", `info, _ := os.Stat("x"); p := sync.Pool{New: info.Sys().(func() any)}; mayPanic(func() { p.Get() }); p.Put(1); mayPanic(func() { p.Get() })`, []string{"true if not p.Get panics", "false if p.Get panics if not p.Get panics", "true if not p.Get panics", "false if p.Get panics if not p.Get panics"}},
	{"a pool without a function after Put", `var p sync.Pool; p.Put(1); mayPanic(func() { p.Get() })`, []string{"true if not p.Get panics", "false if p.Get panics if not p.Get panics"}},
	{"a sync.Map that isn't known, and may be nil", `m := map[string]*sync.Map{"a": {}}[os.Getenv("X")]; mayPanic(func() { m.Clear() }); mayPanic(func() { m.Load("a") }); mayPanic(func() { m.Range(nil) })`, []string{"true if not m.Clear panics", "false if m.Clear panics if not m.Clear panics", "true if not m.Load panics", "false if m.Load panics if not m.Load panics", "true if not m.Range panics", "false if m.Range panics if not m.Range panics"}},
	{"a sync.Map whose range may end early", `var m sync.Map; m.Store("a", 1); m.Store("b", 1); m.Store("c", 1); m.Range(func(any, any) bool { showIf("round"); return maybe(1) }); showIf("after"); m.Range(func(any, any) bool { showIf("first"); return false })`, []string{"round", "round if m.Range calls the function it is given", "after", "first"}},
	{"signals in a loop", `c := make(chan os.Signal, 1); signal.Notify(c, os.Interrupt); <-c; <-c; showIf("second"); select { case <-c: showIf("got"); default: showIf("none") }`, []string{"second", "got if which case of this select statement runs", "none if which case of this select statement runs"}},
	{"what an atomic.Value holds that isn't known", `var v atomic.Value; mayPanic(func() { v.Store(1) }); mayPanic(func() { v.Store(any(os.Args)) }); var x any = map[string]any{"a": 1}[os.Getenv("X")]; mayPanic(func() { v.Store(x) }); mayPanic(func() { v.Swap(1) }); showIf(v.Load())`, []string{"true", "false", "true if not v.Store panics", "false if v.Store panics if not v.Store panics", "true if not v.Swap panics", "false if v.Swap panics if not v.Swap panics", "unknown: the result of os.Getenv(\"X\")"}},
	{"a function that returns nothing or panics, once", `f := sync.OnceValue(func() error { if maybe(1) { panic(1) }; return nil }); mayPanic(func() { showIf(f() == nil) })`, []string{"unknown: the expression sync.OnceValue((func() error literal)) if not sync.OnceValue panics", "true if not sync.OnceValue panics", "false if sync.OnceValue panics if not sync.OnceValue panics"}},
	{"a list of which the library may share parts", `a := append([]pair(nil), pair{1, 2}); b := append([]int8(nil), 1, 2, 3); c := slices.Replace(b, 0, os.Getpid(), 7); showIf(c[0]); d := slices.Replace(b, 0, 3, 7, 8, 9, 10); showIf(d[3]); d[0] = 5; showIf(b[0]); type small struct{ n int8 }; e := append([]small(nil), small{1}, small{2}); f := slices.Insert(e, 0, small{0}); p := &f[1]; f[2].n = 9; showIf(p.n); showIf(f[0].n); showIf(a[0].A)`, []string{"unknown: the result of os.Getpid()", "10", "5", "1", "0", "1"}},
	{"whether a list is sorted by what isn't known", `s := []int{3, 1, 2}; n := 0; showIf(sort.SliceIsSorted(s, func(i, j int) bool { n++; return maybe(1) })); showIf(n); showIf(s[0])`, []string{"unknown: the result of os.Getpid()", "unknown: a value that depends on the condition sort.SliceIsSorted calls the function it is given, and so on the result of os.Getpid()", "3"}},
	{"an empty list that is sorted", `sort.Slice([]int(nil), func(i, j int) bool { showIf("less"); return true }); showIf("after")`, []string{"after"}},
	{"parts that are replaced in an array that may have room", `a := append([]int(nil), 1, 2); b := slices.Replace(a, 0, os.Getpid(), 7); showIf(b[0]); showIf(len(b)); type one struct{ n int }; c := append([]one(nil), one{1}, one{2}); d := slices.Insert(c, 0, one{0}); showIf(d[1].n); d[1].n = 9; showIf(d[0].n); showIf(d[1].n); showIf(d[2].n); p := &d[2]; d[2].n = 4; showIf(p.n)`, []string{"unknown: the result of os.Getpid()", "unknown: the result of os.Getpid()", "1", "0", "9", "2", "4"}},
	{"a method that decodes and ends its goroutine", `var x struct { E jsonExits; B int }; func() { defer showIf("deferred"); var group sync.WaitGroup; group.Go(func() { json.Unmarshal([]byte("{\"E\":1,\"B\":2}"), &x); showIf("never") }); group.Wait(); showIf("after") }()`, []string{"after", "deferred"}},
	{"methods that decode and end otherwise", `
		y := struct { E jsonPanics; B int }{B: 1}; func() { defer func() { showIf(recover()) }(); json.Unmarshal([]byte("{\"E\":1,\"B\":2}"), &y); showIf("never") }(); showIf(y.B)
		z := struct { E jsonFails; B int }{B: 1}; err := json.Unmarshal([]byte("{\"E\":1,\"B\":2}"), &z); showIf(err == nil); showIf(z.B); w := struct { E jsonMayFail; B int }{B: 1}; err = json.Unmarshal([]byte("{\"E\":1,\"B\":2}"), &w); showIf(err == nil); showIf(w.B); v := struct { E jsonMayPanic; B int }{B: 1}; mayPanic(func() { showIf(json.Unmarshal([]byte("{\"E\":1,\"B\":2}"), &v) == nil) }); showIf(v.B)`, []string{"json", "unknown: a value that json.Unmarshal may have changed", "false", "unknown: a value that json.Unmarshal may have changed", "unknown: a value that depends on the condition maybe(1), and so on the result of os.Getpid()", "unknown: a value that json.Unmarshal may have changed", "unknown: the expression json.Unmarshal([]byte(\"{\\\"E\\\":1,\\\"B\\\":2}\"), &v) if not json.Unmarshal panics", "true if not json.Unmarshal panics", "false if json.Unmarshal panics if not json.Unmarshal panics", "unknown: a value that json.Unmarshal may have changed"}},
	{"a method that decodes and panics with what isn't known", `var x jsonPanicsWith; func() { defer func() { showIf(recover() == nil) }(); json.Unmarshal([]byte("1"), &x) }(); var y struct { E *jsonFailsWith }; err := json.Unmarshal([]byte("{\"E\":1}"), &y); showIf(err == nil)`, []string{"false", "false"}},
	{"methods that decode by other parameters and results", `
		var a struct { E jsonText; B int }; json.Unmarshal([]byte("{\"E\":{\"N\":3},\"B\":2}"), &a); showIf(a.E.N); var b struct { E jsonResult; B int }; json.Unmarshal([]byte("{\"E\":{\"N\":3},\"B\":2}"), &b); showIf(b.E.N); var c struct { E jsonVariadic; B int }; json.Unmarshal([]byte("{\"E\":{\"N\":3},\"B\":2}"), &c); showIf(c.E.N)`, []string{"unknown: a value that json.Unmarshal may have changed, and so on a value of the type main.jsonText, which isn't followed", "unknown: a value that json.Unmarshal may have changed, and so on a value of the type main.jsonResult, which isn't followed", "unknown: a value that json.Unmarshal may have changed, and so on a value of the type main.jsonVariadic, which isn't followed"}},
	{"templates over lists that are long", `
		nested := func(x any) string { var b strings.Builder; template.Must(template.New("").Parse("{{range .}}{{range $}}{{range $}}{{end}}{{end}}{{end}}")).Execute(&b, x); return b.String() }; showIf(nested(120)); showIf(nested(make([]int, 120))); showIf(nested([120]int{})); m := map[string]int{}; for i := range 120 { m[strconv.Itoa(i)] = i / 100 }; showIf(nested(m)); showIf(nested(9))
		var b strings.Builder; template.Must(template.New("").Parse("{{.}}")).Execute(&b, struct{ A, b int }{1, 2}); showIf(b.String())`, []string{"unknown: a value that template.Must(template.New(\"\").Parse(\"{{range .}}{{range $}}... may have changed, and so on a template that may take long", "unknown: a value that template.Must(template.New(\"\").Parse(\"{{range .}}{{range $}}... may have changed, and so on a template that may take long", "unknown: a value that template.Must(template.New(\"\").Parse(\"{{range .}}{{range $}}... may have changed, and so on a template that may take long", "unknown: a value that template.Must(template.New(\"\").Parse(\"{{range .}}{{range $}}... may have changed, and so on a template that may take long", "", "unknown: a value that template.Must(template.New(\"\").Parse(\"{{.}}\")).Execute may have changed, and so on a value of the type struct{A int; b int}, which isn't followed"}},
	{"a variable and a part of it that are decoded into", `var c struct { B int; P *int }; c.P = &c.B; json.Unmarshal([]byte("{\"P\":5,\"B\":6}"), &c); showIf(c.B); q := [2]int{}; d := struct { P *int; Q *[2]int }{&q[0], &q}; json.Unmarshal([]byte("{\"P\":5,\"Q\":[6]}"), &d); showIf(q[0])`, []string{"unknown: a value that json.Unmarshal may have changed", "unknown: a value that json.Unmarshal may have changed"}},
	{"states that a Format method has kept", `fmt.Sprint(keeps{0}, keeps{1}); s := kept[0]; if maybe(1) { s = kept[1] }; showIf(s.Flag('+')); w, ok := s.Width(); showIf(w); showIf(ok); n, _ := s.Write([]byte("x")); showIf(n)`, []string{"unknown: the expression s.Flag('+')", "unknown: the result of s.Width(), and so on the result of os.Getpid()", "unknown: the result of s.Width(), and so on the result of os.Getpid()", "unknown: the result of s.Write([]byte(\"x\")), and so on the result of os.Getpid()"}},
	{"one of two errors", `e := errors.New("a"); if maybe(1) { e = errors.New("b") }; showIf(e.Error()); showIf(fmt.Sprint(e)); showIf(fmt.Sprintf("%#v", reflect.TypeOf(1)))`, []string{"unknown: the result of e.Error(), and so on the result of os.Getpid()", "unknown: a value that depends on the condition maybe(1), and so on the result of os.Getpid()", "unknown: an address in fmt.Sprintf(\"%#v\", reflect.TypeOf(1))"}},
	{"what isn't decoded into types of the library", `
		type base struct { A int }; var d struct { *base; B int }; json.Unmarshal([]byte("{\"B\":2}"), &d); showIf(d.base == nil); showIf(d.B)
		var e struct { X int; time.Duration }; json.Unmarshal([]byte("{\"X\":1,\"Duration\":5}"), &e); showIf(e.X); var f struct { A [2]chan int; B int }; json.Unmarshal([]byte("{\"B\":1}"), &f); showIf(f.B); var g struct { _ int; B int }; json.Unmarshal([]byte("{\"B\":1}"), &g); showIf(g.B)
		var h struct { Err error; B int }; json.Unmarshal([]byte("{\"B\":1}"), &h); showIf(h.B); type tree struct { Left *tree; B int }; var k tree; json.Unmarshal([]byte("{\"B\":1}"), &k); showIf(k.B)`, []string{"unknown: a value that json.Unmarshal may have changed, and so on a value of the type struct{*main.base; B int}, which isn't followed", "unknown: a value that json.Unmarshal may have changed, and so on a value of the type struct{*main.base; B int}, which isn't followed", "unknown: a value that json.Unmarshal may have changed, and so on a value of the type struct{X int; time.Duration}, which isn't followed", "unknown: a value that json.Unmarshal may have changed, and so on a value of the type chan int, which isn't followed", "unknown: a value that json.Unmarshal may have changed, and so on a value of the type struct{_ int; B int}, which isn't followed", "unknown: a value that json.Unmarshal may have changed, and so on a value of the type error, which isn't followed", "unknown: a value that json.Unmarshal may have changed, and so on a value of the type main.tree, which isn't followed"}},
	{"what is decoded into variables that share others", `
		x := &pair{1, 2}; c := struct{ P, Q *pair }{x, x}; json.Unmarshal([]byte("{\"P\":{\"A\":5}}"), &c); showIf(x.A); m := map[string]int{"a": 1}; d := struct{ M, N map[string]int }{m, m}; json.Unmarshal([]byte("{\"M\":{\"a\":5},\"N\":{\"a\":6}}"), &d); showIf(m["a"])
		var self struct { P any; B int }; self.P = &self; json.Unmarshal([]byte("{\"B\":5}"), &self); showIf(self.B); list := []int{1, 2}; e := struct{ L, M []int }{list, list}; json.Unmarshal([]byte("{\"L\":[5]}"), &e); showIf(list[0])
		h := struct{ L []int }{append([]int(nil), 1)}; json.Unmarshal([]byte("{\"L\":[5]}"), &h); showIf(h.L[0])`, []string{"unknown: a value that json.Unmarshal may have changed", "unknown: a value that json.Unmarshal may have changed", "unknown: a value that json.Unmarshal may have changed", "unknown: a value that json.Unmarshal may have changed", "unknown: a value that json.Unmarshal may have changed"}},
	{"what is encoded of variables that aren't known", `
		data, err := json.Marshal(struct { A int; B *pair }{1, map[string]*pair{"a": {1, 2}}[os.Getenv("X")]}); showIf(len(data)); showIf(err); x := &pair{1, 2}; data, _ = json.Marshal(struct{ P, Q *pair }{x, x}); showIf(len(data)); m := map[string]int{os.Getenv("X"): 1}; data, _ = json.Marshal(m); showIf(len(data)); data, _ = json.Marshal(map[string]int{"a": os.Getpid()}); showIf(len(data))
		data, _ = json.Marshal([]any{[2]int{os.Getpid()}}); showIf(len(data)); data, _ = json.Marshal([]any{1, os.Getenv("X")}); showIf(len(data)); type deep struct { Next any }; var d deep; for range 600 { d = deep{d} }; data, _ = json.Marshal(d); showIf(len(data) > 0)`, []string{"unknown: the result of json.Marshal(struct{A int; B *pair}{…}), and so on the result of os.Getenv(\"X\")", "unknown: the result of json.Marshal(struct{A int; B *pair}{…}), and so on the result of os.Getenv(\"X\")", "unknown: the result of json.Marshal(struct{P, Q *pair}{…})", "unknown: the result of json.Marshal(m), and so on the result of os.Getenv(\"X\")", "unknown: the result of json.Marshal(map[string]int{…}), and so on the result of os.Getpid()", "unknown: the result of json.Marshal([]any{…}), and so on the result of os.Getpid()", "unknown: the result of json.Marshal([]any{…}), and so on the result of os.Getenv(\"X\")", "unknown: the result of json.Marshal(d)"}},
	{"a callback that ends in the middle", `n := 0; mayPanic(func() { strings.Map(func(r rune) rune { n++; return rune(os.Getpid()) }, "abc") }); showIf(n); f := strings.ToUpper; if maybe(1) { f = nil }; showIf(regexp.MustCompile("a").ReplaceAllStringFunc("a", f)); showIf(strings.Map(map[string]func(rune) rune{}["a"], ""))`, []string{"true", "unknown: a value that depends on the condition strings.Map calls the function it is given, and so on the result of os.Getpid()", "unknown: a value that depends on the condition maybe(1), and so on the result of os.Getpid()", ""}},
	{"texts that aren't known, made by functions", `s := "q." + os.Getenv("X"); showIf(strings.HasPrefix(s, "q.")); showIf(strings.HasPrefix(strings.ToUpper(s), "q.")); showIf(strings.ToUpper(os.Getenv("X")) == ""); t := "a"; if maybe(1) { t = "b" }; u := strings.ToUpper(t); showIf(u); showIf(len(u)); _, err := strconv.Atoi(t); showIf(err == nil)`, []string{"unknown: the result of os.Getenv(\"X\")", "unknown: the result of os.Getenv(\"X\")", "unknown: the result of os.Getenv(\"X\")", "unknown: a value that depends on the condition maybe(1), and so on the result of os.Getpid()", "unknown: a value that depends on the condition maybe(1), and so on the result of os.Getpid()", "unknown: a value that depends on the condition maybe(1), and so on the result of os.Getpid()"}},
	{"methods that may panic while they print", `
		n := 0; mayPanic(func() { fmt.Sprint(mayPanicking{&n}) }); showIf(n); mayPanic(func() { fmt.Sprint(panickingWith{mayPanicking{&n}}) }); m := 0; showIf(fmt.Sprint(mayFormat{&m})); showIf(m); showIf(fmt.Sprint(formatsUnknown{})); showIf(fmt.Sprintf("%v and %+v", printsUnknown{}, named{1}))
		showIf(fmt.Sprintf("%5v", statesUnknown{})); showIf(fmt.Sprint(any(map[string]any{"a": named{1}}[os.Getenv("X")]))); showIf(fmt.Sprintf("%d", reflect.TypeOf(1)))`, []string{"true if not os.Getpid() > 5", "false if os.Getpid() > 5 if not os.Getpid() > 5", "unknown: a value that depends on the condition fmt.Sprint calls the method String of a value that it is given", "true if not fmt.Sprint panics", "false if fmt.Sprint panics if not fmt.Sprint panics", "unknown: the expression fmt.Sprint(mayFormat{…})", "unknown: a value that depends on the condition fmt.Sprint calls the method String of a value that it is given", "unknown: the result of os.Getenv(\"X\")", "unknown: the result of os.Getenv(\"X\")", "unknown: the result of os.Getpid()", "unknown: the result of os.Getenv(\"X\")", "unknown: an address in fmt.Sprintf(\"%d\", reflect.TypeOf(1))"}},
	{"what the system signals", `c := make(chan os.Signal, 1); signal.Notify(c, os.Interrupt); showIf(len(c)); s := <-c; showIf(s)`, []string{"unknown: the result of len(c)", "unknown: the result of signal.Notify(c, os.Interrupt)"}},
	{"a text that an unknown value isn't, but by another name", `var v any; json.Unmarshal([]byte(os.Getenv("X")), &v); if v != "a" { if w, ok := v.(wordOf); ok && w == "a" { showIf("by name") } }`, []string{`by name if v != "a"`}},
	{"a text that an unknown value isn't, compared by another name", `var v any; json.Unmarshal([]byte(os.Getenv("X")), &v); if v != "a" { if v == wordOf("a") { showIf("by name") } }`, []string{`by name if v != "a"`}},
	{"a function of the library's that may be nil", `r := make([]func(rune) rune, os.Getpid())[0]; mayPanic(func() { strings.Map(r, "a") })`, []string{"true if not strings.Map panics", "false if strings.Map panics if not strings.Map panics"}},
	{"a value's method of an embedded pointer that may be nil", `var o struct{ *named }; json.Unmarshal([]byte(os.Getenv("X")), &o); mayPanic(func() { o.String() })`, []string{"true if not o.String panics", "false if o.String panics if not o.String panics"}},
	{"a method expression of a pointer that may be nil", `r := make([]*named, os.Getpid())[0]; mayPanic(func() { (*named).String(r) })`, []string{"true if not (*named).String panics", "false if (*named).String panics if not (*named).String panics"}},
	{"a value's method of a pointer that may be nil", `r := make([]*named, os.Getpid())[0]; mayPanic(func() { r.String() })`, []string{"true if not r.String panics", "false if r.String panics if not r.String panics"}},
	{"a value's method of a pointer that may be nil, deferred", `r := make([]*named, os.Getpid())[0]; func() { defer func() { if recover() != nil { showIf("recovered") } }(); defer r.String(); showIf("body") }()`, []string{"body if not r.String panics", "recovered if r.String panics if not r.String panics"}},
	{"a key of a context that has no methods", `mayPanic(func() { context.WithValue(interrupted(), struct{}{}, 1) })`, []string{"true"}},
	{"a key of a context that can't be compared", `func() { defer func() { if recover() != nil { showIf("recovered") } }(); context.WithValue(interrupted(), []int{1}, 1); showIf("rest") }()`, []string{
		"recovered if signal.NotifyContext panics if not signal.NotifyContext panics if not signal.NotifyContext panics if not parent == nil if not parent == nil",
		"recovered if signal.NotifyContext panics if not signal.NotifyContext panics if not signal.NotifyContext panics if not parent == nil if not parent == nil",
		"recovered if parent == nil if not signal.NotifyContext panics if not signal.NotifyContext panics if not parent == nil if not parent == nil",
	}},
}

func TestEvaluator_KnowsWhatTheLibraryLeavesOpenInPart(t *testing.T) {
	for _, test := range partlyKnown {
		t.Run(test.name, func(t *testing.T) {
			body := []struct{ name, body string }{{test.name, test.body}}
			source := libraryProgram(effectsImports, effectsDeclarations, body, 0, 1)
			require.Equal(t, append([]string{"# " + test.name}, test.want...), evaluate(t, source).shown)
		})
	}
}

// loops is a recorder that learns how many entries the maps have whose order may matter.
type loops struct {
	recorder
	entries []int
}

func (l *loops) Call(call *model.Call) (value.Value, bool) {
	ev := call.Machine.(*eval.Evaluator)
	v, ok := l.recorder.Call(call)
	if ok {
		for _, loop := range ev.MapLoops() {
			l.entries = append(l.entries, ev.LoopEntries(loop))
		}
	}
	return v, ok
}

func TestEvaluator_NotesWhereTheOrderOfAMapMayMatter(t *testing.T) {
	for body, want := range map[string][]int{
		`var m sync.Map; m.Range(func(any, any) bool { return true })`:                                   nil,
		`var m sync.Map; m.Store("a", 1); m.Range(func(any, any) bool { return true })`:                  nil,
		`var m sync.Map; m.Store("a", 1); m.Store("b", 1); m.Range(func(any, any) bool { return true })`: {2},
		`for range map[string]int{"a": 1, "b": 2, "c": 3} {}; for range map[string]int{"a": 1} {}`:       {3},
	} {
		program := programOf(t, "package plain\n\nimport (\n\t\"fmt\"\n\t\"sync\"\n)\n\nvar _ sync.Map\n\n"+showDecl+"func run() {\n\t"+body+"\n\tshow(1)\n}\n")
		recorded := new(loops)
		ev := eval.New(t.Context(), program, recorded)
		run := program.Source(modulePath).Types.Scope().Lookup("run").(*types.Func)
		_, finished := ev.Finishes(func() { ev.Enter(ast.NewIdent("run"), &value.Func{Type: run.Type(), Obj: run}, nil) })
		require.True(t, finished)
		require.Equal(t, want, recorded.entries, body)
	}
}

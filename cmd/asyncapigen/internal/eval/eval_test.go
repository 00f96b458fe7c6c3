package eval_test

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/onefile"
)

// The programs of these tests know nothing of warren. They call show, which the
// user below evaluates by noting its argument.
const (
	modulePath = "example.com/shop"
	showDecl   = "func show(v any) { fmt.Println(v) }\n"
)

// recorder is a user that notes what show was called with, and which calls
// couldn't be entered.
type recorder struct {
	shown    []string
	opaque   []string
	commands []string // of the program, when it has been evaluated
	started  []string // those of its starts
	line     int      // where it looks for one first, 0 for nowhere
	affords  int      // how often it can be evaluated within the bounds

	works  *value.Cell // holds nil until the program works
	served []string    // what it serves, on some way
	lost   []string    // why it isn't known what code does
}

func (r *recorder) Call(call *model.Call) (value.Value, bool) {
	name := call.Fn.Obj.FullName()
	if name == modulePath+".starts" {
		startOne(call)
		return value.Tuple{}, true
	}
	if name == modulePath+".choose" || name == modulePath+".alike" {
		choose(call)
		return value.Tuple{}, true
	}
	if name == modulePath+".serve" {
		r.serve(call)
		return value.UnknownResult(call.At), true
	}
	if name != modulePath+".show" && name != modulePath+".showIf" && name != "main.show" {
		return nil, false
	}
	ev := call.Machine.(*eval.Evaluator)
	ev.Need(call.Args)
	shown := text(call.Args[0])
	if cond := ev.Uncertain(); cond != nil && name == modulePath+".showIf" {
		shown += " if " + cond.Text
	}
	r.shown = append(r.shown, shown)
	return value.Tuple{}, true
}

// serve evaluates a call of serve(what string), by which the program works, and notes the way
// that leads there.
func (r *recorder) serve(call *model.Call) {
	ev := call.Machine.(*eval.Evaluator)
	what, _ := value.TextOf(call.Args[0])
	shown := "serves " + what
	for _, branch := range ev.Way() {
		shown += " by " + branch.Text
	}
	if ev.IsOffWay() {
		shown += ", or on another way"
	}
	r.shown = append(r.shown, shown)
	if !slices.Contains(r.served, what) {
		r.served = append(r.served, what)
	}
	call.Set(r.works, value.NewConst(constant.MakeBool(true), types.Typ[types.Bool]))
	ev.NoteServed(call.At, what)
}

// end notes what is served on each way to the program's end.
func (r *recorder) end(ev *eval.Evaluator) {
	for _, what := range r.served {
		if ev.ServesAtEachEnd(what) {
			r.shown = append(r.shown, what)
		}
	}
}

// choose evaluates a call of choose(first, second func()), which runs one of
// the two, or of alike: then they have one name.
func choose(call *model.Call) {
	ways := make([]model.Way, len(call.Args))
	for i, f := range call.Args {
		name := strconv.Itoa(i + 1)
		if call.Fn.Obj.Name() == "alike" {
			name = "1"
		}
		ways[i] = model.Way{Name: name, Run: func() { call.Call(call.At, f, nil) }}
	}
	call.Alternatives(call.At, ways)
}

// startOne evaluates a call of starts(commands string, f func(string)), which calls f with one
// of several commands with their arguments: those in "run/a|run/b|stop" are three.
func startOne(call *model.Call) {
	commands, _ := value.TextOf(call.Args[0])
	var ways []model.Way
	for one := range strings.SplitSeq(commands, "|") {
		name, arguments, _ := strings.Cut(one, "/")
		given := value.NewConst(constant.MakeString(one), types.Typ[types.String])
		ways = append(ways, model.Way{Name: name, Arguments: arguments, Run: func() { call.Call(call.At, call.Args[1], []value.Value{given}) }})
	}
	call.Alternatives(call.At, ways)
}

func (r *recorder) Opaque(at ast.Expr, _ *value.Func, _ []value.Value) {
	r.opaque = append(r.opaque, value.Source(at))
}

func (r *recorder) Replacement(x eval.Expression) func(value.Value) value.Value {
	if name, ok := x.Expr.(*ast.Ident); !ok || name.Name != "replaced" {
		return nil
	}
	return func(value.Value) value.Value { return value.NewConst(constant.MakeString("by the user"), x.Type()) }
}

func (r *recorder) Conditional(mark, _ int, cond *eval.Condition) {
	for i := mark; i < len(r.shown); i++ {
		r.shown[i] += " if not " + cond.Text
	}
}

func (r *recorder) Leads(pkg *load.Package, code ast.Node) bool {
	return uses(pkg, code, "show", "showIf", "serve")
}

func uses(pkg *load.Package, code ast.Node, names ...string) bool {
	return slices.ContainsFunc(eval.UsedObjects(pkg, code), func(obj types.Object) bool { return slices.Contains(names, obj.Name()) })
}

func (r *recorder) MayServe(pkg *load.Package, code ast.Node) bool { return uses(pkg, code, "serve") }

func (r *recorder) Serves() bool { return r.works.Load() != nil }

func (r *recorder) Detached(f func()) any {
	shown := r.shown
	r.shown = nil
	f()
	recorded := r.shown
	r.shown = shown
	if len(recorded) == 0 {
		return nil
	}
	return recorded
}

func (r *recorder) Attach(recorded any) { r.shown = append(r.shown, recorded.([]string)...) }

func (r *recorder) Undefined(token.Pos) { r.shown = append(r.shown, "undefined") }

func (r *recorder) Unwaited(_ token.Pos, recorded any) {
	for _, shown := range recorded.([]string) {
		r.shown = append(r.shown, shown+" if waited for")
	}
}

func (r *recorder) Mark() int { return len(r.shown) }

func (r *recorder) Replaceable(types.Type) bool { return true }

func (r *recorder) Given(token.Pos, types.Type) (value.Value, bool) { return nil, false }

func (r *recorder) Lost(_ ast.Expr, why *value.Unknown, _ string) {
	r.lost = append(r.lost, why.Reason)
}

func (r *recorder) Rewind(mark int) { r.shown = r.shown[:mark] }

// text writes a value as fmt.Println does.
func text(v value.Value) string {
	switch v := v.(type) {
	case value.Const:
		if v.Value.Kind() == constant.String {
			return constant.StringVal(v.Value)
		}
		return v.Value.String()
	case value.Nil:
		return "<nil>"
	case *value.Unknown:
		return "unknown: " + v.Reason
	default:
		return fmt.Sprintf("%T", v)
	}
}

// evaluate evaluates the function run of a program of one file.
func evaluate(t *testing.T, source string) *recorder { return evaluateAs(t, source, "") }

// evaluateAs evaluates it for a command, "" for any.
func evaluateAs(t *testing.T, source, command string) *recorder {
	t.Helper()
	return evaluateBy(t, source, command, func(ev *eval.Evaluator, run *value.Func) { ev.Enter(ast.NewIdent("run"), run, nil) })
}

// evaluateMain evaluates it as the function main of a program.
func evaluateMain(t *testing.T, source string) *recorder {
	t.Helper()
	return evaluateBy(t, source, "", func(ev *eval.Evaluator, run *value.Func) { ev.EnterMain(ast.NewIdent("run"), run) })
}

func evaluateBy(t *testing.T, source, command string, enter func(*eval.Evaluator, *value.Func)) *recorder {
	t.Helper()
	program := programOf(t, source)
	pkg := program.Source(modulePath)
	require.NotNil(t, pkg)
	require.Empty(t, pkg.Errors)
	recorded := new(recorder)
	ev := eval.New(t.Context(), program, recorded)
	ev.Command = command
	run, ok := pkg.Types.Scope().Lookup("run").(*types.Func)
	require.True(t, ok)
	starts := ev.Starts(func() {
		*recorded = recorder{works: value.NewCell(nil)}
		ev.Initialize(pkg)
		ev.Survives(func() { enter(ev, &value.Func{Type: run.Type(), Obj: run}) })
		recorded.end(ev)
	}, func() any { return recorded.shown })
	names, pos := ev.Commands()
	recorded.shown, recorded.commands, recorded.line, recorded.affords = nil, names, program.Position(pos).Line, ev.Affords()
	for _, start := range starts {
		require.False(t, start.Exhausted.IsValid())
		recorded.started = append(recorded.started, start.Command)
		for _, shown := range start.Result.([]string) {
			if len(starts) > 1 {
				shown = start.Name + ": " + shown
			}
			recorded.shown = append(recorded.shown, shown)
		}
	}
	return recorded
}

// programs are those that import the same packages, which the go command lists once.
var programs = map[string]*onefile.Program{}

// programOf returns a program of one file, for as long as no other one is made.
func programOf(t *testing.T, source string) *load.Program {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "main.go", source, parser.ImportsOnly)
	require.NoError(t, err)
	var imported strings.Builder
	for _, i := range file.Imports {
		imported.WriteString(i.Path.Value)
	}
	p := programs[imported.String()]
	if p == nil {
		p = onefile.New(t, source)
		programs[imported.String()] = p
	}
	require.NoError(t, p.Set(filepath.Join(p.Dir, "main.go"), source))
	return p.Program
}

func write(t *testing.T, dir, source string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module "+modulePath+"\n\ngo 1.26.0\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(source), 0o644))
}

// determined are bodies of functions whose values Go determines. They are
// evaluated, and run.
var determined = []struct{ name, body string }{
	{"arithmetic", `var n uint8 = 250; n += 10; show(n); show(7 / 2); show(-7 % 3); show(1 << 4)`},
	{"text", `s := "orders"; show(s[1:3] + "." + s); show(len(s)); show(strings.ToUpper(s)); show(fmt.Sprintf("%s-%03d", s, 7))`},
	{"closures", `n := 0; next := func() int { n++; return n }; next(); show(next()); show(n)`},
	{"loops", `for i, s := range []string{"a", "b"} { show(fmt.Sprint(i, s)) }; for i := range 2 { show(i) }; for i := 3; i > 1; i-- { show(i) }`},
	{"maps", `m := map[string]int{"b": 2, "a": 1}; delete(m, "b"); n, ok := m["b"]; show(n); show(ok); show(len(m))`},
	{"aliasing", `a := []int{1, 2, 3}; b := a[:2]; b[0] = 9; show(a[0]); c := a; c = append(c[:1:1], 5); show(a[1])`},
	{"copies", `type p struct{ X, Y int }; a := p{1, 2}; b := a; b.X = 5; q := &a; q.Y = 7; show(a.X); show(a.Y); show(b.X)`},
	{"methods", `type named string; var v interface{ Name() string } = order{"x"}; f := v.Name; show(f()); show(order.Name(order{"y"}))`},
	{"generics", `show(double(4)); show(double("ab"))`},
	{"defer and recover", `func() { defer func() { show(recover()) }(); defer show("deferred"); panic("boom") }()`},
	{"switches", `var v any = 3; switch v := v.(type) { case string: show("text"); case int: show(v + 1) }; switch { case 1 > 2: show(1); default: show(2) }`},
	{"labels", "outer:\nfor i := range 3 { for j := range 3 { if j == 1 { continue outer }; if i == 2 { break outer }; show(i*10 + j) } }"},
	{"iterators", `for v := range func(yield func(int) bool) { _ = yield(1) && yield(2) } { show(v); break }`},
	{"once", `var once sync.Once; for range 2 { once.Do(func() { show("once") }) }`},
	{"initialisation", `show(second)`},
	{"keys of a map are copies", `type k struct{ A int }; m := map[k]int{}; key := k{1}; m[key] = 7; key.A = 2; for q := range m { show(q.A) }; show(m[k{1}]); show(m[key])`},
	{"failed assertions", `show(failure(func() { var v any = "a"; _ = v.(int) })); show(failure(func() { var v any; _ = v.(int) })); show(failure(func() { var v any; _ = v.(namer) })); show(failure(func() { var v namer; _ = v.(any) })); show(failure(func() { var v namer; _ = v.(*order) })); show(failure(func() { var v any = 1; _ = v.(namer) }))`},
	{"methods of nothing", `show(failure(func() { var v namer; v.Name() })); show(failure(func() { var p *order; p.Name() })); show(failure(func() { var f func(); f() })); func() { defer func() { recover() }(); var v namer = (*order)(nil); defer v.Name(); show("not yet") }()`},
	{"method values of nothing", `show(failure(func() { var v namer; f := v.Name; show("taken"); f() })); show(failure(func() { var p *order; f := p.Name; show("taken"); f() }))`},
	{"what a panic is of", `o := order{"a"}; func() { defer func() { o.name = "b"; show(recover().(order).name) }(); panic(o) }()`},
	{"an operand that fails after calls", `x := 1; next := func() int { x++; return x }; var l []int; show(failure(func() { _ = []int{x, next(), l[next()]}; show("never") })); show(x); show(failure(func() { show(next() + l[next()]) })); show(x)`},
	{"keys of a literal that can't be compared", `var k any = []int{1}; func() { defer func() { show(recover() != nil) }(); _ = map[any]int{k: 1}; show("never") }(); k = 1; show(len(map[any]int{k: 1}))`},
	{"run-time errors", `show(failure(func() { s := []int{1}; i := 5; s[i]++ })); show(failure(func() { i := 0; show(1 / i) })); show(failure(func() { var m map[string]int; m["a"] = 1 })); show(failure(func() { s, i := "abc", 5; show(s[i:]) })); show(failure(func() { s, i := []int{1}, 3; _ = s[:i] })); show(failure(func() { s := []int{1}; _ = [2]int(s) })); show(failure(func() { n := -1; _ = make([]int, n) }))`},
	{"comparisons of uncomparable values", `show(failure(func() { var a, b any = []int{1}, []int{1}; show(a == b) })); func() { defer func() { show(recover() != nil) }(); var v any = []int{1}; m := map[any]int{}; m[v] = 1 }(); var a, b any = []int{1}, 1; show(a == b)`},
	{"panic of nil", `show(failure(func() { panic(nil) }))`},
	{"structs of a defined and an unnamed type", `type p struct{ X int }; a, b := p{1}, struct{ X int }{1}; show(a == b); var v any = a; show(v == any(b)); show(v == any(p{1}))`},
	{"local types of one name", `f := func() any { type l struct{ A int }; return l{1} }; g := func() any { type l struct{ A int }; return l{1} }; show(f() == g()); show(f() == f()); m := map[any]int{f(): 1}; show(m[g()])`},
	{"typed nils", `var a any = (*int)(nil); var b any = (*string)(nil); show(a == b); show(a == nil); show(a == any((*int)(nil))); var e error; show(e == nil); var o *order; var n namer = o; show(n == nil); show(n == (*order)(nil)); show([1]any{a} == [1]any{nil})`},
	{"calls before loads", `n := 1; next := func() int { n++; return n }; show(n + next()); show(n*2 + next()); s := []int{n, next()}; show(s[0]); a, b := n, next(); show(a); show(b); show(n + (n + next()) + n); x := []int{5, 6}; y := func() int { x = []int{9}; return 1 }; show(x[0] + y())`},
	{"places after calls", `a := [3]int{}; i := 0; next := func() int { i++; return i }; a[i] = next(); show(a[0]); show(a[1]); i = 0; a[i], i = next(), 2; show(a[1]); n := 1; n += func() int { n = 5; return 1 }(); show(n)`},
	{"receivers after arguments", `o := order{"x"}; show(joined(o.Name(), func() string { o.name = "y"; return "z" }())); f := o.with; show(f("a")); show(o.with(func() string { o.name = "q"; return "r" }()))`},
	{"assignments that fail in the middle", `m := map[int]int{}; var p *int; failure(func() { m[2], *p = 42, 2 }); show(m[2])`},
	{"deferred built-in functions", `m := map[string]int{"a": 1, "b": 2}; func() { k := "a"; defer delete(m, k); k = "b" }(); show(len(m)); show(m["b"]); func() { s, t := []int{1}, []int{2}; defer func() { show(s[0]) }(); u := s; defer copy(u, t); u = nil }()`},
	{"nil array pointers", `var p *[3]int; for i := range p { show(i) }; show(len(p)); show(failure(func() { for _, v := range p { show(v) } })); show(failure(func() { _ = p[:] }))`},
	{"the places of a range", `x := []int{10, 20}; i := 1; for i, x[i] = range []int{99} { break }; show(i); show(x[0]); show(x[1])`},
	{"capacities of large slices", `s := make([]int, 5); s = append(s, 1); show(cap(s)); s = append(s, make([]int, 300)...); show(cap(s)); s = append(s[:cap(s)], 1); show(cap(s)); t := make([]string, 4); t = append(t, "a", "b", "c", "d", "e"); show(cap(t)); u := append(make([]byte, 33), 1); show(cap(u)); type e struct{}; show(cap(append(make([]e, 3), e{})))`},
	{"lists of unknown room", `n := os.Getpid()&63 + 4; s := make([]int, 0, n); s = append(s, 1); s = append(s, 2, 3); show(len(s)); show(s[0] + s[2]); a := s[:1]; a = append(a, 9); show(s[1]); b := s[:1:1]; b = append(b, 8); show(s[1]); show(b[1]); show(len(append(s)))`},
	{"lists of unknown room in loops", `s, t := make([]int, 1, len(os.Args)+3), make([]string, 0, len(os.Args)); for i := range 3 { s = append(s, i); t = append(t, fmt.Sprint(i, len(s))) }; show(strings.Join(t, "")); for i, n := range s { show(i + n); if i < 2 { s = append(s, n+5) } }; show(len(s)); var u = make([]int, 0, 1<<20); for i := range 2 { u = append(u, i) }; show(u[1])`},
	{"lists of unknown room that are returned", `f := func() []int { s := make([]int, 0, len(os.Args)); s = append(s, 1); return append(s, 2) }; a, b := f(), f(); a[0] = 5; show(b[0]); show(a[1])`},
	{"aliases after append", `s := make([]int, 5, 6); a := append(s, 1); b := append(s, 2); show(a[5]); c := append(b, 3); d := append(b, 4); show(c[6]); show(d[6])`},
	{"slices that append grows", `var s []int; for i := range 9 { s = append(s, i) }; show(s[2]); show(s[8]); t := append([]int(nil), 1); u := append(t, 2); show(u[0]); show(u[1]); t[0] = 1; show(u[0]); u[0] = 7; show(u[0]); show(len(t[:1:1])); show(cap(u[:1:1])); v := append(u[:1:1], 3); show(u[1]); show(v[1])`},
	{"slices that the library grows", `a := append([]int(nil), 1, 2); b := slices.Insert(a, 1, 5); show(b[0]); show(b[1]); show(b[2]); c := slices.Replace(append([]int(nil), 1, 2, 3), 0, 1, 8, 9); show(c[1]); show(c[3]); d := slices.Grow(append([]int(nil), 1), 3); show(len(d)); show(d[0]); e := slices.Concat([]int{1}, []int{2}); show(e[1]); buf := bytes.NewBufferString("ab"); buf.WriteString("c"); show(buf.String()); buf = bytes.NewBuffer([]byte("ab")); buf.WriteString("c"); show(buf.String())`},
	{"complex numbers", `z := complex(3, 4); z *= 2 - 1i; show(real(z)); show(imag(z)); var w complex64 = complex64(z); w /= 2; show(real(w)); show(z == complex(10, 5)); x := real(z) + 1; show(complex(x, x) == 11+11i)`},
	{"goroutines that others wait for", `
		var x, y int; var group sync.WaitGroup; group.Go(func() { var inner sync.WaitGroup; inner.Go(func() { x++ }); inner.Wait(); x++ }); group.Wait(); show(x)
		for range 3 { group.Go(func() { y = x; x += y }); group.Wait(); y++; x++ }; show(x); show(y)
		type pair struct{ a, b int }; p := pair{1, 2}; for i := range 3 { group.Go(func() { x += p.a; p = pair{1, i} }); group.Wait(); show(p.b) }; show(x)
		done := make(chan struct{}); go func() { y = 5; inner := make(chan struct{}); go func() { x = y; close(inner) }(); <-inner; y = 6; close(done) }(); <-done; show(x); show(y)`},
	{"goroutines that exit", `func() { defer show("after"); var wg sync.WaitGroup; wg.Add(1); go func() { defer wg.Done(); defer show("deferred"); defer func() { show(recover() == nil) }(); runtime.Goexit(); show("never") }(); wg.Wait() }()`},
	{"conversions of numbers to text", `n := uint64(1) << 40; show(string(rune(65))); show(string(rune(n)) == string(rune(0))); i := -1; show(string(rune(i)))`},
	{"length without evaluation", `var p *[4]int; show(len(*p)); n := 0; f := func() *[2]int { n++; return &[2]int{} }; show(len(f())); show(n)`},
	{"goto", "i := 0\nagain:\nif i < 3 { show(i); i++; goto again }\nfor { for { goto out } }\nout:\nshow(\"out\")"},
	{"a channel that a goroutine is given late", `var c chan int; ready := make(chan struct{}); go func() { <-ready; <-c }(); c = make(chan int); close(ready); c <- 1; show("after")`},
	{"channels over channels", `cs := make(chan chan int); go func() { c := <-cs; <-c }(); c := make(chan int); cs <- c; c <- 1; show("after")`},
	{"channels in maps", `m := map[string]chan int{}; var mu sync.Mutex; m["a"] = make(chan int); go func() { mu.Lock(); c := m["a"]; mu.Unlock(); <-c }(); m["a"] <- 1; show("after")`},
	{"select statements in a loop", `c := make(chan int, 3); c <- 1; c <- 2; close(c); for { select { case v, ok := <-c: if !ok { show("closed"); return }; show(v) } }`},
	{"select statements with a default", `c := make(chan int, 1); select { case c <- 3: show("sent"); default: show("default") }; select { case c <- 4: show("sent"); default: show("default") }; show(len(c)); show(cap(c)); show(<-c)`},
	{"nil channels in select statements", `var n chan int; c := make(chan int, 1); c <- 1; select { case <-n: show("n"); case v := <-c: show(v) }`},
	{"failures of channels", `show(failure(func() { c := make(chan int, 1); close(c); c <- 1 })); show(failure(func() { c := make(chan int); close(c); close(c) })); show(failure(func() { var c chan int; close(c) }))`},
	{"a range over a closed channel", `c := make(chan string, 2); c <- "a"; c <- "b"; close(c); for s := range c { show(s) }; s, ok := <-c; show(s == ""); show(ok)`},
	{"goroutines that send", `c := make(chan int); go func() { for i := range 3 { c <- i }; close(c) }(); for v := range c { show(v) }; show("end")`},
	{"goroutines that send one after the other", `c := make(chan int); d := make(chan bool); go func() { c <- 1; d <- true }(); show(<-c); <-d; go func() { c <- 2; d <- true }(); show(<-c); <-d; show("e")`},
	{"goroutines that close", `c := make(chan int, 2); go func() { c <- 1; close(c) }(); show(<-c); _, ok := <-c; show(ok)`},
	{"a negative size of a channel", `n := -1; show(failure(func() { _ = make(chan int, n) }))`},
	{"deferred sends", `done := make(chan int, 1); go func() { defer close(done); defer func() { done <- 7 }(); runtime.Goexit() }(); show(<-done); _, ok := <-done; show(ok)`},
	{"the order of functions and arguments", `x := 1; f := func() func(int) { show("f"); return func(n int) { show(n) } }; g := func() int { show("g"); return 2 }; f()(g()); defer f()(g()); x = 2; show(x)`},
	{"a receiver that an argument changes", `var v namer = order{"a"}; set := func() string { v = order{"b"}; return "x" }; show(joined(set(), v.Name()))`},
	{"a function that an argument changes", `type t struct{ f func(int) int }; s := t{func(n int) int { return n }}; ch := func() int { s.f = func(n int) int { return n * 10 }; return 4 }; show(s.f(ch()))`},
	{"arguments of a nil function", `var f func(int); show(failure(func() { f(func() int { show("arg"); return 1 }()) }))`},
	{"arguments of a method of nothing", `var v interface{ M(int) }; show(failure(func() { v.M(func() int { show("arg"); return 1 }()) }))`},
	{"arguments of a method behind a nil pointer", `var p *order; show(failure(func() { p.with(func() string { show("arg"); return "" }()) }))`},
	{"a function in a map that an argument changes", `m := map[string]func(int) int{"a": func(n int) int { return n }}; ch := func() int { m["a"] = func(n int) int { return n * 10 }; return 4 }; show(m["a"](ch()))`},
	{"arguments of a function that fails", `var fs []func(int); show(failure(func() { fs[0](func() int { show("arg"); return 1 }()) }))`},
	{"arguments that panic", `var fs []func(int); func() { defer func() { show(recover() != nil) }(); fs[0](func() int { panic("arg") }()) }()`},
	{"variadic parameters", `f := func(a string, rest ...int) { show(len(rest)); show(rest == nil); if len(rest) > 0 { rest[0] = 9; show(rest[0]) } }; f("a"); f("a", 1, 2); l := []int{1}; f("a", l...); show(l[0]); f("a", nil...); f("a", []int{}...)`},
	{"results as variadic arguments", `two := func() (int, int) { return 1, 2 }; f := func(rest ...int) { show(len(rest)); show(rest[1]); show(cap(rest)) }; f(two()); g := func(a int, rest ...any) { show(a); show(rest[0]) }; g(two())`},
	{"copies in variadic arguments", `type p struct{ X int }; a := p{1}; f := func(r ...p) { r[0].X = 5; show(r[0].X) }; f(a, a); show(a.X)`},
	{"recursion", `var fib func(int) int; fib = func(n int) int { if n < 2 { return n }; return fib(n-1) + fib(n-2) }; show(fib(12))`},
	{"named results", `f := func() (n int, err error) { defer func() { n++ }(); return 5, nil }; n, err := f(); show(n); show(err == nil); g := func() (n int) { defer func() { recover(); n *= 2 }(); n = 4; panic("x") }; show(g()); h := func() (_ int, s string) { defer func() { s += "!" }(); return 3, "a" }; a, b := h(); show(a); show(b); k := func() int { defer func() { recover() }(); panic(1) }; show(k())`},
	{"parameters without names", `f := func(_ int, b int) { show(b) }; f(1, 2); g := func(int, string) { show("g") }; g(1, "")`},
	{"arguments that are copied", `show(double(double(3))); type q struct{ a, b int }; id := func(v q) q { v.a = 7; return v }; x := q{1, 2}; show(id(x).a); show(x.a)`},
	{"panics in deferred functions", `for i := range 3 { defer show(i) }; defer func() { show(recover()) }(); defer func() { panic("second") }(); panic("first")`},
	{"recover in a nested function", `func() { defer func() { show(recover()) }(); defer func() { func() { show(recover()) }() }(); panic("p") }()`},
	{"recover that is deferred", `show("x"); func() { defer func() { show(recover()) }(); defer recover(); panic("p") }()`},
	{"recover in a function value", `r := func() { show(recover()) }; func() { defer r(); panic("p") }(); func() { defer func() { recover() }(); defer func() { r() }(); panic("q") }()`},
	{"panics after recover", `func() { defer func() { show(recover()) }(); defer func() { e := recover(); panic(fmt.Sprint("re ", e)) }(); panic("p") }()`},
	{"recover in a deferred function of a deferred function", `func() { defer func() { defer func() { show(recover()) }(); show(recover()); panic("inner") }(); panic("outer") }()`},
	{"recover without a panic", `func() { defer func() { show(recover() == nil) }() }()`},
	{"results after recover", `f := func() (s string) { defer func() { if e := recover(); e != nil { s = "rec" } }(); var m map[string]int; m["a"]++; return "no" }; show(f()); show("on")`},
	{"arguments of deferred calls", `n := 1; defer show(n); n = 2; p := order{"a"}; defer func(o order) { show(o.name) }(p); f := p.Name; p.name = "b"; show(f()); defer show(p.Name()); p.name = "c"`},
	{"Goexit and recover", `done := make(chan int); go func() { defer close(done); defer func() { recover() }(); func() { defer show("in"); runtime.Goexit() }(); show("never") }(); <-done`},
	{"Goexit in a deferred function", `done := make(chan int); go func() { defer close(done); defer show("d"); defer runtime.Goexit(); panic("lost") }(); <-done; show("main")`},
	{"a panic after Goexit", `done := make(chan int); go func() { defer close(done); defer func() { show(recover()) }(); defer func() { panic("p") }(); runtime.Goexit() }(); <-done; show("main")`},
	{"loop variables in closures", `var fs []func(); for i := 0; i < 3; i++ { fs = append(fs, func() { show(i); i += 10 }) }; for _, f := range fs { f(); f() }`},
	{"loop variables in deferred closures", `func() { for i := 0; i < 3; i++ { defer func() { show(i) }() } }()`},
	{"defer in a loop over a function", `func() { for v := range func(yield func(int) bool) { defer show("iter end"); yield(1); yield(2) } { defer show(v) }; show("body end") }()`},
	{"return in a loop over a function", `f := func() int { for v := range func(yield func(int) bool) { defer show("cleanup"); for i := range 5 { if !yield(i) { return } } } { if v == 2 { return v * 10 } }; return -1 }; show(f())`},
	{"goroutines that send the same", `c := make(chan int); for range 2 { go func() { c <- 3 }() }; show(<-c); show(<-c)`},
	{"a channel that each branch closes", `c := make(chan int); if os.Getpid() > 1 { close(c) } else { close(c) }; <-c; show("after")`},
	{"a select statement and a goroutine", `c := make(chan int); go func() { c <- 5 }(); select { case v := <-c: show(v) }`},
	{"pointers over channels", `type t struct{ n int }; c := make(chan *t, 1); p := &t{1}; c <- p; p.n = 2; q := <-c; show(q.n); q.n = 3; show(p.n)`},
	{"functions over channels", `c := make(chan func() int); go func() { c <- func() int { return 4 } }(); show((<-c)())`},
	{"goroutines that recover", `var wg sync.WaitGroup; wg.Add(1); x := 1; go func() { defer wg.Done(); defer func() { recover() }(); x = 2; panic("p") }(); wg.Wait(); show(x)`},
	{"wait groups that are used again", `var wg sync.WaitGroup; x := 0; for range 3 { wg.Add(1); go func() { x++; wg.Done() }(); wg.Wait() }; show(x)`},
	{"a close after a value", `c := make(chan int, 1); x := 0; go func() { x = 1; c <- 1; x = 2; close(c) }(); <-c; <-c; show(x)`},
	{"goroutines that send again", `c := make(chan int); d := make(chan bool); go func() { c <- 1; d <- true }(); show(<-c); <-d; go func() { c <- 2; c <- 3; d <- true }(); show(<-c); show(<-c); <-d; show("e")`},
	{"several results", `f := func(n int) (int, string) { if n > 1 { return n, "big" }; return 0, "small" }; a, b := f(1); show(a); show(b); a, b = f(2); show(a); show(b)`},
	{"a result of two returns", `f := func() (n int) { defer func() { n += 10 }(); if os.Getpid() > 1 { return 1 }; return 1 }; show(f())`},
	{"a panic that changes nothing", `f := func() (n int) { defer func() { recover() }(); n = 1; if os.Getpid() > 1 { panic("x") }; n = 1; return n }; show(f())`},
	{"a panic in either case", `f := func() (n int) { defer func() { if recover() != nil { n = 5 } }(); if os.Getpid() > 1 { panic("x") } else { panic("y") } }; show(f())`},
	{"an error that may come", `f := func() (int, error) { if os.Getpid() < 0 { return 0, errors.New("x") }; return 4, nil }; n, err := f(); if err != nil { panic(err) }; show(n)`},
	{"an error in an argument", `load := func() (int, error) { if os.Getpid() < 0 { return 0, errors.New("x") }; return 4, nil }; must := func(n int, err error) int { if err != nil { panic(err) }; return n }; show(must(load()))`},
	{"an error with a fallback", `load := func() (int, error) { if os.Getpid() < 0 { return 0, errors.New("x") }; return 4, nil }; x := 1; var err error; if x, err = load(); err != nil { x = 4 }; show(x)`},
	{"one of two errors", `load := func() (int, error) { if os.Getpid() < 0 { return 1, errors.New("x") }; if os.Getppid() < 0 { return 2, errors.New("y") }; return 4, nil }; x, err := load(); if err != nil { return }; show(x)`},
	{"an error that is wrapped", `load := func() (int, error) { if os.Getpid() < 0 { return 7, errors.New("x") }; return 8, nil }; f := func() (int, error) { n, err := load(); if err != nil { return 0, fmt.Errorf("f: %w", err) }; return n, nil }; n, err := f(); if err != nil { panic(err) }; show(n)`},
	{"an early exit", `if os.Getpid() < 0 { os.Exit(1) }; show("rest")`},
	{"a deferred call that may be", `func() (n int) { defer func() { show(n) }(); if os.Getpid() < 0 { defer func() { n *= 2 }() }; return 0 }()`},
	{"a division that may panic", `f := func() (n int) { defer func() { if recover() != nil { n = 1 } }(); return 1 / os.Getpid() * 0 + 1 }; show(f())`},
	{"panics of two calls", `g := func() { if os.Getpid() < 0 { panic("a") } }; f := func() (s string) { defer func() { if e := recover(); e != nil { s = "p" } }(); g(); g(); return "p" }; show(f())`},
	{"a panic in a goroutine", `done := make(chan bool); go func() { defer close(done); defer func() { show(recover()) }(); panic("x") }(); <-done; show("main")`},
	{"a wait group by its address", `f := func(wg *sync.WaitGroup, n *int) { defer wg.Done(); *n = 4 }; var wg sync.WaitGroup; n := 0; wg.Add(1); go f(&wg, &n); wg.Wait(); show(n)`},
	{"a wait group in a struct", `type s struct { wg sync.WaitGroup; n int }; p := &s{}; p.wg.Add(2); for i := range 2 { go func() { defer p.wg.Done(); if i == 1 { p.n = 3 } }() }; p.wg.Wait(); show(p.n)`},
	{"arguments of goroutines", `n := 1; done := make(chan bool); go func(v int) { show(v); close(done) }(n); n = 2; <-done`},
	{"a method value in a goroutine", `o := order{"a"}; c := make(chan string); go func(f func() string) { c <- f() }(o.Name); o.name = "b"; show(<-c)`},
	{"a goroutine that closes", `c := make(chan int); go close(c); _, ok := <-c; show(ok)`},
	{"a goroutine of a method of nothing", `func() { defer func() { show(recover() != nil) }(); var p *order; go p.Name() }()`},
	{"a deferred nil function", `func() { defer func() { show(recover() != nil) }(); var f func(); defer f(); show("body") }()`},
	{"a map of a goroutine", `m := map[string]int{}; var wg sync.WaitGroup; wg.Go(func() { m["a"] = 1 }); wg.Wait(); show(m["a"]); show(len(m))`},
	{"elements of goroutines", `s := make([]int, 3); var wg sync.WaitGroup; for i := range s { wg.Go(func() { s[i] = i * i }) }; wg.Wait(); show(s[2]); show(s[1])`},
	{"a generator", `gen := func(n int) <-chan int { c := make(chan int); go func() { defer close(c); for i := range n { c <- i } }(); return c }; s := 0; for v := range gen(4) { s += v }; show(s)`},
	{"errors of goroutines", `errs := make(chan error, 2); for i := range 2 { go func() { if i == 5 { errs <- errors.New("x"); return }; errs <- nil }() }; for range 2 { if err := <-errs; err != nil { show("err") } }; show("ok")`},
	{"once values", `v := sync.OnceValue(func() int { show("once"); return 3 }); show(v()); show(v())`},
	{"a mutex", `var mu sync.Mutex; x := 0; done := make(chan bool); go func() { mu.Lock(); x = 1; mu.Unlock(); close(done) }(); <-done; mu.Lock(); show(x); mu.Unlock()`},
	{"structs over channels", `type t struct{ a, b int }; c := make(chan t, 3); for i := range 3 { c <- t{i, i * 2} }; close(c); n := 0; for v := range c { n += v.a * v.b }; show(n)`},
	{"interfaces over channels", `c := make(chan any, 2); c <- 1; c <- "a"; show(<-c == any(1)); v := <-c; s, ok := v.(string); show(s); show(ok)`},
	{"arrays over channels", `c := make(chan [2]int, 1); a := [2]int{1, 2}; c <- a; a[0] = 5; b := <-c; show(b[0]); b[1] = 9; show(a[1])`},
	{"the length of nil channels", `var c chan int; show(len(c)); show(cap(c)); show(c == nil)`},
	{"select statements that send and receive", `c := make(chan int, 1); for i := range 4 { select { case c <- i: case v := <-c: show(v) } }`},
	{"a label that a select statement breaks", "c := make(chan int, 1); c <- 1\nL:\nfor { select { case <-c: show(\"r\"); default: break L } }\nshow(\"done\")"},
	{"operands of select statements", `c := make(chan int, 1); f := func(s string) chan int { show(s); return c }; g := func() int { show("v"); return 3 }; select { case f("a") <- g(): show("sent"); case <-f("b"): show("got") }`},
	{"places of select statements", `c := make(chan int, 1); c <- 4; a := []int{0, 0}; var ok bool; i := 1; select { case a[i], ok = <-c: }; show(a[1]); show(ok)`},
	{"a range over a channel without variables", `c := make(chan int, 2); c <- 1; c <- 2; close(c); n := 0; for range c { n++ }; show(n)`},
	{"a range over a channel that breaks", `c := make(chan int, 3); c <- 1; c <- 2; c <- 3; for v := range c { if v == 2 { break } }; show(len(c)); for v := range c { show(v); if len(c) == 0 { break } }`},
	{"receives in an expression", `c := make(chan int, 2); c <- 3; c <- 4; show(<-c*10 + <-c)`},
	{"a channel that a function gives", `f := func() chan int { c := make(chan int, 1); c <- 8; return c }; show(<-f())`},
	{"goroutines that recover and send", `c := make(chan int, 2); var wg sync.WaitGroup; for range 2 { wg.Add(1); go func() { defer wg.Done(); defer func() { recover() }(); c <- 5 }() }; wg.Wait(); close(c); n := 0; for v := range c { n += v }; show(n)`},
	{"goroutines that send and one that closes", `c := make(chan int, 2); var wg sync.WaitGroup; for range 2 { wg.Add(1); go func() { defer wg.Done(); c <- 5 }() }; go func() { wg.Wait(); close(c) }(); n := 0; for v := range c { n += v }; show(n)`},
	{"a goroutine that recovers, sends and closes", `c := make(chan int); go func() { defer close(c); defer func() { recover() }(); c <- 5 }(); show(<-c); _, ok := <-c; show(ok)`},
	{"a close after what a goroutine has sent", `c := make(chan int); go func() { defer func() { recover() }(); c <- 9 }(); show(<-c); close(c); show(<-c)`},
	{"pointers of unsafe", `n := 7; p := unsafe.Pointer(&n); *(*int)(p) = 8; show(n); show(unsafe.Pointer(nil) == nil)`},
	{"calls in the keys and values of a map", `f := func(s string) string { show(s); return s }; m := map[string]string{f("k"): f("v"), f("l"): "w"}; show(m["k"]); show(m["l"])`},
	{"results that are the arguments of append", `f := func() ([]int, int) { return []int{1}, 2 }; s := append(f()); show(len(s)); show(s[1]); g := func() ([]int, []int) { return []int{1, 2}, []int{5} }; show(copy(g()))`},
	{"numbers as pointers", `u := uintptr(0); show(unsafe.Pointer(u) == nil); var p *int; show(unsafe.Pointer(p) == nil)`},
	{"scopes of one name", `n := 1; f := func() int { return n }; { n := 2; f = func() int { n++; return n }; show(n) }; show(f()); show(n); if n := 5; n > 1 { n++; show(n) }; show(n); for range 2 { n := n; n++; show(n) }`},
	{"named results that are blank", `f := func() (_ int, s string, _ error) { s = "a"; return }; a, b, c := f(); show(a); show(b); show(c)`},
	{"methods of the type of a parameter", `show(named(order{"a"})); show(failure(func() { named[namer](nil) }))`},
	{"what a call in the same expression changes", `q := &order{"a"}; show(q.name + func() string { q.name = "b"; return "" }()); type l struct{ n int }; v := l{1}; show(v.n + func() int { v.n = 5; return 1 }()); a := [2]int{1, 2}; show(a[0] + func() int { a[0] = 7; return 1 }()); b := &a; show(b[1] + func() int { b[1] = 9; return 1 }()); c := []int{1}; show(c[0] + func() int { c[0] = 4; return 1 }()); d := [1]l{{3}}; show(d[0].n + func() int { d[0].n = 8; return 1 }())`},
	{"shifts by more than there is memory", `n := uint64(1) << 40; x := 3; show(x << n); show(x >> n); show(-x >> n); u := uint8(200); show(u << n); show(u >> n)`},
	{"a nil pointer that is appended to interfaces", `s := append([]any(nil), (*int)(nil), nil); show(s[0] == nil); show(s[1] == nil); _, ok := s[0].(*int); show(ok)`},
	{"a function literal of a method of a generic type", `b := &box[string]{v: "a"}; show(each(b, 2)); show(each(&box[int]{v: 3}, 2))`},
	{"methods of embedded structs", `type in struct{ *order }; type out struct{ in }; o := out{in{&order{"a"}}}; show(o.Name()); f := o.Name; o.order = &order{"b"}; show(f()); show(o.Name()); show(failure(func() { var p *out; p.Name() }))`},
	{"assertions before what changes their operand", `a, b := order{"a"}, order{"b"}; var v any = a; f := func(o order, _ int) { show(o.name) }; f(v.(order), func() int { v = b; return 1 }()); v = &a; g := func(o *order, _ int) { show(o.name) }; g(v.(*order), func() int { v = &b; return 1 }())`},
	{"calls within the operands of calls", `n := 0; next := func() int { n++; return n }; show(fmt.Sprint(fmt.Sprint(n, next()), next(), n, next())); show(n); show(joined(joined(fmt.Sprint(n), fmt.Sprint(next())), fmt.Sprint(next())) + fmt.Sprint(n, next())); show(n)`},
	{"numbers that constants with a point give", `n := int(2.0); show(-n); show(^n); var u uint8 = 1e2; show(^u); show(-u)`},
	{"constants of the type of a parameter", `show(inverted(1)); show(inverted(uint8(1)))`},
	{"entries of a map literal with calls", `n := 0; next := func() int { n++; return n }; m := map[string]any{"a": next(), "b": next(), "c": order{string(rune('a' + next()))}}; show(m["a"]); show(m["b"]); show(m["c"].(order).name); set := func() bool { n = 9; return true }; m = map[string]any{"a": set(), "b": next()}; show(m["b"]); l := map[string]bool{"a": next() == 11, "b": set()}; show(l["a"])`},
	{"entries of a map literal that the compiler knows", `f := func(s string) string { return s }; m := map[order]int{{f("a")}: 1, {"a"}: 2}; show(m[order{"a"}]); l := map[string]order{f("a"): {"x"}, "a": {name: "y"}}; show(l["a"].name)`},
	{"methods of embedded pointers", `type held struct{ *order }; h := held{&order{"a"}}; h.rename("b"); show(h.Name()); show(failure(func() { h.order = nil; h.rename("c") }))`},
	{"pointers of embedded structs in embedded pointers", `type in struct{ order }; type mid struct{ *in }; type out struct{ mid; n int }; o := out{mid{&in{order{"a"}}}, 1}; o.rename("b"); show(o.Name()); p := &o; p.rename("c"); show(o.in.name); f := o.rename; f("d"); show(p.name)`},
}

const declarations = `
type order struct{ name string }

func (o order) Name() string { return o.name }

func (o order) with(s string) string { return o.name + s }

func (o *order) rename(s string) { o.name = s }

type namer interface{ Name() string }

func named[T namer](v T) string { f := v.Name; show("taken"); return f() + v.Name() }

func joined(a, b string) string { return a + b }

// failure is what the run-time panic of f says.
func failure(f func()) (text string) {
	defer func() { text = recover().(interface {
		error
		RuntimeError()
	}).Error() }()
	f()
	return ""
}

func double[T int | string](v T) T { return v + v }

func inverted[T int | uint8](v T) T { v = 1e2; return ^v + -v }

type box[T any] struct{ v T }

func (b *box[T]) all(n int) []any { return repeated(n, func() any { var v T; return []any{v, b.v} }) }

func repeated[U any](n int, f func() U) (us []any) {
	for range n { us = append(us, f()) }
	return us
}

func each[T any](b *box[T], n int) string { return fmt.Sprintf("%T %v", b, b.all(n)) }

var second = first + 1
var first = 41
`

func TestEvaluator_DeterminesWhatTheRunningProgramDoes(t *testing.T) {
	used := "var _ bytes.Buffer\nvar _ = errors.New\nvar _ = os.Exit\nvar _ = strings.ToUpper\nvar _ sync.Once\nvar _ = runtime.Goexit\nvar _ unsafe.Pointer\nvar _ = slices.Max[[]int]\n\n"
	requireAsPrinted(t, []string{"bytes", "errors", "fmt", "os", "runtime", "slices", "strings", "sync", "unsafe"}, used+declarations, determined)
}

func TestEvaluator_SaysWhyAValueIsUnknown(t *testing.T) {
	for _, test := range []struct{ name, body, want string }{
		{"a result of the outside world", `show(os.Getenv("X"))`, `unknown: the result of os.Getenv("X")`},
		{"what is computed from it", `show("q." + os.Getenv("X"))`, `unknown: the result of os.Getenv("X")`},
		{"a branch", `n := 1; if os.Getpid() > 1 { n = 2 }; show(n)`, "unknown: a value that depends on the condition os.Getpid() > 1, and so on the result of os.Getpid()"},
		{"branches that agree", `n := 1; if os.Getpid() > 1 { n = 2 } else { n = 2 }; show(n)`, "2"},
		{"what a call may change", `n := 1; json.Unmarshal([]byte(os.Getenv("X")), &n); show(n)`, "unknown: a value that json.Unmarshal may have changed, and so on the result of os.Getenv(\"X\")"},
		{"the capacity that escape analysis decides", `show(cap(append([]int(nil), 1)))`, "unknown: the capacity of a slice whose array the compiler chooses"},
		{"the capacity of a list of unknown room", `show(cap(make([]int, 0, os.Getpid())))`, "unknown: the capacity of a slice whose array the compiler chooses"},
		{"an element that another append to a list of unknown room may have written", `s := make([]int, 0, os.Getpid()); a := append(s, 1); b := append(s, 2); _ = b; show(a[0])`, "unknown: a slice whose array another one may share, as its capacity isn't known"},
		{"an element that such an append may write", `s := make([]int, 0, os.Getpid()); s = append(s, 1, 2); a := s[:1]; a = append(a, 8, 9); show(s[1])`, "unknown: the expression append(a, 8, 9)"},
		{"an element that both may have", `s := make([]int, 0, os.Getpid()); s = append(s, 1); a := append(s, 2); a[0] = 5; show(s[0])`, "unknown: a slice whose array another one may share, as its capacity isn't known"},
		{"a list of unknown room that another variable has", `s := make([]int, 0, os.Getpid()); a := s; s = append(s, 1); a = append(a, 2); show(s[0])`, "unknown: a slice whose array another one may share, as its capacity isn't known"},
		{"a list of unknown room that a function literal has", `s := make([]int, 0, os.Getpid()); f := func() { s = append(s, 2) }; t := s; f(); show(t[:1][0])`, "unknown: the capacity of a slice whose array the compiler chooses"},
		{"a list of unknown room beyond its length", `s := make([]int, 0, os.Getpid()); show(len(s[:1]))`, "unknown: the capacity of a slice whose array the compiler chooses"},
		{"a list of unknown room that is returned and appended to", `f := func() (a, b []int) { s := make([]int, 0, os.Getpid()); return append(s, 1), append(s, 2) }; a, b := f(); _ = b; show(a[0])`, "unknown: a slice whose array another one may share, as its capacity isn't known"},
		{"one of two lists, the one of unknown room", `s, t := make([]int, 0, os.Getpid()), make([]int, 0, 2); if os.Getpid() > 1 { s = t }; show(cap(s))`, "unknown: the capacity of a slice whose array the compiler chooses"},
		{"a list of unknown room that JSON overwrites", `s := make([]int, 1, os.Getpid()+1); t := s; json.Unmarshal([]byte("[5]"), &s); show(t[0])`, "unknown: a value that json.Unmarshal may have changed"},
		{"a list of unknown room that longer JSON may overwrite", `s := make([]int, 1, os.Getpid()+1); t := s; json.Unmarshal([]byte("[5, 6]"), &s); show(t[0])`, "unknown: a value that json.Unmarshal may have changed"},
		{"an element that another append may have written", `a := append([]int(nil), 1); b := append(a, 2); c := append(a, 3); _ = c; show(b[1])`, "unknown: an element of a slice whose array another one may share, as the compiler chooses"},
		{"an element of an array that append may have moved", `a := append([]int(nil), 1); b := append(a, 2); b[0] = 5; show(a[0])`, "unknown: an element of a slice whose array another one may share, as the compiler chooses"},
		{"a part of such an element", `type e struct{ n int8 }; a := append([]e(nil), e{1}); b := append(a, make([]e, 9)...); p := &b[0].n; *p = 5; show(a[0].n)`, "unknown: an element of a slice whose array another one may share, as the compiler chooses"},
		{"such an element under a condition", `a := append([]int(nil), 1); b := append(a, 2); if os.Getpid() > 1 { b[0] = 5 }; show(a[0])`, "unknown: an element of a slice whose array another one may share, as the compiler chooses"},
		{"a part of an element that isn't known which", `type e struct{ n int }; list := []e{{1}, {2}}; p := &list[0].n; list[os.Getpid()&1] = e{5}; show(*p)`, "unknown: the result of os.Getpid()"},
		{"such an element by its address", `type e struct{ n int }; list := []e{{1}, {2}}; p := &list[os.Getpid()&1]; p.n = 5; show(list[0].n)`, "unknown: the result of os.Getpid()"},
		{"an array in such an element", `type e struct{ n [2]int }; list := []e{{}, {}}; list[os.Getpid()&1].n[1] = 5; show(list[0].n[1])`, "unknown: the result of os.Getpid()"},
		{"an element by the address of its part", `type e struct{ n int }; list := []e{{1}, {2}}; p := &list[os.Getpid()&1].n; *p = 5; show(list[0].n)`, "unknown: the result of os.Getpid()"},
		{"a pointer in such an element", `x := 1; list := []*int{new(int), new(int)}; list[os.Getpid()&1] = &x; *list[0] = 5; show(x)`, "unknown: the result of os.Getpid()"},
		{"a pointer behind such an element", `type e struct{ p *int }; x := 1; list := []e{{}, {}}; list[os.Getpid()&1].p = &x; if p := list[0].p; p != nil { *p = 5 }; show(x)`, "unknown: a value that depends on the condition p != nil, and so on the result of os.Getpid()"},
		{"what such an element keeps", `list := []int{5, 5}; list[os.Getpid()&1] = 5; show(list[0])`, "5"},
		{"a copy of such an element", `type e struct{ n int }; list := []e{{1}, {2}}; list[os.Getpid()&1].n = 5; show(list[0].n)`, "unknown: the result of os.Getpid()"},
		{"an element that slices.Insert may have moved", `a := append([]int(nil), 1, 2); b := slices.Insert(a, 0, 5); _ = b; show(a[0])`, "unknown: an element of a slice whose array another one may share, as the compiler chooses"},
		{"a slice beyond the capacity", `a := append([]int(nil), 1); show(len(a[:2]))`, "unknown: the capacity of a slice whose array the compiler chooses"},
		{"the capacity of a buffer", `show(bytes.NewBufferString("x").Cap())`, `unknown: the result of bytes.NewBufferString("x").Cap()`},
		{"what an iterator is pulled for", `next, _ := iter.Pull(func(yield func(int) bool) { yield(1) }); v, _ := next(); show(v)`, "unknown: the result of iter.Pull((func(yield func(int) bool) literal))"},
		{"the integer of an infinity", `show(int(math.Inf(1)))`, "unknown: the integer of an infinity or of NaN"},
		{"the integer of a number that is too large for it", `x := 300.5; show(int8(x))`, "unknown: a number that is too large for an integer"},
		{"memory of another type", `x := 1.5; p := (*uint64)(unsafe.Pointer(&x)); *p = 0; show(x)`, "unknown: memory that is seen by unsafe.Pointer"},
		{"the number of an address", `n := 1; show(uintptr(unsafe.Pointer(&n)))`, "unknown: memory that is seen by unsafe.Pointer"},
		{"the number of an address that isn't known", `var p *int; json.Unmarshal([]byte(os.Getenv("X")), &p); show(uintptr(unsafe.Pointer(p)))`, "unknown: memory that is seen by unsafe.Pointer"},
		{"memory of another type, by its parts", `n := 1; p := (*[8]byte)(unsafe.Pointer(&n)); p[0] = 8; show(n)`, "unknown: memory that is seen by unsafe.Pointer"},
		{"all bits beside those that aren't known", `show(os.Getpid() | -1)`, "-1"},
		{"all bits before those that aren't known", `show(-1 | os.Getpid())`, "-1"},
		{"a bit beside those that aren't known", `show(os.Getpid() | 1)`, "unknown: the result of os.Getpid()"},
		{"a bit before those that aren't known", `show(1 | os.Getpid())`, "unknown: the result of os.Getpid()"},
		{"a jump over an assignment", "n := 1\nfor range 1 {\nif os.Getpid() > 1 { goto end }\nn = 2\nend:\n}\nshow(n)", "unknown: a value that depends on the condition os.Getpid() > 1, and so on the result of os.Getpid()"},
		{"a nil pointer in an interface that isn't nil", `var v any; if os.Getpid() > 1 { v = (*int)(nil) }; ok := false; if v != nil { _, ok = v.(*int); show(ok) }`, "true"},
		{"the second value of two goroutines", `c := make(chan int); for i := range 2 { go func() { c <- i }() }; <-c; show(<-c)`, "unknown: a value received from the channel c"},
		{"the last value of two goroutines of which one sends again", `c := make(chan int); go func() { c <- 1; c <- 2 }(); go func() { c <- 3 }(); <-c; <-c; show(<-c)`, "unknown: a value received from the channel c"},
		{"what comes when all values of two goroutines are there", `c := make(chan int); for i := range 2 { go func() { c <- i }() }; <-c; <-c; go func() { c <- 7 }(); show(<-c)`, "7"},
		{"a value that is sent or not before the channel is closed", `c := make(chan int, 1); go func() { defer func() { recover() }(); c <- 9 }(); close(c); show(<-c)`, "unknown: a value of the channel c"},
		{"a value that is sent or not before another one closes", `c := make(chan int, 1); go func() { defer func() { recover() }(); c <- 9 }(); go func() { close(c) }(); show(<-c)`, "unknown: a value received from the channel c"},
		{"a second value that is sent or not before the channel is closed", `c := make(chan int, 2); d := make(chan bool); go func() { defer func() { recover() }(); c <- 9; close(d); c <- 8 }(); <-d; close(c); <-c; show(<-c)`, "unknown: a value of the channel c"},
		{"an operand that unread code changes", `x := int8(1); f := func(v any, _ error) { show(v) }; f(x, json.NewDecoder(os.Stdin).Decode(&x))`, "unknown: a value that json.NewDecoder(os.Stdin).Decode may have changed, and so on the variable os.Stdin"},
		{"what the user replaces", `replaced := os.Getenv("X"); show(replaced)`, "by the user"},
	} {
		t.Run(test.name, func(t *testing.T) {
			source := "package plain\n\nimport (\n\t\"bytes\"\n\t\"encoding/json\"\n\t\"fmt\"\n\t\"iter\"\n\t\"math\"\n\t\"os\"\n\t\"slices\"\n\t\"unsafe\"\n)\n\nvar _ bytes.Buffer\nvar _ = slices.Max[[]int]\nvar _ unsafe.Pointer\nvar _ iter.Seq[int]\nvar _ = math.Pi\nvar _, _ = json.Unmarshal, os.Getpid\n\n" + showDecl + "func run() {\n" + test.body + "\n}\n"
			require.Equal(t, []string{test.want}, evaluate(t, source).shown)
		})
	}
}

// A call that may fail: what the program goes on with depends on what the caller
// makes of the error.
func TestFailure_IsKeptApartUntilTheCallerHasLookedAtIt(t *testing.T) {
	const load = `
var mode = "initial"

func load() (string, error) {
	if _, err := os.Stat("config"); err != nil {
		mode = "failed"
		return "none", err
	}
	mode = "loaded"
	show("in load")
	return "prod", nil
}

func must(s string, err error) string {
	if err != nil {
		panic(err)
	}
	return s
}

func forward() (string, error) { return load() }

func tolerant() string {
	defer func() { recover() }()
	return must(load())
}

func state() (string, error) { return mode, forwarded() }

func forwarded() error { _, err := load(); return err }

type config struct{ name string }

func (c *config) load() (string, error) {
	if _, err := os.Stat("config"); err != nil {
		c.name = "failed"
		return "", err
	}
	c.name = "read"
	return "prod", nil
}

func (c config) use(string, error) { show(c.name) }
`
	const depends = `unknown: a value that depends on the condition err != nil, and so on the result of os.Stat("config")`
	for _, test := range []struct {
		name, body string
		want       []string
	}{
		{"it is handed on", `err := func() error { s, err := load(); if err != nil { return err }; show(s); show(mode); return nil }(); if err != nil { os.Exit(1) }`, []string{"in load", "prod", "loaded"}},
		{"it ends the program", `s, err := load(); if err != nil { log.Fatal(err) }; show(s); show(mode)`, []string{"in load", "prod", "loaded"}},
		{"it panics in a call", `show(must(load())); show(mode)`, []string{"in load", "prod", "loaded"}},
		{"it came through a return", `s, err := forward(); if err != nil { panic(err) }; show(s)`, []string{"in load", "prod"}},
		{"it is ignored", `s, _ := load(); show(s)`, []string{"in load if not err != nil", depends}},
		{"it is logged", `s, err := load(); if err != nil { log.Print(err) }; show(s); show(mode)`, []string{"in load if not err != nil", depends, depends}},
		{"it has a fallback", `s, err := load(); if err != nil { s = "dev" }; show(s)`, []string{"in load if not err != nil", depends}},
		{"the fallback is the same", `s, err := load(); if err != nil { s = "prod" }; show(s)`, []string{"in load if not err != nil", "prod"}},
		{"it is told apart", `s, err := load(); if err != nil && !errors.Is(err, fs.ErrNotExist) { os.Exit(1) }; show(s)`, []string{"in load if not err != nil", depends}},
		{"it is looked at late", `s, err := load(); show(s); if err != nil { os.Exit(1) }`, []string{"in load if not err != nil", depends}},
		{"it is recovered from", `show(tolerant()); show(mode)`, []string{"in load if not err != nil", `unknown: a value that depends on the condition err != nil, and so on the result of os.Stat("config")`, `unknown: a value that depends on the condition err != nil, and so on the result of os.Stat("config")`}},
		{"what is returned before the call is read after it", `m, err := state(); if err != nil { show(m); os.Exit(1) }; show(m)`, []string{"in load", "failed", "loaded"}},
		{"the receiver is what the argument leaves", `c := config{}; c.use(c.load())`, []string{"failed if not err != nil", "read"}},
		{"no element takes its result", `var list [1]string; i := 0; var err error; list[i], err = func() (string, error) { s, err := load(); if err != nil { i = 1; return "", err }; return s, nil }(); show(list[0]); _ = err`, []string{"in load", "prod"}},
		{"a callee's error isn't nil in its branch", `_, err := os.Stat("x"); if err == nil { show("there"); return }; show(err == nil)`, []string{"there", "false"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			source := "package plain\n\nimport (\n\t\"errors\"\n\t\"fmt\"\n\t\"io/fs\"\n\t\"log\"\n\t\"os\"\n)\n\nvar _, _, _ = errors.Is, fs.ErrNotExist, log.Print\n\n" + showDecl + load + "func run() {\n" + test.body + "\n}\n"
			require.Equal(t, test.want, evaluate(t, source).shown)
		})
	}
}

// A recover after something that may panic or not runs for both.
func TestRecover_RunsForAPanicAndWithoutOne(t *testing.T) {
	const unknowns = `
var (
	n       = os.Getpid()
	info, _ = os.Stat("x")
	file, _ = os.Open("x")
	c       = map[string]chan int{"a": make(chan int)}[os.Getenv("X")]

	nothings = map[string][]struct{}{"a": make([]struct{}, 2)}[os.Getenv("X")]
)
`
	for _, test := range []struct{ name, body, risk string }{
		{"a call that isn't followed", `file.Seek(0, 0)`, "file.Seek"},
		{"a division", `_ = 1 / n`, "1 / n"},
		{"a shift", `_ = 1 << n`, "1 << n"},
		{"an index", `_ = []int{1}[n]`, "[]int{…}[n]"},
		{"a bound", `_ = "text"[n:]`, `"text"[n:]`},
		{"an index that is masked by the length", `_ = [4]int{}[n&4]`, "[4]int{}[n & 4]"},
		{"a length", `_ = make([]int, n)`, "make([]int, n)"},
		{"a length of what takes no memory", `_ = make([]int, len(nothings))`, "make([]int, len(nothings))"},
		{"a length of large elements", `_ = make([][1<<20]int, len(os.Args))`, "make([][1 << 20]int, len(os.Args))"},
		{"room for less than the length", `_ = make([]string, 1, len(os.Args))`, "make([]string, 1, len(os.Args))"},
		{"an assertion", `_ = info.(fmt.Stringer)`, "info.(fmt.Stringer)"},
		{"a pointer", `_ = *file`, "*file"},
		{"a send", `c <- 1`, "c"},
		{"the end of a channel", `close(c)`, "close(c)"},
		{"a deferred function", `defer file.Seek(0, 0)`, "file.Seek"},
		{"a deferred function of a callee", `func() { defer func() { file.Seek(0, 0) }() }()`, "file.Seek"},
	} {
		t.Run(test.name, func(t *testing.T) {
			source := "package plain\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n" + unknowns + showDecl +
				"func run() {\n\tdefer func() { show(recover() == nil) }()\n\t" + test.body + "\n}\n"
			panics := " if not " + test.risk + " panics"
			require.Equal(t, []string{"true" + panics, "false" + panics}, evaluate(t, source).shown)
		})
	}
}

// What never panics makes nothing conditional.
func TestRecover_IsNotForWhatCantPanic(t *testing.T) {
	for _, test := range []struct{ name, body string }{
		{"a division by a constant", `_ = n / 2 % 3`},
		{"a division of a float", `_ = 1.5 / float64(n)`},
		{"a shift by a constant", `_ = n << 70`},
		{"a shift by an unsigned number", `_ = 1 << uint(n)`},
		{"an assignment with a shift", `n >>= uint8(n)`},
		{"an appended list", `_ = append([]string{"a"}, os.Environ()...)`},
		{"the arguments", `_ = os.Args[1:]`},
		{"the whole of a list", `_ = os.Environ()[:]`},
		{"an index that is masked", `_ = [4]int{}[n&3]`},
		{"the environment", `os.LookupEnv("X")`},
		{"a mutex", `m.Lock(); m.Unlock()`},
		{"the length of a list", `_ = make([]string, 0, len(os.Args))`},
		{"a context with a value", `context.WithValue(context.Background(), key{}, "x")`},
		{"a value of a context", `context.WithValue(context.Background(), key{}, "x").Value(key{})`},
		{"a document", `json.Marshal(struct { A int; At time.Time }{n, time.Now()})`},
		{"much room", `_ = make([]string, 1, 1<<20)`},
	} {
		t.Run(test.name, func(t *testing.T) {
			source := "package plain\n\nimport (\n\t\"context\"\n\t\"encoding/json\"\n\t\"fmt\"\n\t\"os\"\n\t\"sync\"\n\t\"time\"\n)\n\nvar _, _, _ = context.TODO, json.Valid, time.Now\n\ntype key struct{}\n\nvar n, m = os.Getpid(), new(sync.Mutex)\n" + showDecl +
				"func run() {\n\tdefer func() { show(recover() == nil) }()\n\t" + test.body + "\n}\n"
			require.Equal(t, []string{"true"}, evaluate(t, source).shown)
		})
	}
}

func TestUser_LearnsOfCallsThatCantBeEntered(t *testing.T) {
	recorded := evaluate(t, "package plain\n\nimport (\n\t\"fmt\"\n\t\"net/http\"\n)\n\n"+showDecl+
		"func run() {\n\tf := func() { show(1) }\n\thttp.ListenAndServe(\"\", nil)\n\tf()\n}\n")
	require.Equal(t, []string{`http.ListenAndServe("", nil)`}, recorded.opaque)
	require.Equal(t, []string{"1"}, recorded.shown)
}

func TestStarts_AreFollowedApart(t *testing.T) {
	for _, test := range []struct {
		name, body string
		want       []string
	}{
		{"each from one state", `n := 1; choose(func() { n++; show(n) }, func() { n += 5; show(n) })`, []string{"1: 2", "2: 6"}},
		{"each goes on by itself", `n := 1; choose(func() { n = 2 }, func() { n = 3 }); show(n)`, []string{"1: 2", "2: 3"}},
		{"one that ends doesn't go on", `n := 1; choose(func() { n = 2; os.Exit(1) }, func() { n = 3 }); show(n)`, []string{"2: 3"}},
		{"all end", `go func() { choose(func() { show(1); os.Exit(1) }, func() { panic("no") }); show(2) }()`, []string{"1: 1 if waited for"}},
		{"one after another", `f := func() {}; choose(f, func() { choose(f, f) }); show(0)`, []string{"1: 0", "2 1: 0", "2 2: 0"}},
		{
			"a word is a text or none of them",
			`switch os.Args[1] { case "a": show(1); case "b", "c": show(2); default: show(3) }`,
			[]string{": 3", "a: 1", "b: 2", "c: 2"},
		},
		{
			"a word is one wherever it is",
			`args := os.Args[1:]; cmd := args[0]; if cmd == "a" { show(os.Args[1]) }; show(len(args) > 0)`,
			[]string{": unknown: the variable os.Args", "a: a", "a: true"},
		},
		{"two of one name", `alike(func() { show(1) }, func() { show(2) })`, []string{"1: 1", "1: 2"}},
		{"words after one another", `if os.Args[1] == "a" { show(os.Args[2] == "b") }`, []string{"a: false", "a b: true"}},
		{"five words after one another", `a := os.Args; if a[1] == "e" && a[2] == "d" && a[3] == "c" && a[4] == "b" && a[5] == "a" { show(1) }`, []string{"e d c b a: 1"}},
		{"a key", `show(map[string]int{"a": 1, "b": 2}[os.Args[1]])`, []string{": 0", "a: 1", "b: 2"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			source := "package main\n\nimport (\"fmt\"; \"os\")\n\nvar _ = os.Exit\n\nfunc choose(first, second func()) {}\n\nfunc alike(first, second func()) {}\n\n" + showDecl +
				"func run() { " + test.body + " }\n\nfunc main() { run() }\n"
			require.Equal(t, test.want, evaluate(t, source).shown)
		})
	}
}

func TestStart_RangesOverMapsOfItsOwnWay(t *testing.T) {
	program := programOf(t, "package main\n\nimport \"fmt\"\n\nfunc choose(first, second func()) {}\n\n"+showDecl+
		"func run() { choose(func() { for range map[string]int{\"a\": 1, \"b\": 2} { show(1) } }, func() { show(2) }) }\n\nfunc main() { run() }\n")
	pkg := program.Source(modulePath)
	ev := eval.New(t.Context(), program, new(recorder))
	run := pkg.Types.Scope().Lookup("run").(*types.Func)
	starts := ev.Starts(func() {
		ev.Enter(ast.NewIdent("run"), &value.Func{Type: run.Type(), Obj: run}, nil)
	}, func() any { return nil })
	require.Len(t, starts, 2)
	loops := ev.MapLoops()
	require.Len(t, loops, 1)
	require.True(t, starts[0].RangesOver(loops[0]))
	require.False(t, starts[1].RangesOver(loops[0]))
}

func TestCommands_AreThoseThatTheProgramLooksFor(t *testing.T) {
	for _, test := range []struct {
		body string
		want []string
		line int
	}{
		{"show(1)", nil, 0},
		{"\nchoose(func() {}, func() {})", []string{"1", "2"}, 10},
		{"\nalike(func() {}, func() {})\n\nchoose(func() {}, func() {})", []string{"1", "2"}, 10},
		{`switch os.Args[1] { case "a": case "b": }`, []string{"a", "b"}, 9},
		{`starts("run/a|run/b|stop", func(string) {})`, []string{"run", "run a", "run b", "stop"}, 9},
	} {
		t.Run(test.body, func(t *testing.T) {
			recorded := evaluate(t, "package main\n\nimport (\"fmt\"; \"os\")\n\nvar _ = os.Exit\n\nfunc choose(first, second func()) {}; func alike(first, second func()) {}; func starts(string, func(string)) {}; "+showDecl+
				"\nfunc run() { "+test.body+" }\n\nfunc main() { run() }\n")
			require.Equal(t, test.want, recorded.commands)
			require.Equal(t, test.line, recorded.line)
		})
	}
}

func TestCommand_IsTheOnlyOneThatGoesOn(t *testing.T) {
	for _, test := range []struct {
		commands, command string
		shown             []string // of those that go on
		started           []string
	}{
		{"run|stop", "", []string{"run: run", "stop: stop"}, []string{"run", "stop"}},
		{"run|stop", "stop", []string{"stop: stop"}, []string{"run", "stop"}},
		{"run|stop", "other", nil, []string{"run", "stop"}},
		{"run", "run", []string{"run"}, []string{""}},
		{"run/a|run/b", "", []string{"run a: run/a", "run b: run/b"}, []string{"run", "run"}},
		{"run/a|run/b", "run", []string{"run a: run/a", "run b: run/b"}, []string{"run", "run"}},
		{"run/a|run/b", "run b", []string{"run b: run/b"}, []string{"run", "run"}},
		{"run/a|run/b", "run c", []string{"run a: run/a", "run b: run/b"}, []string{"run", "run"}},
		{"run|run jobs", "run", []string{"run: run"}, []string{"run", "run jobs"}},
		{"run|run jobs", "run jobs", []string{"run jobs: run jobs"}, []string{"run", "run jobs"}},
		{"run|runner", "runner", []string{"runner: runner"}, []string{"run", "runner"}},
		{"run|", "run", []string{"run: run"}, []string{"run", ""}},
		{"run|", "", []string{"run: run", ": "}, []string{"run", ""}},
	} {
		t.Run(test.commands+" as "+test.command, func(t *testing.T) {
			recorded := evaluateAs(t, "package main\n\nimport \"fmt\"\n\nfunc starts(commands string, f func(string)) {}\n\n"+showDecl+
				"func run() { starts(\""+test.commands+"\", func(s string) { show(s) }) }\n\nfunc main() { run() }\n", test.command)
			require.Equal(t, test.shown, recorded.shown)
			require.Equal(t, test.started, recorded.started)
		})
	}
}

func TestLoop_EndsWhereAFurtherRoundIsLikeTheLast(t *testing.T) {
	recorded := evaluate(t, "package plain\n\nimport (\n\t\"bufio\"\n\t\"fmt\"\n\t\"os\"\n)\n\n"+showDecl+`
type source struct {
	in   *os.File
	last [8]byte
}

func (s *source) next() bool {
	n, _ := s.in.Read(s.last[:])
	return n > 0
}

var _ bufio.Reader

func run() {
	s := &source{in: os.Stdin}
	for {
		more := s.next()
		if !more {
			break
		}
	}
	show("after")
}
`)
	require.Equal(t, []string{"after"}, recorded.shown)
}

func TestStarts_TakeNothingElseForAWord(t *testing.T) {
	const unknown = "unknown: the variable os.Args"
	for _, test := range []struct{ name, body string }{
		{"in a list that is changed", `os.Args[1] = "b"; show(os.Args[1] == "a")`},
		{"in a list of which a part is changed", `args := os.Args[1:]; args[0] += "b"; show(os.Args[1] == "a")`},
		{"in a list that is copied to", `copy(os.Args[1:], os.Args[2:]); show(os.Args[1] == "a")`},
		{"in a list that is appended to", `_ = append(os.Args[:1], os.Args[2:]...); show(os.Args[1] == "a")`},
		{"in a list that is joined with another", `args := os.Args; if len(os.Args) > 3 { args = nil }; args[1] = "b"; show(os.Args[1] == "a")`},
		{"in a list that unread code gets", `exec.LookPath(""); sort.Strings(os.Args); show(os.Args[1] == "a")`},
		{"of which the address is taken", `p := &os.Args[1]; *p = "x"; show(os.Args[1] == "a")`},
		{"with a text after it", `show(os.Args[1]+"b" == "ab")`},
		{"without its first letter", `show(os.Args[1][1:] == "a")`},
		{"from other bytes", `b := []byte(os.Args[1]); b[0] = 'x'; show(string(b) == "a")`},
		{"in upper case", `show(strings.ToUpper(os.Args[1]) == "A")`},
		{"or another value", `cmd := "a"; if len(os.Args) > 1 { cmd = os.Args[1] }; show(cmd == "a")`},
		{"or another word", `cmd := os.Args[1]; if len(os.Args) > 2 { cmd = os.Args[2] }; show(cmd == "a")`},
		{"in a loop", `for _, cmd := range os.Args[1:2] { show(cmd == "a"); break }`},
	} {
		t.Run(test.name, func(t *testing.T) {
			source := "package main\n\nimport (\"fmt\"; \"os\"; \"os/exec\"; \"sort\"; \"strings\")\n\n" +
				"var _, _, _, _ = os.Exit, exec.Command, sort.Strings, strings.ToUpper\n\n" + showDecl +
				"func run() { " + test.body + " }\n\nfunc main() { run() }\n"
			require.Contains(t, evaluate(t, source).shown[0], unknown)
		})
	}
}

// What is stored through a reference that isn't known may be read through any other one.
func TestEvaluator_LosesWhatIsStoredWhereItIsNotKnown(t *testing.T) {
	const known, unknown = "1", "unknown: "
	for _, test := range []struct{ name, body, want string }{
		{"in a slice", `var m []*T; json.Unmarshal(data, &m); m[0] = o; m[0].n = 5`, unknown},
		{"in a copy of a slice", `var m []*T; json.Unmarshal(data, &m); m[0] = o; q := m; p := q[0]; p.n = 5`, unknown},
		{"in a slice of unknown length", `m := make([]*T, os.Getpid()); m[0] = o; for _, p := range m { p.n = 5 }`, unknown},
		{"in a field's slice", `var s struct{ List []*T }; json.Unmarshal(data, &s); s.List[0] = o; s.List[0].n = 5`, unknown},
		{"in an array behind a pointer", `var m *[2]*T; json.Unmarshal(data, &m); m[0] = o; m[0].n = 5`, unknown},
		{"in a slice behind a pointer", `var m *[]*T; json.Unmarshal(data, &m); *m = append(*m, o); (*m)[0].n = 5`, unknown},
		{"in a map", `var m map[string]*T; json.Unmarshal(data, &m); m["a"] = o; m["a"].n = 5`, unknown},
		{"in one of several maps", `m := map[string]map[string]*T{"x": {}}[os.Getenv("X")]; m["a"] = o; p := m["a"]; p.n = 5`, unknown},
		{"behind a pointer", `var p **T; json.Unmarshal(data, &p); *p = o; (*p).n = 5`, unknown},
		{"behind two pointers", `var p ***T; json.Unmarshal(data, &p); **p = o; (**p).n = 5`, unknown},
		{"a function that is called", `m := make([]func(), os.Getpid()); m[0] = func() { o.n = 5 }; m[0]()`, unknown},
		{"a function in a map that is called", `var m map[string]func(); json.Unmarshal(data, &m); m["a"] = func() { o.n = 5 }; m["a"]()`, unknown},
		{"a function that unread code calls", `m := make([]func(), os.Getpid()); m[0] = func() { o.n = 5 }; time.AfterFunc(0, m[0])`, unknown},
		{"in a slice whose length code has left open", `n := 1; if os.Getpid() > 1 { n = 2 }; m := make([][]*T, n); s := []*T{nil}; m[0] = s; m[0][0] = o; s[0].n = 5`, unknown},
		{"by append", `m := make([]*T, os.Getpid()); q := m[:0]; q = append(q, o); m[0].n = 5`, unknown},
		{"by append, without its result", `var m []*T; json.Unmarshal(data, &m); _ = append(m[:0], o); for _, p := range m { p.n = 5 }`, unknown},
		{"by append of a function", `var m []func(); json.Unmarshal(data, &m); _ = append(m[:0], func() { o.n = 5 }); m[0]()`, unknown},
		{"by copy", `m := make([]*T, os.Getpid()); copy(m, []*T{o}); m[0].n = 5`, unknown},
		{"by copy of a method", `m := make([]func(), os.Getpid()); copy(m, []func(){o.Do}); m[0]()`, unknown},
		{"by Insert", `var m []*T; json.Unmarshal(data, &m); slices.Insert(m[:0], 0, o); m[0].n = 5`, unknown},
		{"and changed as a whole", `m := make([]*T, os.Getpid()); m[0] = o; *m[0] = T{5}`, unknown},
		{"and changed as an array", `a := [1]int{1}; m := make([]*[1]int, os.Getpid()); m[0] = &a; *m[0] = [1]int{5}; show(a[0])`, unknown},
		{"in a map with a key that isn't known", `m := map[string]*T{}; m[os.Getenv("Y")] = nil; m["a"] = o; for _, p := range m { p.n = 5 }`, unknown},
		{"in a map that is collected", `m := maps.Collect(maps.All(map[string]*T{"a": o, os.Getenv("Y"): o})); for _, p := range m { p.n = 5 }`, unknown},
		{"in a field of an element", `m := make([]struct{ P *T }, os.Getpid()); m[0].P = o; m[0].P.n = 5`, unknown},
		{"in a field of a field", `m := make([]struct{ A struct{ P *T } }, os.Getpid()); m[0].A.P = o; m[0].A.P.n = 5`, unknown},
		{"in a field of each element", `m := make([]struct{ P *T }, os.Getpid()); for i := range m { m[i].P = o }; for i := range m { m[i].P.n = 5 }`, unknown},
		{"in a field of a promoted struct", `m := make([]struct{ *S }, os.Getpid()); m[0].P = o; m[0].P.n = 5`, unknown},
		{"a function in a field", `m := make([]struct{ F func() }, os.Getpid()); m[0].F = func() { o.n = 5 }; m[0].F()`, unknown},
		{"a function that a pool calls", `m := make([]sync.Pool, os.Getpid()); m[0].New = func() any { return o }; m[0].Get().(*T).n = 5`, unknown},
		{"in a field that a method of the value reads", `s := &make([]S, os.Getpid())[0]; s.P = o; s.Get().n = 5`, "5"},
		{"in the result of a function that may panic", `f := sync.OnceValue(func() *T { if os.Getpid() > 5 { panic(1) }; return o }); f().n = 5`, unknown},
		{"in the results of a function that may panic", `f := sync.OnceValues(func() (*T, error) { if os.Getpid() > 5 { panic(1) }; return o, nil }); p, _ := f(); p.n = 5`, unknown},
		{"in an atomic, by a comparison", `var p atomic.Pointer[T]; if os.Getpid() > 3 { p.Store(&T{2}) }; p.CompareAndSwap(p.Load(), o); p.Load().n = 5`, unknown},
		{"in a sync.Map, if there is nothing", `var m sync.Map; m.Store(os.Getenv("X"), &T{}); p, _ := m.LoadOrStore("a", o); p.(*T).n = 5`, unknown},
		{"a channel that is received from", `c := make(chan int, 3); c <- 1; m := make([]chan int, os.Getpid()); m[0] = c; <-m[0]; show(len(c))`, unknown},
		{"a channel that is received from later", `c := make(chan int, 3); m := make([]chan int, os.Getpid()); m[0] = c; c <- 1; <-m[0]; show(len(c))`, unknown},
		{"a channel in what is stored that is received from", `c := make(chan int, 3); c <- 1; s := &struct{ c chan int }{}; m := make([]*struct{ c chan int }, os.Getpid()); m[0] = s; s.c = c; <-m[0].c; show(len(c))`, unknown},
		{"a channel that is closed", `c := make(chan int, 3); m := make([]chan int, os.Getpid()); m[0] = c; close(m[0]); _, ok := <-c; show(ok)`, unknown},
		{"a channel of another type", `c := make(chan int, 3); c <- 1; var d chan string; json.Unmarshal(data, &d); m := make([]chan int, os.Getpid()); m[0] = c; <-d; show(len(c))`, known},
		{"by a goroutine in a channel that is given away", `c := make(chan *T, 1); done := make(chan bool); go func() { c <- o; close(done) }(); <-done; v, _ := reflect.ValueOf(c).Recv(); v.Interface().(*T).n = 5`, unknown},
		{"by append to a list of unknown room", `m := make([]*T, 0, os.Getpid()); a := append(m, &T{}); _ = append(m, o); a[0].n = 5`, unknown},
		{"by a buffer over bytes of unknown room", `m := make([]byte, 0, os.Getpid()); b := bytes.NewBuffer(m); b.WriteString("ab"); _ = append(m, 'x'); show(b.String())`, unknown},
		{"by a buffer over converted bytes whose room the compiler chooses", `m := append([]byte(nil), 'a'); b := bytes.NewBuffer([]byte(m)); b.WriteString("0123456789"); _ = append(m, 'x'); show(b.String())`, unknown},
		{"by a buffer over bytes whose room the compiler chooses", `m := append([]byte(nil), 'a'); b := bytes.NewBuffer(m); b.WriteString("0123456789"); _ = append(m, 'x'); show(b.String())`, unknown},
		{"by append of unknown elements to a list of unknown room", `m := make([]*T, 0, os.Getpid()); a := append(m, &T{}); one := []*T{o}; if os.Getpid() > 1 { one = nil }; _ = append(m, one...); a[0].n = 5`, unknown},
		{"by append to an own list of unknown room", `m := make([]*T, 0, os.Getpid()); m = append(m, o); m = append(m, &T{}); m[1].n = 5; q := make([]*T, os.Getpid()); if p := q[0]; p != nil { p.n = 5 }`, known},
		{"by append to a list that the same statement appends to", `m := make([]*T, 0, os.Getpid()); var q []*T; m, q = append(m, o), append(m, &T{}); _ = q; m[0].n = 5`, unknown},
		{"by append to a list that the same statement cuts", `m := make([]*T, 0, os.Getpid()); var q []*T; m, q = append(m, &T{}), m[:0]; _ = append(q, o); m[0].n = 5`, unknown},
		{"by append to an own list beside another value", `m, i := make([]*T, 0, os.Getpid()), 0; m, i = append(m, &T{}), i+1; m[i-1].n = 5`, known},
		{"by append to one of several slices", `m := []*T{}; if os.Getpid() > 1 { m = append(m, &T{}) }; m = append(m, o); q := make([]*T, os.Getpid()); if p := q[0]; p != nil { p.n = 5 }`, known},
		{"by append to a list of its own", `var m []*T; for range os.Args { m = append(m, o) }; q := make([]*T, os.Getpid()); if p := q[0]; p != nil { p.n = 5 }`, known},
		{"by append to a list of a loop that its body has cut", `var q []*T; for m := make([]*T, 0, os.Getpid()); len(m) < 2; m = append(m, o) { if len(m) == 1 { q = append(q, &T{}); m[0].n = 5 }; q = m }`, unknown},
		{"by append to a list that was cut before", `var m []*T; for range os.Args { q := m[:0]; m = append(m, o); if cap(q) > 0 { q[:1][0].n = 5 } }`, unknown},
		{"by append to a list that another variable has", `var m []*T; for range os.Args { m = append(m, &T{}) }; q := m; for range os.Args { m = append(m[:0], o) }; q[0].n = 5`, unknown},
		{"in a slice that is known", `m := make([]*T, 2); m[0] = o; m[1] = &T{}; m[1].n = 5`, known},
		{"and in another type written", `m := make([]*T, os.Getpid()); n := make([]*string, os.Getpid()); m[0] = o; if p := n[0]; p != nil { *p = "x" }`, known},
	} {
		t.Run(test.name, func(t *testing.T) {
			source := "package main\n\nimport (\n\"bytes\"\n\"encoding/json\"\n\"fmt\"\n\"maps\"\n\"os\"\n\"reflect\"\n\"slices\"\n\"sync\"\n\"sync/atomic\"\n\"time\"\n)\n\n" +
				"var _ bytes.Buffer\nvar _ = json.Valid\nvar _ = maps.Clone[map[int]int]\nvar _ reflect.Value\nvar _ = slices.Sort[[]int]\nvar _ sync.Mutex\nvar _ atomic.Bool\nvar _ = time.Now\n\n" +
				"type T struct{ n int }\n\nfunc (t *T) Do() { t.n = 5 }\n\ntype S struct{ P *T }\n\nfunc (s S) Get() *T { return s.P }\n\n" + showDecl +
				"func run() { o := &T{1}; data := []byte(os.Getenv(\"X\")); _ = data; " + test.body + "; show(o.n) }\n\nfunc main() { run() }\n"
			require.Contains(t, evaluate(t, source).shown[0], test.want)
		})
	}
}

func TestFinishes_GivesUpProgramsWithoutEnd(t *testing.T) {
	program := programOf(t, "package plain\n\nfunc run() {\n\tfor n := 0; ; n++ {\n\t}\n}\n")
	pkg := program.Source(modulePath)
	ev := eval.New(t.Context(), program, new(recorder))
	run := pkg.Types.Scope().Lookup("run").(*types.Func)
	pos, finished := ev.Finishes(func() {
		ev.Enter(ast.NewIdent("run"), &value.Func{Type: run.Type(), Obj: run}, nil)
	})
	require.False(t, finished)
	require.Equal(t, 4, program.Position(pos).Line)
}

// Where no package is left out, another round would be given up as well.
func TestStarts_AreGivenUpOnce(t *testing.T) {
	spreading := func(names string) string {
		return "func run() {\n\tvar " + names + " int\n\tp := []*int{&" + strings.ReplaceAll(names, ", ", ", &") + `}
	a = os.Getpid()
	for os.Getpid() > 1 {
		for n := len(p) - 1; n > 0; n-- {
			if *p[n-1] > 0 {
				*p[n] = 1
			}
		}
	}
}
`
	}
	for _, test := range []struct {
		name, source string
		line         int // 0 where it isn't given up
	}{
		{"calls that are too deep", "func run() { deep(100_000) }\n\nfunc deep(n int) {\n\tif n > 0 {\n\t\tdeep(n - 1)\n\t}\n}\n", 9},
		{"a loop of which each round changes another variable", spreading("a, b, c, d, e, f, g, h, i"), 9},
		{"a loop of which the last of eight rounds changes none", spreading("a, b, c, d, e, f, g, h"), 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			program := programOf(t, "package plain\n\nimport \"os\"\n\n"+test.source+"\nvar _ = os.Exit\n")
			pkg := program.Source(modulePath)
			ev := eval.New(t.Context(), program, new(recorder))
			run := pkg.Types.Scope().Lookup("run").(*types.Func)
			rounds := 0
			starts := ev.Starts(func() {
				rounds++
				ev.Enter(ast.NewIdent("run"), &value.Func{Type: run.Type(), Obj: run}, nil)
			}, func() any { return nil })
			require.Equal(t, test.line, program.Position(starts[0].Exhausted).Line)
			require.Equal(t, 1, rounds)
		})
	}
}

package eval_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// The programs of these tests know nothing of warren. They call show, which the
// user below evaluates by noting its argument.
const (
	modulePath = "example.com/plain"
	showDecl   = "func show(v any) { fmt.Println(v) }\n"
)

// recorder is a user that notes what show was called with, and which calls
// couldn't be entered.
type recorder struct {
	shown  []string
	opaque []string
}

func (r *recorder) Call(call *model.Call) (value.Value, bool) {
	if call.Fn.Obj.FullName() != modulePath+".show" && call.Fn.Obj.FullName() != "main.show" {
		return nil, false
	}
	r.shown = append(r.shown, text(call.Args[0]))
	return value.Tuple{}, true
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

func (r *recorder) Mark() int       { return len(r.shown) }
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
func evaluate(t *testing.T, source string) *recorder {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, source)
	program, err := load.Packages(t.Context(), load.Config{Dir: dir, Patterns: []string{"."}})
	require.NoError(t, err)
	pkg := program.Source(modulePath)
	require.NotNil(t, pkg)
	require.Empty(t, pkg.Errors)
	recorded := new(recorder)
	ev := eval.New(t.Context(), program, recorded)
	run, ok := pkg.Types.Scope().Lookup("run").(*types.Func)
	require.True(t, ok)
	_, finished := ev.Finishes(func() {
		ev.Rounds(func() {
			*recorded = recorder{}
			ev.Initialize(pkg)
			ev.CallFunction(ast.NewIdent("run"), &value.Func{Type: run.Type(), Obj: run}, nil)
		})
	})
	require.True(t, finished)
	return recorded
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
	{"failed assertions", `show(failure(func() { var v any = "a"; _ = v.(int) })); show(failure(func() { var v any; _ = v.(int) })); show(failure(func() { var v any = 1; _ = v.(namer) }))`},
	{"methods of nothing", `show(failure(func() { var v namer; v.Name() })); show(failure(func() { var p *order; p.Name() })); show(failure(func() { var f func(); f() })); func() { defer func() { recover() }(); var v namer = (*order)(nil); defer v.Name(); show("not yet") }()`},
	{"run-time errors", `show(failure(func() { s := []int{1}; i := 5; s[i]++ })); show(failure(func() { i := 0; show(1 / i) })); show(failure(func() { var m map[string]int; m["a"] = 1 })); show(failure(func() { s, i := "abc", 5; show(s[i:]) })); show(failure(func() { s, i := []int{1}, 3; _ = s[:i] })); show(failure(func() { s := []int{1}; _ = [2]int(s) })); show(failure(func() { n := -1; _ = make([]int, n) }))`},
	{"comparisons of uncomparable values", `show(failure(func() { var a, b any = []int{1}, []int{1}; show(a == b) })); show(failure(func() { var v any = []int{1}; m := map[any]int{}; m[v] = 1 })); var a, b any = []int{1}, 1; show(a == b)`},
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
	{"aliases after append", `s := make([]int, 5, 6); a := append(s, 1); b := append(s, 2); show(a[5]); c := append(b, 3); d := append(b, 4); show(c[6]); show(d[6])`},
	{"complex numbers", `z := complex(3, 4); z *= 2 - 1i; show(real(z)); show(imag(z)); var w complex64 = complex64(z); w /= 2; show(real(w)); show(z == complex(10, 5)); x := real(z) + 1; show(complex(x, x) == 11+11i)`},
	{"goroutines that exit", `func() { defer show("after"); var wg sync.WaitGroup; wg.Add(1); go func() { defer wg.Done(); defer show("deferred"); defer func() { show(recover() == nil) }(); runtime.Goexit(); show("never") }(); wg.Wait() }()`},
	{"conversions of numbers to text", `n := uint64(1) << 40; show(string(rune(65))); show(string(rune(n)) == string(rune(0))); i := -1; show(string(rune(i)))`},
	{"length without evaluation", `var p *[4]int; show(len(*p)); n := 0; f := func() *[2]int { n++; return &[2]int{} }; show(len(f())); show(n)`},
	{"goto", "i := 0\nagain:\nif i < 3 { show(i); i++; goto again }\nfor { for { goto out } }\nout:\nshow(\"out\")"},
	{"pointers of unsafe", `n := 7; p := unsafe.Pointer(&n); *(*int)(p) = 8; show(n); show(unsafe.Pointer(nil) == nil)`},
}

const declarations = `
type order struct{ name string }

func (o order) Name() string { return o.name }

func (o order) with(s string) string { return o.name + s }

type namer interface{ Name() string }

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

var second = first + 1
var first = 41
`

func TestEvaluator_DeterminesWhatTheRunningProgramDoes(t *testing.T) {
	var source strings.Builder
	source.WriteString("package main\n\nimport (\n\t\"fmt\"\n\t\"runtime\"\n\t\"strings\"\n\t\"sync\"\n\t\"unsafe\"\n)\n\nvar _ = strings.ToUpper\nvar _ sync.Once\nvar _ = runtime.Goexit\nvar _ unsafe.Pointer\n\n" + showDecl + declarations)
	source.WriteString("func main() { run() }\n\nfunc run() {\n")
	for i := range determined {
		fmt.Fprintf(&source, "\tshow(%s)\n\tcase%d()\n", strconv.Quote("# "+determined[i].name), i)
	}
	source.WriteString("}\n")
	for i, c := range determined {
		fmt.Fprintf(&source, "\nfunc case%d() {\n%s\n}\n", i, c.body)
	}

	dir := t.TempDir()
	write(t, dir, source.String())
	run := exec.CommandContext(t.Context(), "go", "run", ".")
	run.Dir = dir
	var stderr bytes.Buffer
	run.Stderr = &stderr
	printed, err := run.Output()
	require.NoError(t, err, stderr.String())

	got := strings.Join(evaluate(t, source.String()).shown, "\n") + "\n"
	require.Equal(t, string(printed), got)
}

func TestEvaluator_SaysWhyAValueIsUnknown(t *testing.T) {
	for _, test := range []struct{ name, body, want string }{
		{"a result of the outside world", `show(os.Getenv("X"))`, `unknown: the result of os.Getenv("X")`},
		{"what is computed from it", `show("q." + os.Getenv("X"))`, `unknown: the result of os.Getenv("X")`},
		{"a branch", `n := 1; if os.Getpid() > 1 { n = 2 }; show(n)`, "unknown: a value that depends on the condition os.Getpid() > 1"},
		{"branches that agree", `n := 1; if os.Getpid() > 1 { n = 2 } else { n = 2 }; show(n)`, "2"},
		{"what a call may change", `n := 1; json.Unmarshal(nil, &n); show(n)`, "unknown: a value that json.Unmarshal may have changed"},
		{"the capacity that escape analysis decides", `show(cap(append([]int(nil), 1)))`, "unknown: the capacity of a slice whose array the compiler chooses"},
		{"whether something panics", `defer func() { show(recover()) }(); json.Unmarshal(nil, nil)`, "unknown: whether the function panics"},
		{"what an iterator is pulled for", `next, _ := iter.Pull(func(yield func(int) bool) { yield(1) }); v, _ := next(); show(v)`, "unknown: the result of iter.Pull((func(yield func(int) bool) literal))"},
		{"a negative zero of the library", `show(math.Ceil(-0.5))`, "unknown: an infinity, a NaN or a negative zero"},
		{"a negative zero", `x := 0.0; show(-x)`, "unknown: an infinity, a NaN or a negative zero"},
		{"memory of another type", `x := 1.5; p := (*uint64)(unsafe.Pointer(&x)); *p = 0; show(x)`, "unknown: memory that is seen by unsafe.Pointer"},
		{"a jump over an assignment", "n := 1\nfor range 1 {\nif os.Getpid() > 1 { goto end }\nn = 2\nend:\n}\nshow(n)", "unknown: a value that depends on the condition os.Getpid() > 1"},
		{"what the user replaces", `replaced := os.Getenv("X"); show(replaced)`, "by the user"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			source := "package plain\n\nimport (\n\t\"encoding/json\"\n\t\"fmt\"\n\t\"iter\"\n\t\"math\"\n\t\"os\"\n\t\"unsafe\"\n)\n\nvar _ unsafe.Pointer\nvar _ iter.Seq[int]\nvar _ = math.Pi\nvar _, _ = json.Unmarshal, os.Getpid\n\n" + showDecl + "func run() {\n" + test.body + "\n}\n"
			require.Equal(t, []string{test.want}, evaluate(t, source).shown)
		})
	}
}

func TestUser_LearnsOfCallsThatCantBeEntered(t *testing.T) {
	recorded := evaluate(t, "package plain\n\nimport (\n\t\"fmt\"\n\t\"net/http\"\n)\n\n"+showDecl+
		"func run() {\n\tf := func() { show(1) }\n\thttp.ListenAndServe(\"\", nil)\n\tf()\n}\n")
	require.Equal(t, []string{`http.ListenAndServe("", nil)`}, recorded.opaque)
	require.Equal(t, []string{"1"}, recorded.shown)
}

func TestFinishes_GivesUpProgramsWithoutEnd(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "package plain\n\nfunc run() {\n\tfor n := 0; ; n++ {\n\t}\n}\n")
	program, err := load.Packages(t.Context(), load.Config{Dir: dir, Patterns: []string{"."}})
	require.NoError(t, err)
	pkg := program.Source(modulePath)
	ev := eval.New(t.Context(), program, new(recorder))
	run := pkg.Types.Scope().Lookup("run").(*types.Func)
	pos, finished := ev.Finishes(func() {
		ev.CallFunction(ast.NewIdent("run"), &value.Func{Type: run.Type(), Obj: run}, nil)
	})
	require.False(t, finished)
	require.Equal(t, 4, program.Position(pos).Line)
}

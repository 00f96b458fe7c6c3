package eval_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// How texts are printed, joined, decoded and compared, at the bounds of what the models of
// the library look at.

// textImports are the packages that the bodies below use.
var textImports = []string{
	"cmp", "encoding/json", "errors", "fmt", "io", "log", "math", "os", "reflect", "runtime", "strconv", "strings", "text/template", "time", "unsafe",
}

// textDeclarations are those that the bodies below use.
const textDeclarations = `
type point struct{ X, Y int }

type plain int

type yes bool

type word string

var words int

func (w word) String() string { words++; return string(w) }

type box[T any] struct{ V T }

type page[T any] struct{ Items []T }

var errBase = errors.New("base")

// flagged shows the flags, the width and the precision by which it is printed.
type flagged struct{}

func (flagged) Format(s fmt.State, verb rune) {
	for _, flag := range "-0 +#" {
		if s.Flag(int(flag)) {
			fmt.Fprintf(s, "%c", flag)
		}
	}
	w, hasW := s.Width()
	p, hasP := s.Precision()
	fmt.Fprint(s, w, hasW, p, hasP)
}

// counting counts how often it is asked for a text.
type counting struct{ n *int }

func (c counting) String() string { *c.n++; return "counting" }

// wrapping wraps an error, which may be itself. The others may be asked.
type wrapping struct{ err error }

func (w *wrapping) Error() string { return "wrapping" }
func (w *wrapping) Unwrap() error { return w.err }

type asking struct{ n *int }

func (a *asking) Error() string { *a.n++; return "asking" }
func (a *asking) Is(error) bool { *a.n++; return false }
func (a *asking) Unwrap() error { *a.n++; return nil }

type held struct{ v any }

func (h held) Error() string { return "held" }

type kept struct{ last []byte }

func (k *kept) Write(p []byte) (int, error) {
	k.last = p
	p[0] = 'K'
	return len(p), nil
}

type counted struct{ n int }

func (c *counted) Write(p []byte) (int, error) { c.n++; return len(p), nil }

type bytesIn struct{ B []byte }

type calling struct{}

func (*calling) String() string { words++; return "calling" }

// fixed has one text.
type fixed string

func (fixed) String() string { return "fixed" }

type tree struct {
	N    int
	Next *tree
}

// refusing decodes nothing.
type refusing struct{ N int }

func (*refusing) UnmarshalJSON([]byte) error { return errBase }

// source reads a text, and strange something that may not be.
type source struct{ text string }

func (s *source) Read(p []byte) (int, error) {
	if s.text == "" {
		return 0, io.EOF
	}
	n := copy(p, s.text)
	s.text = s.text[n:]
	return n, nil
}

type strange struct {
	n   int
	err error
	b   byte
}

func (s *strange) Read(p []byte) (int, error) { p[0] = s.b; return s.n, s.err }

// broken may not have written what it was given.
type broken struct{ n int }

func (b *broken) Write(p []byte) (int, error) { b.n++; _, err := os.Stat("x"); return len(p), err }

// printed is what a template prints.
func printed(text string, data any, funcs template.FuncMap) string {
	var b strings.Builder
	if err := template.Must(template.New("t").Funcs(funcs).Parse(text)).Execute(&b, data); err != nil {
		b.WriteString("!")
	}
	return b.String()
}

type link struct{ next *link }

type ring [1]*ring

type local interface{ same() any }

type one struct{}

func (one) same() any { type T struct{}; return T{} }

// guarded runs f and shows what it panics with.
func guarded(f func()) {
	defer func() { show(recover()) }()
	f()
}

// survives reports how far f comes.
func survives(f func(*int)) (n int) {
	defer func() { recover() }()
	f(&n)
	return n
}

var _ = cmp.Compare[int]
var _ = json.Valid
var _ io.Reader
var _ = log.Print
var _ = math.Pi
var _ = os.Exit
var _ reflect.Type
var _ runtime.Error
var _ = strconv.Itoa
var _ = strings.ToUpper
var _ template.Template
var _ time.Time
var _ unsafe.Pointer
`

// textBodies are bodies of functions whose values the library determines.
var textBodies = []struct{ name, body string }{
	{"texts of the greatest length", `
		s := strings.Repeat("x", 1<<16); show(len(fmt.Sprint(s))); show(len(fmt.Sprintf("%65536v", nil))); show(len(fmt.Sprintf("%65536d", 5))); show(len(fmt.Sprintf("%.65536d", 5))); show(len(errors.Join(errors.New(s)).Error()))
		var b strings.Builder; b.WriteString(s[1:]); b.WriteString("y"); show(b.Len()); show(b.String()[1<<16-1:])`},
	{"values of many levels and parts", `
		var v any; for range 99 { v = []any{v} }; show(fmt.Sprint(v)); show(fmt.Sprint(make([]int, 150)))`},
	{"parts that point", `
		p := &point{1, 2}; show(fmt.Sprintf("%v %+v", p, &map[string]int{"a": 1})); show(fmt.Sprintf("%v %#v %s", [][]byte{{1}}, [][]byte{nil, {2}}, [][]byte{[]byte("ab")})); show(fmt.Sprintf("%#v %#v", []byte(nil), bytesIn{}))`},
	{"the order of keys", `
		show(fmt.Sprint(map[struct { A [1]int; B int }]string{{[1]int{1}, 2}: "x", {[1]int{1}, 1}: "y", {[1]int{1}, 3}: "z"})); show(fmt.Sprint(map[yes]int{true: 1, false: 2})); show(fmt.Sprint(map[any]int{point{2, 1}: 1, point{1, 2}: 2}))`},
	{"wrapped errors by their indexes", `
		a, b := errors.New("a"), errors.New("b"); w := fmt.Errorf("%[2]w %[1]w %[2]w", a, b); list := w.(interface{ Unwrap() []error }).Unwrap(); show(len(list)); show(list[0] == a); show(list[1] == b); show(w.Error())`},
	{"indexes and stars that are wrong", `
		show(fmt.Sprintf("%[1].2[2]d|", 1, 2)); show(fmt.Sprintf("%[1]2[2]d|", 1, 2)); show(fmt.Sprintf("%[100000000][1]d|", 1)); show(fmt.Sprintf("%[1x][1]d|", 1)); show(fmt.Sprintf("%[][1]d|", 1)); show(fmt.Sprintf("%[]", 1)); show(fmt.Sprintf("%[1", 1)); show(fmt.Sprintf("%[1]", 1)); show(fmt.Sprintf("%[", 1)); show(fmt.Sprintf("%[1d", 1))
		show(fmt.Sprintf("%100000000d|", 1)); show(fmt.Sprintf("%.100000000d|", 1)); show(fmt.Sprintf("%*d|", 1000001, 1)); show(fmt.Sprintf("%*d|", -1000001, 1)); show(fmt.Sprintf("%5.", 1)); show(fmt.Sprintf("%.", 1)); show(fmt.Sprintf("%5.d|", 1)); show(fmt.Sprintf("%*d", 1)); show(fmt.Sprintf("%*d|%d", 1.5, 2, 3))`},
	{"stars of zero and below", `
		f := flagged{}; show(fmt.Sprintf("%0*v|%0*v|%*v|%-*v", 0, f, -4, f, 4, f, -3, f)); show(fmt.Sprintf("%.*f|%.*v|%.*v", 0, 2.5, 0, f, -1, f)); show(fmt.Sprintf("%*v|%*v", 1.5, f, -1000001, f)); show(fmt.Sprintf("%0*d|", -4, 7))`},
	{"operands that a format leaves out", `
		show(fmt.Sprintf("%d", 1, nil, "a", nil)); show(fmt.Sprintf("", nil))`},
	{"what is written to writers", `
		k := &kept{}; fmt.Fprint(k, "abc"); k.last[1] = 'x'; show(string(k.last)); var b strings.Builder; n, err := fmt.Fprintf(&b, "%d", 12); show(n); show(err); show(b.String()); n, _ = fmt.Fprint(&b, strings.Repeat("x", 60000)); show(n); show(b.Len())`},
	{"errors in a tree that are nil", `
		show(errors.Is(errors.Join(nil, errBase), errBase)); w := fmt.Errorf("%w %w", nil, errBase); var target error; show(errors.As(w, &target)); show(target == w); var p *wrapping; show(errors.As(&wrapping{}, &p)); show(p.Unwrap() == nil)`},
	{"targets that errors.As refuses", `
		guarded(func() { errors.As(errBase, (*error)(nil)) }); guarded(func() { errors.As(errBase, nil) })`},
	{"errors of the runtime", `
		say := func(f func()) { defer func() { r := recover(); _, ok := r.(runtime.Error); show(ok); err, ok := r.(error); show(ok); show(err.Error()) }(); f() }
		say(func() { var m map[string]int; m["a"] = 1 }); say(func() { var s []int; _ = s[len(s)] }); say(func() { n := 0; _ = 1 / n }); say(func() { var v any = 1; _ = v.(string) }); say(func() { panic(nil) }); say(func() { var v any = 1; _ = v.(local) })`},
	{"values that are deeply equal", `
		nested := func(n int) (v any) { for range n { v = []any{v} }; return v }; show(reflect.DeepEqual(nested(60), nested(60))); show(reflect.DeepEqual(nested(99), nested(99))); show(reflect.DeepEqual(nested(60), nested(59)))
		links := func(n int) (l *link) { for range n { l = &link{l} }; return l }; show(reflect.DeepEqual(links(40), links(40))); show(reflect.DeepEqual(links(40), links(41))); rings := func(n int) (r *ring) { for range n { r = &ring{r} }; return r }; show(reflect.DeepEqual(rings(40), rings(40)))
		maps := func(n int) (v any) { for range n { v = map[string]any{"a": v} }; return v }; show(reflect.DeepEqual(maps(60), maps(60))); show(reflect.DeepEqual(map[string]int{"a": 1}, map[string]int{"a": 2})); show(reflect.DeepEqual(map[string]int{"a": 1}, map[string]int{"b": 1}))
		show(reflect.DeepEqual(1, nil)); show(reflect.DeepEqual([]any{1}, []any{nil})); show(reflect.DeepEqual([]any{nil}, []any{1}))`},
	{"values that aren't equal to themselves", `
		none := math.NaN(); a := [1]float64{none}; s := struct{ F func() }{func() {}}; f := struct{ F float64 }{none}; l := []float64{none}; show(reflect.DeepEqual(l, l)); show(reflect.DeepEqual(s, s)); show(a == a); show(f == f)`},
	{"names of types", `
		show(fmt.Sprintf("%T %T", map[string][]int{}, map[point]*page[string]{})); show(reflect.TypeOf(box[page[int]]{}).Name()); show(fmt.Sprintf("%T %T %T %T", box[byte]{}, box[page[rune]]{}, box[error]{}, box[unsafe.Pointer]{})); show(reflect.TypeFor[unsafe.Pointer]().String() + reflect.TypeFor[unsafe.Pointer]().Name())`},
	{"the first that isn't zero", `
		show(cmp.Or("", "b", "c")); show(cmp.Or(0, 0)); show(cmp.Or[string]()); show(cmp.Or(point{}, point{1, 2}).X)`},
	{"texts of what isn't known", `
		show(fmt.Sprintf("%T", os.Getenv("X"))); show(fmt.Sprint(fixed(os.Getenv("X")))); show(fmt.Sprintf("%#v", &[]byte{1})); show(fmt.Errorf("%+w", 5).Error())`},
	{"documents", `
		data, err := json.Marshal(nil); show(string(data)); show(err); data, _ = json.MarshalIndent([]int{1}, strings.Repeat(" ", 500), strings.Repeat(" ", 500)); show(len(data)); var r refusing; err = json.Unmarshal([]byte("1"), &r); show(err == nil)
		m := map[string]int{"a": 1}; same := m; show(json.Unmarshal([]byte("{\"b\":2}"), &m)); show(len(same)); m["c"] = 3; show(len(same)); p := &point{}; q := p; show(json.Unmarshal([]byte("{\"X\":5}"), &p)); show(q.X); p.X = 7; show(q.X)
		var arrays map[string][2]int; show(json.Unmarshal([]byte("{\"a\":[1,2]}"), &arrays)); show(arrays["a"][1])
		s := []int{1, 2, 3}; t := s; show(json.Unmarshal([]byte("[7]"), &s)); show(fmt.Sprint(s, t)); e := []int{}; show(json.Unmarshal([]byte("[1,2]"), &e)); show(fmt.Sprint(e))
		d := json.NewDecoder(&source{"\"" + strings.Repeat("x", 2000) + "\" 5 6"}); var text string; show(d.Decode(&text)); show(len(text)); var n int; show(d.Decode(&n)); show(n); show(d.Decode(&n)); show(n); show(d.Decode(&n) == nil)`},
	{"templates", `
		show(printed("{{.}}", "0x1", nil)); show(printed("{{f}}{{.X}}", point{1, 2}, template.FuncMap{"f": func() string { return "f" }})); show(printed("{{if .}}5000000{{end}}", 1, nil)); show(printed("{{range 3}}a{{else}}b{{end}}{{with .}}c{{else}}500000{{end}}", "", nil)); show(len(printed("{{.}}y", strings.Repeat("x", 1<<16-1), nil)))
		show(printed("{{range f}}{{end}}|", nil, template.FuncMap{"f": func() int { return 10000 }})); show(printed("{{range f}}{{end}}|", nil, template.FuncMap{"f": func() uint { return 10000 }})); show(printed("{{range f}}{{end}}|", nil, template.FuncMap{"f": func() []int { return make([]int, 10000) }})); show(len(printed("{{f}}", nil, template.FuncMap{"f": func() string { return strings.Repeat("x", 10001) }})))
		show(printed("{{f .}}|", "a", template.FuncMap{"f": func(s string) (string, error) { return s + "b", nil }})); show(printed("{{f .}}|", "a", template.FuncMap{"f": func(s string) (string, error) { return s, errBase }})); show(printed("a{{f}}b", 1, template.FuncMap{"f": func() string { panic("x") }})); show(printed("{{printf \"%d\" .}} {{printf \"%q\" \"a\"}}", 1, nil)); show(printed("{{f}}{{.}}", plain(5), template.FuncMap{"f": func() string { return "f" }}))
		done := make(chan bool); go func() { defer close(done); show(printed("{{f}}", nil, template.FuncMap{"f": func() string { runtime.Goexit(); return "" }})) }(); <-done; t := template.Must(template.New("t").Parse("{{.}}")); show(t.Name()); var b strings.Builder; show(t.Execute(&b, 1)); show(b.String())`},
	{"capacities of builders", `
		var b strings.Builder; show(b.Cap()); b.Reset(); show(b.Len()); b.WriteString("a"); b.Reset(); show(b.Len()); show(b.Cap()); show(b.String() == ""); b.WriteRune('b'); show(b.String())`},
}

func TestEvaluator_KnowsTextsAsTheyAreMade(t *testing.T) {
	requireAsPrinted(t, textImports, textDeclarations, textBodies)
}

// openTexts are bodies of functions whose values the library doesn't determine, and what
// is said of them.
var openTexts = []struct{ name, body, want string }{
	{"a text that is too long by its last part", `show(fmt.Sprint(strings.Repeat("x", 1<<16), "y"))`, "unknown: a string longer than those that are looked at"},
	{"a width of nil that is too long", `show(fmt.Sprintf("%65537v", nil)); show(fmt.Sprintf("%65537d", 1)); show(fmt.Sprintf("%.65537d", 1)); show(fmt.Sprintf("%10000000d", 1))`, "unknown: a string longer than those that are looked at\nunknown: a string longer than those that are looked at\nunknown: a string longer than those that are looked at\nunknown: a string longer than those that are looked at"},
	{"stars that are too long", `show(fmt.Sprintf("%*d", 1000000, 1)); show(fmt.Sprintf("%*d", -1000000, 1))`, "unknown: a string longer than those that are looked at\nunknown: a string longer than those that are looked at"},
	{"flags of a verb that there isn't", `show(fmt.Sprintf("%+z", plain(5))); show(fmt.Sprintf("%#z", plain(5)))`, "unknown: the expression fmt.Sprintf(\"%+z\", plain(5))\nunknown: the expression fmt.Sprintf(\"%#z\", plain(5))"},
	{"an address of what isn't known", `show(fmt.Sprintf("%p", os.Getenv("X")))`, `unknown: the result of os.Getenv("X")`},
	{"more levels than are looked at", `var v any; for range 100 { v = []any{v} }; show(fmt.Sprint(v)); s := []any{nil}; s[0] = s; show(fmt.Sprint(s))`, "unknown: the expression fmt.Sprint(v)\nunknown: the expression fmt.Sprint(s)"},
	{"a part that isn't known", `show(fmt.Sprint([]any{os.Getenv("X"), 1})); show(fmt.Sprint([]word{word(os.Getenv("X"))})); show(words)`, "unknown: the result of os.Getenv(\"X\")\nunknown: the result of os.Getenv(\"X\")\nunknown: a value that depends on the condition fmt.Sprint calls the method String of a value that it is given"},
	{"methods that a verb doesn't call", `n := 0; var v any = 1; if os.Getpid() > 1 { v = counting{&n} }; _ = fmt.Sprint(struct{ hidden any }{v}) + fmt.Sprintf("%T%p", v, v); show(n); _ = fmt.Sprint(v); show(n)`, "0\nunknown: a value of the type main.counting"},
	{"a struct that is kept otherwise", `show(fmt.Sprint(struct{ T template.Template }{}))`, "unknown: the expression fmt.Sprint(struct{T template.Template}{})"},
	{"bytes that aren't known", `show(fmt.Sprintf("%s", []byte{byte(os.Getpid()), 'a'}))`, "unknown: the result of os.Getpid()"},
	{"a map of unknown entries", `m := map[string]int{"a": 1}; m[os.Getenv("X")] = 2; show(fmt.Sprint(m))`, "unknown: the result of os.Getenv(\"X\")"},
	{"keys without an order", `show(fmt.Sprint(map[any]int{1: 1, "a": 2, 3: 3})); show(fmt.Sprint(map[complex128]int{1i: 1, 2: 2})); show(fmt.Sprint(map[any]int{point{1, 2}: 1, [1]int{1}: 2, true: 3}))`, "unknown: the expression fmt.Sprint(map[any]int{…})\nunknown: the expression fmt.Sprint(map[complex128]int{…})\nunknown: the expression fmt.Sprint(map[any]int{…})"},
	{"keys of different types with equal parts", `type a struct{ N int }; type b struct{ N int }; show(fmt.Sprint(map[any]int{a{1}: 1, b{2}: 2})); show(fmt.Sprint(map[any]int{[1]int{1}: 1, [1]any{2}: 2}))`, "unknown: the expression fmt.Sprint(map[any]int{…})\nunknown: the expression fmt.Sprint(map[any]int{…})"},
	{"methods of one of several values", `n := 0; var v any = 1; if os.Getpid() > 1 { v = counting{&n} }; _ = fmt.Sprint([]any{v}); show(n); m := 0; all := []fmt.Stringer{counting{&m}, word("a")}; log.Print(all[os.Getpid()]); show(m)`, "unknown: a value of the type main.counting\nunknown: a value of the type main.counting"},
	{"a method of a pointer that may be nil", `var s struct{ P *calling }; json.Unmarshal([]byte(os.Getenv("X")), &s); var v any = s.P; words = 0; _ = fmt.Sprint(v); show(words)`, "unknown: a value that depends on the condition fmt.Sprint calls the method String of a value that it is given"},
	{"methods of what is in an unknown map", `n := 0; m := map[string]any{os.Getenv("X"): counting{&n}}; _ = fmt.Sprint(m); show(n)`, "unknown: a value of the type main.counting"},
	{"a pointer in a map", `show(fmt.Sprint(map[string]*point{"a": {1, 2}}))`, "unknown: an address in fmt.Sprint(map[string]*point{…})"},
	{"numbers that are read of texts that aren't known", `_, err := strconv.ParseInt("a"+os.Getenv("X"), 10, 64); show(err == nil); _, err = strconv.ParseInt("a"+os.Getenv("X"), 11, 64); show(err == nil); _, err = strconv.Unquote("z" + os.Getenv("X")); show(err == nil)`, "false\nunknown: the result of os.Getenv(\"X\")\nunknown: the result of os.Getenv(\"X\")"},
	{"pointers of the package unsafe", `show(fmt.Sprint(unsafe.Pointer(nil)))`, "unknown: the expression fmt.Sprint(unsafe.Pointer(nil))"},
	{"a pointer in a key", `show(fmt.Sprint(map[*point]int{{1, 2}: 1}))`, "unknown: an address in fmt.Sprint(map[*point]int{…})"},
	{"what isn't known behind a pointer", `var m map[string]int; json.Unmarshal([]byte(os.Getenv("X")), &m); show(fmt.Sprint(&m))`, `unknown: a value that json.Unmarshal may have changed, and so on the result of os.Getenv("X")`},
	{"a star that isn't known", `show(fmt.Sprintf("%*d", os.Getpid(), 1)); show(fmt.Sprintf("%.*d", os.Getpid(), 1))`, "unknown: the result of os.Getpid()\nunknown: the result of os.Getpid()"},
	{"formats and operands that aren't known", `show(fmt.Sprintf(os.Getenv("X"), 1)); args := []any{1}; if os.Getpid() > 1 { args = append(args, 2) }; show(fmt.Sprintf("%d", args...)); n := 0; _ = fmt.Sprintf(os.Getenv("X"), counting{&n}); show(n)`, "unknown: the result of os.Getenv(\"X\")\nunknown: a value that depends on the condition os.Getpid() > 1, and so on the result of os.Getpid()\nunknown: a value that fmt.Sprintf may have changed, and so on the result of os.Getenv(\"X\")"},
	{"operands of which it isn't known how many", `n := 0; args := []any{counting{&n}}; if os.Getpid() > 1 { args = append(args, 2) }; _ = fmt.Sprint(args...); show(n); n = 0; _ = fmt.Sprintln(args...); show(n)`, "unknown: a value that fmt.Sprint may have changed\nunknown: a value that fmt.Sprintln may have changed"},
	{"the syntax of a wrapped error", `show(fmt.Errorf("%#w", errBase).Error())`, `unknown: the expression fmt.Errorf("%#w", errBase)`},
	{"one of two writers", `c := &counted{}; var w io.Writer; if os.Getpid() > 1 { w = c }; show(survives(func(n *int) { *n = 1; fmt.Fprint(w, "x"); *n = 2 })); show(c.n)`, "unknown: a value that depends on the condition fmt.Fprint panics\nunknown: a value that fmt.Fprint may have changed"},
	{"an error of the library and one's own", `_, err := time.Parse("2006", os.Getenv("X")); show(errors.Is(err, errBase)); _, err = time.Parse("2006", "x"); show(errors.Is(err, errBase)); show(errors.Is(err, &strconv.NumError{}))`, "false\nfalse\nunknown: the error of time.Parse(\"2006\", \"x\")"},
	{"parts of an error of a number", `e := &strconv.NumError{Func: "F", Num: os.Getenv("X"), Err: errBase}; show(e.Error()); e = &strconv.NumError{Func: os.Getenv("Y"), Num: "1", Err: errBase}; show(e.Error()); e = &strconv.NumError{Func: "F", Num: "1", Err: errors.New(os.Getenv("Z"))}; show(e.Error())`, "unknown: the result of os.Getenv(\"X\")\nunknown: the result of os.Getenv(\"Y\")\nunknown: the result of os.Getenv(\"Z\")"},
	{"an error of a number that isn't known", `_, err := os.Stat("x"); var e *strconv.NumError; errors.As(err, &e); show(e.Error())`, `unknown: the result of e.Error(), and so on the result of os.Stat("x")`},
	{"what an error of an unknown format wraps", `err := fmt.Errorf(os.Getenv("X"), errBase); show(err == nil); show(errors.Is(err, errBase)); args := []any{errBase}; if os.Getpid() > 1 { args[0] = 1; args = append(args, 2) }; err = fmt.Errorf("%w", args...); show(err == nil); show(errors.Is(err, errBase)); show(err)`, "false\nunknown: the error fmt.Errorf(os.Getenv(\"X\"), errBase)\nfalse\nunknown: the error fmt.Errorf(\"%w\", args...)\nunknown: the error fmt.Errorf(\"%w\", args...)"},
	{"errors that are joined or not", `_, err := os.Stat("x"); show(errors.Join(err) == nil); show(errors.Join(err, errBase) == nil); errs := []error{errBase}; if os.Getpid() > 1 { errs = append(errs, nil) }; show(errors.Join(errs...))`, "unknown: the result of os.Stat(\"x\")\nfalse\nunknown: a value that depends on the condition os.Getpid() > 1, and so on the result of os.Getpid()"},
	{"the text of errors that are joined", `show(errors.Join(errors.New(os.Getenv("X")), errBase, errors.New(os.Getenv("Y"))).Error())`, `unknown: the result of os.Getenv("X")`},
	{"the texts of errors that code has seen", `err := errors.Join(errBase); json.Unmarshal([]byte(os.Getenv("X")), err); show(err.Error())`, `unknown: a value that json.Unmarshal may have changed, and so on the result of os.Getenv("X")`},
	{"what an unknown error wraps", `_, err := os.Stat("x"); show(errors.Unwrap(err))`, `unknown: the result of os.Stat("x")`},
	{"an unknown target of errors.Is", `_, err := os.Stat("x"); show(errors.Is(errBase, err)); n := 0; errs := []error{&asking{&n}, errBase}; show(errors.Is(errs[os.Getpid()], errs[os.Getpid()+1])); show(n)`, "unknown: the result of errors.Is(errBase, err), and so on the result of os.Stat(\"x\")\nunknown: the result of os.Getpid()\nunknown: a value that depends on the condition errors.Is calls the method Is of a value that it is given"},
	{"a value that may not be comparable", `show(survives(func(n *int) { *n = 1; errors.Is(held{os.Getenv("X")}, held{1}); *n = 2 })); show(survives(func(n *int) { *n = 1; var v any = 1; if os.Getpid() > 1 { v = []int{} }; errors.Is(held{v}, held{1}); *n = 2 })); var v, w any; json.Unmarshal([]byte(os.Getenv("X")), &v); json.Unmarshal([]byte(os.Getenv("Y")), &w); show(survives(func(n *int) { *n = 1; errors.Is(held{v}, held{w}); *n = 2 }))`, "2\n2\nunknown: a value that depends on the condition errors.Is panics"},
	{"errors that ask nothing", `var a error; b := errors.New("b"); if os.Getpid() > 1 { a = b }; if os.Getpid() > 2 { a = errBase }; show(survives(func(n *int) { *n = 1; if a != nil { _ = errors.Join(a, b).Error() }; *n = 2 })); var c error; if os.Getpid() > 2 { c = errBase }; show(survives(func(n *int) { *n = 1; errors.Is(fmt.Errorf("%w", c), b); *n = 2 }))`, "2\n2"},
	{"errors of which one asks", `n := 0; a := errBase; if os.Getpid() > 1 { a = &asking{&n} }; show(errors.Is(&wrapping{a}, errors.New("b"))); show(n)`, "unknown: a value that depends on the condition os.Getpid() > 1, and so on the result of os.Getpid()\nunknown: a value that depends on the condition errors.Is calls the method Is of a value that it is given"},
	{"errors of which one may panic", `n := 0; errs := []error{&asking{&n}, errBase}; err := errs[os.Getpid()]; show(survives(func(n *int) { *n = 1; errors.Unwrap(err); *n = 2 }))`, "unknown: a value that depends on the condition errors.Unwrap panics"},
	{"an error that wraps itself", `w := &wrapping{}; w.err = w; show(errors.Is(w, errBase))`, "unknown: the expression errors.Is(w, errBase)"},
	{"one of two targets", `var p, q *wrapping; var target any = &p; if os.Getpid() > 1 { target = &q }; show(errors.As(&wrapping{errBase}, target)); show(p == nil); show(survives(func(n *int) { *n = 1; errors.As(errBase, target); *n = 2 }))`, "unknown: a value that depends on the condition os.Getpid() > 1, and so on the result of os.Getpid()\nunknown: a value that errors.As may have changed\nunknown: a value that depends on the condition errors.As panics"},
	{"a target that is refused for an error", `_, err := os.Stat("x"); show(survives(func(n *int) { *n = 1; errors.As(err, nil); *n = 2 }))`, "unknown: a value that depends on the condition errors.As panics"},
	{"an assertion that fails between types of one name", `type T struct{}; func() { defer func() { show(recover().(error).Error()) }(); v := one{}.same(); _ = v.(T) }(); func() { defer func() { show(recover().(error).Error()) }(); var v interface{ same() any } = one{}; _ = v.(interface{ same() any; other() }) }(); func() { defer func() { show(recover().(error).Error()) }(); var v interface{ Error() string } = held{}; _ = v.(*wrapping) }()`, "unknown: the result of recover().(error).Error()\nunknown: the result of recover().(error).Error()\nunknown: the result of recover().(error).Error()"},
	{"values of which it isn't known whether they are deeply equal", `a, b := &link{}, &link{}; a.next, b.next = a, b; show(reflect.DeepEqual(a, b)); s, u := []any{nil}, []any{nil}; s[0], u[0] = s, u; show(reflect.DeepEqual(s, u)); r, q := &ring{}, &ring{}; r[0], q[0] = r, q; show(reflect.DeepEqual(r, q)); m, o := map[string]any{}, map[string]any{}; m["a"], o["a"] = m, o; show(reflect.DeepEqual(m, o))`, "unknown: the expression reflect.DeepEqual(a, b)\nunknown: the expression reflect.DeepEqual(s, u)\nunknown: the expression reflect.DeepEqual(r, q)\nunknown: the expression reflect.DeepEqual(m, o)"},
	{"maps of unknown entries that may be equal", `m := map[string]int{"a": 1}; m[os.Getenv("X")] = 2; show(reflect.DeepEqual(m, map[string]int{"a": 1})); show(reflect.DeepEqual(map[string]int{"a": 1}, m)); show(reflect.DeepEqual(m, map[string]int{"a": 1, "b": 2})); show(reflect.DeepEqual(map[string]int{"a": 1, "b": 2}, m))`, "unknown: the result of os.Getenv(\"X\")\nunknown: the result of os.Getenv(\"X\")\nunknown: the result of os.Getenv(\"X\")\nunknown: the result of os.Getenv(\"X\")"},
	{"methods of errors that are nil", `type of struct{ error }; type wrapping interface { error; Unwrap() error; Is(error) bool }; type both struct{ wrapping }; type listing interface { error; Unwrap() []error }; type many struct{ listing }; show(survives(func(n *int) { *n = 1; _ = errors.Join(of{}).Error(); *n = 2 })); show(survives(func(n *int) { *n = 1; _ = (&strconv.NumError{}).Error(); *n = 2 })); show(survives(func(n *int) { *n = 1; errors.Unwrap(both{}); *n = 2 })); show(survives(func(n *int) { *n = 1; errors.Is(both{}, io.EOF); *n = 2 })); show(survives(func(n *int) { *n = 1; errors.Is(many{}, io.EOF); *n = 2 })); show(survives(func(n *int) { *n = 1; var none *strconv.NumError; errors.As(both{}, &none); *n = 2 }))`, "unknown: a value that depends on the condition errors.Join(of{}).Error panics\nunknown: a value that depends on the condition (&strconv.NumError{}).Error panics\nunknown: a value that depends on the condition errors.Unwrap panics\nunknown: a value that depends on the condition errors.Is panics\nunknown: a value that depends on the condition errors.Is panics\nunknown: a value that depends on the condition errors.As panics"},
	{"arrays of what isn't equal to itself", `none := math.NaN(); a := [1]float64{none}; show(reflect.DeepEqual(a, a)); f := struct{ F float64 }{none}; show(reflect.DeepEqual(f, f))`, "unknown: the expression reflect.DeepEqual(a, a)\nunknown: the expression reflect.DeepEqual(f, f)"},
	{"types that aren't known", `var v any; json.Unmarshal([]byte(os.Getenv("X")), &v); t := reflect.TypeOf(v); show(t == nil); show(t.Name()); show(survives(func(n *int) { *n = 1; reflect.TypeOf(1).Elem(); *n = 2 })); show(reflect.TypeOf(1).Elem())`, "unknown: the result of reflect.TypeOf(v), and so on the result of os.Getenv(\"X\")\nunknown: the result of t.Name(), and so on the result of os.Getenv(\"X\")\nunknown: a value that depends on the condition reflect.TypeOf(1).Elem panics\nunknown: the result of reflect.TypeOf(1).Elem()"},
	{"types that aren't written as in the source", `show(fmt.Sprintf("%T", map[string]struct{ X int }{})); show(fmt.Sprintf("%T", map[struct{ X int }]string{})); show(fmt.Sprintf("%T", box[page[[]int]]{})); type inner struct{}; show(fmt.Sprintf("%T", box[inner]{}))`, "unknown: the expression fmt.Sprintf(\"%T\", map[string]struct{X int}{})\nunknown: the expression fmt.Sprintf(\"%T\", map[struct{X int}]string{})\nunknown: the expression fmt.Sprintf(\"%T\", box[page[[]int]]{})\nunknown: the expression fmt.Sprintf(\"%T\", box[inner]{})"},
	{"one of several that aren't zero", `show(cmp.Or(os.Getenv("X"), "a")); show(cmp.Or("", os.Getenv("X"))); names := []string{"a"}; if os.Getpid() > 1 { names = append(names, "b") }; show(cmp.Or(names...))`, "unknown: the result of os.Getenv(\"X\")\nunknown: the result of os.Getenv(\"X\")\na"},
	{"builders that aren't known", `var s struct{ B *strings.Builder }; json.Unmarshal([]byte(os.Getenv("X")), &s); b := s.B; show(b.String()); show(b.Len()); show(b.Cap()); show(b.WriteByte('x')); show(survives(func(n *int) { *n = 1; b.Grow(1); *n = 2 })); b.Reset()`, "unknown: the result of b.String()\nunknown: a value that json.Unmarshal may have changed, and so on the result of os.Getenv(\"X\")\nunknown: a value that json.Unmarshal may have changed, and so on the result of os.Getenv(\"X\")\n<nil>\nunknown: a value that depends on the condition b.Grow panics, and so on the result of os.Getenv(\"X\")"},
	{"how a builder grows", `var b, c, d strings.Builder; b.Grow(1); show(b.Cap()); c.Grow(os.Getpid()); show(c.Cap()); d.WriteString("a"); show(d.Cap())`, "unknown: the result of b.Cap()\nunknown: the result of c.Cap()\nunknown: the result of d.Cap()"},
	{"what is written to builders", `var b strings.Builder; b.WriteString(os.Getenv("X")); show(b.String()); show(b.Len()); b.Reset(); n, _ := b.WriteRune(rune(os.Getpid())); show(n); show(b.String()); b.Reset(); b.WriteByte(byte(os.Getpid())); show(b.String()); b.Reset(); b.WriteString(strings.Repeat("x", 1<<16)); b.WriteByte('y'); show(b.String())`, "unknown: the result of os.Getenv(\"X\")\nunknown: the result of os.Getenv(\"X\")\nunknown: the result of os.Getpid()\nunknown: the result of os.Getpid()\nunknown: the result of os.Getpid()\nunknown: the expression b.WriteByte('y')"},
	{"a builder that may be a copy", `var b, c strings.Builder; b.WriteString("x"); if os.Getpid() > 1 { c = b }; show(survives(func(n *int) { *n = 1; c.WriteString("y"); *n = 2 }))`, "unknown: a value that depends on the condition c.WriteString panics"},
	{"what is appended", `b := []byte{1, 2}; b = fmt.Append(b[:1], os.Getenv("X")); c := b[:2]; show(c[1]); d := []byte{1, 2}; _ = fmt.Append(d[:1], os.Getenv("X")); show(d[1]); e := []byte("a"); if os.Getpid() > 1 { e = append(e, 'b') }; show(string(fmt.Append(e, "x")))`, "unknown: the result of os.Getenv(\"X\")\nunknown: the result of fmt.Append(d[:1], os.Getenv(\"X\"))\nunknown: a value that depends on the condition os.Getpid() > 1, and so on the result of os.Getpid()"},
	{"how a document is indented", `data, _ := json.MarshalIndent(1, os.Getenv("X"), ""); show(string(data)); data, _ = json.MarshalIndent(1, "", os.Getenv("Y")); show(string(data)); data, _ = json.MarshalIndent(1, "", strings.Repeat(" ", 1001)); show(string(data))`, "unknown: the result of json.MarshalIndent(1, os.Getenv(\"X\"), \"\"), and so on the result of os.Getenv(\"X\")\nunknown: the result of json.MarshalIndent(1, \"\", os.Getenv(\"Y\")), and so on the result of os.Getenv(\"Y\")\nunknown: the result of json.MarshalIndent(1, \"\", strings.Repeat(\" \", 1001))"},
	{"targets that documents aren't decoded into", `show(json.Unmarshal([]byte("{}"), 5) == nil); n := &tree{}; n.Next = n; show(json.Unmarshal([]byte("{\"N\":1,\"Next\":{\"N\":2}}"), n)); show(n.N)`, "unknown: the result of json.Unmarshal([]byte(\"{}\"), 5)\nunknown: the result of json.Unmarshal([]byte(\"{\\\"N\\\":1,\\\"Next\\\":{\\\"N\\\":2}}\"), n), and so on a value of the type main.tree, which isn't followed\nunknown: a value that json.Unmarshal may have changed, and so on a value of the type main.tree, which isn't followed"},
	{"a time that is there before", `c := struct{ At time.Time }{time.Unix(0, 0).UTC()}; show(json.Unmarshal([]byte("{\"At\":\"2020-01-02T00:00:00Z\"}"), &c)); show(c.At.Year())`, "unknown: the result of json.Unmarshal([]byte(\"{\\\"At\\\":\\\"2020-01-02T00:00:00Z\\\"}\"), ..., and so on the result of time.Unix(0, 0)\nunknown: a value that json.Unmarshal may have changed, and so on the result of time.Unix(0, 0)"},
	{"what strange readers read", `_, unknown := os.Stat("x"); for _, s := range []*strange{{os.Getpid(), nil, '1'}, {-1, nil, '1'}, {1 << 20, nil, '1'}, {1, unknown, '1'}, {1, io.EOF, byte(os.Getpid())}} { var n int; show(json.NewDecoder(s).Decode(&n) == nil); show(n) }`, "unknown: the result of os.Getpid()\nunknown: a value that json.NewDecoder(s).Decode may have changed, and so on the result of os.Getpid()\nunknown: the expression json.NewDecoder(s).Decode(&n)\nunknown: a value that json.NewDecoder(s).Decode may have changed\nunknown: the expression json.NewDecoder(s).Decode(&n)\nunknown: a value that json.NewDecoder(s).Decode may have changed\nunknown: the result of os.Stat(\"x\")\nunknown: a value that json.NewDecoder(s).Decode may have changed, and so on the result of os.Stat(\"x\")\nunknown: the result of os.Getpid()\nunknown: a value that json.NewDecoder(s).Decode may have changed, and so on the result of os.Getpid()"},
	{"a decoder that isn't known", `var s struct{ D *json.Decoder }; json.Unmarshal([]byte(os.Getenv("X")), &s); d := s.D; d.DisallowUnknownFields(); n := 1; show(d.Decode(&n)); show(n)`, "unknown: the result of d.Decode(&n), and so on the result of os.Getenv(\"X\")\nunknown: a value that d.Decode may have changed, and so on the result of os.Getenv(\"X\")"},
	{"functions of templates that aren't taken", `show(printed("{{len .}}", "a", template.FuncMap{"len": func(string) int { return 5 }})); show(printed("{{f .}}", point{1, 2}, template.FuncMap{"f": func(point) string { return "f" }})); show(printed("{{(f).X}}", 1, template.FuncMap{"f": func() point { return point{1, 2} }})); m := template.FuncMap{}; m[os.Getenv("X")] = func() string { return "f" }; show(printed("a", 1, m)); f := func() string { return "f" }; if os.Getpid() > 1 { f = func() string { return "g" } }; show(printed("{{f}}", 1, template.FuncMap{"f": f}))`, "unknown: a value that template.Must(template.New(\"t\").Funcs(funcs).Parse(text)).Ex... may have changed, and so on the result of template.New(\"t\").Funcs(funcs)\nunknown: a value that template.Must(template.New(\"t\").Funcs(funcs).Parse(text)).Ex... may have changed, and so on the result of template.New(\"t\").Funcs(funcs)\nunknown: a value that template.Must(template.New(\"t\").Funcs(funcs).Parse(text)).Ex... may have changed, and so on the result of template.New(\"t\").Funcs(funcs)\nunknown: a value that template.Must(template.New(\"t\").Funcs(funcs).Parse(text)).Ex... may have changed, and so on the result of template.New(\"t\").Funcs(funcs)\nunknown: a value that template.Must(template.New(\"t\").Funcs(funcs).Parse(text)).Ex... may have changed, and so on the result of template.New(\"t\").Funcs(funcs)"},
	{"functions of templates that end the program", `show("before"); show(printed("{{f}}", nil, template.FuncMap{"f": func() string { os.Exit(1); return "" }})); show("after")`, "before"},
	{"functions of templates that may panic", `show(printed("a{{f}}b", nil, template.FuncMap{"f": func() string { if os.Getpid() > 1 { panic("x") }; return "f" }})); show(printed("{{f}}", nil, template.FuncMap{"f": func() (string, error) { _, err := os.Stat("x"); return "f", err }}))`, "unknown: a value that template.Must(template.New(\"t\").Funcs(funcs).Parse(text)).Ex... may have changed\nunknown: a value that template.Must(template.New(\"t\").Funcs(funcs).Parse(text)).Ex... may have changed"},
	{"functions of templates that give much", `show(printed("{{range f}}{{end}}", nil, template.FuncMap{"f": func() int { return 10001 }})); show(printed("{{range f}}{{end}}", nil, template.FuncMap{"f": func() uint { return 10001 }})); show(printed("{{range f}}{{end}}", nil, template.FuncMap{"f": func() []int { return make([]int, 10001) }})); show(printed("{{range f}}{{range f}}{{end}}{{end}}", nil, template.FuncMap{"f": func() int { return 2 }}))`, "unknown: a value that template.Must(template.New(\"t\").Funcs(funcs).Parse(text)).Ex... may have changed\nunknown: a value that template.Must(template.New(\"t\").Funcs(funcs).Parse(text)).Ex... may have changed\nunknown: a value that template.Must(template.New(\"t\").Funcs(funcs).Parse(text)).Ex... may have changed\nunknown: a value that template.Must(template.New(\"t\").Funcs(funcs).Parse(text)).Ex... may have changed, and so on a template that may take long"},
	{"a template of an unknown name", `t := template.New(os.Getenv("X")); show(t.Name()); u := template.Must(template.New("u").Parse("a")); show(u.Tree == nil); var s struct{ T *template.Template }; json.Unmarshal([]byte(os.Getenv("Y")), &s); show(s.T.Name()); show(s.T.Execute(io.Discard, nil)); show(s.T.Delims("a", "b") == nil); show(s.T.Option("missingkey=error") == nil); show(s.T.Funcs(nil) == nil); show(template.Must(template.New("").Parse(os.Getenv("Z"))) == nil)`, "unknown: the result of t.Name(), and so on the result of os.Getenv(\"X\")\nunknown: the result of template.New(\"u\")\nunknown: the result of s.T.Name(), and so on the result of os.Getenv(\"Y\")\nunknown: the result of s.T.Execute(io.Discard, nil), and so on the result of os.Getenv(\"Y\")\nunknown: the result of s.T.Delims(\"a\", \"b\"), and so on the result of os.Getenv(\"Y\")\nunknown: the result of s.T.Option(\"missingkey=error\"), and so on the result of os.Getenv(\"Y\")\nunknown: the result of s.T.Funcs(nil), and so on the result of os.Getenv(\"Y\")\nunknown: the result of template.Must(template.New(\"\").Parse(os.Getenv(\"Z\"))), and so on the result of os.Getenv(\"Z\")"},
	{"templates that others may change", `for _, change := range []func(t *template.Template){func(t *template.Template) { t.New("b").Parse("x") }, func(t *template.Template) { c := *t; c.Parse("x") }, func(t *template.Template) { t.Parse("{{") }, func(t *template.Template) { t.Parse(os.Getenv("X")) }, func(t *template.Template) { t.Delims(os.Getenv("X"), "b") }, func(t *template.Template) { t.Delims("a", os.Getenv("X")) }, func(t *template.Template) { t.Option(os.Getenv("X")) }} { t := template.Must(template.New("t").Parse("a")); change(t); var b strings.Builder; err := t.Execute(&b, nil); show(err == nil); show(b.String()) }`, "unknown: the result of t.Execute(&b, nil)\nunknown: a value that t.Execute may have changed\nunknown: the result of t.Execute(&b, nil)\nunknown: a value that t.Execute may have changed\nunknown: the result of t.Execute(&b, nil)\nunknown: a value that t.Execute may have changed\nunknown: the result of t.Execute(&b, nil)\nunknown: a value that t.Execute may have changed\nunknown: the result of t.Execute(&b, nil)\nunknown: a value that t.Execute may have changed\nunknown: the result of t.Execute(&b, nil)\nunknown: a value that t.Execute may have changed\nunknown: the result of t.Execute(&b, nil)\nunknown: a value that t.Execute may have changed"},
	{"a template that isn't parsed", `var b strings.Builder; show(template.New("t").Execute(&b, nil) == nil); show(survives(func(n *int) { *n = 1; template.New("t").Option("a"); *n = 2 }))`, "unknown: the result of template.New(\"t\").Execute(&b, nil), and so on a template without a text\nunknown: a value that depends on the condition template.New(\"t\").Option panics, and so on the result of template.New(\"t\").Option(\"a\")"},
	{"functions of what isn't executed for sure", `n := 0; funcs := template.FuncMap{"f": func() string { n++; return "f" }}; t := template.Must(template.New("t").Funcs(funcs).Parse("a{{f}}{{.}}")); t.Execute(&strings.Builder{}, os.Getenv("X")); show(n); var w io.Writer = &counted{}; if os.Getpid() > 1 { w = &broken{} }; n = 0; t.Execute(w, 1); show(n); n = 0; t.Execute(&broken{}, 1); show(n); b := &broken{}; show(template.Must(template.New("u").Parse("a{{.}}")).Execute(b, 1) == nil); show(b.n)`, "unknown: a value that depends on the condition t.Execute calls the function it is given\nunknown: a value that t.Execute may have changed\nunknown: a value that t.Execute may have changed\nunknown: the result of template.Must(template.New(\"u\").Parse(\"a{{.}}\")).Execute(b, ...\nunknown: a value that template.Must(template.New(\"u\").Parse(\"a{{.}}\")).Execute may have changed"},
	{"texts of templates that are too long", `s := strings.Repeat("x", 40000); show(printed("{{.}}{{.}}", s, nil)); show(printed("{{printf \"%d\" .}}", "a", nil)); show(printed("{{.}}", []*int{new(int)}, nil)); show(printed("{{range 1000}}{{range 1000}}{{end}}{{end}}", nil, nil)); show(printed("{{range 1000000}}{{end}}", nil, nil))`, "unknown: a value that template.Must(template.New(\"t\").Funcs(funcs).Parse(text)).Ex... may have changed\nunknown: a value that template.Must(template.New(\"t\").Funcs(funcs).Parse(text)).Ex... may have changed\nunknown: a value that template.Must(template.New(\"t\").Funcs(funcs).Parse(text)).Ex... may have changed\nunknown: a value that template.Must(template.New(\"t\").Funcs(funcs).Parse(text)).Ex... may have changed, and so on a template that may take long\nunknown: a value that template.Must(template.New(\"t\").Funcs(funcs).Parse(text)).Ex... may have changed, and so on a template that may take long"},
	{"texts of templates that may name what they shouldn't", `show(printed("{{printf \"%T\" .}}", point{}, nil)); show(printed("{{printf \"%v\" .P}}", struct{ P *int }{new(int)}, nil)); show(printed("{{define \"x\"}}a{{end}}{{template \"x\"}}", 1, nil)); show(printed("{{define \"x\"}}a{{end}}{{if .}}{{template \"x\"}}{{end}}", 1, nil)); show(printed("{{define \"x\"}}a{{end}}{{if .}}b{{else}}{{template \"x\"}}{{end}}", 1, nil)); show(printed("{{f}}{{.}}", plain(5), template.FuncMap{"f": func(...string) string { return "f" }}))`, "unknown: a value that template.Must(template.New(\"t\").Funcs(funcs).Parse(text)).Ex... may have changed\nunknown: a value that template.Must(template.New(\"t\").Funcs(funcs).Parse(text)).Ex... may have changed\nunknown: a value that template.Must(template.New(\"t\").Funcs(funcs).Parse(text)).Ex... may have changed, and so on a template that executes another one\nunknown: a value that template.Must(template.New(\"t\").Funcs(funcs).Parse(text)).Ex... may have changed, and so on a template that executes another one\nunknown: a value that template.Must(template.New(\"t\").Funcs(funcs).Parse(text)).Ex... may have changed, and so on a template that executes another one\nunknown: a value that template.Must(template.New(\"t\").Funcs(funcs).Parse(text)).Ex... may have changed, and so on what the template does with defined types"},
}

func TestEvaluator_LeavesTextsOpen(t *testing.T) {
	for _, test := range openTexts {
		t.Run(test.name, func(t *testing.T) {
			source := libraryProgram(textImports, textDeclarations, []struct{ name, body string }{{test.name, test.body}}, 0, 1)
			require.Equal(t, append([]string{"# " + test.name}, strings.Split(test.want, "\n")...), evaluate(t, source).shown)
		})
	}
}

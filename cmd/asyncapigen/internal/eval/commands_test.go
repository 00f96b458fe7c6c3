package eval_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// commandImports are the packages that the bodies below use.
var commandImports = []string{"flag", "fmt", "net/http", "os", "strings", "syscall", "time"}

// commandDeclarations are those that the bodies below use.
const commandDeclarations = `
var _ = flag.Parse
var _ http.Header
var _ = os.Exit
var _ = strings.Split
var _ = syscall.Getenv
var _ time.Duration

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

// textual writes itself as a text.
type textual struct{ asked *int }

func (t textual) MarshalText() ([]byte, error) { *t.asked++; return nil, nil }

// newSet is a set of flags that reports what is wrong.
func newSet() *flag.FlagSet { return flag.NewFlagSet("", flag.ContinueOnError) }

// oneOf is one of two sets, of which it isn't known.
func oneOf(a, b *flag.FlagSet) *flag.FlagSet {
	if os.Getpid() > 1 {
		return a
	}
	return b
}

func panics(f func()) (yes bool) {
	defer func() { yes = recover() != nil }()
	f()
	return false
}
`

// commands are bodies of functions that read flags, variables of the environment and headers.
var commands = []struct{ name, body, want string }{
	{"flags of the program's own set by its methods", `n := flag.Int("n", 1, ""); flag.CommandLine.Parse(os.Args[1:]); show(*n)`, `unknown: the value of the flag -n`},
	{"a usage of the program's own", `n, m := 1, 1; set := newSet(); set.Usage = func() { n = 2 }; set.Parse(nil); show(n); set.Parse(os.Args[1:]); show(n); flag.CommandLine.Init("x", flag.ContinueOnError); flag.Usage = func() { m = 2 }; flag.Parse(); show(m)`, "1\nunknown: a value that depends on the condition set.Parse calls the function it is given\nunknown: a value that depends on the condition flag.Parse calls the function it is given"},
	{"a usage that is one of two", `n := 1; set := newSet(); if os.Getpid() > 1 { set.Usage = func() { n = 2 } }; set.Parse(os.Args[1:]); show(n)`, "unknown: a value that depends on the condition set.Parse calls the function it is given"},
	{"a set that panics", `set := newSet(); show(panics(func() { set.Parse(os.Args[1:]) })); set.Init("", flag.PanicOnError); show(panics(func() { set.Parse(os.Args[1:]) }))`, "false\nunknown: a value that depends on the condition set.Parse panics"},
	{"one of two sets that panics", `a, b := newSet(), newSet(); oneOf(a, b).Init("", flag.PanicOnError); show(panics(func() { a.Parse(os.Args[1:]) }))`, "unknown: a value that depends on the condition a.Parse panics"},
	{"one of two sets that is given a text", `a, b := newSet(), newSet(); d := time.Time{}; oneOf(a, b).TextVar(&d, "at", time.Unix(0, 0), ""); show(d.Year())`, "unknown: a value that oneOf(a, b).TextVar may have changed, and so on the result of os.Getpid()"},
	{"one of two sets that is given a function", `a, b := newSet(), newSet(); n := 0; oneOf(a, b).Func("f", "", func(string) error { n++; return nil }); show(n)`, "unknown: a value that depends on the condition oneOf(a, b).Func calls the function it is given"},
	{"one of two sets of which a flag is set", `a, b := newSet(), newSet(); n := a.Int("n", 1, ""); oneOf(a, b).Set("n", "5"); show(*n)`, "unknown: a value that oneOf(a, b).Set may have changed, and so on the result of os.Getpid()"},
	{"one of two sets that parses", `a, b := newSet(), newSet(); n := a.Int("n", 1, ""); oneOf(a, b).Parse(os.Args[1:]); show(*n)`, "unknown: a value that oneOf(a, b).Parse may have changed, and so on the result of os.Getpid()"},
	{"one of two sets that is visited", `a, b := newSet(), newSet(); n := a.Int("n", 1, ""); k := 0; oneOf(a, b).Visit(func(*flag.Flag) { k++ }); show(*n); show(k)`, "unknown: a value that oneOf(a, b).Visit may have changed, and so on the result of os.Getpid()\nunknown: a value that depends on the condition oneOf(a, b).Visit calls the function it is given"},
	{"one of two sets in which a flag is looked up", `a, b := newSet(), newSet(); n := a.Int("n", 1, ""); oneOf(a, b).Lookup("n").Value.Set("5"); show(*n)`, "unknown: a value that oneOf(a, b).Lookup may have changed, and so on the result of os.Getpid()"},
	{"a flag that may not be defined, and one after it", `set := newSet(); if os.Getpid() > 1 { set.Int("a", 2, "") }; n := set.Int("n", 1, ""); show(*n); set.Parse(os.Args[1:]); show(*n)`, "1\nunknown: a value that set.Parse may have changed"},
	{"a flag after one of two", `set := newSet(); if os.Getpid() > 1 { set.Int("a", 2, "") } else { set.Int("b", 2, "") }; n := set.Int("n", 1, ""); set.Parse(os.Args[1:]); show(*n)`, "unknown: a value that set.Parse may have changed"},
	{"a function of a flag after one that may not be defined", `set := newSet(); if os.Getpid() > 1 { set.Int("a", 2, "") }; n := 1; set.Func("f", "", func(string) error { n = 2; return nil }); set.Parse(os.Args[1:]); show(n)`, "unknown: a value that depends on the condition set.Parse calls the function it is given"},
	{"a flag before one that may not be defined", `set := newSet(); n := set.Int("n", 1, ""); if os.Getpid() > 1 { set.Int("a", 2, "") }; set.Set("n", "5"); show(*n)`, "unknown: a value that set.Set may have changed"},
	{"a name that isn't known before another", `set := newSet(); set.Int(os.Getenv("X"), 2, ""); show(panics(func() { set.Int("b", 2, "") })); set.Parse(os.Args[1:])`, "unknown: a value that depends on the condition set.Int panics"},
	{"a name that isn't known after another", `set := newSet(); set.Int("a", 2, ""); show(panics(func() { set.Int("b", 2, "") })); show(panics(func() { set.Int(os.Getenv("X"), 2, "") }))`, "false\nunknown: a value that depends on the condition set.Int panics"},
	{"a name that isn't known between others", `set := newSet(); set.Int(os.Getenv("X"), 2, ""); set.Int("a", 2, ""); show(panics(func() { set.Int("b", 2, "") }))`, "unknown: a value that depends on the condition set.Int panics"},
	{"a name that may be another's", `set := newSet(); if os.Getpid() > 1 { set.Int("a", 2, "") } else { set.Int("b", 2, "") }; show(panics(func() { set.Int("a", 1, "") }))`, "unknown: a value that depends on the condition set.Int panics"},
	{"one of two flags that are at one place", `set := newSet(); n, m := 1, 1; if os.Getpid() > 1 { set.IntVar(&n, "a", 2, "") } else { set.IntVar(&m, "a", 2, "") }; n, m = 3, 3; set.Parse(os.Args[1:]); show(n); show(m)`, "unknown: a value that set.Parse may have changed\nunknown: a value that set.Parse may have changed"},
	{"values that can't be bound", `show(panics(func() { newSet().Var(nil, "a", "") })); show(panics(func() { newSet().Var(&setting{}, "-a", "") })); asked := 0; show(panics(func() { newSet().Var(&setting{asked: &asked}, "a=b", "") })); show(asked)`, "true\ntrue\ntrue\n0"},
	{"a value that may not be there", `asked := 0; var v flag.Value = &setting{asked: &asked}; if os.Getpid() > 1 { v = nil }; show(panics(func() { newSet().Var(v, "a", "") })); show(asked)`, "unknown: a value that depends on the condition newSet().Var panics\nunknown: a value that depends on the condition newSet().Var calls the method String of a value that it is given"},
	{"a variable that may not be there", `n := 5; p := &n; if os.Getpid() > 1 { p = nil }; set := newSet(); set.IntVar(p, "n", 2, ""); n = 7; set.Parse(os.Args[1:]); show(n)`, "unknown: a value that set.Parse may have changed"},
	{"a function that may not be there", `n := 5; f := func(string) error { n = 6; return nil }; if os.Getpid() > 1 { f = nil }; set := newSet(); set.Func("n", "", f); set.Parse(os.Args[1:]); show(n)`, "unknown: a value that depends on the condition set.Parse calls the function it is given"},
	{"a flag that is read from a text", `d, asked := time.Time{}, 0; set := newSet(); set.TextVar(&d, "at", textual{&asked}, ""); show(asked); show(d.Year()); show(panics(func() { set.Int("at", 1, "") }))`, "unknown: a value that set.TextVar may have changed\nunknown: a value that set.TextVar may have changed\ntrue"},
	{"flags that are visited in any case", `set := newSet(); n := set.Int("n", 1, ""); set.VisitAll(func(f *flag.Flag) { f.Value.Set("5") }); show(*n)`, "unknown: the value of the flag -n"},
	{"flags that the program sets by what it looks up", `set := newSet(); n := set.Int("n", 1, ""); set.Lookup("n").Value.Set("5"); show(*n)`, "unknown: the value of the flag -n"},
	{"the usage of a set that has no other", `set := newSet(); show(set.Usage == nil); show(panics(func() { flag.NewFlagSet("", flag.PanicOnError).Parse(os.Args[1:]) }))`, "false\nunknown: a value that depends on the condition flag.NewFlagSet(\"\", flag.PanicOnError).Parse panics"},
	{"a flag without a name", `set := newSet(); set.Int("", 2, ""); show(panics(func() { set.Int(os.Getenv("X"), 2, "") }))`, "unknown: a value that depends on the condition set.Int panics"},
	{"a flag of one of two names", `set := newSet(); n := 1; if os.Getpid() > 1 { set.IntVar(&n, "a", 1, "") } else { set.IntVar(&n, "b", 1, "") }; show(n); set.Set("a", "2"); show(n)`, "1\nunknown: a value that set.Set may have changed"},
	{"a flag that is read from a text and changed", `d := time.Time{}; set := newSet(); set.TextVar(&d, "at", d, ""); d = time.Time{}; show(d.Year()); set.Parse(os.Args[1:]); show(d.Year())`, "1\nunknown: the value of the flag -at"},
	{"no words after others", `set := newSet(); set.Parse(os.Args[1:]); if set.Arg(0) == "x" { set.Parse(nil); show(set.Arg(0)) }`, "x: "},
	{"the words of the command line", `flag.Parse(); switch flag.Arg(0) { case "a": show(flag.Args()[0]) }`, "a: a"},
	{"words that the program changes", `flag.Parse(); os.Args[1] = "b"; show(flag.Arg(0) == "a")`, "unknown: the result of flag.Arg(0)"},
	{"the words after those of the command", `flag.Parse(); if flag.Arg(0) == "a" { sub := newSet(); sub.Parse(flag.Args()[1:]); show(sub.Arg(0) == "b") }`, "a: false\na b: true"},
	{"how many words there are", `flag.Parse(); if flag.Arg(0) == "a" { show(flag.NArg() > 0); show(flag.NArg() == 0) }`, "a: true\na: false"},
	{"the words of two sets", `set := newSet(); set.Parse(os.Args[1:]); other := newSet(); other.Parse(os.Args[1:]); if set.Arg(0) == "x" { show(set.Arg(0)); show(other.Arg(0)) }`, "x: x\nx: unknown: the result of other.Arg(0)"},
	{"the words of a set that parses again", `set := newSet(); set.Parse(os.Args[1:]); if set.Arg(0) == "x" { set.Parse(os.Args[1:]); show(set.Arg(0)) }`, "x: x"},
	{"what the program gives a flag", `set := newSet(); set.Parse([]string{"x"}); if set.Arg(0) == "x" { show("x") }; show(set.NArg())`, "x\n1"},

	{"a variable that the program sets", `os.Setenv("A", "x"); show(os.Setenv("A", "y") == nil); show(os.Getenv("A")); show(os.Getenv("B")); show(os.ExpandEnv("none"))`, "unknown: the result of os.Setenv(\"A\", \"y\")\ny\nunknown: the result of os.Getenv(\"B\")\nnone"},
	{"a variable that the program removes", `os.Setenv("A", "x"); show(os.Unsetenv("A") == nil); v, ok := os.LookupEnv("A"); show(v); show(ok)`, "unknown: the result of os.Unsetenv(\"A\")\n\nfalse"},
	{"a variable of an unknown name", `os.Setenv("A", "x"); v, ok := os.LookupEnv(os.Getenv("N")); show(v); show(ok); show(os.Getenv("A")); show(os.Setenv(os.Getenv("M"), "x") == nil); v, ok = os.LookupEnv("A"); show(v); show(ok)`, "unknown: the result of os.Getenv(\"N\")\nunknown: the result of os.Getenv(\"N\")\nx\nunknown: the result of os.Setenv(os.Getenv(\"M\"), \"x\")\nunknown: the result of os.Getenv(\"M\")\nunknown: the result of os.Getenv(\"M\")"},
	{"variables that the program has removed", `os.Setenv("A", "x"); os.Clearenv(); v, ok := os.LookupEnv("A"); show(v); show(ok); os.Setenv("A", "y"); show(os.Getenv("A"))`, "unknown: a variable of the environment that os.Clearenv removes\nunknown: a variable of the environment that os.Clearenv removes\nunknown: a variable of the environment that os.Clearenv removes"},
	{"a variable before it is removed", `os.Setenv("A", "x"); n := 0; if os.Getenv("A") == "x" { n = 1 }; os.Clearenv(); show(n)`, "1"},
	{"variables that the program doesn't set", `if os.Getenv("B") == "x" { os.Setenv("A", "y"); os.Unsetenv("C"); show(os.Getenv("B")) }`, "x"},
	{"an unknown text with variables", `os.Setenv("A", "x"); show(os.ExpandEnv(os.Getenv("T")))`, `unknown: the result of os.ExpandEnv(os.Getenv("T")), and so on the result of os.Getenv("T")`},
	{"a text without variables before the program sets any", `show(os.ExpandEnv("none"))`, `unknown: the result of os.ExpandEnv("none")`},
	{"a variable that no other code sets", `p := syscall.Setenv("A", "x"); v, ok := syscall.Getenv("A"); show(v); show(ok); show(p == nil)`, "x\ntrue\nunknown: the result of syscall.Setenv(\"A\", \"x\")"},

	{"a header of an unknown name", `h := http.Header{}; h.Set("A", "x"); show(h.Get(os.Getenv("N"))); show(h.Get("A")); h.Add(os.Getenv("N"), "y"); show(h.Get("A"))`, "unknown: the result of os.Getenv(\"N\")\nx\nunknown: the result of os.Getenv(\"N\")"},
	{"a header that may be there", `h := http.Header{}; if os.Getpid() > 1 { h.Set("B", "x") }; show(h.Get("B")); h.Add("B", "y"); show(len(h["B"]))`, "unknown: a value that depends on the condition os.Getpid() > 1, and so on the result of os.Getpid()\nunknown: a value that depends on the condition os.Getpid() > 1, and so on the result of os.Getpid()"},
	{"one of two headers", `h := http.Header{}; g := []http.Header{h, {}}[os.Getpid()&1]; g.Set("A", "x"); show(h.Get("A")); show(g.Get("A"))`, "unknown: a value that g.Set may have changed, and so on the result of os.Getpid()\nunknown: the result of g.Get(\"A\"), and so on the result of os.Getpid()"},
	{"headers that aren't known", `h := http.Header{"A": strings.Split(os.Getenv("X"), ",")}; show(h.Get("A")); h.Add("A", "y"); show(len(h["A"]))`, "unknown: the result of os.Getenv(\"X\")\nunknown: the result of os.Getenv(\"X\")"},
	{"the entry of a map for a word", `m := map[string]string{"a": "x"}; v, ok := m[os.Args[1]]; show(v); show(ok)`, ": \n: false\na: x\na: true"},
	{"a word of all words", `w := os.Args[:]; switch w[1] { case "a": show("a") }; if os.Args[1] == "a" { show("b") }`, "a: a\na: b"},
	{"a word of all words from the first", `w := os.Args[0:]; switch w[1] { case "a": show("a") }; if os.Args[1] == "a" { show("b") }`, "a: a\na: b"},
	{"a word of the words from the second on", `w := os.Args[1:][:]; switch w[0] { case "a": show("a") }; if os.Args[1] == "a" { show("b") }`, "a: a\na: b"},
}

func TestEvaluator_SaysWhatWhoStartsTheProgramDecides(t *testing.T) {
	for _, test := range commands {
		t.Run(test.name, func(t *testing.T) {
			source := libraryProgram(commandImports, commandDeclarations, []struct{ name, body string }{{"", test.body}}, 0, 1)
			shown := slices.DeleteFunc(evaluate(t, source).shown, func(line string) bool { return strings.HasSuffix(line, "# ") })
			require.Equal(t, strings.Split(test.want, "\n"), shown)
		})
	}
}

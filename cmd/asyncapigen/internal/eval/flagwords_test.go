package eval_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// flagDeclarations are flags of the program's own.
const flagDeclarations = `
var _, _ = os.Args, fmt.Sprint
type list []string

func (l *list) String() string { return strings.Join(*l, ",") }

func (l *list) Set(word string) error {
	if word == "" {
		return errors.New("empty")
	}
	*l = append(*l, word)
	return nil
}

type toggle bool

func (t *toggle) String() string   { return "" }
func (t *toggle) IsBoolFlag() bool { return true }

func (t *toggle) Set(word string) error {
	*t = word == "true"
	return nil
}

type marks map[string]bool

func (m marks) String() string { return "" }

func (m marks) Set(word string) error {
	m[word] = true
	return nil
}

// asking looks at its set while that is parsed.
type asking struct{ set *flag.FlagSet }

func (a asking) String() string { return "" }

func (a asking) Set(string) error {
	show(a.set.NArg())
	return nil
}

// counting counts how often it is asked for its text.
type counting struct{ calls *int }

func (c counting) String() string {
	if c.calls != nil {
		*c.calls++
	}
	return ""
}

func (counting) Set(string) error { return nil }

func newSet() *flag.FlagSet {
	set := flag.NewFlagSet("", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	return set
}
`

var flagImports = []string{"errors", "flag", "fmt", "io", "os", "strings"}

// What is left after flags are parsed, and flags of the program's own, are known where the words are.
func TestFlagSet_KnowsWhatIsLeftOfKnownWords(t *testing.T) {
	const left = `; show(strings.Join(set.Args(), "|")); show(set.NArg()); show(set.Arg(0)); show(set.Arg(1)); show(set.Arg(-1)); show(set.Arg(9)); show(set.NFlag()); show(set.Parsed()); show(set.Args() == nil); show(cap(set.Args()))`
	const define = `set := newSet(); var all list; var on toggle; m := marks{}; q, n := set.String("q", "none", ""), set.Int("n", 7, ""); set.Var(&all, "l", ""); set.Var(&on, "on", ""); set.Var(m, "m", ""); set.Func("f", "", func(word string) error { *q += word; return nil }); set.BoolFunc("b", "", func(word string) error { *q += word; return nil }); `
	const shown = left + `; show(fmt.Sprint(*q, *n, all, bool(on), map[string]bool(m)))`
	bodies := []struct{ name, body string }{
		{"words alone", define + `show(set.Parse([]string{"a", "b"}) == nil)` + shown},
		{"flags and words", define + `show(set.Parse([]string{"-q", "x", "-n=3", "a", "-q", "y"}) == nil)` + shown},
		{"a mark for the end", define + `show(set.Parse([]string{"-q", "x", "--", "-n", "3"}) == nil)` + shown},
		{"flags alone", define + `show(set.Parse([]string{"-q=x"}) == nil)` + shown},
		{"no words", define + `show(set.Parse([]string{}) == nil)` + shown},
		{"nil", define + `show(set.Parse(nil) == nil)` + shown},
		{"own flags", define + `show(set.Parse([]string{"-l", "a", "-on", "-l=b", "-m", "x", "-m", "y", "rest"}) == nil)` + shown},
		{"an own flag that is off", define + `show(set.Parse([]string{"-on=true", "-on=false", "rest"}) == nil)` + shown},
		{"functions", define + `show(set.Parse([]string{"-f", "1", "-b", "-q", "x", "-f=2", "-b=false", "rest"}) == nil)` + shown},
		{"twice", define + `show(set.Parse([]string{"-q=x", "a"}) == nil); show(set.Parse([]string{"-n", "1", "-q=y", "b", "c"}) == nil)` + shown},
		{"a set in a set", define + `show(set.Parse([]string{"-q=x", "serve", "-port", "1"}) == nil); sub := newSet(); port := sub.Int("port", 0, ""); show(sub.Parse(set.Args()[1:]) == nil); show(*port); show(sub.NArg())` + shown},
		{"part of the program's list", define + `words := []string{"-q=x", "a", "b"}; show(set.Parse(words) == nil); words[1] = "changed"; set.Args()[1] = "too"; show(strings.Join(words, ","))` + shown},
		{"a flag that is defined after", define + `show(set.Parse([]string{"-q=x", "a"}) == nil); late := set.Int("late", 5, ""); show(*late)` + shown},
		{"a flag that can't be defined", `set := newSet(); q, n := "", 0; set.StringVar(&q, "q", "x", ""); guarded := func(f func()) { defer func() { recover() }(); f() }; guarded(func() { set.StringVar(&q, "q", "new", "") }); guarded(func() { set.IntVar(&n, "-n", 5, "") }); show(q); show(n)`},
		{"a flag that was set before it is defined", `set := newSet(); n := set.Int("n", 1, ""); _ = set.Set("q", "x"); func() { defer func() { show(recover() != nil) }(); set.String("q", "y", "") }(); set.Parse([]string{"-n=2", "a"}); show(*n); show(set.NArg())`},
	}
	requireAsPrinted(t, flagImports, flagDeclarations, bodies)
}

// Words that the command line may choose aren't known, nor are they while flags are set.
func TestFlagSet_LeavesOpenWhatFollowsOtherWords(t *testing.T) {
	for _, one := range []struct{ name, body, want string }{
		{"words of the command line", `set := newSet(); set.Parse(os.Args[1:]); show(set.Args())`, "unknown: the result of set.Args()"},
		{"their number", `set := newSet(); set.Parse(os.Args[1:]); show(set.NArg())`, "unknown: the result of set.NArg()"},
		{"the number of flags", `set := newSet(); n := set.Int("n", 1, ""); set.Parse(os.Args[1:]); set.Parse([]string{"-n=1"}); show(*n); show(set.NFlag())`, "1\nunknown: the result of set.NFlag()"},
		{"a flag that the program sets", `set := newSet(); set.Int("n", 1, ""); set.Set("n", "2"); set.Parse([]string{"a"}); show(set.NFlag())`, "unknown: the result of set.NFlag()"},
		{"words that make an error", `set := newSet(); n := set.Int("n", 1, ""); set.Parse([]string{"-n=x", "a"}); show(*n); show(set.NArg())`, "unknown: the value of the flag -n\nunknown: the result of set.NArg()"},
		{"a word that an own flag refuses", `set := newSet(); var all list; set.Var(&all, "l", ""); show(set.Parse([]string{"-l=a", "-l=", "b"})); show(len(all))`, "unknown: the result of set.Parse([]string{…})\nunknown: the value of the flag -l"},
		{"what an own flag sees", `set := newSet(); set.Var(asking{set}, "a", ""); set.Parse([]string{"-a=1", "b"})`, "unknown: the result of a.set.NArg()"},
		{"an own flag that parses the set", `set := newSet(); n := set.Int("n", 1, ""); set.Func("f", "", func(string) error { return set.Parse([]string{"-n", "2"}) }); set.Parse([]string{"-f", "x", "-n", "3", "a"}); show(*n); show(set.NArg())`, "unknown: the value of the flag -n\nunknown: the result of set.NArg()"},
		{"an own flag that parses no words", `set := newSet(); n := set.Int("n", 1, ""); set.Func("f", "", func(string) error { return set.Parse(nil) }); set.Parse([]string{"-f", "x", "-n", "3", "a"}); show(*n)`, "unknown: the value of the flag -n"},
		{"an own flag that sets another", `set := newSet(); set.Int("n", 1, ""); set.Func("f", "", func(word string) error { return set.Set("n", word) }); set.Parse([]string{"-f=2"}); show(set.NFlag())`, "unknown: the result of set.NFlag()"},
		{"an own flag that changes the words", `set := newSet(); n := set.Int("n", 1, ""); words := []string{"-f=x", "-n=2"}; set.Func("f", "", func(string) error { words[1] = "-n=3"; return nil }); set.Parse(words); show(*n)`, "unknown: the value of the flag -n"},
		{"an own flag that changes the words for now", `set := newSet(); words := []string{"-f=x", "-n=2", "-g=y"}; set.Func("f", "", func(string) error { words[1] = "-n=3"; return nil }); set.Func("g", "", func(string) error { words[1] = "-n=2"; return nil }); n := set.Int("n", 1, ""); set.Parse(words); show(*n)`, "unknown: the value of the flag -n"},
		{"a copy of a set", `set := newSet(); n := set.Int("n", 1, ""); other := *set; m := other.Int("m", 5, ""); set.Parse([]string{"-m=7"}); show(*m); show(*n)`, "unknown: the result of other.Int(\"m\", 5, \"\")\nunknown: a value that other.Int may have changed"},
		{"own flags whose defaults are printed", `set := newSet(); calls := 0; n := set.Int("n", 1, ""); set.Var(counting{&calls}, "c", ""); set.PrintDefaults(); show(calls); show(*n)`, "unknown: a value that set.PrintDefaults may have changed\n1"},
		{"own flags whose usage is asked for", `set := newSet(); calls := 0; n := set.Int("n", 1, ""); set.Var(counting{&calls}, "c", ""); set.Usage(); show(calls); show(*n)`, "unknown: a value that set.Usage may have changed\n1"},
		{"own flags whose usage another function asks for", `set := newSet(); calls := 0; set.Var(counting{&calls}, "c", ""); usage := set.Usage; func(f func()) { f() }(usage); show(calls)`, "unknown: a value that f may have changed"},
		{"the usage of the command line", `calls := 0; flag.Var(counting{&calls}, "c", ""); flag.Usage(); show(calls)`, "unknown: a value that flag.Usage may have changed"},
		{"the usage of the command line's set", `calls := 0; flag.Var(counting{&calls}, "c", ""); flag.CommandLine.Usage(); show(calls)`, "unknown: a value that flag.Var may have changed"},
		{"the usage of the command line that the program gives", `calls := 0; flag.Int("n", 1, ""); flag.Usage = func() { calls++ }; flag.CommandLine.Usage(); show(calls); flag.Usage(); show(calls)`, "1\n2"},
		{"a set that isn't parsed", `set := newSet(); show(set.NArg())`, "unknown: the result of set.NArg()"},
		{"a text that decodes itself", `set := newSet(); n := set.Int("n", 1, ""); set.TextVar(new(big), "t", big{}, ""); set.Parse([]string{"-n=2"}); show(*n)`, "unknown: the value of the flag -n"},
	} {
		t.Run(one.name, func(t *testing.T) {
			body := struct{ name, body string }{one.name, one.body}
			const texts = "\ntype big struct{}\n\nfunc (big) MarshalText() ([]byte, error) { return nil, nil }\n\nfunc (*big) UnmarshalText([]byte) error { return nil }\n"
			shown := evaluate(t, libraryProgram(flagImports, flagDeclarations+texts, []struct{ name, body string }{body}, 0, 1)).shown
			require.Equal(t, one.want, strings.Join(shown[1:], "\n"))
		})
	}
}

package eval_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// calmDeclarations are what the programs of TestRecover_SeesThePanicsOfWhatIsCalled use.
const calmDeclarations = `
var _ context.Context
var _ = json.Valid
var _ = log.Print
var _ = os.Exit
var _ time.Duration

func showIf(v any) { fmt.Println(v) }

func unknown[T any]() (v T) {
	json.Unmarshal([]byte(os.Getenv("UNKNOWN")), &v)
	return v
}

var asked int

type asking string

func (asking) String() string { asked = 8; return "" }

type marshaling struct{}

func (marshaling) MarshalText() ([]byte, error) { return []byte(os.Getenv("X")), nil }
`

// calmCalls are calls under a recover, and what is shown after them by which way: they may
// panic, or don't.
var calmCalls = []struct {
	name, call string
	want       []string
}{
	{"a function that isn't known", `unknown[func()]()()`, []string{"0 if not unknown[func()]() panics"}},
	{"one of several functions", `[]func(){nil, func() {}}[os.Getpid()&1]()`, []string{"0 if not []func(){…}[os.Getpid() & 1] panics"}},
	{"a context that isn't known", `unknown[context.Context]().Done()`, []string{"0 if not unknown[context.Context]().Done panics if not unknown[context.Context]().Done panics"}},
	{"a context of the library", `context.Background().Done()`, []string{"0"}},
	{"a context that ends", `c, stop := context.WithTimeout(context.TODO(), time.Second); c.Deadline(); c.Err(); stop()`, []string{"0"}},
	{"a value of a context", `context.WithValue(context.Background(), "k", 1).Value("k")`, []string{"0"}},
	{"a key with methods that is printed", `log.Print(context.WithValue(context.Background(), asking("a"), "x"))`, []string{"unknown: a value that depends on the condition log.Print calls the method String of a value that it is given if not log.Print panics"}},
	{"a value with methods that is printed", `log.Print(context.WithValue(context.Background(), "k", asking("a")))`, []string{"unknown: a value that depends on the condition log.Print calls the method String of a value that it is given if not log.Print panics"}},
	{"a text that is printed", `log.Print("a", os.Getpid(), error(nil))`, []string{"0"}},
	{"one of several values that are printed", `var v any = "a"; if os.Getpid() > 5 { v = 1 }; log.Print(v)`, []string{"unknown: a value that depends on the condition log.Print calls the method String of a value that it is given"}},
	{"one of several values with methods that are printed", `var v any = "a"; if os.Getpid() > 5 { v = asking("b") }; log.Print(v)`, []string{"unknown: a value that depends on the condition log.Print calls the method String of a value that it is given if not log.Print panics"}},
	{"a number in JSON", `json.Marshal(os.Getpid())`, []string{"0"}},
	{"times and numbers in JSON", `json.Marshal(struct{ T time.Time; N json.Number }{time.Now(), "1"})`, []string{"0"}},
	{"what isn't known in JSON", `json.Marshal([]any{unknown[any]()})`, []string{"0 if not json.Marshal panics"}},
	{"what encodes itself in JSON", `json.Marshal([]any{marshaling{}})`, []string{"0 if not json.Marshal panics"}},
	{"what embeds what encodes itself in JSON", `json.Marshal(struct{ *marshaling }{})`, []string{"0 if not json.Marshal panics"}},
}

func TestRecover_SeesThePanicsOfWhatIsCalled(t *testing.T) {
	for _, test := range calmCalls {
		t.Run(test.name, func(t *testing.T) {
			body := []struct{ name, body string }{{test.name, "func() { defer func() { recover() }(); " + test.call + "; showIf(asked) }(); showIf(\"after\")"}}
			source := libraryProgram([]string{"context", "encoding/json", "fmt", "log", "os", "time"}, calmDeclarations, body, 0, 1)
			require.Equal(t, append(append([]string{"# " + test.name}, test.want...), "after"), evaluate(t, source).shown)
		})
	}
}

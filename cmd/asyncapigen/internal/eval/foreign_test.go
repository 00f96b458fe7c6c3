package eval_test

import (
	"go/ast"
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/internal/modtest"
)

// foreign is a program on packages of another module. Its functions are evaluated each by itself.
const foreign = `-- go.mod --
module example.com/shop

go 1.26.0

require (
	example.com/lib v1.0.0
	github.com/spf13/viper v1.0.0
)
-- vendor/modules.txt --
# example.com/lib v1.0.0
## explicit; go 1.26.0
example.com/lib
example.com/lib/alone
example.com/lib/level
example.com/lib/names
example.com/lib/plugin
example.com/lib/slow
# github.com/spf13/viper v1.0.0
## explicit; go 1.26.0
github.com/spf13/viper
-- vendor/github.com/spf13/viper/viper.go --
// Package viper has a method that the evaluator follows, and others of which it has models.
package viper

type Viper struct{ values map[string]any }

func New() *Viper { return &Viper{map[string]any{}} }

func (v *Viper) SetDefault(key string, value any) { v.values[key] = value }

func (v *Viper) GetString(key string) string { s, _ := v.values[key].(string); return s }

func (v *Viper) Forget() { v.values = nil }
-- vendor/example.com/lib/level/level.go --
package level

var Level = "low"
-- vendor/example.com/lib/slow/slow.go --
// Package slow takes more steps to be initialised than code of other modules may.
package slow

import "example.com/lib/level"

var Setting = "slow"

func init() {
	level.Level = "high"
	for i := 0; i < 100_000_000; i++ {
	}
}
-- vendor/example.com/lib/names/names.go --
// Package names is imported by other packages of its module.
package names

var Default, Late, Counted = "names", "names", 0

func Name() string { return "a" }
-- vendor/example.com/lib/alone/alone.go --
// Package alone imports no other package.
package alone

// Long takes more steps than code of other modules may.
func Long(f func()) {
	f()
	for i := 0; i < 100_000_000; i++ {
	}
}
-- vendor/example.com/lib/plugin/plugin.go --
// Package plugin changes a variable of names when it is initialised.
package plugin

import "example.com/lib/names"

func init() { names.Late = "plugin" }
-- vendor/example.com/lib/lib.go --
package lib

import (
	"errors"
	"os"

	"example.com/lib/names"
)

type Service interface{ Start() string }

func Run(s Service) string { return s.Start() }

func Keep(s Service) {}

func Each(n int, f func(int)) {
	for i := range n {
		f(i)
	}
}

func Rename(s string) { names.Default = s }

// Long takes more steps than code of other modules may.
func Long(f func()) string {
	f()
	names.Counted = 5
	for i := 0; i < 100_000_000; i++ {
	}
	return "long"
}

func Env() string { return os.Getenv("X") }

func Load() (string, error) {
	if os.Getenv("X") == "" {
		return "", errors.New("x")
	}
	return "loaded", nil
}

func Settings() map[string]int { return map[string]int{"a": 1, "b": 2} }

func Panics() { panic("lib") }
-- text/embedded.txt --
a text
-- main.go --
package main

import (
	_ "embed"
	"fmt"
	"net/http"
	"os"

	"example.com/lib"
	"example.com/lib/alone"
	"example.com/lib/level"
	"example.com/lib/names"
	_ "example.com/lib/plugin"
	"example.com/lib/slow"
	"github.com/spf13/viper"
)

func show(v any) { fmt.Println(v) }

func showIf(v any) { fmt.Println(v) }

type own struct{}

func (own) Start() string { showIf("start"); return "own" }

//go:embed text/embedded.txt
var embedded string

func aFileThatIsEmbedded() { show(embedded) }

func aResult() { show(names.Name()) }

func aVariable() { show(names.Default) }

func aVariableThatIsAssigned() { names.Default = "shop"; show(names.Default) }

func aVariableThatAFunctionAssigns() { lib.Rename("b"); show(names.Default) }

func aVariableThatAnInitialisationChanges() { show(names.Late) }

func aVariableThatALongInitialisationChanges() { show(level.Level) }

func aVariableOfALongInitialisation() { show(slow.Setting) }

func aStoreWithAModel() { v := viper.New(); v.SetDefault("a", "x"); show(v.GetString("a")) }

func aStoreThatIsChangedWithoutAModel() {
	v := viper.New()
	v.SetDefault("a", "x")
	v.Forget()
	show(v.GetString("a"))
}

func aLongWayThatMoreSourceRulesOut() {
	if names.Name() == "b" {
		showIf("b")
		for n := 0; n < 100_000_000; n++ {
		}
	}
	show("after")
}

func aMethodThatIsCalled() { show(lib.Run(own{})) }

func aMethodThatIsNotCalled() { lib.Keep(own{}); show("kept") }

func aFunctionThatIsCalled() { n := 0; lib.Each(3, func(i int) { n += i }); show(n) }

func aFunctionThatTakesLong() {
	n := 0
	show(lib.Long(func() { n = 1; showIf("in") }))
	show(n)
	show(names.Counted)
	show(names.Default)
}

func aVariableThatAnyFunctionMayChange() {
	names.Default = "shop"
	f := handler(1)
	f(func() {})
	show(names.Default)
}

// handler is a function that isn't known.
func handler(n int) func(func()) {
	if os.Getpid() == n {
		return handler(n + 1)
	}
	return alone.Long
}

func aHandlerBesideOneThatTakesLong() {
	n, m := 0, 0
	http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { m = n })
	n = 1
	alone.Long(func() { n = 2 })
	http.ListenAndServe("", nil)
	show(m)
}

func aFunctionBesideOneThatTakesLong() { lib.Long(func() {}); show(names.Name()) }

func anUnknownResult() { show(lib.Env()) }

func anErrorThatEnds() {
	s, err := lib.Load()
	if err != nil {
		return
	}
	showIf(s)
}

func anErrorThatIsPassedOver() {
	s, _ := lib.Load()
	showIf(s)
}

func aMap() { show(len(lib.Settings())) }

func aPanic() {
	defer func() { show(recover()) }()
	lib.Panics()
	show("never")
}

func main() {}
`

func TestForeign_IsReadWhereThatTellsMore(t *testing.T) {
	dir := modtest.Write(t, txtar.Parse([]byte(foreign)))
	program, err := load.Packages(t.Context(), load.Config{Dir: dir, Patterns: []string{"."}})
	require.NoError(t, err)
	for name, want := range map[string][]string{
		"aFileThatIsEmbedded":                     {"a text\n"},
		"aResult":                                 {"a"},
		"aVariable":                               {"names"},
		"aVariableThatIsAssigned":                 {"shop"},
		"aVariableThatAFunctionAssigns":           {"b"},
		"aVariableThatAnInitialisationChanges":    {"plugin"},
		"aVariableThatALongInitialisationChanges": {"unknown: the variable level.Level, which the initialisation of example.com/lib/slow may have changed"},
		"aVariableOfALongInitialisation":          {"unknown: the variable slow.Setting, whose initialisation isn't followed"},
		"aStoreWithAModel":                        {"x"},
		"aStoreThatIsChangedWithoutAModel":        {"unknown: the result of v.GetString(\"a\"), which depends on a value that v.Forget may have changed"},
		"aLongWayThatMoreSourceRulesOut":          {"after"},
		"aMethodThatIsCalled":                     {"start", "own"},
		"aMethodThatIsNotCalled":                  {"kept"},
		"aFunctionThatIsCalled":                   {"3"},
		"aFunctionThatTakesLong": {
			"in if lib.Long calls the function it is given", "in if lib.Long calls the function it is given",
			"unknown: the result of lib.Long((func() literal))", "unknown: a value that depends on the condition lib.Long calls the function it is given",
			"unknown: the variable names.Counted, which lib.Long may have changed", "unknown: the variable names.Default, which lib.Long may have changed",
		},
		"aVariableThatAnyFunctionMayChange": {"unknown: a value that f may have changed, and so on the result of a recursion that is too deep to follow"},
		"aHandlerBesideOneThatTakesLong":    {"unknown: a value that depends on the condition alone.Long calls the function it is given"},
		"aFunctionBesideOneThatTakesLong":   {"a"},
		"anUnknownResult":                   {"unknown: the result of lib.Env()"},
		"anErrorThatEnds":                   {"loaded if lib.Load() fails"},
		"anErrorThatIsPassedOver":           {"unknown: a value that depends on the condition lib.Load() fails, and so on the result of os.Getenv(\"X\")"},
		"aMap":                              {"2"},
		"aPanic":                            {"lib"},
	} {
		t.Run(name, func(t *testing.T) {
			recorded := new(recorder)
			ev := eval.New(t.Context(), program, recorded)
			pkg := program.Source(modulePath)
			fn := pkg.Types.Scope().Lookup(name).(*types.Func)
			ev.Starts(func() {
				*recorded = recorder{}
				ev.Initialize(pkg)
				ev.Survives(func() { ev.Enter(ast.NewIdent(name), &value.Func{Type: fn.Type(), Obj: fn}, nil) })
			}, func() any { return nil })
			require.Equal(t, want, recorded.shown)
		})
	}
}

// Nothing is done meanwhile with a list of elements that aren't known.
func TestLists_ThatAreKnownAreSortedAtOnce(t *testing.T) {
	for call, want := range map[string][]string{
		`sort.Strings([]string{"b", "a"})`:                nil,
		`slices.SortFunc([]int{2, 1}, cmp.Compare[int])`:  nil,
		`sort.Sort(sort.StringSlice([]string{"b", "a"}))`: nil,
		`sort.Strings(os.Args)`:                           {"sort.Strings(os.Args)"},
	} {
		source := "package shop\n\nimport (\n\"cmp\"\n\"os\"\n\"slices\"\n\"sort\"\n)\n\nvar _ = cmp.Compare[int]\nvar _ = slices.Sort[[]int]\nvar _ = sort.Ints\nvar _ = os.Args\n\nfunc run() { " + call + " }\n"
		require.Equal(t, want, evaluate(t, source).opaque, call)
	}
}

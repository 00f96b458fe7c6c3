package eval_test

import (
	"go/ast"
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// explorer is a user that wants to see what a program may do.
type explorer struct{ recorder }

func (*explorer) Explores(ast.Expr) bool { return true }

func TestExplorer_SeesEachFunctionThatACallMayGoTo(t *testing.T) {
	const declarations = `
type greeter interface{ greet() }

type first struct{}

func (first) greet() { showIf("first") }

type second struct{}

func (*second) greet() { showIf("second") }

func one() { showIf("one") }

func another() { showIf("another") }

func showIf(v any) { fmt.Println(v) }
`
	for _, test := range []struct {
		name, body string
		want       []string
	}{
		{
			"an entry of a map", `f := map[string]func(){"a": one, "b": another}[os.Getenv("X")]; f()`,
			[]string{"one if f", "another if f", "one if f calls the function it is given", "another if f calls the function it is given"},
		},
		{
			"an entry of a map that is a method", `f := map[string]func(){"a": first{}.greet, "b": another}[os.Getenv("X")]; f()`,
			[]string{"first if f", "another if f", "first if f calls the method greet of a value that it is given", "another if f calls the function it is given"},
		},
		{"a method of an element", `g := []greeter{first{}, &second{}}[os.Getpid()]; g.greet()`, []string{"first if g.greet is the method of first", "second if g.greet is the method of second"}},
		{"a method of an entry of a map", `g := map[string]greeter{"a": &first{}, "b": &second{}}[os.Getenv("X")]; g.greet()`, []string{"first if g.greet is the method of first", "second if g.greet is the method of second"}},
		{"a method of an element that is a value", `f := []greeter{first{}, &second{}}[os.Getpid()].greet; f()`, []string{"first if f is the method of first", "second if f is the method of second"}},
		{"a function of others", `exec.Command("x").Run()`, nil},
		{"a field that isn't known", `var f func(); json.Unmarshal([]byte(os.Getenv("X")), &f); f()`, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			program := programOf(t, "package main\n\nimport (\"encoding/json\"; \"fmt\"; \"os\"; \"os/exec\")\n\nvar _ = json.Valid\nvar _ exec.Cmd\nvar _ = os.Exit\n"+
				declarations+"func run() { "+test.body+" }\n\nfunc main() { run() }\n")
			pkg := program.Source(modulePath)
			require.Empty(t, pkg.Errors)
			user := new(explorer)
			ev := eval.New(t.Context(), program, user)
			run := pkg.Types.Scope().Lookup("run").(*types.Func)
			ev.Starts(func() {
				*user = explorer{recorder{works: value.NewCell(nil)}}
				ev.Survives(func() { ev.Enter(ast.NewIdent("run"), &value.Func{Type: run.Type(), Obj: run}, nil) })
			}, func() any { return nil })
			require.Equal(t, test.want, user.shown)
		})
	}
}

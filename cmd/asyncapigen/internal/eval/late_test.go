package eval_test

import (
	"go/ast"
	"go/types"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/internal/modtest"
)

// A package that is needed late is initialised where that is the same as in its turn. Where it
// isn't, the program is evaluated once more, however many such packages there are.
func TestLate_IsInitialisedInItsTurnWhereThatMatters(t *testing.T) {
	const files = `
-- go.mod --
module MODULE

go 1.26.0
-- dep/dep.go --
package dep

import "os"

func Set() int { os.Setenv("SET", "by dep"); return 1 }
-- defaults/defaults.go --
package defaults

var Prefix, Other, List = "dev", "other", []string{"a"}
-- names/names.go --
package names

import "MODULE/defaults"

var Orders = defaults.Prefix + ".orders"
-- alone/alone.go --
package alone

var Name = "alone"
-- through/through.go --
package through

import "MODULE/names"

var Orders = []string{names.Orders}
-- setting/setting.go --
package setting

import "MODULE/dep"

var Set = dep.Set()
-- environment/environment.go --
package environment

import "os"

func init() { os.Setenv("QUEUE", "of init") }
-- platform/platform.go --
package platform

import "syscall"

func init() { syscall.Setenv("PLATFORM", "of init") }
-- resolver/resolver.go --
package resolver

import (
	"context"
	"errors"
	"net"
)

var Asked = "no"

func init() { net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: dial} }

func dial(context.Context, string, string) (net.Conn, error) {
	Asked = "yes"
	return nil, errors.New("no network")
}
-- texts/texts.go --
package texts

import (
	"encoding/csv"
	"errors"
)

func init() { csv.ErrQuote = errors.New("of init") }
-- letters/letters.go --
package letters

import "unicode"

func init() { unicode.CaseRanges = nil }
-- main.go --
`
	for _, test := range []struct {
		name, body  string
		shown       []string
		evaluations int
	}{
		{"what it uses is as it was", `show(names.Orders)`, []string{"dev.orders"}, 1},
		{"what has changed isn't used", `defaults.Other = "x"; show(names.Orders)`, []string{"dev.orders"}, 1},
		{"what it uses has changed", `defaults.Prefix = "prod"; show(names.Orders)`, []string{"dev.orders"}, 2},
		{"what another one uses that it uses", `defaults.Prefix = "prod"; show(through.Orders[0])`, []string{"dev.orders"}, 2},
		{"two of them", `defaults.Prefix = "prod"; show(names.Orders); show(through.Orders[0]); show(defaults.Prefix)`, []string{"dev.orders", "dev.orders", "prod"}, 2},
		{"a goroutine needs it", `done := make(chan bool); go func() { show(alone.Name); done <- true }(); <-done`, []string{"alone"}, 2},
		{"it changes the environment by another package", `show(os.Getenv("SET"))`, []string{"by dep"}, 1},
		{"it changes the environment", `show(os.Getenv("QUEUE"))`, []string{"of init"}, 1},
		{"it changes the environment by package syscall", `show(os.Getenv("PLATFORM"))`, []string{"of init"}, 1},
		{"it changes a variable by which functions go", `show(strings.ToUpper("ж"))`, []string{"unknown: a result that may depend on a variable of package unicode, which the program changes"}, 1},
		{"it gives a library code", `_, _ = net.LookupHost("x.invalid"); show(resolver.Asked)`, []string{"unknown: a value that depends on the condition net.LookupHost calls the function it is given"}, 1},
		{"it changes a variable of the standard library", `show(csv.ErrQuote.Error())`, []string{"of init"}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			source := `package plain

import (
	"encoding/csv"
	"net"
	"os"
	"strings"

	"MODULE/alone"
	"MODULE/defaults"
	"MODULE/names"
	_ "MODULE/environment"
	_ "MODULE/platform"
	_ "MODULE/letters"
	"MODULE/resolver"
	_ "MODULE/texts"
	"MODULE/setting"
	"MODULE/through"
)

var _, _, _, _, _, _ = alone.Name, defaults.Prefix, names.Orders, resolver.Asked, setting.Set, through.Orders
var _, _, _, _ = net.LookupHost, os.Exit, csv.ErrQuote, strings.ToUpper

func run() { ` + test.body + ` }

func show(any) {}
`
			program, err := load.Packages(t.Context(), load.Config{Dir: modtest.Write(t, txtar.Parse([]byte(strings.ReplaceAll(files+source, "MODULE", modulePath)))), Patterns: []string{"."}})
			require.NoError(t, err)
			require.Empty(t, program.Errors())
			pkg := program.Source(modulePath)
			seen, evaluations := new(recorder), 0
			ev := eval.New(t.Context(), program, seen)
			run := pkg.Types.Scope().Lookup("run").(*types.Func)
			ev.Starts(func() {
				evaluations++
				seen.shown = nil
				ev.Initialize(pkg)
				ev.Enter(ast.NewIdent("run"), &value.Func{Type: run.Type(), Obj: run}, nil)
			}, func() any { return nil })
			require.Equal(t, test.shown, seen.shown)
			require.Equal(t, test.evaluations, evaluations)
		})
	}
}

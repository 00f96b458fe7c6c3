package service

import (
	"go/token"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/internal/modtest"
)

// A fault of asyncapigen is a finding with the place at which it was, and a
// request to report it.
func TestGenerator_ReportsAFaultOfItsOwn(t *testing.T) {
	g := &Generator{}
	o := NewOptions(".")
	got := g.guarded(o, func() Outcome {
		g.doing, g.reading = "describing types", token.Position{Filename: "main.go", Line: 7, Column: 2}
		panic("a case that wasn't thought of")
	})
	require.True(t, got.Failed())
	require.Len(t, got.Found, 1)
	require.Equal(t, diagnostic.InternalError, got.Found[0].Code)
	require.Regexp(t, `^main\.go:7:2: asyncapigen failed while describing types: a fault of asyncapigen, not of the program: a case that wasn't thought of, `+
		`in service\.TestGenerator_ReportsAFaultOfItsOwn\.func1 \(generator_test\.go:\d+\): report it with this program and asyncapigen .* at https://github.com/warrenmq/warren/issues \[internal-error\]$`,
		got.Found[0].String())
}

// The go command lists the packages of all services in one run, but for those that have none.
func TestLister_ListsServicesTogether(t *testing.T) {
	dir := modtest.Write(t, txtar.Parse([]byte("-- a/a.go --\npackage a\n-- b/b.go --\npackage b\n")))
	of := func(folder string, patterns ...string) *Options {
		o := NewOptions(filepath.Join(dir, folder))
		require.NoError(t, o.Parse(Write, append([]string{"-client="}, patterns...)))
		return o
	}
	g := &Generator{Dir: dir}
	a, b, none := of("a", "."), of("b", "."), of("b", "../none")

	list := g.lister(t.Context(), []*Options{a, b})
	one, err := list(a)
	require.NoError(t, err)
	other, err := list(b)
	require.NoError(t, err)
	require.Same(t, one, other)

	list = g.lister(t.Context(), []*Options{a, none})
	one, err = list(a)
	require.NoError(t, err)
	other, _ = list(none) // by itself, so that the go command says what is wrong with it
	require.NotSame(t, one, other)
}

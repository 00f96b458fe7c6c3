package discover_test

import (
	"go/ast"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/discover"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/internal/modtest"
)

// What is wrong in a body that had no part in the evaluation is not wrong with the routes:
// in a handler, or in a function literal of a function that had one.
func TestSkipped_IsWhatWasNotEvaluated(t *testing.T) {
	dir := modtest.Write(t, txtar.Parse([]byte(`-- a.go --
package main

import (
	"context"

	"github.com/warrenmq/warren/runtime"
)

func first(context.Context, string) error { return inFirst }

func routes(r *runtime.Router) {
	_ = inRoutes
	r.MustRegister(runtime.Route{Queue: runtime.Queue{Name: "a"}, Handler: runtime.Consume(first)})
	r.MustRegister(runtime.Route{Queue: runtime.Queue{Name: "b"}, Handler: runtime.Consume(func(context.Context, string) error {
		return inLiteral
	})})
	_ = afterLiteral
}

func last(context.Context, string) error { return inLast }

var outside = inVariable
-- main.go --
package main

import "github.com/warrenmq/warren/runtime"

func unused() { _ = inUnused }

func main() {
	routes(runtime.NewRouter())
	_ = inMain
}
`)))
	program, err := load.Packages(t.Context(), load.Config{Dir: dir, Patterns: []string{"."}})
	require.NoError(t, err)
	result := discover.Routes(t.Context(), program)
	require.Len(t, result.Routes, 2)
	require.Equal(t, program.Roots, result.Entries())
	body := program.Roots[0].Files[0].Decls[1].(*ast.FuncDecl).Body
	require.True(t, result.Skipped(body.Lbrace))
	require.False(t, result.Skipped(body.Lbrace-1), "the signature")
	require.True(t, result.Skipped(body.Rbrace))
	require.False(t, result.Skipped(body.Rbrace+1))
	got := make(map[string]bool)
	for _, e := range program.Roots[0].Errors {
		got[strings.TrimPrefix(e.Msg, "undefined: ")] = result.Skipped(e.At)
	}
	require.Equal(t, map[string]bool{
		"inFirst": true, "inRoutes": false, "inLiteral": true, "afterLiteral": false, "inLast": true,
		"inVariable": false, "inUnused": true, "inMain": false,
	}, got)
}

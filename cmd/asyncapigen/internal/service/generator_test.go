package service

import (
	"go/token"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/warrenmq/warren/internal/diagnostic"
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

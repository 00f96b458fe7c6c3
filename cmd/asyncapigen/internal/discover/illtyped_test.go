package discover_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Statements that don't compile are passed over; the routes around them are
// found.
func TestRoutes_PassesOverIllTypedStatements(t *testing.T) {
	b := newBench(t)
	b.lenient = true
	result, err := b.routes(t.Context(), `package main

import (
	"context"

	"github.com/warrenmq/warren/runtime"
)

func on(context.Context, int) error { return nil }

func two() (int, int) { return 1 }

var broken = [2]int{1, 2, 3}[5].x

func main() {
	r := runtime.NewRouter()
	a, b := two()
	var x int = undefined.Name
	r.NoMethod(a, b, x)
	for i := range on { i() }
	r.MustRegister(runtime.Route{Queue: runtime.Queue{Name: "q"}, Handler: runtime.Consume(on)})
}
`)
	require.NoError(t, err)
	require.Len(t, result.Routes, 1)
	require.Equal(t, "q", result.Routes[0].Queue.Name)
}

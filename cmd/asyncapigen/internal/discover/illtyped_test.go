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

// Fields that a struct doesn't have are passed over in a literal of it.
func TestRoutes_PassesOverFieldsThatThereAreNot(t *testing.T) {
	b := newBench(t)
	b.lenient = true
	result, err := b.routes(t.Context(), `package main

import (
	"context"

	"github.com/warrenmq/warren/runtime"
)

func on(context.Context, int) error { return nil }

type name struct{ text string }

func main() {
	r := runtime.NewRouter()
	names := map[string]name{"a": {"q", "r"}, "b": {missing: "c", text: "s"}}
	r.MustRegister(runtime.Route{Missing: 1, Queue: runtime.Queue{Name: names["a"].text}, Handler: runtime.Consume(on)})
	r.MustRegister(runtime.Route{Queue: runtime.Queue{Name: names["b"].text, Missing: 2}, Name: name{"t", "u"}.text, Handler: runtime.Consume(on)})
}
`)
	require.NoError(t, err)
	require.Len(t, result.Routes, 2)
	require.Equal(t, "q", result.Routes[0].Queue.Name)
	require.Equal(t, "s", result.Routes[1].Queue.Name)
	require.Equal(t, "t", result.Routes[1].Name)
}

// A function is entered whose parameters and results aren't well typed.
func TestRoutes_EntersFunctionsOfIllTypedSignatures(t *testing.T) {
	b := newBench(t)
	b.lenient = true
	for _, signature := range []string{
		"(r *runtime.Router, n undefined)",
		"(r *runtime.Router, n int) (x undefined)",
		"(r *runtime.Router, n int, m int)",
		"(r *runtime.Router, r int)",
		"(r *runtime.Router, n ...undefined)",
		"(r *runtime.Router, n [len(n)]int) (x undefined.T)",
		"(r *runtime.Router, n ...int) (x [1 << 70]int, y struct{ z undefined })",
		"(r *runtime.Router, n endless) (x endless)",
		"(r *runtime.Router, n growing[int]) (x growing[int])",
	} {
		t.Run(signature, func(t *testing.T) {
			result, err := b.routes(t.Context(), `package main

import (
	"context"

	"github.com/warrenmq/warren/runtime"
)

type endless struct{ e endless }

type growing[T any] struct{ g *growing[[]T] }

func on(context.Context, int) error { return nil }

func add(r *runtime.Router) {
	r.MustRegister(runtime.Route{Queue: runtime.Queue{Name: "q"}, Handler: runtime.Consume(on)})
}

func faulty`+signature+` {
	add(r)
	return
}

func main() {
	faulty(runtime.NewRouter(), 1)
}
`)
			require.NoError(t, err)
			require.NotEmpty(t, b.Roots[0].Errors)
			require.Len(t, result.Routes, 1)
		})
	}
}

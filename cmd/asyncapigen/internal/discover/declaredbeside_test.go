package discover_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/discover"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/internal/modtest"
)

// declaring is a program of which main's rest is to be told.
const declaring = `-- main.go --
package main

import (
	"context"
	"log"
	"os"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/memory"
)

func on(context.Context, string) error { return nil }

func queue(name string) runtime.Topology {
	return runtime.Topology{Queues: []runtime.Queue{{Name: name, Durable: true}}}
}

func serve(router *runtime.Router) {
	if err := memory.New(memory.Config{}).Start(context.Background(), router); err != nil {
		log.Fatal(err)
	}
}

func main() {
	router := runtime.NewRouter()
	router.MustRegister(runtime.Route{Name: "order", Queue: runtime.Queue{Name: "orders"}, Handler: runtime.Consume(on)})
	MAIN
	_ = os.Getenv
}
`

// foundIn evaluates the program whose main ends so.
func foundIn(t *testing.T, main string) discover.Result {
	t.Helper()
	dir := modtest.Write(t, txtar.Parse([]byte(strings.Replace(declaring, "MAIN", main, 1))))
	program, err := load.Packages(t.Context(), load.Config{Dir: dir, Patterns: []string{"."}})
	require.NoError(t, err)
	for _, pkg := range program.Roots {
		require.Empty(t, pkg.Errors)
	}
	return discover.Routes(t.Context(), program)
}

func TestRoutes_DeclaredUnderACondition(t *testing.T) {
	for name, c := range map[string]struct {
		main  string
		names []string // of the queues that are surely declared
		isAll bool
	}{
		"in every case": {`router.Declare(queue("web")); serve(router)`, []string{"web"}, true},
		"in a branch that serves without an end": {
			`if os.Getenv("MODE") != "" { router.Declare(queue("worker")); serve(router); select {} }
			router.Declare(queue("web")); serve(router); select {}`, nil, false,
		},
		"in the branch alone": {
			`if os.Getenv("MODE") != "" { router.Declare(queue("worker")); serve(router); select {} }
			serve(router); select {}`, nil, false,
		},
		"in a branch that exits": {
			`if os.Getenv("MODE") != "" { router.Declare(queue("audit")); serve(router); os.Exit(0) }
			router.Declare(queue("other")); serve(router)`, nil, false,
		},
		"in a branch that fails": {
			`if os.Getenv("MODE") != "" { router.Declare(queue("audit")); serve(router); log.Fatal("end") }
			serve(router)`, nil, false,
		},
		"in all branches": {`switch os.Getenv("MODE") { case "a": router.Declare(queue("a")); default: router.Declare(queue("b")) }`, nil, false},
		"after what is certain": {
			`router.Declare(queue("web")); if os.Getenv("MODE") != "" { router.Declare(queue("worker")) }; serve(router)`, []string{"web"}, false,
		},
		"in a goroutine": {`go func() { router.Declare(queue("web")) }(); serve(router)`, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			result := foundIn(t, c.main)
			require.Empty(t, result.Diagnostics)
			declared, isAll := registered.Declared(result.Routes)
			var names []string
			for _, q := range declared.Queues {
				names = append(names, q.Name)
			}
			require.Equal(t, c.names, names)
			require.Equal(t, c.isAll, isAll)
		})
	}
}

func TestRoutes_DeclaredAfterTheStart(t *testing.T) {
	result := foundIn(t, `router.Declare(queue("early")); serve(router); router.Declare(queue("late"))`)
	require.Len(t, result.Diagnostics, 1)
	require.Equal(t, diagnostic.UnservedRouter, result.Diagnostics[0].Code)
	require.Contains(t, result.Diagnostics[0].Why, "after the router was given to a broker")
	declared, _ := registered.Declared(result.Routes)
	require.Len(t, declared.Queues, 1)
}

func TestRoutes_DeclaredInTheOrderOfAMap(t *testing.T) {
	result := foundIn(t, `for name := range map[string]int{"a": 1, "b": 2} { router.Declare(queue(name)); break }; serve(router)`)
	require.Len(t, result.Diagnostics, 1)
	require.Equal(t, diagnostic.MapOrder, result.Diagnostics[0].Code)
	result = foundIn(t, `for name := range map[string]int{"a": 1, "b": 2} { router.Declare(queue(name)) }; serve(router)`)
	require.Empty(t, result.Diagnostics)
}

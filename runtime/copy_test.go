package runtime_test

import (
	"maps"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

// nested is a field table with everything that shares memory.
func nested() map[string]any {
	return map[string]any{
		"table": map[string]any{"inner": map[string]any{"key": "kept"}},
		"array": []any{"kept", []any{"kept"}, map[string]any{"key": "kept"}, []byte("kept")},
		"bytes": []byte("kept"),
		"empty": []any{},
		"none":  nil,
		"text":  "kept",
	}
}

// shared is a route whose every slice, map and pointer is filled.
func shared() runtime.Route {
	return runtime.Route{
		Name:             "quote",
		Description:      "Prices an order.",
		Tags:             []string{"kept"},
		Queue:            runtime.Queue{Name: "quotes", Arguments: nested()},
		Exchange:         &runtime.Exchange{Name: "shop", Type: runtime.Topic, Arguments: nested()},
		RoutingKeys:      []string{"kept"},
		BindingArguments: nested(),
		Handler:          runtime.Respond(quoteOrder),
		Reply:            &runtime.Address{Exchange: "kept", RoutingKey: "kept"},
		Failure:          &runtime.FailurePolicy{Attempts: 7, Delay: time.Second, MaxDelay: time.Hour, DeadLetters: "kept", Endless: true},
	}
}

// spoil changes all memory that route refers to.
func spoil(route runtime.Route) {
	route.Tags[0] = "spoilt"
	route.RoutingKeys[0] = "spoilt"
	for _, table := range []map[string]any{route.Queue.Arguments, route.Exchange.Arguments, route.BindingArguments} {
		spoilTable(table)
	}
	*route.Exchange = runtime.Exchange{Name: "spoilt"}
	*route.Reply = runtime.Address{Exchange: "spoilt"}
	*route.Failure = runtime.FailurePolicy{}
}

func spoilTable(table map[string]any) {
	for _, value := range maps.Clone(table) {
		spoilField(value)
	}
	clear(table)
	table["spoilt"] = true
}

func spoilField(value any) {
	switch value := value.(type) {
	case map[string]any:
		spoilTable(value)
	case []any:
		for i := range value {
			spoilField(value[i])
			value[i] = "spoilt"
		}
	case []byte:
		copy(value, "spoilt")
	}
}

// requireKept compares the route with what was registered. Functions can't be
// compared, so the handler is left out.
func requireKept(t *testing.T, got runtime.Route) {
	t.Helper()
	want := shared()
	want.Handler, got.Handler = runtime.Handler{}, runtime.Handler{}
	require.Equal(t, want, got)
}

func TestRegister_CopiesDeeply(t *testing.T) {
	router := runtime.NewRouter()
	route := shared()
	require.NoError(t, router.Register(route))

	spoil(route)

	requireKept(t, router.Routes()[0])
}

func TestRegister_CopiesTheSliceOfRoutes(t *testing.T) {
	router := runtime.NewRouter()
	routes := []runtime.Route{shared()}
	require.NoError(t, router.Register(routes...))

	routes[0] = runtime.Route{}

	requireKept(t, router.Routes()[0])
}

func TestRoutes_AreTheCallers(t *testing.T) {
	router := runtime.NewRouter()
	require.NoError(t, router.Register(shared()))
	routes := router.Routes()

	spoil(routes[0])
	routes[0] = runtime.Route{}

	requireKept(t, router.Routes()[0])
}

func TestRegister_KeepsTheCallersRoute(t *testing.T) {
	route := shared()
	route.Name = ""

	require.NoError(t, runtime.NewRouter().Register(route))

	require.Empty(t, route.Name)
	route.Name = "quote"
	requireKept(t, route)
}

package discover_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/onefile"
	"github.com/warrenmq/warren/runtime"
)

// A route has its own policy, or else the last one of its router, whenever that was set.
func TestRoutes_HaveTheFailurePolicyOfTheirRouter(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	const own = `router.MustRegister(runtime.Route{Name: "order", Queue: runtime.Queue{Name: "orders"}, Failure: &runtime.FailurePolicy{Attempts: 9}, Handler: runtime.Consume(on)}); `
	const endless = `router.OnFailure(runtime.FailurePolicy{Endless: true}); `
	for name, test := range map[string]struct {
		main string
		want *runtime.FailurePolicy // nil where it isn't known
	}{
		"none":                        {order, new(runtime.FailurePolicy)},
		"set before":                  {endless + order, &runtime.FailurePolicy{Endless: true}},
		"set after":                   {order + endless, &runtime.FailurePolicy{Endless: true}},
		"set twice":                   {endless + order + `router.OnFailure(runtime.FailurePolicy{Attempts: 2})`, &runtime.FailurePolicy{Attempts: 2}},
		"of the route":                {own, &runtime.FailurePolicy{Attempts: 9}},
		"of the route and the router": {endless + own, &runtime.FailurePolicy{Attempts: 9}},
		"of another router":           {`other := runtime.NewRouter(); other.OnFailure(runtime.FailurePolicy{Endless: true}); ` + order, new(runtime.FailurePolicy)},
		"of a router that isn't known": {
			`unknown[map[string]*runtime.Router]()["a"].OnFailure(runtime.FailurePolicy{Endless: true}); ` + order, nil,
		},
		"that isn't known":               {`router.OnFailure(unknown[runtime.FailurePolicy]()); ` + order, nil},
		"a number that isn't known":      {`router.OnFailure(runtime.FailurePolicy{Attempts: os.Getpid()}); ` + order, nil},
		"of a way that ends":             {order + `if os.Getpid() > 5 { ` + endless + `serve(router); os.Exit(0) }`, nil},
		"of a way that ends, set alike":  {order + `if os.Getpid() > 5 { ` + endless + `serve(router); os.Exit(0) }; ` + endless, &runtime.FailurePolicy{Endless: true}},
		"under a condition":              {`if os.Getpid() > 5 { ` + endless + ` }; ` + order, nil},
		"under a condition, of a copy":   {`if os.Getpid() > 5 { ` + endless + ` }; other := *router; router = &other; ` + order, nil},
		"of the route that isn't known":  {endless + `router.MustRegister(runtime.Route{Name: "order", Queue: runtime.Queue{Name: "orders"}, Failure: unknown[*runtime.FailurePolicy](), Handler: runtime.Consume(on)})`, nil},
		"that unread code may set later": {order + `http.HandleFunc("/endless", func(http.ResponseWriter, *http.Request) { ` + endless + `})`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			result := foundOf(t, program, declaringFile(test.main+"; serve(router)"))
			require.Empty(t, result.Diagnostics)
			require.Len(t, result.Routes, 1)
			require.Equal(t, test.want, result.Routes[0].Failure)
			require.Equal(t, test.want == nil, result.Routes[0].FailureUnknown)
		})
	}
}

// A policy that a router gets when a broker consumes its routes isn't theirs.
func TestRoutes_FailurePolicySetAfterTheStart(t *testing.T) {
	result := foundIn(t, order+`if err := memory.New(memory.Config{}).Start(context.Background(), router); err != nil {
		panic(err)
	}
	router.OnFailure(runtime.FailurePolicy{Attempts: 2})`)
	require.Empty(t, result.Diagnostics)
	require.Len(t, result.Routes, 1)
	require.True(t, result.Routes[0].FailureUnknown)
}

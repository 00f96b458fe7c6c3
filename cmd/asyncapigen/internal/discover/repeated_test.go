package discover_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/onefile"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// A route that another router has in every case is one of the contract already.
func TestRoutes_ThatAnotherRouterHas(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	const (
		perhaps = diagnostic.UnknownCondition
		route   = `runtime.Route{Name: "orders", Queue: runtime.Queue{Name: "orders"}, Handler: runtime.Consume(on)}`
		two     = `route, other := ` + route + `, runtime.NewRouter(); router.MustRegister(route); `
		serves  = `serve(router); serve(other)`
		anew    = `make := func(register bool) *runtime.Router { r := runtime.NewRouter(); if register { r.MustRegister(` + route + `) }; return r }; router = make(true); other := make(os.Getpid() > 5); `
	)
	const generic = `
func consume[T any]() runtime.Handler { return runtime.Consume(func(context.Context, T) error { return nil }) }

func respond[T any]() runtime.Handler { return runtime.Respond(func(context.Context, int) (v T, err error) { return v, nil }) }
`
	handled := func(one, another string) string {
		return `handler := func(cases ...runtime.Case) runtime.Handler { return runtime.Dispatch(cases...) }; _ = handler; route := ` + route + `; route.Handler = ` + one +
			`; router.MustRegister(route); other := runtime.NewRouter(); route.Handler = ` + another + `; if os.Getpid() > 5 { other.MustRegister(route) }; ` + serves
	}
	const one = `handler(runtime.On("a", consume[int]()))`
	for name, test := range map[string]struct {
		main string
		code diagnostic.Code
	}{
		"in every case":                         {two + `other.MustRegister(route); ` + serves, ""},
		"in some cases":                         {two + `if os.Getpid() > 5 { other.MustRegister(route) }; ` + serves, ""},
		"as its only one":                       {anew + serves, ""},
		"and isn't served":                      {two + `if os.Getpid() > 5 { other.MustRegister(route) }; serve(router)`, ""},
		"with another queue":                    {two + `route.Queue.Durable = true; if os.Getpid() > 5 { other.MustRegister(route) }; ` + serves, perhaps},
		"with another type":                     {two + `route.Handler = runtime.Consume(func(context.Context, bool) error { return nil }); if os.Getpid() > 5 { other.MustRegister(route) }; ` + serves, perhaps},
		"with the same cases":                   {handled(one, one), ""},
		"with another case":                     {handled(one, `handler(runtime.On("b", consume[int]()))`), perhaps},
		"with one case more":                    {handled(one, `handler(runtime.On("a", consume[int]()), runtime.On("b", consume[int]()))`), perhaps},
		"with a case of a type":                 {handled(one, `handler(runtime.On("a", consume[bool]()))`), perhaps},
		"with a case of a result":               {handled(`handler(runtime.On("a", respond[int]()))`, `handler(runtime.On("a", respond[bool]()))`), perhaps},
		"with the same body":                    {handled(`consume[int]()`, `consume[int]()`), ""},
		"with another body":                     {handled(`consume[int]()`, `consume[bool]()`), perhaps},
		"with another result":                   {handled(`respond[int]()`, `respond[bool]()`), perhaps},
		"with a result":                         {two + `route.Handler = runtime.Respond(func(context.Context, int) (int, error) { return 0, nil }); if os.Getpid() > 5 { other.MustRegister(route) }; ` + serves, perhaps},
		"with another prefetch":                 {two + `route.Prefetch = 7; if os.Getpid() > 5 { other.MustRegister(route) }; ` + serves, perhaps},
		"with another codec":                    {two + `route.Codec = struct{ runtime.Codec }{}; if os.Getpid() > 5 { other.MustRegister(route) }; ` + serves, perhaps},
		"with an own policy":                    {two + `route.Failure = new(runtime.FailurePolicy{Attempts: 2}); if os.Getpid() > 5 { other.MustRegister(route) }; ` + serves, perhaps},
		"with the same own policy":              {`route, other := ` + route + `, runtime.NewRouter(); route.Failure = new(runtime.FailurePolicy{Attempts: 2}); router.MustRegister(route); if os.Getpid() > 5 { other.MustRegister(route) }; ` + serves, ""},
		"with a router's policy":                {two + `other.OnFailure(runtime.FailurePolicy{Attempts: 2}); if os.Getpid() > 5 { other.MustRegister(route) }; ` + serves, perhaps},
		"with the same policy":                  {two + `router.OnFailure(runtime.FailurePolicy{Attempts: 2}); other.OnFailure(runtime.FailurePolicy{Attempts: 2}); if os.Getpid() > 5 { other.MustRegister(route) }; ` + serves, ""},
		"with a policy, where it may be served": {two + `other.OnFailure(runtime.FailurePolicy{Attempts: 2}); if os.Getpid() > 5 { other.MustRegister(route) }; if os.Getppid() > 5 { other = nil }; ` + serves, perhaps},
		"without one, where it may be served":   {two + `if os.Getpid() > 5 { other.MustRegister(route) }; if os.Getppid() > 5 { other = nil }; ` + serves, ""},
		"with a name not known":                 {two + `route.Name = os.Args[0]; if os.Getpid() > 5 { other.MustRegister(route) }; ` + serves, perhaps},
		"twice":                                 {two + `if os.Getpid() > 5 { other.MustRegister(route); _ = other.Register(route) }; ` + serves, diagnostic.RefusedRoute},
		"twice, once surely":                    {two + `other.MustRegister(route); if os.Getpid() > 5 { _ = other.Register(route) }; ` + serves, diagnostic.RefusedRoute},
		"that may be it":                        {two + `if os.Getpid() > 5 { other = router }; if os.Getpid() > 6 { _ = other.Register(route) }; serve(router)`, perhaps},
		"the same":                              {two + `if os.Getpid() > 5 { _ = router.Register(route) }; ` + serves, perhaps},
		"that isn't served itself":              {two + `if os.Getpid() > 5 { other.MustRegister(route) }; serve(other)`, diagnostic.UnservedRouter},
	} {
		t.Run(name, func(t *testing.T) {
			result := foundOf(t, program, declaringFile(test.main)+generic)
			if test.code == "" {
				require.Empty(t, result.Diagnostics)
				require.Len(t, result.Routes, 1)
				return
			}
			require.NotEmpty(t, result.Diagnostics)
			require.Equal(t, test.code, result.Diagnostics[0].Code, result.Diagnostics)
		})
	}
}

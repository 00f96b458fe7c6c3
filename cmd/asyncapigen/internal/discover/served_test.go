package discover_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/onefile"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// A route is one of the contract where each way that serves a router serves its router.
func TestRoutes_OfRoutersThatAreServedOrMayNotBe(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	const (
		second   = `other := runtime.NewRouter(); other.MustRegister(runtime.Route{Name: "other", Queue: runtime.Queue{Name: "others"}, Handler: runtime.Consume(on)}); `
		given    = "the router that it is registered with is given to a broker under a condition that isn't known"
		assigned = "another router may be assigned to the one that it is registered with"
	)
	for name, test := range map[string]struct{ main, why string }{
		"one":                                                 {order + `serve(router)`, ""},
		"one in one branch":                                   {order + `if os.Getpid() > 5 { serve(router) }`, ""},
		"one in each branch, one alone":                       {order + second + `if os.Getpid() > 5 { serve(router) } else { serve(router) }; serve(other)`, ""},
		"one in one branch, one alone":                        {order + second + `if os.Getpid() > 5 { serve(router) }; serve(other)`, given},
		"both in one branch":                                  {order + second + `if os.Getpid() > 5 { serve(router); serve(other) }`, ""},
		"both in each of two branches":                        {order + second + `if os.Getpid() > 5 { serve(router); serve(other) } else { serve(other); serve(router) }`, ""},
		"one in each of two branches":                         {order + second + `if os.Getpid() > 5 { serve(router) } else { serve(other) }`, given},
		"one in a branch of a branch":                         {order + second + `if os.Getpid() > 5 { if os.Getppid() > 5 { serve(router) }; serve(other) }`, given},
		"one before a branch is left":                         {order + second + `for range 1 { if os.Getpid() > 5 { serve(router); if os.Getppid() > 5 { break }; serve(other) } }`, given},
		"both in a branch after one that serves one and ends": {order + second + `if os.Getpid() > 5 { serve(router); return }; if os.Getppid() > 5 { serve(router); serve(other) }`, given},
		"both in goroutines of one branch":                    {order + second + `if os.Getpid() > 5 { go serve(router); go serve(other) }`, ""},
		"both in one loop of a branch":                        {order + second + `if os.Getpid() > 5 { for _, r := range []*runtime.Router{router, other} { go serve(r) } }`, ""},
		"both by functions of one branch that others call":    {order + second + `if os.Getpid() > 5 { http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { serve(router) }); serve(other) }`, ""},
		"both":                        {order + second + `serve(router); serve(other)`, ""},
		"one of two":                  {order + second + `serve(other)`, "no broker gets the router that it is registered with"},
		"assigned to":                 {order + `*router = runtime.Router{}; serve(router)`, assigned},
		"assigned to by another type": {`type mine runtime.Router; var m mine; router = (*runtime.Router)(&m); ` + order + `m = mine{}; serve(router)`, assigned},
		"assigned to in a goroutine":  {order + `done := make(chan bool); go func() { *router = runtime.Router{}; router.MustRegister(runtime.Route{Name: "other", Queue: runtime.Queue{Name: "others"}, Handler: runtime.Consume(on)}); close(done) }(); <-done; serve(router)`, assigned},
		"assigned to after it may have got something":  {`if os.Getpid() > 5 { router.Declare(queue("b")) }; *router = runtime.Router{}; ` + order + `serve(router)`, ""},
		"beside an unknown one that has another":       {order + `unknown[*runtime.Router]().MustRegister(runtime.Route{Name: "other", Queue: runtime.Queue{Name: "others"}, Handler: runtime.Consume(on)}); ` + perhaps, "the router that is served is a value that json.Unmarshal may have changed, and so on the result of os.Getenv(\"ROUTERS\")"},
		"assigned to before it has any":                {`*router = runtime.Router{}; ` + order + `serve(router)`, ""},
		"the only one, where an unknown one is served": {order + perhaps, ""},
		"one of two, where an unknown one is served":   {order + second + perhaps, "the router that is served is a value that json.Unmarshal may have changed, and so on the result of os.Getenv(\"ROUTERS\")"},
		"that is used by unread code":                  {order + `http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { println(len(router.Routes())) }); serve(router)`, ""},
		"one of a context, the only one":               {`router = context.Background().Value("r").(*runtime.Router); ` + order + `serve(router)`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			result := foundOf(t, program, declaringFile(test.main))
			why := ""
			for _, d := range result.Diagnostics {
				require.Equal(t, diagnostic.UnservedRouter, d.Code)
				require.Contains(t, []string{"", d.Why}, why)
				why = d.Why
			}
			require.Equal(t, test.why, why)
		})
	}
}

package discover_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/onefile"
)

// What gets the router, or may be any route, may register any: it is never passed over.
func TestRegister_ReportsWhatMayRegisterAnyRoute(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	for name, test := range map[string]struct{ main, want string }{
		"a route of which nothing is known":      {`router.MustRegister(unknown[func() runtime.Route]()()); serve(router)`, "unknown-route"},
		"an element of a list that is not known": {`router.MustRegister(unknown[[]runtime.Route]()[0]); serve(router)`, "unknown-route"},
		"a further exchange that is not known":   {`router.MustRegister(runtime.Route{Name: "a", Queue: runtime.Queue{Name: "a"}, Sources: []runtime.Source{{Exchange: unknown[func() runtime.Exchange]()()}}, Handler: runtime.Consume(on)}); serve(router)`, "unknown-value"},
		"a function that is not known":           {order + `unknown[func(*runtime.Router)]()(router); serve(router)`, "unknown-route"},
		"a method of an interface":               {order + `unknown[interface{ Add(*runtime.Router) }]().Add(router); serve(router)`, "unknown-route"},
		"a function that gets a list of routers": {order + `unknown[func(...*runtime.Router)]()(router); serve(router)`, "unknown-route"},
		"a function that gets a route":           {order + `unknown[func(runtime.Route)]()(runtime.Route{}); serve(router)`, "unknown-route"},
		"a function that gets a handler":         {order + `unknown[func(runtime.Handler)]()(runtime.Consume(on)); serve(router)`, "unknown-route"},
		"a function that gets nothing of it":     {order + `unknown[func(int)]()(1); serve(router)`, ""},
		"a broker that is not known":             {order + `unknown[runtime.Broker]().Start(context.Background(), router)`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, d := range foundOf(t, program, declaringFile(test.main)).Diagnostics {
				got = append(got, string(d.Code))
			}
			require.Equal(t, test.want, strings.Join(got, " "))
		})
	}
}

// What comes after a way that serves is registered in the other ways alone.
func TestRegister_IsConditionalBesideWaysThatServe(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	const (
		second  = `other := runtime.NewRouter(); other.MustRegister(runtime.Route{Name: "other", Queue: runtime.Queue{Name: "others"}, Handler: runtime.Consume(on)}); `
		later   = `runtime.Route{Name: "late", Queue: runtime.Queue{Name: "lates"}, Handler: runtime.Consume(on)}`
		fails   = `func() error { if os.Getpid() > 5 { return io.EOF }; other.MustRegister(` + later + `); return nil }(); serve(other)`
		declare = `router.Declare(queue("a")); `
		unknown = `router = context.Background().Value("r").(*runtime.Router); `
	)
	for name, test := range map[string]struct{ main, want string }{
		"a way that serves":                       {order + `if os.Getpid() > 5 { serve(router); return }; router.MustRegister(` + later + `); serve(router)`, "unknown-condition"},
		"a way that serves one that is not known": {unknown + order + `if os.Getpid() > 5 { serve(router); return }; router.MustRegister(` + later + `); serve(router)`, "unknown-condition"},
		"a way that does not serve":               {order + `if os.Getpid() > 5 { return }; router.MustRegister(` + later + `); serve(router)`, ""},
		"an error after another is served":        {order + second + `serve(router); ` + fails, "unserved-router unknown-condition"},
		"an error after a declaration":            {order + second + declare + `serve(router); ` + fails, "unserved-router unknown-condition"},
		"an error after two are served":           {order + second + declare + `serve(router); serve(router); ` + fails, "unserved-router unknown-condition"},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, d := range foundOf(t, program, declaringFile(test.main)).Diagnostics {
				got = append(got, string(d.Code))
			}
			require.Equal(t, test.want, strings.Join(got, " "))
		})
	}
}

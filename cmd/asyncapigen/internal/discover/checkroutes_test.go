package discover_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/onefile"
	"github.com/warrenmq/warren/internal/diagnostic"
)

func TestRoutes_OfSeveralRoutersAreOneContract(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	const (
		same    = `other := runtime.NewRouter(); other.MustRegister(runtime.Route{Name: "order", Queue: runtime.Queue{Name: "others"}, Handler: runtime.Consume(on)}); `
		unnamed = `other := runtime.NewRouter(); other.MustRegister(runtime.Route{Name: "other", Handler: runtime.Consume(on)}); `
		serve   = `serve(router); serve(other)`
	)
	for name, test := range map[string]struct{ main, said string }{
		"of one router":    {order + order + `serve(router)`, `the router refuses the route "order": Name: is taken by the route of queue "orders": names are unique`},
		"of two routers":   {order + same + serve, `the contract of all routers can't have the route "order": Name: is taken by the route of queue "orders": names are unique`},
		"refused by both":  {order + unnamed + serve, `the router refuses the route "other": Queue.Name: is empty: name the queue`},
		"of others' names": {order + `other := runtime.NewRouter(); ` + serve, ""},
	} {
		t.Run(name, func(t *testing.T) {
			said := ""
			for _, d := range foundOf(t, program, declaringFile(test.main)).Diagnostics {
				require.Equal(t, diagnostic.RefusedRoute, d.Code)
				said += d.What + ": " + d.Why
			}
			require.Equal(t, test.said, said)
		})
	}
}

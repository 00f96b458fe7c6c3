package discover_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/onefile"
)

// What is registered in one order of a map alone depends on the order, also where nothing is
// in the others.
func TestRoutes_RegisteredInOneOrderOfAMapAlone(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	const loop = `for _, n := range map[string]int{"a": 1, "b": 2} { _ = n; `
	for name, test := range map[string]struct{ main, want string }{
		"the only route in the first":         {loop + `if n == 1 { ` + order + ` }; serve(router); return }`, "map-order"},
		"the only route in another one":       {loop + `if n == 2 { ` + order + ` }; serve(router); return }`, "map-order"},
		"the same in each":                    {loop + order + `; serve(router); return }`, ""},
		"the only declaration in the first":   {loop + `if n == 1 { router.Declare(queue("a")) }; serve(router); return }`, "map-order"},
		"the only declaration in another one": {loop + `if n == 2 { router.Declare(queue("a")) }; serve(router); return }`, "map-order"},
		"the same declaration in each":        {loop + `router.Declare(queue("a")); serve(router); return }`, ""},
		"a declaration beside a route":        {loop + `if n == 1 { router.Declare(queue("a")) }; ` + order + `; serve(router); return }`, "map-order"},
		"a panic before the route in another": {loop + `if n == 2 { panic("x") }; ` + order + `; serve(router); return }`, "map-order"},
		"a route of another command":          {`if os.Args[1] == "b" { ` + loop + `if n == 2 { ` + order + ` }; serve(router); return } }; router.Declare(queue("a")); ` + order + `serve(router)`, "map-order"},
		"no route of another command":         {`if os.Args[1] == "b" { ` + loop + `if n == 2 { println() }; return } }; ` + order + `serve(router)`, ""},
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

package discover_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/onefile"
)

// What isn't known for one reason is one diagnostic, with all that it concerns.
func TestDiagnostics_NameAllThatOneCauseConcerns(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	const declared = `x := os.Getenv("X"); add := func(name, queue, description string) { router.MustRegister(runtime.Route{Name: name, Queue: runtime.Queue{Name: queue}, Description: description, Handler: runtime.Consume(on)}) }; `
	for main, want := range map[string][]string{
		`add("a", x, "")`:                                                        {`the queue name of the route "a" isn't known`},
		`add("a", x, x)`:                                                         {`the description and the queue name of the route "a" aren't known`},
		`add("a", x, ""); add("b", x, "")`:                                       {`the queue name of each of the routes "a" and "b" isn't known`},
		`add("a", x, ""); add("b", x, ""); add("c", x, "")`:                      {`the queue name of each of the routes "a", "b" and "c" isn't known`},
		`add("a", x, ""); add("b", "b", x)`:                                      {`the description of the route "b", and the queue name of the route "a" aren't known`},
		`add("a", x, ""); add("b", x, ""); add("c", "c", x)`:                     {`the description of the route "c", and the queue name of each of the routes "a" and "b" aren't known`},
		`add("a", x, ""); add("b", os.Getenv("Y"), "")`:                          {`the queue name of the route "a" isn't known`, `the queue name of the route "b" isn't known`},
		`for _, n := range "abcdefgh" { add(string(n), x, "") }`:                 {`the queue name of each of the routes "a", "b", "c", "d", "e", "f", "g" and "h" isn't known`},
		`for _, n := range "abcdefghij" { add(string(n), x, "") }`:               {`the queue name of each of the routes "a", "b", "c", "d", "e", "f", "g" and 3 others isn't known`},
		`if x != "" { add("a", "a", "") }`:                                       {`the route "a" is registered under a condition that isn't known`},
		`if x != "" { add("a", "a", ""); add("b", "b", "") }`:                    {`the routes "a" and "b" are registered under a condition that isn't known`},
		`if x != "" { add("a", "a", ""); add("b", "b", ""); add("c", "c", "") }`: {`the routes "a", "b" and "c" are registered under a condition that isn't known`},
	} {
		t.Run(main, func(t *testing.T) {
			var got []string
			for _, d := range foundOf(t, program, declaringFile(declared+main+"; serve(router)")).Diagnostics {
				got = append(got, d.What)
			}
			require.Equal(t, want, got)
		})
	}
}

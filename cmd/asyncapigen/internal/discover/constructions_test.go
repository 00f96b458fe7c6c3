package discover_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/discover"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/onefile"
)

func TestConstructions_AreThoseOfTheStart(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	const endpoint = `runtime.Endpoint{Route: "a", To: runtime.Address{RoutingKey: "as"}}`
	for name, test := range map[string]struct {
		main    string
		options []discover.Option
		want    []string // the types, the route and why it isn't known
	}{
		"a publisher":                       {`runtime.NewPublisher[string](transport, ` + endpoint + `)`, []discover.Option{discover.Constructions()}, []string{"string a"}},
		"a caller":                          {`runtime.NewCaller[string, int](transport, ` + endpoint + `)`, []discover.Option{discover.Constructions()}, []string{"string int a"}},
		"two of one call":                   {`for range 2 { runtime.NewPublisher[string](transport, ` + endpoint + `) }`, []discover.Option{discover.Constructions()}, []string{"string a", "string a"}},
		"an endpoint that is not known":     {`runtime.NewPublisher[string](transport, unknown[func() runtime.Endpoint]()())`, []discover.Option{discover.Constructions()}, []string{"string : it is a value that json.Unmarshal may have changed, and so on the result of os.Getenv(\"UNKNOWN\")"}},
		"a route of one that is not known":  {`runtime.NewPublisher[string](transport, runtime.Endpoint{Route: os.Getenv("R")})`, []discover.Option{discover.Constructions()}, []string{`string : it is the result of os.Getenv("R")`}},
		"a target of one that is not known": {`runtime.NewPublisher[string](transport, runtime.Endpoint{Route: "a", To: unknown[func() runtime.Address]()()})`, []discover.Option{discover.Constructions()}, []string{"string a: it is a value that json.Unmarshal may have changed, and so on the result of os.Getenv(\"UNKNOWN\")"}},
		"where nobody wants them":           {`runtime.NewPublisher[string](transport, ` + endpoint + `)`, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			result := foundOf(t, program, declaringFile(order+test.main+"; serve(router)"), test.options...)
			require.Empty(t, result.Diagnostics)
			var got []string
			for _, made := range result.Constructions() {
				text := made.Body.String() + " "
				if made.Result != nil {
					text += made.Result.String() + " "
				}
				text += made.Endpoint.Route
				if made.Lost != nil {
					text += ": " + made.Lost.Why
				}
				got = append(got, text)
			}
			require.Equal(t, test.want, got)
		})
	}
}

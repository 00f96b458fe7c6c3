package asyncapi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/contract"
	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/asyncapi"
)

// A function literal has no name, and a handler that a library makes may have no place.
func TestExtended_SaysWhereARouteAndItsHandlerAre(t *testing.T) {
	at, handlerAt := contract.Source{File: "shop.go", Line: 7}, contract.Source{File: "handlers.go", Line: 9}
	for name, test := range map[string]struct {
		route   contract.Source
		handler contract.Handler
		want    *asyncapi.Source
	}{
		"nothing is known":   {},
		"no handler":         {at, contract.Handler{}, &asyncapi.Source{File: "shop.go", Line: 7}},
		"a function":         {at, contract.Handler{Name: "shop.onOrder", Source: handlerAt}, &asyncapi.Source{File: "shop.go", Line: 7, Handler: &asyncapi.SourceHandler{Name: "shop.onOrder", File: "handlers.go", Line: 9}}},
		"a function literal": {at, contract.Handler{Source: handlerAt}, &asyncapi.Source{File: "shop.go", Line: 7, Handler: &asyncapi.SourceHandler{File: "handlers.go", Line: 9}}},
		"a name alone":       {at, contract.Handler{Name: "shop.onOrder"}, &asyncapi.Source{File: "shop.go", Line: 7, Handler: &asyncapi.SourceHandler{Name: "shop.onOrder"}}},
	} {
		t.Run(name, func(t *testing.T) {
			operation := contract.Operation{Route: runtime.Route{Name: "r", Queue: runtime.Queue{Name: "q"}}, Source: test.route, HandledBy: test.handler}
			document := asyncapi.ExtendedFromContract(&contract.Contract{Channels: []contract.Channel{{Operation: operation, Schema: &schema.Schema{}}}}, nil)
			require.Equal(t, test.want, document.Channels[0].Subscribe.Source)
		})
	}
}

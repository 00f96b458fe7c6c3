package asyncapi_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/asyncapi"
)

func handle[T any]() runtime.Handler {
	return runtime.Consume(func(context.Context, T) error { return nil })
}

type broken struct{ Lines []brokenLine }

type brokenLine struct{ Done chan int }

func TestGenerate_RefusesTypesWithoutJSONForm(t *testing.T) {
	_, err := asyncapi.Generate([]runtime.Route{route(func(r *runtime.Route) { r.Handler = handle[broken]() })}, nil)
	var problems *asyncapi.ProblemError
	require.ErrorAs(t, err, &problems)
	require.EqualError(t, err, `generate the AsyncAPI document: route "order.created": broken.Lines[].Done (chan int): `+
		`a chan has no JSON form: leave the field out by the tag json:"-"`)
	require.Equal(t, "broken.Lines[].Done", problems.Problems[0].Path)
}

func TestGenerate_RefusesRoutes(t *testing.T) {
	other := func(name string) runtime.Route {
		return route(func(r *runtime.Route) { r.Name, r.Queue.Name = name, "other" })
	}
	for name, c := range map[string]struct {
		routes []runtime.Route
		want   string
	}{
		"no handler": {
			[]runtime.Route{{Name: "a", Queue: runtime.Queue{Name: "q"}}},
			`route "a" of queue "q" has no handler: make one by runtime.Consume or runtime.Respond`,
		},
		"no name": {
			[]runtime.Route{route(func(r *runtime.Route) { r.Name, r.Handler = "", handle[Order]() })},
			`route "orders.created": it has no name: name the route`,
		},
		"no queue": {
			[]runtime.Route{route(func(r *runtime.Route) { r.Queue.Name = "" })},
			`route "order.created": its queue has no name: name the queue`,
		},
		"one name": {
			[]runtime.Route{route(), other("order.created")},
			`route "order.created": the operation id "order.created" is taken by another route: name the route otherwise`,
		},
		"name of a reply": {
			[]runtime.Route{route(responding), other("order.created.reply")},
			`route "order.created.reply": the operation id "order.created.reply" is taken by another route`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			document, err := asyncapi.Generate(c.routes, nil)
			require.ErrorContains(t, err, c.want)
			require.Nil(t, document)
		})
	}
}

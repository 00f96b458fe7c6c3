package registered_test

import (
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/runtime"
)

func TestRoute_DeclaresTheQueuesOfItsOwnWay(t *testing.T) {
	route := registered.Route{
		Route: runtime.Route{Name: "r", Queue: runtime.Queue{Name: "q", Durable: true}, Failure: &runtime.FailurePolicy{}},
		Body:  types.Typ[types.String],
	}
	require.Len(t, route.FailureQueues(), 5)
	route.Ordered = true
	require.Equal(t, []runtime.Queue{{Name: "q.dead", Durable: true}}, route.FailureQueues())
	require.False(t, route.Registrable().Order.IsZero())
	route.Ordered, route.AckMode = false, runtime.AckFirst
	require.Equal(t, []runtime.Queue{{Name: "q.dead", Durable: true}}, route.FailureQueues())
}

func TestRoute_IsRegistrableWithItsCases(t *testing.T) {
	route := registered.Route{
		Route: runtime.Route{Name: "r", Queue: runtime.Queue{Name: "q"}},
		Cases: []registered.Case{
			{Name: "text", Body: types.Typ[types.String]},
			{Name: "number", Body: types.Typ[types.Int]},
			{Body: types.NewSlice(types.Typ[types.Byte]), Otherwise: true},
		},
	}
	_, route.DispatchedBy = runtime.DispatchByHeader("event").Cases()
	require.NoError(t, runtime.NewRouter().Register(route.Registrable()))
	cases, by := route.Registrable().Handler.Cases()
	require.Len(t, cases, 2)
	require.Equal(t, route.DispatchedBy, by)
	require.Equal(t, "string|int", route.BodyName())
	require.Equal(t, "-", route.ResultName())
	route.Cases[1].Name = "text"
	require.ErrorContains(t, runtime.NewRouter().Register(route.Registrable()), "two cases")
}

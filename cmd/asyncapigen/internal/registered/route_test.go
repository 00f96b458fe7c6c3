package registered_test

import (
	"go/types"
	"reflect"
	"testing"
	"time"

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

// The handler that does nothing is of the kind of the program's: a router asks for that.
func TestRoute_IsRegistrableWithAHandlerOfItsKind(t *testing.T) {
	text, bytes := types.Typ[types.String], types.NewSlice(types.Typ[types.Byte])
	batch := &registered.Batch{Size: 7, Wait: time.Second}
	for name, c := range map[string]struct {
		route   registered.Route
		body    reflect.Type
		result  bool
		batched int
	}{
		"a type":           {route: registered.Route{Body: text}, body: reflect.TypeFor[struct{}]()},
		"bytes":            {route: registered.Route{Body: bytes}, body: reflect.TypeFor[[]byte]()},
		"a reply":          {route: registered.Route{Body: text, Result: text}, body: reflect.TypeFor[struct{}](), result: true},
		"batches":          {route: registered.Route{Body: text, Batch: batch}, body: reflect.TypeFor[struct{}](), batched: 7},
		"batches of bytes": {route: registered.Route{Body: bytes, Batch: batch}, body: reflect.TypeFor[[]byte](), batched: 7},
	} {
		t.Run(name, func(t *testing.T) {
			made := c.route.Registrable().Handler
			require.Equal(t, c.body, made.BodyType())
			require.Equal(t, c.result, made.ReplyType() != nil)
			require.Equal(t, c.result, c.route.Replies())
			require.Equal(t, c.batched, made.BatchSize())
		})
	}
}

func TestRoute_RepliesIfItsCasesDo(t *testing.T) {
	text := types.Typ[types.String]
	one := registered.Route{Cases: []registered.Case{{Name: "a", Body: text, Result: types.Typ[types.Int]}}}
	require.True(t, one.Replies())
	require.Equal(t, "string", one.BodyName())
	require.Equal(t, "int", one.ResultName())
	one.Cases[0].Result = nil
	require.False(t, one.Replies())
	require.False(t, registered.Route{}.Replies())
}

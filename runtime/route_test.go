package runtime_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

// Specification rule A12: the exchange's type is rendered as its string form,
// which is the name that AMQP has for it.
func TestExchangeType_IsNamedAsInAMQP(t *testing.T) {
	require.Equal(t, "direct", string(runtime.Direct))
	require.Equal(t, "fanout", string(runtime.Fanout))
	require.Equal(t, "topic", string(runtime.Topic))
	require.Equal(t, "headers", string(runtime.Headers))
}

func TestAddress_IsZero(t *testing.T) {
	require.True(t, runtime.Address{}.IsZero())
	require.False(t, runtime.Address{Exchange: "shop"}.IsZero())
	require.False(t, runtime.Address{RoutingKey: "key"}.IsZero())
}

func TestAddress_StringNamesWhereAMessageGoes(t *testing.T) {
	require.Equal(t, `queue "orders"`, runtime.Address{RoutingKey: "orders"}.String())
	require.Equal(t, `exchange "shop" with key "order.created"`, runtime.Address{Exchange: "shop", RoutingKey: "order.created"}.String())
}

func TestBindings(t *testing.T) {
	route := runtime.Route{
		Queue: runtime.Queue{Name: "orders"}, Exchange: &runtime.Exchange{Name: "shop"}, BindingArguments: map[string]any{"x-match": "any"},
	}
	binding := runtime.Binding{Exchange: "shop", Queue: "orders", Arguments: route.BindingArguments}
	t.Run("no keys are one binding with the empty key", func(t *testing.T) {
		require.Equal(t, []runtime.Binding{binding}, route.Bindings())
	})
	t.Run("each key is one binding", func(t *testing.T) {
		route, first, second := route, binding, binding
		route.RoutingKeys = []string{"b", "a"}
		first.RoutingKey, second.RoutingKey = "b", "a"
		require.Equal(t, []runtime.Binding{first, second}, route.Bindings())
	})
	t.Run("without an exchange there are none", func(t *testing.T) {
		require.Empty(t, runtime.Route{Queue: route.Queue}.Bindings())
	})
}

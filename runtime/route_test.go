package runtime_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

// Specification rule A12: the exchange's type is rendered as its string form,
// which is the name that AMQP has for it.
func TestExchangeTypesAreNamedAsInAMQP(t *testing.T) {
	require.Equal(t, "direct", string(runtime.Direct))
	require.Equal(t, "fanout", string(runtime.Fanout))
	require.Equal(t, "topic", string(runtime.Topic))
	require.Equal(t, "headers", string(runtime.Headers))
}

func TestAddressIsZero(t *testing.T) {
	require.True(t, runtime.Address{}.IsZero())
	require.False(t, runtime.Address{Exchange: "shop"}.IsZero())
	require.False(t, runtime.Address{RoutingKey: "key"}.IsZero())
}

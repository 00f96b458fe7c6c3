package client

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

func TestAddress_OfAMessageTellsItFromOthers(t *testing.T) {
	_, byHeader := runtime.DispatchByHeader("event").Cases()
	_, byKey := runtime.DispatchByKey().Cases()
	_, byType := runtime.Dispatch().Cases()

	require.Equal(t, address{key: "orders", headers: map[string]any{"event": "sold"}}, address{key: "orders"}.of("sold", byHeader))
	bound := address{headers: map[string]any{"x-region": "eu"}}
	require.Equal(t, map[string]any{"x-region": "eu", "event": "sold"}, bound.of("sold", byHeader).headers)
	require.Equal(t, map[string]any{"x-region": "eu"}, bound.headers, "the address stays as it is")

	require.Equal(t, address{key: "sold"}, address{keys: []string{"#"}}.of("sold", byKey))
	require.Equal(t, address{key: "orders", typ: "sold"}, address{key: "orders"}.of("sold", byType))
}

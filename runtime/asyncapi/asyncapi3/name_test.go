package asyncapi3_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/contract"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/asyncapi/asyncapi3"
)

func TestFromContract_GivesChannelsKeysThatToolsTake(t *testing.T) {
	for queue, want := range map[string]string{
		"orders.created-v1": "orders.created-v1", "09AZaz": "09AZaz", "": "_", "a b": "a_b", "ä/b": "__b", "/:@[`{": "______",
	} {
		text, err := asyncapi3.FromContract(&contract.Contract{Channels: []contract.Channel{
			{Operation: contract.Operation{Route: runtime.Route{Name: "r", Queue: runtime.Queue{Name: queue}}}},
		}}, nil).JSON(-1)
		require.NoError(t, err)
		var document struct{ Channels map[string]any }
		require.NoError(t, json.Unmarshal(text, &document))
		require.Equal(t, []string{want}, slices.Collect(maps.Keys(document.Channels)), "%q", queue)
	}
}

package asyncapi3_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/asyncapi"
	"github.com/warrenmq/warren/runtime/asyncapi/asyncapi3"
)

// A float64 would round it to an even number.
const large = 1<<53 + 1

func TestDocument_KeepsLargeNumbers(t *testing.T) {
	routes := []runtime.Route{{
		Name: "large", Queue: runtime.Queue{Name: "large", MaxLengthBytes: large}, Handler: consume[order](),
		Exchange: &runtime.Exchange{Name: "x", Type: runtime.Headers}, BindingArguments: map[string]any{"n": int64(large)},
	}}
	requireKept(t, new(asyncapi.Document))(asyncapi.GenerateJSON(routes, nil, -1, asyncapi.Extended))
	requireKept(t, new(asyncapi3.Document))(asyncapi3.GenerateJSON(routes, nil, -1))
}

// requireKept reads a document, and requires that it is written as it was.
func requireKept(t *testing.T, document interface {
	JSON(indent int) ([]byte, error)
},
) func([]byte, error) {
	return func(text []byte, err error) {
		t.Helper()
		require.NoError(t, err)
		require.Contains(t, string(text), "9007199254740993")
		require.NoError(t, json.Unmarshal(text, document))
		again, err := document.JSON(-1)
		require.NoError(t, err)
		require.Equal(t, string(text), string(again))
	}
}

package asyncapi_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/contract"
	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/asyncapi"
)

func TestSentFromContract_DescribesWhatIsKnown(t *testing.T) {
	text := func() *schema.Schema { return &schema.Schema{Type: schema.Types{"string"}} }
	sent := asyncapi.SentFromContract(&contract.Contract{Sends: []contract.Send{
		{ID: "sendBare", Payload: schema.Reflect(reflect.TypeFor[string]()), Schema: new(schema.Schema)},
		{
			ID: "sendCall", Endpoint: runtime.Endpoint{Route: "find", Type: "found", Headers: map[string]any{"x-kind": "order"}},
			Payload: schema.Reflect(reflect.TypeFor[string]()), Schema: text(),
			Result: schema.Reflect(reflect.TypeFor[string]()), ResultSchema: text(),
		},
		{ID: "sendOfRoute", Endpoint: runtime.Endpoint{Route: "route"}, Payload: schema.Reflect(reflect.TypeFor[string]()), Schema: text()},
	}})
	require.Len(t, sent, 3)

	bare := sent[0]
	require.Nil(t, bare.Reply)
	require.Equal(t, "sendBare", bare.Message.Name)
	require.Nil(t, bare.Message.Payload)
	require.Nil(t, bare.Message.Headers)
	require.Nil(t, bare.Message.Bindings)
	require.Nil(t, bare.Message.CorrelationID)

	call := sent[1]
	require.Equal(t, "found", call.Message.Name)
	require.Equal(t, text(), call.Message.Payload)
	require.Equal(t, []string{"x-kind"}, call.Message.Headers.Required)
	require.Equal(t, "found", call.Message.Bindings.AMQP.MessageType)
	require.NotNil(t, call.Message.CorrelationID)
	require.Equal(t, "found.response", call.Reply.Name)
	require.Equal(t, text(), call.Reply.Payload)
	require.NotNil(t, call.Reply.CorrelationID)

	require.Equal(t, "route", sent[2].Message.Name)
	require.Nil(t, sent[2].Reply)
}

package asyncapi3_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/contract"
	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/asyncapi"
	"github.com/warrenmq/warren/runtime/asyncapi/asyncapi3"
)

// committed is the document as made from source, with what is sent; running is that of
// the program.
func committed(t *testing.T, routes []runtime.Route) (committed, running string) {
	t.Helper()
	c, err := asyncapi.NewContract(routes, asyncapi.Extended)
	require.NoError(t, err)
	operations := make([]contract.Operation, len(c.Channels))
	for i, channel := range c.Channels {
		operations[i] = channel.Operation
		operations[i].Source = contract.Source{File: "shop.go", Line: 12}
	}
	full, problems := contract.New(operations, schema.Options{}, sends()...)
	require.False(t, problems.HasErrors(), problems)
	text, err := asyncapi3.FromContract(full, nil).JSON(2)
	require.NoError(t, err)
	own, err := asyncapi3.GenerateJSON(routes, nil, 2)
	require.NoError(t, err)
	require.NotEqual(t, string(own), string(text))
	return string(text), string(own)
}

func TestDrift_LeavesOutWhatIsSent(t *testing.T) {
	text, own := committed(t, everything(t))
	require.NoError(t, asyncapi.Drift([]byte(text), []byte(own)))
}

// The codec of a route can be one that only the program knows.
func TestDrift_TakesTheContentTypeOfTheProgramsCodec(t *testing.T) {
	text, own := committed(t, everything(t))
	unknown := strings.ReplaceAll(text, `"text/plain"`, `"application/octet-stream"`)
	require.NotEqual(t, text, unknown)
	require.NoError(t, asyncapi.Drift([]byte(unknown), []byte(own)))
	require.ErrorContains(t, asyncapi.Drift([]byte(strings.ReplaceAll(text, `"text/plain"`, `"text/csv"`)), []byte(own)), `contentType is "text/csv"`)
}

func TestDrift_FindsOtherDifferences(t *testing.T) {
	text, own := committed(t, everything(t))
	for name, c := range map[string]struct{ old, new, want string }{
		"payload":     {`"ID": {`, `"Id": {`, "#/components/schemas"},
		"queue":       {`"durable": true`, `"durable": false`, "durable is false, and in the program true"},
		"argument":    {`"x-queue-type": "quorum"`, `"x-queue-type": "classic"`, `#/channels/orders.created/bindings/amqp/queue/x-arguments/x-queue-type is "classic"`},
		"exchange":    {`"type": "topic"`, `"type": "direct"`, `#/channels/exchange.events.order._/bindings/amqp/exchange/type`},
		"failure":     {`"attempts": 3`, `"attempts": 4`, "#/operations/"},
		"description": {"Takes an order. Works", "Takes orders. Works", "#/channels/orders.created/description"},
		"a route":     {`"batch": {` + "\n" + `      "action": "receive"`, `"batch": {` + "\n" + `      "action": "send"`, "batch"},
	} {
		changed := strings.ReplaceAll(text, c.old, c.new)
		require.NotEqual(t, text, changed, name)
		var drift *asyncapi.DriftError
		require.ErrorAs(t, asyncapi.Drift([]byte(changed), []byte(own)), &drift, name)
		require.Contains(t, strings.Join(drift.Differences, "\n"), c.want, name)
	}
}

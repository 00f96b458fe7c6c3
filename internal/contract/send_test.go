package contract_test

import (
	"go/token"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/contract"
	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/runtime"
)

// textCodec is a codec that isn't asked for anything.
type textCodec struct{ runtime.Codec }

// Each send has an id of its own, after where it goes, and its schemas.
func TestNew_DescribesWhatIsSent(t *testing.T) {
	text, number := schema.Reflect(reflect.TypeFor[string]()), schema.Reflect(reflect.TypeFor[int]())
	keys := make([]string, 1, 2)
	keys[0] = "a"
	sends := []contract.Send{
		{Endpoint: runtime.Endpoint{Route: "bills"}, Payload: text},
		{Endpoint: runtime.Endpoint{Route: "bills"}, Payload: number, Result: text},
		{Endpoint: runtime.Endpoint{To: runtime.Address{Exchange: "x", RoutingKey: "k"}}, Payload: number},
		{Endpoint: runtime.Endpoint{To: runtime.Address{Exchange: "x"}, Keys: keys, Patterns: []string{"b.*"}}, Payload: number},
		{Endpoint: runtime.Endpoint{To: runtime.Address{RoutingKey: "q"}, Codec: textCodec{}}, Payload: text, Result: text},
	}
	c, problems := contract.New([]contract.Operation{on("bills.send", "q")}, schema.Options{}, sends...)
	require.Empty(t, problems)
	var ids []string
	for _, s := range c.Sends {
		ids = append(ids, s.ID)
	}
	require.Equal(t, []string{"bills.send.2", "bills.send.3", "x.k.send", "x.a.b.*.send", "q.send"}, ids)
	require.Empty(t, keys[:2][1], "the keys are the caller's")
	require.Empty(t, sends[0].ID)
	for i, types := range []schema.Types{{"string"}, {"integer"}, {"integer"}, {"integer"}} {
		require.Equal(t, types, c.Sends[i].Schema.Type)
	}
	require.Equal(t, schema.Types{"string"}, c.Sends[1].ResultSchema.Type)
	require.Nil(t, c.Sends[0].ResultSchema)
	require.True(t, c.Sends[4].Schema.IsEmpty(), "a codec's bodies aren't JSON")
	require.True(t, c.Sends[4].ResultSchema.IsEmpty())
}

func TestNew_TellsWhichSendAProblemIsOf(t *testing.T) {
	send := contract.Send{
		Endpoint: runtime.Endpoint{Route: "bills"}, Payload: schema.Reflect(reflect.TypeFor[chan int]()),
		Pos: token.Position{Filename: "shop.go", Line: 3},
	}
	c, problems := contract.New([]contract.Operation{on("orders", "orders")}, schema.Options{}, send)
	require.Nil(t, c)
	require.Len(t, problems, 1)
	require.Equal(t, diagnostic.NoJSON, problems[0].Code)
	require.Equal(t, "bills.send", problems[0].Route)
	require.Equal(t, "shop.go:3", problems[0].Pos.String())
}

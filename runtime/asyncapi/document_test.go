package asyncapi_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/specschema"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/asyncapi"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing")

type (
	Shipment struct {
		Order   Order             `json:"order"`
		Parcels []*Parcel         `json:"parcels"`
		Sent    time.Time         `json:"sent"`
		Labels  map[string]string `json:"labels,omitempty"`
		Return  *Shipment         `json:"return"`
	}
	Parcel struct {
		Weight uint16 `json:"weight"`
		Seal   []byte `json:"seal"`
	}
)

// shop has every part that a document can have.
func shop() []runtime.Route {
	return []runtime.Route{
		{
			Description: "Reserves stock for a new order.",
			Tags:        []string{"stock", "orders"},
			Queue:       runtime.Queue{Name: "orders.created", Durable: true},
			Exchange:    &runtime.Exchange{Name: "shop", Type: runtime.Topic, Durable: true},
			RoutingKeys: []string{"order.created"},
			Handler:     runtime.Consume(onOrder),
		},
		{
			Name:    "order.quote",
			Queue:   runtime.Queue{Name: "orders.quote", Exclusive: true},
			Handler: runtime.Respond(onQuote),
			Reply:   &runtime.Address{},
		},
		{
			Name:    "shipped",
			Queue:   runtime.Queue{Name: "orders.shipped"},
			Handler: handle[Shipment](),
		},
		{
			Name:    "audit",
			Queue:   runtime.Queue{Name: "audit"},
			Handler: runtime.Consume(onBytes),
		},
	}
}

func TestGenerate_Goldens(t *testing.T) {
	for name, c := range map[string]struct {
		routes []runtime.Route
		cfg    *asyncapi.Config
	}{
		"empty.json": {nil, nil},
		"shop.json":  {shop(), &asyncapi.Config{Title: "Shop", Version: "2.1.0", Description: "Takes <orders> & ships."}},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := asyncapi.GenerateJSON(c.routes, c.cfg, 2)
			require.NoError(t, err)
			require.NoError(t, specschema.Validate(text))
			golden := filepath.Join("testdata", name)
			if *update {
				require.NoError(t, os.WriteFile(golden, append(text, '\n'), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), string(text)+"\n", "run with -update to accept")
		})
	}
}

func TestDocument_IsReadBack(t *testing.T) {
	document, err := asyncapi.Generate(shop(), nil)
	require.NoError(t, err)
	text, err := document.JSON(-1)
	require.NoError(t, err)
	var read asyncapi.Document
	require.NoError(t, json.Unmarshal(text, &read))
	require.Equal(t, *document, read)

	again, err := read.JSON(-1)
	require.NoError(t, err)
	require.Equal(t, string(text), string(again))
	require.Equal(t, "audit", read.Channels.Get("audit").Subscribe.OperationID)
	require.Nil(t, read.Channels.Get("none"))
}

func TestChannels_RefuseOtherJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"channels":[]}`:         "read AsyncAPI channels: want a JSON object",
		`{"channels":{"a":true}}`: `read AsyncAPI channels: channel "a"`,
	} {
		require.ErrorContains(t, json.Unmarshal([]byte(text), new(asyncapi.Document)), want)
	}
}

func TestDocument_ZeroHasChannels(t *testing.T) {
	text, err := new(asyncapi.Document).JSON(-1)
	require.NoError(t, err)
	require.Contains(t, string(text), `"channels":{}`)
}

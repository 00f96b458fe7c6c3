package asyncapi_test

import (
	"context"
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

// extendedShop has what only extended documents show, beside all of shop.
func extendedShop(t *testing.T) []runtime.Route {
	router := runtime.NewRouter()
	require.NoError(t, router.OnFailure(runtime.FailurePolicy{Attempts: 3}))
	shop := shop()
	require.NoError(t, router.Register(append(shop[:len(shop):len(shop)],
		runtime.Route{
			Name:        "order.paid",
			Description: "Ships what was paid. Ships nothing twice.",
			Queue: runtime.Queue{
				Name: "orders.paid", Durable: true, Type: runtime.Classic, MessageTTL: time.Hour, MaxPriority: 9, MaxLength: 100_000,
				DeadLetter: &runtime.Address{Exchange: "unpaid"},
			},
			Exchange:         &runtime.Exchange{Name: "payments", Type: runtime.Headers, Durable: true, Arguments: map[string]any{"alternate-exchange": "other"}},
			BindingArguments: map[string]any{"x-match": "all", "method": "card", "version": int64(2)},
			Handler:          runtime.Consume(onOrder),
			Prefetch:         20, Concurrency: 4, Timeout: 30 * time.Second, ConsumerPriority: 5,
			Order: runtime.PerKey(func(d *runtime.Delivery) string { return d.RoutingKey }),
		},
		runtime.Route{
			Name:        "order.events",
			Queue:       runtime.Queue{Name: "orders.events", PerInstance: true},
			Exchange:    &runtime.Exchange{Name: "events", Type: runtime.Topic},
			RoutingKeys: []string{"order.*"},
			Sources:     []runtime.Source{{Exchange: runtime.Exchange{Name: "legacy", Type: runtime.Fanout, AutoDelete: true}}},
			Handler: runtime.DispatchByHeader("event",
				runtime.On("shipped", handle[Shipment]()),
				runtime.On("ordered", runtime.Consume(onOrder)),
			),
		},
		runtime.Route{
			Name:    "order.price",
			Queue:   runtime.Queue{Name: "orders.price"},
			Handler: runtime.Dispatch(runtime.On("order", runtime.Respond(onQuote)), runtime.On("parcel", runtime.Respond(onParcel))),
			Reply:   &runtime.Address{Exchange: "shop", RoutingKey: "prices"},
		},
	)...))
	return router.Routes()
}

// beside has a queue, an exchange and bindings that no route has.
func beside(t *testing.T) runtime.Topology {
	router := runtime.NewRouter()
	bindings := []runtime.Binding{{Exchange: "everything", Queue: "audit"}}
	require.NoError(t, router.Declare(runtime.Topology{
		Queues:           []runtime.Queue{{Name: "mails", AutoDelete: true}, {Name: "audit", Durable: true, Type: runtime.Stream}},
		Exchanges:        []runtime.Exchange{{Name: "everything", Type: runtime.Fanout, Durable: true, Arguments: map[string]any{"alternate-exchange": "other"}}},
		Bindings:         append(bindings, bindings...),
		ExchangeBindings: []runtime.ExchangeBinding{{Source: "shop", Destination: "everything", RoutingKey: "order.#", Arguments: map[string]any{"a": int64(1)}}},
	}))
	return router.Topology()
}

func onParcel(context.Context, Parcel) (int, error) { return 0, nil }

func TestExtended_HasTheHeadersByWhichAnExchangeRoutes(t *testing.T) {
	delayed := map[string]any{"x-delayed-type": "headers"}
	for name, c := range map[string]struct {
		exchange runtime.Exchange
		match    string
		want     string
	}{
		"all":            {runtime.Exchange{Type: runtime.Headers}, "all", `{"type":"object","properties":{"kind":{"enum":["a"]}},"required":["kind"]}`},
		"all that are":   {runtime.Exchange{Type: runtime.Headers}, "all-with-x", `{"type":"object","properties":{"kind":{"enum":["a"]},"x-kind":{"enum":["b"]}},"required":["kind","x-kind"]}`},
		"any":            {runtime.Exchange{Type: runtime.Headers}, "any", `{"type":"object","properties":{"kind":{"examples":["a"]}}}`},
		"delayed":        {runtime.Exchange{Type: "x-delayed-message", Arguments: delayed}, "all", `{"type":"object","properties":{"kind":{"enum":["a"]}},"required":["kind"]}`},
		"of another one": {runtime.Exchange{Type: runtime.Fanout, Arguments: delayed}, "all", "null"},
	} {
		c.exchange.Name = "x"
		document, err := asyncapi.Generate([]runtime.Route{{
			Name: "r", Queue: runtime.Queue{Name: "r"}, Exchange: &c.exchange, Handler: runtime.Consume(onOrder),
			BindingArguments: map[string]any{"x-match": c.match, "kind": "a", "x-kind": "b"},
		}}, nil, asyncapi.Extended)
		require.NoError(t, err)
		headers, err := json.Marshal(document.Channels[0].Subscribe.Message.Headers)
		require.NoError(t, err)
		require.Equal(t, c.want, string(headers), name)
	}
}

// A header whose value isn't known is required all the same, where it surely is there. Where
// not all names are known, or if one of the headers is enough, the document says so.
func TestExtended_SaysWhatIsNotKnownOfTheHeaders(t *testing.T) {
	headers := &runtime.Exchange{Name: "x", Type: runtime.Headers}
	delayed := &runtime.Exchange{Name: "x", Type: "x-delayed-message"}
	kind := map[string]any{"kind": "a"}
	for name, c := range map[string]struct {
		exchange  *runtime.Exchange
		arguments map[string]any
		unknown   []string
		want      string
		isUnknown bool // x-unknown-headers
	}{
		"a value":                       {headers, kind, []string{`BindingArguments "tenant"`}, `{"type":"object","properties":{"kind":{"enum":["a"]},"tenant":{}},"required":["kind","tenant"]}`, false},
		"a value that isn't compared":   {headers, kind, []string{`BindingArguments "x-tenant"`}, `{"type":"object","properties":{"kind":{"enum":["a"]}},"required":["kind"]}`, false},
		"a value of any":                {headers, map[string]any{"x-match": "any"}, []string{`BindingArguments "tenant"`}, `{"type":"object","properties":{"tenant":{}}}`, false},
		"a name":                        {headers, kind, []string{`BindingArguments "tenant" (may be absent)`}, `{"type":"object","properties":{"kind":{"enum":["a"]}},"required":["kind"]}`, true},
		"names":                         {headers, map[string]any{"x-match": "all", "kind": "a"}, []string{"BindingArguments"}, `{"type":"object","properties":{"kind":{"enum":["a"]}},"required":["kind"]}`, true},
		"all names":                     {headers, nil, []string{"BindingArguments"}, `null`, true},
		"if any is enough":              {headers, kind, []string{`BindingArguments "x-match"`}, `{"type":"object","properties":{"kind":{"examples":["a"]}}}`, true},
		"other arguments":               {headers, kind, []string{"Queue.Arguments", "Exchange.Arguments", "Sources[0].Arguments"}, `{"type":"object","properties":{"kind":{"enum":["a"]}},"required":["kind"]}`, false},
		"a match that is no text":       {headers, map[string]any{"x-match": 1, "kind": "a"}, nil, `{"type":"object","properties":{"kind":{"examples":["a"]}}}`, false},
		"how a delayed one routes":      {delayed, kind, []string{`Exchange.Arguments "x-delayed-type"`}, `null`, true},
		"a delayed one without headers": {delayed, nil, []string{`Exchange.Arguments`}, `null`, false},
		"a delayed one with a header":   {delayed, nil, []string{`Exchange.Arguments`, `BindingArguments "kind"`}, `null`, true},
		"another exchange":              {&runtime.Exchange{Name: "x", Type: runtime.Topic}, kind, []string{"BindingArguments", "Exchange.Arguments"}, `null`, false},
		"no exchange":                   {nil, nil, []string{"BindingArguments"}, `null`, false},
	} {
		t.Run(name, func(t *testing.T) {
			made, err := asyncapi.NewContract([]runtime.Route{{
				Name: "r", Queue: runtime.Queue{Name: "r"}, Exchange: c.exchange, Handler: runtime.Consume(onOrder), BindingArguments: c.arguments,
			}}, asyncapi.Extended)
			require.NoError(t, err)
			made.Channels[0].UnknownArguments = c.unknown
			message := asyncapi.ExtendedFromContract(made, nil).Channels[0].Subscribe.Message
			text, err := json.Marshal(message.Headers)
			require.NoError(t, err)
			require.Equal(t, c.want, string(text))
			require.Equal(t, c.isUnknown, message.UnknownHeaders)
		})
	}
}

// An example has no headers where a value would be made up.
func TestExtended_GivesNoExampleOfHeadersThatAreNotKnown(t *testing.T) {
	for _, c := range []struct {
		unknown []string
		want    string
	}{
		{nil, `{"kind":"a"}`},
		{[]string{"Queue.Arguments"}, `{"kind":"a"}`},
		{[]string{`BindingArguments "tenant"`}, ""},
		{[]string{`BindingArguments "tenant" (may be absent)`}, ""},
	} {
		made, err := asyncapi.NewContract([]runtime.Route{{
			Name: "r", Queue: runtime.Queue{Name: "r"}, Exchange: &runtime.Exchange{Name: "x", Type: runtime.Headers},
			BindingArguments: map[string]any{"kind": "a"}, Handler: runtime.Consume(onOrder),
		}}, asyncapi.Extended)
		require.NoError(t, err)
		made.Channels[0].UnknownArguments = c.unknown
		examples := asyncapi.ExtendedFromContract(made, nil).Channels[0].Subscribe.Message.Examples
		require.NotEmpty(t, examples)
		require.Equal(t, c.want, string(examples[0].Headers), c.unknown)
	}
}

func TestGenerate_Goldens(t *testing.T) {
	cfg := &asyncapi.Config{
		Title: "Shop", Version: "2.1.0", Description: "Takes <orders> & ships.", ServerURL: "amqps://shop:secret@mq.example.com:5671/shop",
		ID:           "urn:example:shop",
		Contact:      &asyncapi.Contact{Name: "Shop team", URL: "https://example.com/shop", Email: "shop@example.com"},
		License:      &asyncapi.License{Name: "MIT", URL: "https://opensource.org/license/mit"},
		ExternalDocs: &asyncapi.ExternalDocs{Description: "The handbook.", URL: "https://example.com/handbook"},
		Tags:         []asyncapi.Tag{{Name: "orders", Description: "What customers order."}},
		Security:     []asyncapi.SecurityScheme{{Type: asyncapi.Plain}, {Type: asyncapi.X509, Description: "A certificate of the shop's own authority."}},
	}
	for name, c := range map[string]struct {
		routes []runtime.Route
		cfg    *asyncapi.Config
		form   asyncapi.Form

		declared runtime.Topology
	}{
		"empty.json":          {nil, nil, asyncapi.Exact, runtime.Topology{}},
		"empty_extended.json": {nil, nil, asyncapi.Extended, runtime.Topology{}},
		"shop.json":           {shop(), cfg, asyncapi.Exact, beside(t)},
		"shop_extended.json":  {extendedShop(t), cfg, asyncapi.Extended, beside(t)},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := asyncapi.GenerateJSON(c.routes, c.cfg, 2, c.form, asyncapi.WithTopology(c.declared))
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

func TestExtended_ListsTheTagsOfAllRoutesOnceInOrder(t *testing.T) {
	tagged := func(name string, tags ...string) runtime.Route {
		return route(func(r *runtime.Route) { r.Name, r.Queue.Name, r.Tags = name, name, tags })
	}
	routes := []runtime.Route{tagged("first", "stock", "orders"), tagged("second", "billing", "stock")}
	document, err := asyncapi.Generate(routes, &asyncapi.Config{Tags: []asyncapi.Tag{{Name: "parcels"}}}, asyncapi.Extended)
	require.NoError(t, err)
	require.Equal(t, []asyncapi.Tag{{Name: "billing"}, {Name: "orders"}, {Name: "parcels"}, {Name: "stock"}}, document.Tags)
}

func TestExtended_DescribesTheOneTypeOfAllRepliesOnce(t *testing.T) {
	answering := func(cases ...runtime.Case) *asyncapi.Message {
		document, err := asyncapi.Generate([]runtime.Route{{
			Name: "r", Queue: runtime.Queue{Name: "q"}, Reply: &runtime.Address{}, Handler: runtime.Dispatch(cases...),
		}}, nil, asyncapi.Extended)
		require.NoError(t, err)
		return &document.Channels[0].Publish.Message
	}
	quote, other := runtime.On("quote", runtime.Respond(onQuote)), runtime.On("again", runtime.Respond(onQuote))
	one := answering(quote, other)
	require.Empty(t, one.OneOf)
	require.Equal(t, "#/components/schemas/Quote", one.Payload.Ref)

	several := answering(quote, runtime.On("ship", runtime.Respond(onParcel)))
	require.Nil(t, several.Payload)
	require.Len(t, several.OneOf, 2)
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

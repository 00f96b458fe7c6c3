package asyncapi3_test

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/contract"
	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/internal/specschema"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/asyncapi"
	"github.com/warrenmq/warren/runtime/asyncapi/asyncapi3"
)

var update = flag.Bool("update", false, "rewrite the goldens")

type (
	order    struct{ ID string }
	shipment struct{ Parcels []string }
	price    struct{ Cents int }
)

// text is a codec, whose bodies aren't JSON.
type text struct{}

func (text) ContentTypes() []string      { return []string{"text/plain"} }
func (text) Takes(reflect.Type) error    { return nil }
func (text) Marshal(any) ([]byte, error) { return nil, nil }
func (text) Unmarshal([]byte, any) error { return nil }
func consume[T any]() runtime.Handler {
	return runtime.Consume(func(context.Context, T) error { return nil })
}

func respond[T, R any]() runtime.Handler {
	return runtime.Respond(func(context.Context, T) (R, error) { var none R; return none, nil })
}

// everything has a route of each kind.
func everything(t *testing.T) []runtime.Route {
	t.Helper()
	router := runtime.NewRouter()
	require.NoError(t, router.OnFailure(runtime.FailurePolicy{Attempts: 3}))
	require.NoError(t, router.Register(
		runtime.Route{
			Name: "order.created", Description: "Takes an order. Works out its price.", Tags: []string{"orders", "new"},
			Queue:    runtime.Queue{Name: "orders.created", Durable: true, Type: runtime.Quorum},
			Exchange: &runtime.Exchange{Name: "shop", Type: runtime.Topic, Durable: true}, RoutingKeys: []string{"order.created", "order.*.created"},
			Sources: []runtime.Source{{Exchange: runtime.Exchange{Name: "legacy", Type: runtime.Fanout, AutoDelete: true}, Arguments: map[string]any{"weight": int64(1)}}},
			Handler: consume[order](),
		},
		runtime.Route{
			Name: "price.find", Queue: runtime.Queue{Name: "prices", DeadLetter: &runtime.Address{Exchange: "unpaid"}},
			Handler: respond[order, price](), Timeout: time.Second, Prefetch: 10,
		},
		runtime.Route{
			Name: "price.tell", Queue: runtime.Queue{Name: "price tell/#", PerInstance: true}, Handler: respond[order, price](),
			Exchange: &runtime.Exchange{Name: "tell", Type: runtime.Fanout},
			Reply:    &runtime.Address{Exchange: "shop", RoutingKey: "price.told"},
		},
		runtime.Route{Name: "by type", Queue: runtime.Queue{Name: "by.type"}, Handler: runtime.Dispatch(
			runtime.On("order", respond[order, price]()), runtime.On("shipment", respond[shipment, order]()))},
		runtime.Route{Name: "by.header", Queue: runtime.Queue{Name: "by.header"}, Handler: runtime.DispatchByHeader("event",
			runtime.On("order", consume[order]()), runtime.On("shipment", consume[shipment]()))},
		runtime.Route{
			Name: "by.key", Queue: runtime.Queue{Name: "by.key"}, Exchange: &runtime.Exchange{Name: "events", Type: runtime.Topic},
			RoutingKeys: []string{"order.#", "shipment.sent"},
			Handler:     runtime.DispatchByKey(runtime.On("order.made", consume[order]()), runtime.On("shipment.sent", consume[shipment]())),
		},
		runtime.Route{
			Name: "batch", Queue: runtime.Queue{Name: "orders.batch"}, Exchange: &runtime.Exchange{Name: "spread", Type: "x-consistent-hash"}, RoutingKeys: []string{"10"},
			Handler: runtime.ConsumeBatch(func(context.Context, []order) error { return nil }, 10, time.Second),
		},
		runtime.Route{
			Name: "paid", Queue: runtime.Queue{Name: "paid", MaxPriority: 9}, Exchange: &runtime.Exchange{Name: "payments", Type: runtime.Headers},
			BindingArguments: map[string]any{"x-match": "all", "method": "card"}, Handler: consume[[]byte](),
		},
		runtime.Route{Name: "text", Queue: runtime.Queue{Name: "text"}, Codec: text{}, Handler: consume[order](), Failure: &runtime.FailurePolicy{Endless: true}},
	))
	return router.Routes()
}

// sends are of each kind: to own queues and exchanges, to those of others, with keys to
// choose from, with replies, twice of one name.
func sends() []contract.Send {
	of := func(v any) schema.Type { return schema.Reflect(reflect.TypeOf(v)) }
	return []contract.Send{
		{Endpoint: runtime.Endpoint{Route: "order.created", To: runtime.Address{Exchange: "shop", RoutingKey: "order.created"}}, Payload: of(order{}), Source: contract.Source{File: "shop.go", Line: 7}},
		{Endpoint: runtime.Endpoint{Route: "price.find", To: runtime.Address{RoutingKey: "prices"}}, Payload: of(order{}), Result: of(price{})},
		{Endpoint: runtime.Endpoint{Route: "mail", To: runtime.Address{RoutingKey: "mails"}, Type: "mail", Headers: map[string]any{"kind": "letter"}}, Payload: of(shipment{})},
		{Endpoint: runtime.Endpoint{Route: "mail", To: runtime.Address{RoutingKey: "mails"}, Type: "fax"}, Payload: of([]byte{})},
		{Endpoint: runtime.Endpoint{To: runtime.Address{Exchange: "audit"}, Patterns: []string{"order.*"}}, Payload: of(order{})},
		{Endpoint: runtime.Endpoint{To: runtime.Address{Exchange: "audit"}, Keys: []string{"a", "b"}}, Payload: of(order{}), Result: of(price{})},
		{Endpoint: runtime.Endpoint{Route: "coded", To: runtime.Address{RoutingKey: "coded"}, Codec: text{}}, Payload: of(order{})},
	}
}

func TestFromContract_Goldens(t *testing.T) {
	cfg := &asyncapi.Config{
		Title: "Shop", Version: "2.1.0", Description: "Takes <orders> & ships.", ServerURL: "amqps://mq.example.com:5671/shop", ID: "urn:example:shop",
		Contact:      &asyncapi.Contact{Name: "Shop team", URL: "https://example.com/shop", Email: "shop@example.com"},
		License:      &asyncapi.License{Name: "MIT"},
		ExternalDocs: &asyncapi.ExternalDocs{URL: "https://example.com/handbook"},
		Security:     []asyncapi.SecurityScheme{{Type: asyncapi.Plain}, {Type: asyncapi.X509}},
	}
	c, err := asyncapi.NewContract(everything(t), asyncapi.Extended)
	require.NoError(t, err)
	operations := make([]contract.Operation, len(c.Channels))
	for i, channel := range c.Channels {
		operations[i] = channel.Operation
	}
	full, problems := contract.New(operations, schema.Options{}, sends()...)
	require.False(t, problems.HasErrors(), problems)
	full.Declared = runtime.Topology{
		Queues:           []runtime.Queue{{Name: "mails", Durable: true}}, // to which it sends
		Exchanges:        []runtime.Exchange{{Name: "audit", Type: runtime.Topic, Durable: true}},
		Bindings:         []runtime.Binding{{Exchange: "audit", Queue: "mails", RoutingKey: "#"}},
		ExchangeBindings: []runtime.ExchangeBinding{{Source: "shop", Destination: "audit", RoutingKey: "#"}},
	}
	for name, c := range map[string]struct {
		contract *contract.Contract
		cfg      *asyncapi.Config
	}{"empty.json": {&contract.Contract{}, nil}, "shop.json": {full, cfg}} {
		t.Run(name, func(t *testing.T) {
			got, err := asyncapi3.FromContract(c.contract, c.cfg).JSON(2)
			require.NoError(t, err)
			require.NoError(t, specschema.Validate(got))
			golden := filepath.Join("testdata", name)
			if *update {
				require.NoError(t, os.WriteFile(golden, append(got, '\n'), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), string(got)+"\n")

			var read asyncapi3.Document
			require.NoError(t, json.Unmarshal(got, &read))
			again, err := read.JSON(2)
			require.NoError(t, err)
			require.Equal(t, string(got), string(again))
		})
	}
}

func TestGenerate_IsThatOfTheContract(t *testing.T) {
	c, err := asyncapi.NewContract(everything(t), asyncapi.Extended)
	require.NoError(t, err)
	want, err := asyncapi3.FromContract(c, nil).JSON(-1)
	require.NoError(t, err)
	got, err := asyncapi3.GenerateJSON(everything(t), nil, -1)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}

func TestGenerate_FailsAsAsyncAPIGenerate(t *testing.T) {
	routes := []runtime.Route{{Name: "r", Queue: runtime.Queue{Name: "q"}}}
	_, want := asyncapi.Generate(routes, nil)
	_, got := asyncapi3.Generate(routes, nil)
	require.Error(t, want)
	require.Equal(t, want, got)
	text, got := asyncapi3.GenerateJSON(routes, nil, 2)
	require.Equal(t, want, got)
	require.Nil(t, text)
}

// The channels of a document can be told from one another, whatever queues and
// exchanges are called.
func TestGenerate_NamesAreUnique(t *testing.T) {
	var routes []runtime.Route
	for _, queue := range []string{"a b", "a_b", "a/b", "exchange.x.k", "é", "ü"} {
		routes = append(routes, runtime.Route{
			Name: queue, Queue: runtime.Queue{Name: queue}, Handler: consume[order](),
			Exchange: &runtime.Exchange{Name: "x", Type: runtime.Direct}, RoutingKeys: []string{"k"},
		})
	}
	document, err := asyncapi3.Generate(routes, nil)
	require.NoError(t, err)
	text, err := document.JSON(2)
	require.NoError(t, err)
	require.NoError(t, specschema.Validate(text))
	keys := make(map[string]string)
	for _, channel := range document.Channels {
		require.Empty(t, keys[channel.Name])
		keys[channel.Name] = *channel.Value.Address
	}
	require.Equal(t, map[string]string{
		"a_b": "a b", "a_b.2": "a_b", "a_b.3": "a/b", "exchange.x.k": "exchange.x.k", "_": "é", "_.2": "ü", "exchange.x.k.2": "k",
	}, keys)
	require.Len(t, document.Operations, len(routes))
	require.Len(t, document.Components.Messages, len(routes))
	require.Len(t, document.Channels.Get("exchange.x.k.2").Messages, len(routes))
}

// The keys of channels are plain in AsyncAPI 3, and their addresses the names as they
// are, whatever is encoded in documents of 2.6.0.
func TestFromContract_EncodesNoAddress(t *testing.T) {
	routes := []runtime.Route{{Name: "orders", Queue: runtime.Queue{Name: "new orders"}, Handler: consume[order]()}}
	plain, err := asyncapi3.GenerateJSON(routes, nil, 2)
	require.NoError(t, err)
	encoded, err := asyncapi3.GenerateJSON(routes, &asyncapi.Config{EncodeChannels: true}, 2)
	require.NoError(t, err)
	require.Equal(t, string(plain), string(encoded))
	require.Contains(t, string(plain), `"$ref": "#/channels/new_orders"`)
}

// What isn't known of an exchange is said at the exchange, by each of its channels, and not at
// the queues that are bound to it.
func TestFromContract_SaysWhereArgumentsAreNotKnown(t *testing.T) {
	c, err := asyncapi.NewContract([]runtime.Route{
		{
			Name: "a", Queue: runtime.Queue{Name: "a"}, Exchange: &runtime.Exchange{Name: "x", Type: runtime.Topic}, RoutingKeys: []string{"1", "2"},
			Sources: []runtime.Source{{Exchange: runtime.Exchange{Name: "y", Type: runtime.Fanout}}, {Exchange: runtime.Exchange{Name: "h", Type: runtime.Headers}}},
			Handler: consume[order](),
		},
		{Name: "b", Queue: runtime.Queue{Name: "b"}, Exchange: &runtime.Exchange{Name: "y", Type: runtime.Fanout}, Handler: consume[order]()},
	}, asyncapi.Extended)
	require.NoError(t, err)
	c.Channels[0].UnknownArguments = []string{
		`Queue.Arguments "x-max-length"`, "Exchange.Arguments", "BindingArguments", `Sources[0].Exchange.Arguments "alternate-exchange"`,
		`Sources[1].Arguments "kind"`, "the order",
	}
	c.Channels[1].UnknownArguments = []string{`Exchange.Arguments "alternate-exchange"`, `Exchange.Arguments "x-own"`}
	document := asyncapi3.FromContract(c, nil)
	for channel, want := range map[string][]string{
		"a":            {`Queue.Arguments "x-max-length"`, "BindingArguments", `Sources[1].Arguments "kind"`, "the order"},
		"b":            {},
		"exchange.x.1": {"Exchange.Arguments"},
		"exchange.x.2": {"Exchange.Arguments"},
		"exchange.y":   {`Exchange.Arguments "alternate-exchange"`, `Exchange.Arguments "x-own"`},
		"exchange.h":   nil,
	} {
		require.ElementsMatch(t, want, document.Channels.Get(channel).Bindings.AMQP.UnknownArguments, channel)
	}
}

// A message says, too, that not all headers are known by which it is routed.
func TestFromContract_SaysThatHeadersAreNotKnown(t *testing.T) {
	c, err := asyncapi.NewContract([]runtime.Route{{
		Name: "a", Queue: runtime.Queue{Name: "a"}, Exchange: &runtime.Exchange{Name: "x", Type: runtime.Headers}, Handler: consume[order](),
	}}, asyncapi.Extended)
	require.NoError(t, err)
	c.Channels[0].UnknownArguments = []string{"BindingArguments"}
	require.True(t, asyncapi3.FromContract(c, nil).Components.Messages.Get("a").UnknownHeaders)
}

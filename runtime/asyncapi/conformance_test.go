package asyncapi_test

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/asyncapi"
)

type Order struct {
	ID   string `json:"id"`
	Note string `json:"note,omitempty"`
}

type Quote struct{ Price float64 }

func onOrder(context.Context, Order) error               { return nil }
func onAnything(context.Context, any) error              { return nil }
func onBytes(context.Context, []byte) error              { return nil }
func onQuote(context.Context, Order) (Quote, error)      { return Quote{}, nil }
func onPointer(context.Context, *Order) error            { return nil }
func onAnonymous(context.Context, struct{ A int }) error { return nil }

// route is the smallest that has a document.
func route(changes ...func(*runtime.Route)) runtime.Route {
	r := runtime.Route{
		Name:    "order.created",
		Queue:   runtime.Queue{Name: "orders.created"},
		Handler: runtime.Consume(onOrder),
	}
	for _, change := range changes {
		change(&r)
	}
	return r
}

// at returns the value at the path of the document of the route, as a tool that
// reads the JSON text sees it; nil where there is nothing. The path's parts are
// separated by spaces, because queue names have dots.
func at(t *testing.T, path string, changes ...func(*runtime.Route)) any {
	t.Helper()
	return configured(t, path, nil, route(changes...))
}

func configured(t *testing.T, path string, cfg *asyncapi.Config, routes ...runtime.Route) any {
	t.Helper()
	text, err := asyncapi.GenerateJSON(routes, cfg, 2)
	require.NoError(t, err)
	var value any
	require.NoError(t, json.Unmarshal(text, &value))
	for part := range strings.FieldsSeq(path) {
		object, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = object[part]
	}
	return value
}

const channel = "channels orders.created "

type object = map[string]any

func TestA1_TitleDefault(t *testing.T) {
	require.Equal(t, "warren Service", configured(t, "info title", nil))
	require.Equal(t, "warren Service", configured(t, "info title", &asyncapi.Config{Version: "2"}))
}

func TestA2_VersionDefault(t *testing.T) {
	require.Equal(t, "1.0.0", configured(t, "info version", nil))
	require.Equal(t, "1.0.0", configured(t, "info version", &asyncapi.Config{Title: "Shop"}))
}

func TestA3_DescriptionDefaultIsEmpty(t *testing.T) {
	require.NotContains(t, configured(t, "info", nil), "description")
}

func TestA4_ServerURLDefault(t *testing.T) {
	require.Equal(t, "localhost:5672", configured(t, "servers broker url", nil))
}

func TestA5_ServerDescriptionDefault(t *testing.T) {
	require.Equal(t, "RabbitMQ", configured(t, "servers broker description", nil))
}

func TestA6_NameIsOperationIDAndMessageName(t *testing.T) {
	named := func(r *runtime.Route) { r.Name = "other" }
	require.Equal(t, "other", at(t, channel+"subscribe operationId", named))
	require.Equal(t, "other", at(t, channel+"subscribe message name", named))
	unnamed := func(r *runtime.Route) { r.Name = "" }
	require.Equal(t, "onOrder", at(t, channel+"subscribe operationId", unnamed), "the handler's name")
}

func TestA7_QueueNameIsChannelAndBinding(t *testing.T) {
	renamed := func(r *runtime.Route) { r.Queue.Name = "other" }
	require.Equal(t, "other", at(t, "channels other bindings amqp queue name", renamed))
}

func TestA8_QueueDurable(t *testing.T) {
	require.Equal(t, false, at(t, channel+"bindings amqp queue durable"))
	require.Equal(t, true, at(t, channel+"bindings amqp queue durable", func(r *runtime.Route) { r.Queue.Durable = true }))
}

func TestA9_QueueExclusive(t *testing.T) {
	require.Equal(t, false, at(t, channel+"bindings amqp queue exclusive"))
	require.Equal(t, true, at(t, channel+"bindings amqp queue exclusive", func(r *runtime.Route) { r.Queue.Exclusive = true }))
}

func exchange(e runtime.Exchange) func(*runtime.Route) {
	return func(r *runtime.Route) { r.Exchange = &e }
}

func TestA10_NoExchangeNoBinding(t *testing.T) {
	require.NotContains(t, at(t, channel+"bindings amqp"), "exchange")
	require.Contains(t, at(t, channel+"bindings amqp", exchange(runtime.Exchange{})), "exchange")
}

func TestA11_ExchangeName(t *testing.T) {
	require.Equal(t, "shop", at(t, channel+"bindings amqp exchange name", exchange(runtime.Exchange{Name: "shop"})))
}

func TestA12_ExchangeType(t *testing.T) {
	for _, kind := range []runtime.ExchangeType{runtime.Direct, runtime.Fanout, runtime.Topic, runtime.Headers, "x-delayed-message"} {
		require.Equal(t, string(kind), at(t, channel+"bindings amqp exchange type", exchange(runtime.Exchange{Type: kind})))
	}
}

func TestA13_ExchangeDurable(t *testing.T) {
	require.Equal(t, false, at(t, channel+"bindings amqp exchange durable", exchange(runtime.Exchange{})))
	require.Equal(t, true, at(t, channel+"bindings amqp exchange durable", exchange(runtime.Exchange{Durable: true})))
}

func TestA14_HandlerGivesBodyType(t *testing.T) {
	for name, handler := range map[string]runtime.Handler{
		"value": runtime.Consume(onOrder), "pointer": runtime.Consume(onPointer),
	} {
		payload := at(t, channel+"subscribe message payload", func(r *runtime.Route) { r.Handler = handler })
		require.Equal(t, object{"$ref": "#/components/schemas/Order"}, payload, name)
	}
	payload := at(t, channel+"subscribe message payload", func(r *runtime.Route) {
		r.Handler, r.Reply = runtime.Respond(onQuote), &runtime.Address{}
	})
	require.Equal(t, object{"$ref": "#/components/schemas/Order"}, payload, "the request, not the result")
}

func TestA15_DescriptionMayBeEmpty(t *testing.T) {
	require.NotContains(t, at(t, channel), "description")
}

func TestA16_TagsMayBeEmpty(t *testing.T) {
	require.NotContains(t, at(t, channel+"subscribe"), "tags")
	require.NotContains(t, at(t, channel+"subscribe", func(r *runtime.Route) { r.Tags = []string{} }), "tags")
}

func responding(r *runtime.Route) {
	r.Handler, r.Reply = runtime.Respond(onQuote), &runtime.Address{}
}

func TestA17_ReplyMakesPublishOperation(t *testing.T) {
	require.NotContains(t, at(t, channel), "publish")
	require.Contains(t, at(t, channel, responding), "publish")
}

func TestA18_AsyncAPIVersion(t *testing.T) {
	require.Equal(t, "2.6.0", configured(t, "asyncapi", nil))
}

var full = &asyncapi.Config{
	Title: "Shop", Version: "7", Description: "Sells.", ServerURL: "mq.example.com:5671", ServerDescription: "The queue.",
}

func TestA19_InfoTitle(t *testing.T) { require.Equal(t, "Shop", configured(t, "info title", full)) }

func TestA20_InfoVersion(t *testing.T) { require.Equal(t, "7", configured(t, "info version", full)) }

func TestA21_InfoDescription(t *testing.T) {
	require.Equal(t, "Sells.", configured(t, "info description", full))
}

func TestA22_ServerURL(t *testing.T) {
	require.Equal(t, "mq.example.com:5671", configured(t, "servers broker url", full))
}

func TestA23_ServerProtocol(t *testing.T) {
	require.Equal(t, "amqp", configured(t, "servers broker protocol", full))
}

func TestA24_ServerDescription(t *testing.T) {
	require.Equal(t, "The queue.", configured(t, "servers broker description", full))
}

func TestA25_OneChannelPerQueueInOrderOfRoutes(t *testing.T) {
	document, err := asyncapi.Generate([]runtime.Route{
		route(func(r *runtime.Route) { r.Name, r.Queue.Name = "z", "zebra" }),
		route(func(r *runtime.Route) { r.Name, r.Queue.Name = "a", "ant" }),
	}, nil)
	require.NoError(t, err)
	text, err := document.JSON(-1)
	require.NoError(t, err)
	require.Less(t, strings.Index(string(text), `"zebra":{`), strings.Index(string(text), `"ant":{`))
	require.Len(t, document.Channels, 2)
}

func TestA26_ChannelDescription(t *testing.T) {
	require.Equal(t, "Reserves stock.", at(t, channel+"description", func(r *runtime.Route) { r.Description = "Reserves stock." }))
}

func TestA27_SubscribeOperationID(t *testing.T) {
	require.Equal(t, "order.created", at(t, channel+"subscribe operationId"))
}

func TestA28_SubscribeMessageName(t *testing.T) {
	require.Equal(t, "order.created", at(t, channel+"subscribe message name"))
}

func TestA29_PayloadOnlyWhenItsSchemaSaysSomething(t *testing.T) {
	for name, handler := range map[string]runtime.Handler{
		"any": runtime.Consume(onAnything), "bytes": runtime.Consume(onBytes),
	} {
		message := at(t, channel+"subscribe message", func(r *runtime.Route) { r.Handler = handler })
		require.Equal(t, object{"name": "order.created"}, message, name)
	}
	require.Contains(t, at(t, channel+"subscribe message"), "payload")
}

func TestA30_TagsAreSortedAndListedOnce(t *testing.T) {
	tags := at(t, channel+"subscribe tags", func(r *runtime.Route) { r.Tags = []string{"stock", "orders", "Orders", "stock"} })
	require.Equal(t, []any{object{"name": "Orders"}, object{"name": "orders"}, object{"name": "stock"}}, tags)
}

func TestA31_BindingIsQueue(t *testing.T) {
	require.Equal(t, "queue", at(t, channel+"bindings amqp is"))
	require.Equal(t, "queue", at(t, channel+"bindings amqp is", exchange(runtime.Exchange{Name: "shop"})))
}

func TestA32_QueueBinding(t *testing.T) {
	queue := runtime.Queue{Name: "orders.created", Durable: true, AutoDelete: true, Arguments: map[string]any{"x-queue-type": "quorum"}}
	require.Equal(t, object{"name": "orders.created", "durable": true, "exclusive": false},
		at(t, channel+"bindings amqp queue", func(r *runtime.Route) { r.Queue = queue }))
}

func TestA33_ExchangeBinding(t *testing.T) {
	require.Equal(t, object{"name": "shop", "type": "topic", "durable": true},
		at(t, channel+"bindings amqp exchange", exchange(runtime.Exchange{Name: "shop", Type: runtime.Topic, Durable: true, AutoDelete: true})))
}

func TestA34_PublishOperationID(t *testing.T) {
	require.Equal(t, "order.created.reply", at(t, channel+"publish operationId", responding))
}

func TestA35_PublishMessageName(t *testing.T) {
	require.Equal(t, object{"operationId": "order.created.reply", "message": object{"name": "order.created.response"}},
		at(t, channel+"publish", responding, func(r *runtime.Route) { r.Tags = []string{"orders"} }), "and nothing else")
}

func TestA36_GenerateTakesNilConfig(t *testing.T) {
	withNil, err := asyncapi.Generate([]runtime.Route{route()}, nil)
	require.NoError(t, err)
	withDefaults, err := asyncapi.Generate([]runtime.Route{route()}, &asyncapi.Config{
		Title: "warren Service", Version: "1.0.0", ServerURL: "localhost:5672", ServerDescription: "RabbitMQ",
	})
	require.NoError(t, err)
	require.Equal(t, withDefaults, withNil)
}

func TestA37_GenerateJSONIndents(t *testing.T) {
	for indent, want := range map[int]string{
		-1: `{"asyncapi":"2.6.0","info":{"title":`,
		0:  "{\n\"asyncapi\": \"2.6.0\",\n\"info\": {\n\"title\": ",
		2:  "{\n  \"asyncapi\": \"2.6.0\",\n  \"info\": {\n    \"title\": ",
		4:  "{\n    \"asyncapi\": \"2.6.0\",\n    \"info\": {\n        \"title\": ",
	} {
		text, err := asyncapi.GenerateJSON(nil, nil, indent)
		require.NoError(t, err)
		require.Equal(t, want, string(text[:len(want)]), indent)
		require.True(t, strings.HasSuffix(string(text), "}"), "no newline at the end")
	}
	text, err := asyncapi.GenerateJSON(nil, &asyncapi.Config{Title: "<Shop & Söhne>"}, -1)
	require.NoError(t, err)
	require.Contains(t, string(text), `"title":"<Shop & Söhne>"`)
}

func TestA38_NoRoutesNoChannels(t *testing.T) {
	for _, routes := range [][]runtime.Route{nil, {}} {
		text, err := asyncapi.GenerateJSON(routes, nil, -1)
		require.NoError(t, err)
		require.Equal(t, `{"asyncapi":"2.6.0","info":{"title":"warren Service","version":"1.0.0"},`+
			`"servers":{"broker":{"url":"localhost:5672","protocol":"amqp","description":"RabbitMQ"}},"channels":{}}`, string(text))
	}
}

func TestA39_LaterRouteReplacesEarlier(t *testing.T) {
	document, err := asyncapi.Generate([]runtime.Route{
		route(func(r *runtime.Route) { r.Name, r.Tags, r.Description = "first", []string{"a"}, "First." }),
		route(func(r *runtime.Route) {
			r.Name, r.Queue.Name, r.Handler = "other", "other", runtime.Consume(onAnything)
		}),
		route(func(r *runtime.Route) { r.Name, r.Handler = "second", runtime.Consume(onAnything) }),
	}, nil)
	require.NoError(t, err)
	require.Len(t, document.Channels, 2)
	require.Equal(t, "orders.created", document.Channels[0].Name, "the place is the first one's")
	require.Equal(t, &asyncapi.ChannelOperation{OperationID: "second", Message: asyncapi.Message{Name: "second"}},
		document.Channels[0].Subscribe)
	require.Empty(t, document.Channels[0].Description)
	require.Nil(t, document.Components, "what only the replaced route needs is left out")
}

func TestA40_PayloadSchemaDescribesBodyType(t *testing.T) {
	require.Equal(t, object{"schemas": object{"Order": object{
		"title": "Order",
		"type":  "object",
		"properties": object{
			"id":   object{"type": "string"},
			"note": object{"type": "string"},
		},
		"required": []any{"id"},
	}}}, at(t, "components"))
	inline := func(r *runtime.Route) { r.Handler = runtime.Consume(onAnonymous) }
	require.Equal(t, "object", at(t, channel+"subscribe message payload type", inline))
	require.Nil(t, at(t, "components", inline))
}

func TestA41_SubscribeIsWhatRouteConsumes(t *testing.T) {
	require.Equal(t, "order.created", at(t, channel+"subscribe message name", responding))
	require.Equal(t, "order.created.response", at(t, channel+"publish message name", responding))
}

func TestA42_VersionsAreIndependent(t *testing.T) {
	cfg := &asyncapi.Config{Version: "3.0.0"}
	require.Equal(t, "2.6.0", configured(t, "asyncapi", cfg))
	require.Equal(t, "3.0.0", configured(t, "info version", cfg))
}

// A codecOf has some content types, and is for documents only.
type codecOf []string

func (c codecOf) ContentTypes() []string    { return c }
func (codecOf) Takes(reflect.Type) error    { return nil }
func (codecOf) Marshal(any) ([]byte, error) { return nil, nil }
func (codecOf) Unmarshal([]byte, any) error { return nil }

func TestMessage_HasTheFirstContentTypeOfItsCodec(t *testing.T) {
	for _, codec := range []codecOf{{"text/plain"}, {"text/plain", "text/csv"}} {
		document, err := asyncapi.Generate([]runtime.Route{route(func(r *runtime.Route) { r.Codec = codec })}, nil, asyncapi.Extended)
		require.NoError(t, err)
		require.Equal(t, "text/plain", document.Channels[0].Subscribe.Message.ContentType)
	}
	document, err := asyncapi.Generate([]runtime.Route{route(func(r *runtime.Route) { r.Codec = codecOf{} })}, nil, asyncapi.Extended)
	require.NoError(t, err)
	require.Equal(t, "application/octet-stream", document.Channels[0].Subscribe.Message.ContentType)
}

func TestSummary_IsTheFirstSentenceOnOneLine(t *testing.T) {
	document, err := asyncapi.Generate([]runtime.Route{route(func(r *runtime.Route) {
		r.Description = "Takes an\n  order. Works on it."
	})}, nil, asyncapi.Extended)
	require.NoError(t, err)
	require.Equal(t, "Takes an order.", document.Channels[0].Subscribe.Summary)
}

func TestMessages_ToldApartByKeyHaveTheirs(t *testing.T) {
	messages := at(t, channel+"subscribe message oneOf", func(r *runtime.Route) {
		r.Handler = runtime.DispatchByKey(runtime.On("orders.created", runtime.Consume(onOrder)), runtime.On("orders.cancelled", runtime.Consume(onPointer)))
	})
	var keys []any
	for _, message := range messages.([]any) {
		keys = append(keys, message.(object)["x-routing-key"])
	}
	require.Equal(t, []any{"orders.created", "orders.cancelled"}, keys)
}

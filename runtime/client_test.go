package runtime_test

import (
	"cmp"
	"context"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

var (
	shop    = runtime.Endpoint{Route: "order.created", To: runtime.Address{Exchange: "shop", RoutingKey: "order.created"}}
	pricing = runtime.Endpoint{Route: "quote", To: runtime.Address{RoutingKey: "quotes"}}
	literal = runtime.Endpoint{Route: "any", To: runtime.Address{Exchange: "shop"}, Keys: []string{"a.*", "c"}}
	keyed   = runtime.Endpoint{Route: "any", To: runtime.Address{Exchange: "shop"}, Patterns: []string{"order.*", "stock.#"}}
)

func TestPublish_SendsToTheEndpoint(t *testing.T) {
	transport := new(recorder)

	err := runtime.NewPublisher[order](transport, shop).Publish(context.Background(), order{ID: "a"})

	require.NoError(t, err)
	require.Equal(t, []sent{{
		To:      runtime.Address{Exchange: "shop", RoutingKey: "order.created"},
		Message: runtime.Message{Body: []byte(`{"id":"a"}`), ContentType: "application/json"},
	}}, transport.sent)
}

func TestPublish_EncodesByTheTypeOfThePublisher(t *testing.T) {
	tests := []struct {
		rule    string
		publish func(runtime.Transport) error
		want    runtime.Message
	}{
		{"pointer", publishing(&order{ID: "a"}), runtime.Message{Body: []byte(`{"id":"a"}`), ContentType: "application/json"}},
		{"bytes", publishing([]byte("raw")), runtime.Message{Body: []byte("raw")}},
		{"bytes in an interface", publishing[any]([]byte("text")), runtime.Message{Body: []byte(`"dGV4dA=="`), ContentType: "application/json"}},
		{"nothing in an interface", publishing[any](nil), runtime.Message{Body: []byte(`null`), ContentType: "application/json"}},
		{"nil slice", publishing([]order(nil)), runtime.Message{Body: []byte(`null`), ContentType: "application/json"}},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			transport := new(recorder)

			require.NoError(t, test.publish(transport))

			require.Equal(t, test.want, transport.sent[0].Message)
		})
	}
}

func publishing[T any](msg T) func(runtime.Transport) error {
	return func(transport runtime.Transport) error {
		return runtime.NewPublisher[T](transport, shop).Publish(context.Background(), msg)
	}
}

func TestPublishKey(t *testing.T) {
	tests := []struct {
		rule     string
		endpoint runtime.Endpoint
		key      string
		wantErr  string
	}{
		{"the first pattern", keyed, "order.created", ""},
		{"the second pattern", keyed, "stock.low.de", ""},
		{"a key with the look of a pattern", literal, "a.*", ""},
		{
			"what would match it", literal, "a.b",
			`route "any": choose the key: the routing key "a.b" matches none of the route's bindings (a.*, c)`,
		},
		{
			"no pattern", keyed, "order.a.b",
			`route "any": choose the key: the routing key "order.a.b" matches none of the route's bindings (order.*, stock.#)`,
		},
		{
			"no key", keyed, "",
			`route "any": choose the key: the routing key "" matches none of the route's bindings (order.*, stock.#)`,
		},
		{
			"an endpoint without patterns", shop, "order.created",
			`route "order.created": choose the key: the routing key "order.created" can't be chosen: the endpoint has no Keys or Patterns, so publish or call without a key`,
		},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			transport := &recorder{reply: &runtime.Message{Body: []byte(`{}`)}}

			published := runtime.NewPublisher[order](transport, test.endpoint).PublishKey(context.Background(), test.key, order{})
			_, called := runtime.NewCaller[order, quote](transport, test.endpoint).CallKey(context.Background(), test.key, order{})

			require.Equal(t, test.wantErr, text(published))
			require.Equal(t, test.wantErr, text(called))
			if test.wantErr != "" {
				require.Empty(t, transport.sent)
				return
			}
			to := runtime.Address{Exchange: "shop", RoutingKey: test.key}
			require.Equal(t, []runtime.Address{to, to}, []runtime.Address{transport.sent[0].To, transport.sent[1].To})
		})
	}
}

func TestSendOptions(t *testing.T) {
	tests := []struct {
		rule   string
		option runtime.SendOption
		want   runtime.Message
	}{
		{"WithHeader", runtime.WithHeader("kind", 1), runtime.Message{Headers: map[string]any{"kind": 1}}},
		{"WithMessageID", runtime.WithMessageID("m1"), runtime.Message{MessageID: "m1"}},
		{"WithCorrelationID", runtime.WithCorrelationID("c1"), runtime.Message{CorrelationID: "c1"}},
		{"WithReplyTo", runtime.WithReplyTo("replies"), runtime.Message{ReplyTo: "replies"}},
		{"WithType", runtime.WithType("order.created"), runtime.Message{Type: "order.created"}},
		{"WithContentType", runtime.WithContentType("text/csv"), runtime.Message{ContentType: "text/csv"}},
		{"WithContentEncoding", runtime.WithContentEncoding("gzip"), runtime.Message{ContentEncoding: "gzip"}},
		{"WithAppID", runtime.WithAppID("billing"), runtime.Message{AppID: "billing"}},
		{"WithUserID", runtime.WithUserID("guest"), runtime.Message{UserID: "guest"}},
		{"WithTimestamp", runtime.WithTimestamp(time.Unix(9, 0)), runtime.Message{Timestamp: time.Unix(9, 0)}},
		{"WithResend", runtime.WithResend(3), runtime.Message{Resend: 3}},
		{"WithExpiration", runtime.WithExpiration(time.Minute), runtime.Message{Expiration: time.Minute}},
		{"WithPriority", runtime.WithPriority(9), runtime.Message{Priority: 9}},
		{"WithTransient", runtime.WithTransient(), runtime.Message{Transient: true}},
		{"WithAllowUnroutable", runtime.WithAllowUnroutable(), runtime.Message{AllowUnroutable: true}},
		{"a function", func(m *runtime.Message) { m.AppID = "tests" }, runtime.Message{AppID: "tests"}},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			transport := &recorder{reply: &runtime.Message{Body: []byte(`{}`)}}
			test.want.Body, test.want.ContentType = []byte(`{"id":"a"}`), cmp.Or(test.want.ContentType, "application/json")

			require.NoError(t, runtime.NewPublisher[order](transport, keyed).PublishKey(context.Background(), "stock", order{ID: "a"}, test.option))
			_, err := runtime.NewCaller[order, quote](transport, pricing).Call(context.Background(), order{ID: "a"}, test.option)

			require.NoError(t, err)
			require.Equal(t, test.want, transport.sent[0].Message)
			require.Equal(t, test.want, transport.sent[1].Message)
		})
	}
}

// A property of a message without an option would be out of reach of the users of
// generated clients.
func TestSendOptions_SetEveryProperty(t *testing.T) {
	table := map[string]runtime.SendOption{
		"ContentType": runtime.WithContentType("a"), "ContentEncoding": runtime.WithContentEncoding("a"), "Headers": runtime.WithHeader("a", 1),
		"MessageID": runtime.WithMessageID("a"), "CorrelationID": runtime.WithCorrelationID("a"), "ReplyTo": runtime.WithReplyTo("a"),
		"Type": runtime.WithType("a"), "AppID": runtime.WithAppID("a"), "UserID": runtime.WithUserID("a"), "Timestamp": runtime.WithTimestamp(time.Unix(1, 0)),
		"Expiration": runtime.WithExpiration(1), "Priority": runtime.WithPriority(1), "Transient": runtime.WithTransient(),
		"AllowUnroutable": runtime.WithAllowUnroutable(), "Resend": runtime.WithResend(1),
	}
	fields := reflect.TypeFor[runtime.Message]()
	for i := range fields.NumField() {
		name := fields.Field(i).Name
		if name == "Body" {
			continue
		}
		var msg runtime.Message
		require.NotNil(t, table[name], "no option sets %s", name)
		table[name](&msg)
		require.False(t, reflect.ValueOf(msg).Field(i).IsZero(), name)
		require.Equal(t, 1, countSet(msg), name)
	}
}

// countSet counts the fields of msg that aren't zero.
func countSet(msg runtime.Message) (count int) {
	v := reflect.ValueOf(msg)
	for i := range v.NumField() {
		if !v.Field(i).IsZero() {
			count++
		}
	}
	return count
}

func TestSendOptions_FollowTheDefaults(t *testing.T) {
	transport := new(recorder)
	publisher := runtime.NewPublisher[order](transport, shop,
		runtime.WithDefaults(runtime.WithPriority(1), runtime.WithHeader("from", "defaults")),
		runtime.WithDefaults(runtime.WithPriority(2), runtime.WithHeader("also", "defaults")))

	require.NoError(t, publisher.Publish(context.Background(), order{}, runtime.WithHeader("from", "call")))
	require.NoError(t, publisher.Publish(context.Background(), order{}))

	require.Equal(t, map[string]any{"from": "call", "also": "defaults"}, transport.sent[0].Message.Headers)
	require.Equal(t, map[string]any{"from": "defaults", "also": "defaults"}, transport.sent[1].Message.Headers)
	require.Equal(t, uint8(2), transport.sent[0].Message.Priority)
}

func TestEndpoint_HeadersAreOnEveryMessage(t *testing.T) {
	transport := new(recorder)
	endpoint := runtime.Endpoint{Route: "head", To: runtime.Address{Exchange: "h"}, Headers: map[string]any{"kind": "order", "table": map[string]any{"a": 1}}}
	publisher := runtime.NewPublisher[order](transport, endpoint)

	require.NoError(t, publisher.Publish(context.Background(), order{}, func(m *runtime.Message) {
		m.Headers["kind"] = "changed"
		m.Headers["table"].(map[string]any)["a"] = 2
	}))
	require.NoError(t, publisher.Publish(context.Background(), order{}))

	require.Equal(t, map[string]any{"kind": "changed", "table": map[string]any{"a": 2}}, transport.sent[0].Message.Headers)
	require.Equal(t, map[string]any{"kind": "order", "table": map[string]any{"a": 1}}, transport.sent[1].Message.Headers)
}

func TestNewPublisher_CopiesTheEndpoint(t *testing.T) {
	transport := new(recorder)
	endpoint := runtime.Endpoint{Patterns: []string{"a"}, Headers: map[string]any{"kind": "order"}}
	publisher := runtime.NewPublisher[order](transport, endpoint)
	endpoint.Patterns[0] = "b"
	endpoint.Headers["kind"] = "changed"

	require.NoError(t, publisher.PublishKey(context.Background(), "a", order{}))

	require.Equal(t, map[string]any{"kind": "order"}, transport.sent[0].Message.Headers)
}

func TestCall_ReturnsTheReply(t *testing.T) {
	transport := &recorder{reply: &runtime.Message{Body: []byte(`{"price":7}`)}}

	got, err := runtime.NewCaller[order, *quote](transport, pricing).Call(context.Background(), order{ID: "a"})

	require.NoError(t, err)
	require.Equal(t, &quote{Price: 7}, got)
	require.Equal(t, []sent{{
		To:      runtime.Address{RoutingKey: "quotes"},
		Message: runtime.Message{Body: []byte(`{"id":"a"}`), ContentType: "application/json"},
		Call:    true,
	}}, transport.sent)
}

func TestCall_ReturnsBytesAsTheyCame(t *testing.T) {
	transport := &recorder{reply: &runtime.Message{Body: []byte("raw")}}

	got, err := runtime.NewCaller[[]byte, []byte](transport, pricing).Call(context.Background(), nil)

	require.NoError(t, err)
	require.Equal(t, []byte("raw"), got)
}

// A lockedRecorder is a recorder for several goroutines.
type lockedRecorder struct {
	mu sync.Mutex
	recorder
}

func (r *lockedRecorder) Publish(ctx context.Context, to runtime.Address, msg *runtime.Message) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.recorder.Publish(ctx, to, msg)
}

func TestPublisher_IsSafeForConcurrentUse(t *testing.T) {
	const senders = 16
	transport := new(lockedRecorder)
	endpoint := shop
	endpoint.Headers = map[string]any{"table": map[string]any{"a": 1}}
	publisher := runtime.NewPublisher[order](transport, endpoint, runtime.WithDefaults(runtime.WithHeader("from", "defaults")))
	var group sync.WaitGroup
	for i := range senders {
		group.Go(func() {
			err := publisher.Publish(context.Background(), order{Items: i}, func(m *runtime.Message) {
				m.Headers["table"].(map[string]any)["a"] = i
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()

	require.Len(t, transport.sent, senders)
}

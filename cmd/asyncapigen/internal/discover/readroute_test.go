package discover_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/onefile"
	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/runtime"
)

// routeOf finds the route of a program, to whose literal fields are added.
func routeOf(t *testing.T, program *onefile.Program, fields string) (routes []runtime.Route, missing []string, diagnostics diagnostic.List) {
	t.Helper()
	if !strings.Contains(fields, "Handler: ") {
		fields += `, Handler: runtime.Consume(on)`
	}
	result := foundOf(t, program, declaringFile(`router.MustRegister(runtime.Route{Name: "order", `+fields+`}); serve(router)`))
	for _, r := range result.Routes {
		routes, missing = append(routes, r.Route), r.UnknownArguments
	}
	return routes, missing, result.Diagnostics
}

// What isn't known of how a route consumes is no argument, which brokers compare.
func TestRoutes_NameSettingsThatAreNotKnown(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	const number = "os.Getpid()"
	for _, test := range []struct {
		field string
		want  []string
	}{
		{`Prefetch: ` + number, []string{"prefetch"}},
		{`PrefetchBytes: int64(` + number + `), Prefetch: 2`, []string{"prefetchBytes"}},
		{`Concurrency: ` + number + `, Timeout: time.Duration(` + number + `)`, []string{"concurrency", "timeout"}},
		{`Order: unknown[runtime.Order]()`, []string{"order"}},
		{`AckMode: runtime.AckMode(` + number + `)`, []string{"acknowledges"}},
		{`ConsumerArguments: unknown[map[string]any]()`, []string{"arguments"}},
		{`ConsumerArguments: map[string]any{"a": 1, "b": ` + number + `}`, []string{"arguments"}},
		{`ConsumerArguments: map[string]any{"a": 1}, Prefetch: 1, Timeout: time.Second`, nil},
	} {
		result := foundOf(t, program, declaringFile(`router.MustRegister(runtime.Route{Name: "order", Queue: runtime.Queue{Name: "orders"}, Handler: runtime.Consume(on), `+test.field+`}); serve(router)`))
		require.Empty(t, result.Diagnostics, test.field)
		require.Len(t, result.Routes, 1, test.field)
		require.Equal(t, test.want, result.Routes[0].UnknownSettings, test.field)
	}
}

// queued gives a route a queue, where it has none, and the default policy.
func queued(route runtime.Route) runtime.Route {
	route.Name = "order"
	if route.Queue.Name == "" {
		route.Queue.Name = "orders"
	}
	if route.Failure == nil {
		route.Failure = new(runtime.FailurePolicy)
	}
	route.Queue = runtime.Route{Queue: route.Queue}.WithDefaults().Queue
	return route
}

func TestRoutes_HaveTheFieldsOfTheLiteral(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	const orders = `Queue: runtime.Queue{Name: "orders"}, `
	for name, test := range map[string]struct {
		fields string
		want   runtime.Route
	}{
		"texts": {
			orders + `Exchange: &runtime.Exchange{Name: "x", Type: runtime.Topic}, Description: "takes orders", Tags: []string{"a", "b"}, RoutingKeys: []string{"k.*.*"}, KeyWords: []string{"kind", "of"}`,
			runtime.Route{Exchange: &runtime.Exchange{Name: "x", Type: runtime.Topic}, Description: "takes orders", Tags: []string{"a", "b"}, RoutingKeys: []string{"k.*.*"}, KeyWords: []string{"kind", "of"}},
		},
		"flags of a queue": {
			`Queue: runtime.Queue{Name: "q", Durable: true, Exclusive: true, AutoDelete: true, SingleActiveConsumer: true}`,
			runtime.Route{Queue: runtime.Queue{Name: "q", Durable: true, Exclusive: true, AutoDelete: true, SingleActiveConsumer: true}},
		},
		"a queue of each instance": {
			`Queue: runtime.Queue{Name: "q", PerInstance: true}, Exchange: &runtime.Exchange{Name: "x", Type: runtime.Topic}, RoutingKeys: []string{"k", "l"}`,
			runtime.Route{Queue: runtime.Queue{Name: "q", PerInstance: true}, Exchange: &runtime.Exchange{Name: "x", Type: runtime.Topic}, RoutingKeys: []string{"k", "l"}},
		},
		"bounds of a queue": {
			`Queue: runtime.Queue{Name: "q", Type: runtime.Quorum, Durable: true, MessageTTL: time.Second, Expires: time.Minute, MaxLength: 3, MaxLengthBytes: 4, Overflow: runtime.RejectPublish, DeliveryLimit: 5, Replicas: 7}`,
			runtime.Route{Queue: runtime.Queue{Name: "q", Type: runtime.Quorum, Durable: true, MessageTTL: time.Second, Expires: time.Minute, MaxLength: 3, MaxLengthBytes: 4, Overflow: runtime.RejectPublish, DeliveryLimit: 5, Replicas: 7}},
		},
		"priorities of a queue": {
			`Queue: runtime.Queue{Name: "q", MaxPriority: 9}`,
			runtime.Route{Queue: runtime.Queue{Name: "q", MaxPriority: 9}},
		},
		"a stream": {
			`Queue: runtime.Queue{Name: "q", Type: runtime.Stream, Durable: true, MaxAge: time.Hour, SegmentBytes: 8}`,
			runtime.Route{Queue: runtime.Queue{Name: "q", Type: runtime.Stream, Durable: true, MaxAge: time.Hour, SegmentBytes: 8}},
		},
		"addresses": {
			`Queue: runtime.Queue{Name: "q", DeadLetter: &runtime.Address{Exchange: "dead", RoutingKey: "d"}}, Reply: &runtime.Address{Exchange: "back", RoutingKey: "b"}, Handler: runtime.Respond(answer)`,
			runtime.Route{Queue: runtime.Queue{Name: "q", DeadLetter: &runtime.Address{Exchange: "dead", RoutingKey: "d"}}, Reply: &runtime.Address{Exchange: "back", RoutingKey: "b"}},
		},
		"a reply to where the request says": {
			orders + `Handler: runtime.Respond(answer)`,
			runtime.Route{Reply: new(runtime.Address)},
		},
		"an exchange": {
			orders + `Exchange: &runtime.Exchange{Name: "x", Type: runtime.Topic, Durable: true, AutoDelete: true, Arguments: map[string]any{"a": 1}}, BindingArguments: map[string]any{"b": "c", "n": nil}`,
			runtime.Route{Exchange: &runtime.Exchange{Name: "x", Type: runtime.Topic, Durable: true, AutoDelete: true, Arguments: map[string]any{"a": 1}}, BindingArguments: map[string]any{"b": "c", "n": nil}},
		},
		"lists, tables and bytes among arguments": {
			orders + `Exchange: &runtime.Exchange{Name: "x", Type: runtime.Headers}, BindingArguments: map[string]any{"l": []any{"a", int64(1), nil, map[string]any{"b": []byte("c")}}, "e": []any{}, "m": map[string]any{}}`,
			runtime.Route{
				Exchange:         &runtime.Exchange{Name: "x", Type: runtime.Headers},
				BindingArguments: map[string]any{"l": []any{"a", int64(1), nil, map[string]any{"b": []byte("c")}}, "e": []any{}, "m": map[string]any{}},
			},
		},
		"sources": {
			orders + `Exchange: &runtime.Exchange{Name: "x", Type: runtime.Topic}, Sources: []runtime.Source{{Exchange: runtime.Exchange{Name: "z", Type: runtime.Fanout}, Arguments: map[string]any{"a": true}}, {Exchange: runtime.Exchange{Name: "y", Type: runtime.Direct}, RoutingKeys: []string{"k"}}}`,
			runtime.Route{Exchange: &runtime.Exchange{Name: "x", Type: runtime.Topic}, Sources: []runtime.Source{{Exchange: runtime.Exchange{Name: "z", Type: runtime.Fanout}, Arguments: map[string]any{"a": true}}, {Exchange: runtime.Exchange{Name: "y", Type: runtime.Direct}, RoutingKeys: []string{"k"}}}},
		},
		"limits": {
			orders + `Prefetch: 9, PrefetchBytes: 10, Concurrency: 3, Timeout: time.Minute, ConsumerPriority: 4, ConsumerArguments: map[string]any{"c": 1}`,
			runtime.Route{Prefetch: 9, PrefetchBytes: 10, Concurrency: 3, Timeout: time.Minute, ConsumerPriority: 4, ConsumerArguments: map[string]any{"c": 1}},
		},
		"when it acknowledges, and goes on without its queue": {
			orders + `AckMode: runtime.AckFirst, QueueDeletion: runtime.FailReadiness`,
			runtime.Route{AckMode: runtime.AckFirst, QueueDeletion: runtime.FailReadiness},
		},
		"a policy": {
			orders + `Failure: &runtime.FailurePolicy{Attempts: 2, Delay: time.Second, MaxDelay: time.Minute, DeadLetters: "dead"}`,
			runtime.Route{Failure: &runtime.FailurePolicy{Attempts: 2, Delay: time.Second, MaxDelay: time.Minute, DeadLetters: "dead"}},
		},
		"an endless policy": {
			orders + `Failure: &runtime.FailurePolicy{Endless: true}`,
			runtime.Route{Failure: &runtime.FailurePolicy{Endless: true}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			routes, missing, diagnostics := routeOf(t, program, test.fields)
			require.Empty(t, diagnostics)
			require.Empty(t, missing)
			require.Equal(t, []runtime.Route{queued(test.want)}, routes)
		})
	}
}

// What the document shows has to be known; of the rest it is noted that it isn't.
func TestRoutes_NameTheFieldsThatAreNotKnown(t *testing.T) {
	const (
		orders = `Queue: runtime.Queue{Name: "orders"}, `
		text   = `os.Getenv("TEXT")`
		number = `os.Getpid()`
		flag   = `os.Getpid() > 5`
	)
	program := onefile.New(t, declaringFile(""))
	for _, test := range []struct{ fields, field string }{
		{orders + `Description: ` + text, "description"},
		{orders + `Tags: []string{` + text + `}`, "tags"},
		{orders + `Tags: os.Args`, "tags"},
		{orders + `RoutingKeys: []string{"a", ` + text + `}`, "routing keys"},
		{orders + `KeyWords: []string{` + text + `}`, "names of the key's words"},
		{orders + `ConsumerPriority: ` + number, "consumer's priority"},
		{orders + `QueueDeletion: runtime.DeletionPolicy(` + number + `)`, "deletion policy"},
		{`Queue: runtime.Queue{Name: ` + text + `}`, "queue name"},
		{`Queue: runtime.Queue{Name: "q", Durable: ` + flag + `}`, "queue's durability"},
		{`Queue: runtime.Queue{Name: "q", Exclusive: ` + flag + `}`, "queue's exclusiveness"},
		{`Queue: runtime.Queue{Name: "q", AutoDelete: ` + flag + `}`, "queue's deletion"},
		{`Queue: runtime.Queue{Name: "q", PerInstance: ` + flag + `}`, "queue's being each instance's"},
		{`Queue: runtime.Queue{Name: "q", Type: runtime.QueueType(` + text + `)}`, "queue type"},
		{`Queue: runtime.Queue{Name: "q", MessageTTL: time.Duration(` + number + `)}`, "time to live in the queue"},
		{`Queue: runtime.Queue{Name: "q", Expires: time.Duration(` + number + `)}`, "queue's expiry"},
		{`Queue: runtime.Queue{Name: "q", MaxLength: int64(` + number + `)}`, "queue's length"},
		{`Queue: runtime.Queue{Name: "q", MaxLengthBytes: int64(` + number + `)}`, "queue's length in bytes"},
		{`Queue: runtime.Queue{Name: "q", Overflow: runtime.Overflow(` + text + `)}`, "queue's overflow"},
		{`Queue: runtime.Queue{Name: "q", MaxPriority: uint8(` + number + `)}`, "queue's priorities"},
		{`Queue: runtime.Queue{Name: "q", SingleActiveConsumer: ` + flag + `}`, "queue's single active consumer"},
		{`Queue: runtime.Queue{Name: "q", DeliveryLimit: ` + number + `}`, "queue's delivery limit"},
		{`Queue: runtime.Queue{Name: "q", Replicas: ` + number + `}`, "queue's replicas"},
		{`Queue: runtime.Queue{Name: "q", MaxAge: time.Duration(` + number + `)}`, "stream's age"},
		{`Queue: runtime.Queue{Name: "q", SegmentBytes: int64(` + number + `)}`, "stream's segments"},
		{`Queue: runtime.Queue{Name: "q", DeadLetter: &runtime.Address{Exchange: ` + text + `}}`, "dead-letter exchange"},
		{`Queue: runtime.Queue{Name: "q", DeadLetter: &runtime.Address{RoutingKey: ` + text + `}}`, "dead-letter routing key"},
		{`Queue: runtime.Queue{Name: "q", DeadLetter: unknown[*runtime.Address]()}`, "dead-letter address"},
		{orders + `Reply: &runtime.Address{Exchange: ` + text + `}`, "reply exchange"},
		{orders + `Reply: &runtime.Address{RoutingKey: ` + text + `}`, "reply routing key"},
		{orders + `Reply: unknown[*runtime.Address]()`, "reply address"},
		{orders + `Exchange: &runtime.Exchange{Name: ` + text + `, Type: runtime.Topic}`, "exchange name"},
		{orders + `Exchange: &runtime.Exchange{Name: "x", Type: runtime.ExchangeType(` + text + `)}`, "exchange type"},
		{orders + `Exchange: &runtime.Exchange{Name: "x", Type: runtime.Topic, Durable: ` + flag + `}`, "exchange's durability"},
		{orders + `Exchange: &runtime.Exchange{Name: "x", Type: runtime.Topic, AutoDelete: ` + flag + `}`, "exchange's deletion"},
		{orders + `Exchange: unknown[*runtime.Exchange]()`, "exchange"},
		{orders + `Sources: unknown[[]runtime.Source]()`, "further exchanges"},
		{orders + `Sources: []runtime.Source{{Exchange: runtime.Exchange{Name: ` + text + `, Type: runtime.Topic}}}`, "exchange name"},
		{orders + `Sources: []runtime.Source{{Exchange: runtime.Exchange{Name: "x", Type: runtime.Topic}, RoutingKeys: os.Args}}`, "routing keys"},
		{`Queue: unknown[map[string]runtime.Queue]()["a"]`, "queue"},
		{orders + `Codec: unknown[runtime.Codec]()`, "codec"},
	} {
		t.Run(test.fields, func(t *testing.T) {
			_, _, diagnostics := routeOf(t, program, test.fields)
			require.Len(t, diagnostics, 1)
			require.Equal(t, diagnostic.UnknownValue, diagnostics[0].Code)
			require.True(t, strings.HasPrefix(diagnostics[0].What, "the "+test.field+" of the route "), diagnostics[0].What)
		})
	}
	const x = `Exchange: &runtime.Exchange{Name: "x", Type: runtime.Topic`
	const y = `, Sources: []runtime.Source{{Exchange: runtime.Exchange{Name: "x", Type: runtime.Topic}}, {Exchange: runtime.Exchange{Name: "y", Type: runtime.Topic`
	for _, test := range []struct{ fields, missing string }{
		{`BindingArguments: map[string]any{"a": ` + number + `}`, `BindingArguments "a"`},
		{`BindingArguments: map[string]any{` + text + `: 1}`, "BindingArguments"},
		{`BindingArguments: unknown[map[string]any]()`, "BindingArguments"},
		{`BindingArguments: map[string]any{"a": []any{"b", ` + number + `}}`, `BindingArguments "a"`},
		{`BindingArguments: map[string]any{"a": map[string]any{"b": ` + number + `}}`, `BindingArguments "a"`},
		{`BindingArguments: map[string]any{"a": map[string]any{` + text + `: 1}}`, `BindingArguments "a"`},
		{`BindingArguments: map[string]any{"a": []string{"b"}}`, `BindingArguments "a"`},
		{`BindingArguments: map[string]any{"a": map[string]string{"b": "c"}}`, `BindingArguments "a"`},
		{`BindingArguments: map[string]any{"a": func() any { type list []any; return list{"b"} }()}`, `BindingArguments "a"`},
		{`BindingArguments: map[string]any{"a": func() any { type table map[string]any; return table{} }()}`, `BindingArguments "a"`},
		{`BindingArguments: func() map[string]any { m := map[string]any{}; if ` + flag + ` { m["a"] = 1 }; return m }()`, `BindingArguments "a" (may be absent)`},
		{x + `, Arguments: map[string]any{"a": ` + number + `}}`, `Exchange.Arguments "a"`},
		{x + `, Arguments: unknown[map[string]any]()}`, "Exchange.Arguments"},
		{x + `}` + y + `}, Arguments: map[string]any{"a": ` + number + `}}}`, `Sources[1].Arguments "a"`},
		{x + `}` + y + `, Arguments: unknown[map[string]any]()}}}`, "Sources[1].Exchange.Arguments"},
		{`Order: unknown[runtime.Order]()`, "the order"},
		{`AckMode: runtime.AckMode(` + number + `)`, "the AckMode"},
	} {
		t.Run(test.fields, func(t *testing.T) {
			_, missing, diagnostics := routeOf(t, program, orders+test.fields)
			require.Empty(t, diagnostics)
			require.Equal(t, []string{test.missing}, missing)
		})
	}
}

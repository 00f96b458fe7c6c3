package messages

import (
	"context"
	"maps"
	"slices"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/warrenmq/warren/observe"
	"github.com/warrenmq/warren/runtime"
)

// headers carry trace and baggage in a message's table. Other clients write the
// values as strings or as bytes.
type headers map[string]any

var _ propagation.TextMapCarrier = headers(nil)

func (h headers) Get(key string) string {
	switch value := h[key].(type) {
	case string:
		return value
	case []byte:
		return string(value)
	default:
		return ""
	}
}

func (h headers) Set(key, value string) { h[key] = value }

func (h headers) Keys() []string { return slices.Collect(maps.Keys(h)) }

// extract returns a context with the trace and the baggage that the message
// carries.
func extract(ctx context.Context, msg *runtime.Message) context.Context {
	if len(msg.Headers) == 0 {
		return ctx
	}
	return observe.Propagator().Extract(ctx, headers(msg.Headers))
}

// creation returns the context of the span that made the message, by its headers.
func creation(msg *runtime.Message) trace.SpanContext {
	return trace.SpanContextFromContext(propagation.TraceContext{}.Extract(context.Background(), headers(msg.Headers)))
}

// injected returns a copy of the headers with the trace and the baggage of the
// context.
func injected(ctx context.Context, table map[string]any) map[string]any {
	carrier := make(headers, len(table)+3)
	maps.Copy(carrier, table)
	observe.Propagator().Inject(ctx, carrier)
	if len(carrier) == 0 {
		return table
	}
	return carrier
}

// describe appends the attributes of a message.
func describe(attrs []attribute.KeyValue, msg *runtime.Message, key string) []attribute.KeyValue {
	for _, a := range [...]struct{ name, value string }{
		{"messaging.rabbitmq.destination.routing_key", key},
		{"messaging.message.id", msg.MessageID},
		{"messaging.message.conversation_id", msg.CorrelationID},
	} {
		if a.value != "" {
			attrs = append(attrs, attribute.String(a.name, strings.ToValidUTF8(a.value, "\ufffd")))
		}
	}
	return append(attrs, attribute.Int("messaging.message.body.size", len(msg.Body)))
}

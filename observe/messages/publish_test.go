package messages_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/warrenmq/warren/observe"
	"github.com/warrenmq/warren/observe/messages"
	"github.com/warrenmq/warren/runtime"
)

// send sends a message by the function, without a broker.
func send(options messages.Options, s *runtime.Sending, by runtime.SendFunc) (*runtime.Message, error) {
	return messages.Publish(options)(by)(context.Background(), s)
}

func to(key string) *runtime.Sending {
	return &runtime.Sending{Route: "r", To: runtime.Address{RoutingKey: key}, Message: new(runtime.Message)}
}

func TestPublish_RecordsAPanicAndPanicsOn(t *testing.T) {
	var out bytes.Buffer
	metrics := messages.NewMetrics(messages.Limits{})
	options := messages.Options{Metrics: metrics, Logger: slog.New(observe.NewHandler(&out, nil))}
	s := start(t, messages.Options{})
	boom := errors.New("boom")
	require.PanicsWithValue(t, boom, func() {
		_, _ = send(options, to("orders"), func(context.Context, *runtime.Sending) (*runtime.Message, error) { panic(boom) })
	})
	s.stop(t)

	span := s.spans.Named(t, "publish orders")
	require.True(t, span.Failed())
	require.Equal(t, "panic", span.Attributes()["error.type"])
	require.Contains(t, out.String(), `"error_type":"panic"`)
	require.NoError(t, testutil.CollectAndCompare(metrics, strings.NewReader(`
# HELP messaging_client_sent_messages_total Messages that were sent.
# TYPE messaging_client_sent_messages_total counter
messaging_client_sent_messages_total{error_type="panic",messaging_destination_name="orders"} 1
`), "messaging_client_sent_messages_total"))
}

func TestPublish_DoesntLinkAReplyWithoutATrace(t *testing.T) {
	s := start(t, messages.Options{})
	asked := to("quotes")
	asked.Call = true
	_, err := send(messages.Options{}, asked, func(_ context.Context, s *runtime.Sending) (*runtime.Message, error) {
		return &runtime.Message{Headers: s.Message.Headers}, nil // its own trace comes back, as from an echo
	})
	require.NoError(t, err)
	s.stop(t)
	require.Empty(t, s.spans.Named(t, "call quotes").Links)
}

// A reply is sent in a trace also where nothing traces the handling.
func TestPublish_TracesAReplyWithoutConsume(t *testing.T) {
	s := start(t, messages.Options{})
	reply := to("amq.gen-abc")
	reply.Request = carrying(map[string]any{"traceparent": traceparent})
	_, err := send(messages.Options{}, reply, func(context.Context, *runtime.Sending) (*runtime.Message, error) { return nil, nil })
	require.NoError(t, err)
	s.stop(t)
	span := s.spans.Named(t, "publish amq.gen")
	require.Empty(t, span.Parent())
	require.Contains(t, reply.Message.Headers["traceparent"], span.Trace())
}

func TestConsume_TwiceIsASpanInASpan(t *testing.T) {
	s := start(t, messages.Options{})
	twice := messages.Consume(messages.Options{})(messages.Consume(messages.Options{})(nothing))
	d := carrying(map[string]any{"traceparent": traceparent})
	_, err := twice(context.Background(), d)
	require.NoError(t, err)
	d.Settled(runtime.Ack, nil)
	s.stop(t)
	require.Len(t, s.spans.Spans(), 4)
	for _, span := range s.spans.Spans() {
		require.Contains(t, traceparent, span.Trace())
	}
}

func TestConsume_LeavesHeadersOfAnyKind(t *testing.T) {
	s := start(t, messages.Options{})
	table := map[string]any{"traceparent": 7, "tracestate": []any{"a"}, "baggage": map[string]any{"tenant_id": "acme"}, "x-death": []any{}}
	d := carrying(table)
	_, err := handle(context.Background(), messages.Options{}, d, nothing)
	require.NoError(t, err)
	s.stop(t)
	require.Equal(t, 7, table["traceparent"])
	require.Empty(t, s.spans.Named(t, "process q").Parent())
}

func TestPublish_LeavesTheMessageWithoutTracing(t *testing.T) {
	plain := to("orders")
	_, err := send(messages.Options{TracerProvider: noop.NewTracerProvider()}, plain, func(context.Context, *runtime.Sending) (*runtime.Message, error) { return nil, nil })
	require.NoError(t, err)
	require.Nil(t, plain.Message.Headers)
}

func TestConsume_FitsForeignTextsIntoASpan(t *testing.T) {
	recorder := tracetest.NewSpanRecorder()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder))
	d := carrying(nil)
	d.MessageID, d.CorrelationID = "m\xff", "c\xff"
	_, err := handle(context.Background(), messages.Options{TracerProvider: provider}, d, func(context.Context, *runtime.Delivery) (*runtime.Message, error) {
		return nil, errors.New(strings.Repeat("x", 100_000) + "\xff")
	})
	require.Error(t, err)
	span := recorder.Ended()[0]
	require.Len(t, span.Status().Description, 4096)
	require.Contains(t, span.Attributes(), attribute.String("messaging.message.id", "m\ufffd"))
	require.Contains(t, span.Attributes(), attribute.String("messaging.message.conversation_id", "c\ufffd"))
}

func TestMetrics_BoundTheirLabels(t *testing.T) {
	metrics := messages.NewMetrics(messages.Limits{ErrorTypes: 1})
	for i, failure := range []error{runtime.ErrNacked, runtime.ErrClosed, runtime.ErrBlocked} {
		_, err := send(messages.Options{Metrics: metrics}, to(fmt.Sprint("amq.rabbitmq.reply-to.", i)),
			func(context.Context, *runtime.Sending) (*runtime.Message, error) { return nil, failure })
		require.ErrorIs(t, err, failure)
	}
	require.NoError(t, testutil.CollectAndCompare(metrics, strings.NewReader(`
# HELP messaging_client_sent_messages_total Messages that were sent.
# TYPE messaging_client_sent_messages_total counter
messaging_client_sent_messages_total{error_type="_other",messaging_destination_name="amq.rabbitmq.reply-to"} 2
messaging_client_sent_messages_total{error_type="nacked",messaging_destination_name="amq.rabbitmq.reply-to"} 1
`), "messaging_client_sent_messages_total"))
}

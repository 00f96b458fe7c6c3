package observe_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/warrenmq/warren/internal/otlptest"
	"github.com/warrenmq/warren/observe"
	"github.com/warrenmq/warren/observe/redact"
)

func TestRedact_MasksAttributesStatusAndLinksOfSpans(t *testing.T) {
	redactor, err := redact.New(redact.Config{ExceptKeys: []string{"support"}})
	require.NoError(t, err)
	receiver := otlptest.GRPC(t)
	o := configure(t, observe.Config{OTLPEndpoint: receiver.Endpoint, TraceSampleRate: 1, Redact: redactor})
	failure := errors.New("no mail to ann@example.com")
	_, span := observe.TraceSpan(context.Background(), "work", attribute.String("password", "x"), attribute.Int64("n", 4111111111111111),
		attribute.StringSlice("list", []string{"a", "ann@example.com"}), attribute.String("order", "7"),
		attribute.Map("map", attribute.String("password", "x")), attribute.Slice("slice", attribute.Int64Value(4111111111111111)),
		attribute.ByteSlice("bytes", []byte("ann@example.com")), attribute.Map("order map", attribute.Int("order", 7)))
	span.SetAttribute("support", "help@example.com")
	span.Span().AddLink(trace.Link{Attributes: []attribute.KeyValue{attribute.String("of", "ann@example.com")}})
	span.End(&failure)
	flush(t, o)

	got := receiver.Named(t, "work")
	attrs := got.Attributes()
	require.NotContains(t, attrs["order map"], "[REDACTED]")
	delete(attrs, "order map")
	require.Equal(t, map[string]any{
		"password": "[REDACTED]", "n": "[REDACTED]", "list": "[REDACTED]", "order": "7", "error.type": "*errors.errorString",
		"map": "[REDACTED]", "slice": "[REDACTED]", "bytes": "[REDACTED]",
		"support": "help@example.com",
	}, attrs)
	require.Equal(t, "no mail to [REDACTED]", got.Status.Message)
	require.NotContains(t, got.String(), "ann@example.com")
}

func TestRedact_MasksAttributesOfSpansOfEveryType(t *testing.T) {
	redactor, err := redact.New(redact.Config{ExceptKeys: []string{"public"}})
	require.NoError(t, err)
	exporter := tracetest.NewInMemoryExporter()
	o := configure(t, observe.Config{Exporter: exporter, TraceSampleRate: 1, Redact: redactor})
	_, span := observe.TraceSpan(context.Background(), "pay",
		attribute.String("note", "of ann@example.com"), attribute.StringSlice("notes", []string{"a", "ann@example.com"}),
		attribute.Int64("i", 4111111111111111), attribute.Float64("f", 4111111111111111), attribute.Int64Slice("is", []int64{1, 4111111111111111}),
		attribute.Bool("pin", true), attribute.String("public", "ann@example.com"), attribute.Int("n", 7), attribute.Float64("ratio", 0.5),
	)
	span.End(nil)
	flush(t, o)
	got := map[string]string{}
	for _, kv := range exporter.GetSpans()[0].Attributes {
		got[string(kv.Key)] = kv.Value.String()
	}
	require.Equal(t, map[string]string{
		"note": redact.Mask, "notes": redact.Mask, "i": redact.Mask, "f": redact.Mask, "is": redact.Mask, "pin": redact.Mask,
		"public": "ann@example.com", "n": "7", "ratio": "0.5",
	}, got)
}

func TestPlainSpans_LeavesSpansAsTheyAre(t *testing.T) {
	redactor, err := redact.New(redact.Config{})
	require.NoError(t, err)
	exporter := tracetest.NewInMemoryExporter()
	o := configure(t, observe.Config{Exporter: exporter, TraceSampleRate: 1, Redact: redactor, PlainSpans: true})
	_, span := observe.TraceSpan(context.Background(), "pay", attribute.String("note", "of ann@example.com"))
	span.End(nil)
	flush(t, o)
	require.Equal(t, "of ann@example.com", exporter.GetSpans()[0].Attributes[0].Value.AsString())
}

package observe_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/warrenmq/warren/observe"
	"github.com/warrenmq/warren/observe/redact"
)

func TestAttributesOfEveryTypeAreRedacted(t *testing.T) {
	redactor, err := redact.New(redact.Config{ExceptKeys: []string{"public"}})
	require.NoError(t, err)
	exporter := tracetest.NewInMemoryExporter()
	o := configure(t, observe.Config{Exporter: exporter, TraceSampleRate: 1, Redact: redactor, RedactSpans: true})
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

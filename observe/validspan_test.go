package observe_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/warrenmq/warren/observe"
)

func TestExporter_ReplacesInvalidUTF8(t *testing.T) {
	o, receiver := traced(t)
	_, span := observe.TraceSpan(context.Background(), "work\xff", attribute.String("a", "x\xff"), attribute.StringSlice("list", []string{"\xff"}))
	span.SetAttribute("b", "y\xff")
	span.Span().SetAttributes(attribute.Slice("slice", attribute.StringValue("\xff")),
		attribute.Map("map", attribute.String("\xff", "a"), attribute.Map("b", attribute.StringSlice("c", []string{"\xff"}))))
	span.Span().AddEvent("e\xff", trace.WithAttributes(attribute.String("k\xff", "")))
	span.Span().AddLink(trace.Link{Attributes: []attribute.KeyValue{attribute.String("l", "\xff")}})
	failure := errors.New("z\xff")
	span.End(&failure)
	flush(t, o)
	got := receiver.Named(t, "work\ufffd")
	require.Equal(t, "x\ufffd", got.Attributes()["a"])
	require.Equal(t, "z\ufffd", got.Status.Message)
}

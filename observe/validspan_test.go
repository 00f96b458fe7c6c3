package observe_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
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

// Invalid UTF-8 in any one place of a span is replaced; it would cost the whole batch.
func TestExport_ReplacesInvalidUTF8InEachPlace(t *testing.T) {
	bad := attribute.String("l", "\xff")
	for name, spoil := range map[string]func(*observe.Span){
		"the key of an attribute":    func(s *observe.Span) { s.SetAttribute("\xff", 1) },
		"an attribute":               func(s *observe.Span) { s.Span().SetAttributes(bad) },
		"the attribute of a link":    func(s *observe.Span) { s.Span().AddLink(trace.Link{Attributes: []attribute.KeyValue{bad}}) },
		"the attribute of an event":  func(s *observe.Span) { s.Span().AddEvent("e", trace.WithAttributes(bad)) },
		"the name of an event":       func(s *observe.Span) { s.Span().AddEvent("\xff") },
		"the status":                 func(s *observe.Span) { s.Span().SetStatus(codes.Error, "\xff") },
		"a list":                     func(s *observe.Span) { s.Span().SetAttributes(attribute.StringSlice("l", []string{"a", "\xff"})) },
		"an attribute of the second": func(s *observe.Span) { s.Span().SetAttributes(attribute.Int("a", 1), bad) },
	} {
		t.Run(name, func(t *testing.T) {
			o, receiver := traced(t)
			_, span := observe.TraceSpan(context.Background(), "work")
			spoil(span)
			span.End(nil)
			flush(t, o)
			require.Contains(t, receiver.Named(t, "work").String(), "\ufffd")
		})
	}
}

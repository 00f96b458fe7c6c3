package observe

import (
	"context"
	"slices"

	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/warrenmq/warren/observe/redact"
)

// A redactingExporter masks personal data in spans on their way out, off the
// path of requests.
type redactingExporter struct {
	sdktrace.SpanExporter
	redactor *redact.Redactor
}

func (e redactingExporter) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	masked := make([]sdktrace.ReadOnlySpan, len(spans))
	for i, span := range spans {
		masked[i] = maskedSpan{span, e.redactor}
	}
	return e.SpanExporter.ExportSpans(ctx, masked)
}

type maskedSpan struct {
	sdktrace.ReadOnlySpan
	redactor *redact.Redactor
}

func (s maskedSpan) Attributes() []attribute.KeyValue {
	return maskAttributes(s.redactor, s.ReadOnlySpan.Attributes())
}

func (s maskedSpan) Events() []sdktrace.Event {
	events := slices.Clone(s.ReadOnlySpan.Events())
	for i := range events {
		events[i].Attributes = maskAttributes(s.redactor, events[i].Attributes)
	}
	return events
}

func (s maskedSpan) Links() []sdktrace.Link {
	links := slices.Clone(s.ReadOnlySpan.Links())
	for i := range links {
		links[i].Attributes = maskAttributes(s.redactor, links[i].Attributes)
	}
	return links
}

// Status loses only what is found in its text, as an event does.
func (s maskedSpan) Status() sdktrace.Status {
	status := s.ReadOnlySpan.Status()
	status.Description = s.redactor.Text(status.Description)
	return status
}

func maskAttributes(r *redact.Redactor, attrs []attribute.KeyValue) []attribute.KeyValue {
	attrs = slices.Clone(attrs)
	for i, kv := range attrs {
		if masks(r, kv) {
			attrs[i].Value = attribute.StringValue(redact.Mask)
		}
	}
	return attrs
}

func masks(r *redact.Redactor, kv attribute.KeyValue) bool {
	verdict := r.Field(string(kv.Key))
	switch {
	case verdict.Excepted:
		return false
	case verdict.Mask:
		return true
	}
	return masksValue(r, kv.Value)
}

func masksValue(r *redact.Redactor, v attribute.Value) bool {
	switch v.Type() {
	case attribute.INT64:
		n := v.AsInt64()
		return n > 0 && r.Number(uint64(n))
	case attribute.FLOAT64:
		return r.Float(v.AsFloat64())
	case attribute.BOOL:
		return false
	case attribute.STRING:
		return r.Value(v.AsString())
	case attribute.BYTESLICE:
		return r.Value(string(v.AsByteSlice()))
	case attribute.SLICE:
		return slices.ContainsFunc(v.AsSlice(), func(v attribute.Value) bool { return masksValue(r, v) })
	case attribute.MAP:
		return slices.ContainsFunc(v.AsMap(), func(kv attribute.KeyValue) bool { return masks(r, kv) })
	default:
		return r.Value(v.String())
	}
}

package observe

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// A validExporter replaces invalid UTF-8 in spans: OTLP has no form for it, and
// one such attribute, as the path of a request, would cost the whole batch
// (measured on the exporters, v1.47).
type validExporter struct{ sdktrace.SpanExporter }

func (e validExporter) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	for i, span := range spans {
		if !isValid(span) {
			spans[i] = validSpan{span}
		}
	}
	return e.SpanExporter.ExportSpans(ctx, spans)
}

func isValid(span sdktrace.ReadOnlySpan) bool {
	return utf8.ValidString(span.Name()) && utf8.ValidString(span.Status().Description) &&
		!anyInvalid(span.Attributes()) &&
		!slices.ContainsFunc(span.Events(), func(e sdktrace.Event) bool { return !utf8.ValidString(e.Name) || anyInvalid(e.Attributes) }) &&
		!slices.ContainsFunc(span.Links(), func(l sdktrace.Link) bool { return anyInvalid(l.Attributes) })
}

func anyInvalid(attrs []attribute.KeyValue) bool {
	for i := range attrs { // by pointer: all attributes of all spans pass here, and are large
		if isInvalid(&attrs[i]) {
			return true
		}
	}
	return false
}

func isInvalid(kv *attribute.KeyValue) bool {
	return !utf8.ValidString(string(kv.Key)) || isInvalidValue(kv.Value)
}

func isInvalidValue(v attribute.Value) bool {
	switch v.Type() {
	case attribute.STRING:
		return !utf8.ValidString(v.AsString())
	case attribute.STRINGSLICE:
		return slices.ContainsFunc(v.AsStringSlice(), func(s string) bool { return !utf8.ValidString(s) })
	case attribute.SLICE:
		return slices.ContainsFunc(v.AsSlice(), isInvalidValue)
	case attribute.MAP:
		return anyInvalid(v.AsMap())
	default:
		return false
	}
}

type validSpan struct{ sdktrace.ReadOnlySpan }

func (s validSpan) Name() string { return valid(s.ReadOnlySpan.Name()) }

func (s validSpan) Attributes() []attribute.KeyValue {
	return validAttributes(s.ReadOnlySpan.Attributes())
}

func (s validSpan) Events() []sdktrace.Event {
	events := slices.Clone(s.ReadOnlySpan.Events())
	for i := range events {
		events[i].Name, events[i].Attributes = valid(events[i].Name), validAttributes(events[i].Attributes)
	}
	return events
}

func (s validSpan) Links() []sdktrace.Link {
	links := slices.Clone(s.ReadOnlySpan.Links())
	for i := range links {
		links[i].Attributes = validAttributes(links[i].Attributes)
	}
	return links
}

func (s validSpan) Status() sdktrace.Status {
	status := s.ReadOnlySpan.Status()
	status.Description = valid(status.Description)
	return status
}

func validAttributes(attrs []attribute.KeyValue) []attribute.KeyValue {
	attrs = slices.Clone(attrs)
	for i, kv := range attrs {
		if isInvalid(&kv) {
			attrs[i] = attribute.KeyValue{Key: attribute.Key(valid(string(kv.Key))), Value: validValue(kv.Value)}
		}
	}
	return attrs
}

func validValue(v attribute.Value) attribute.Value {
	switch v.Type() {
	case attribute.STRING:
		return attribute.StringValue(valid(v.AsString()))
	case attribute.STRINGSLICE:
		texts := slices.Clone(v.AsStringSlice())
		for i := range texts {
			texts[i] = valid(texts[i])
		}
		return attribute.StringSliceValue(texts)
	case attribute.SLICE:
		values := slices.Clone(v.AsSlice())
		for i := range values {
			values[i] = validValue(values[i])
		}
		return attribute.SliceValue(values...)
	case attribute.MAP:
		return attribute.MapValue(validAttributes(v.AsMap())...)
	default:
		return v
	}
}

func valid(s string) string { return strings.ToValidUTF8(s, "\ufffd") }

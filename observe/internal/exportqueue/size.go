package exportqueue

import (
	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// What a span takes without its texts, in bytes: what was measured of an
// http.server span with ten attributes, less their texts.
const (
	spanBytes      = 1000
	eventBytes     = 100
	linkBytes      = 150
	attributeBytes = 72 // an attribute.KeyValue
	valueBytes     = 56 // an attribute.Value
)

// A Sized span knows its size, which is measured once.
type Sized struct {
	sdktrace.ReadOnlySpan
	Bytes int // about so many, see [Measure]
}

// Measure measures a span that has ended.
func Measure(span sdktrace.ReadOnlySpan) Sized { return Sized{span, size(span)} }

func size(span sdktrace.ReadOnlySpan) int {
	n := spanBytes + len(span.Name()) + len(span.Status().Description) + attributesSize(span.Attributes())
	for _, event := range span.Events() {
		n += eventBytes + len(event.Name) + attributesSize(event.Attributes)
	}
	for _, link := range span.Links() {
		n += linkBytes + attributesSize(link.Attributes)
	}
	return n
}

func attributesSize(all []attribute.KeyValue) int {
	n := len(all) * attributeBytes
	for i := range all {
		n += len(all[i].Key) + valueSize(&all[i].Value)
	}
	return n
}

// valueSize returns the size of what a value points to.
func valueSize(value *attribute.Value) int {
	switch value.Type() {
	case attribute.STRING:
		return len(value.AsString())
	case attribute.BOOLSLICE:
		return len(value.AsBoolSlice())
	case attribute.INT64SLICE:
		return 8 * len(value.AsInt64Slice())
	case attribute.FLOAT64SLICE:
		return 8 * len(value.AsFloat64Slice())
	case attribute.STRINGSLICE:
		n := 0
		for _, text := range value.AsStringSlice() {
			n += 16 + len(text)
		}
		return n
	case attribute.BYTESLICE:
		return len(value.AsByteSlice())
	case attribute.SLICE:
		n := 0
		for _, element := range value.AsSlice() {
			n += valueBytes + valueSize(&element)
		}
		return n
	case attribute.MAP:
		return attributesSize(value.AsMap())
	}
	return 0
}

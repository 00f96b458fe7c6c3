package exportqueue_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/warrenmq/warren/observe/internal/exportqueue"
)

// What bounds the memory of spans that wait has to see their texts wherever they are.
func TestMeasure_CountsTextsOfAllParts(t *testing.T) {
	const length = 1_000_000
	long := strings.Repeat("a", length)
	value := func(v attribute.Value) []attribute.KeyValue { return []attribute.KeyValue{{Key: "key", Value: v}} }
	text := value(attribute.StringValue(long))
	for name, span := range map[string]tracetest.SpanStub{
		"name":                  {Name: long},
		"status":                {Status: sdktrace.Status{Description: long}},
		"attribute":             {Attributes: text},
		"key":                   {Attributes: []attribute.KeyValue{attribute.Bool(long, true)}},
		"event":                 {Events: []sdktrace.Event{{Name: long}}},
		"attribute of an event": {Events: []sdktrace.Event{{Attributes: text}}},
		"attribute of a link":   {Links: []sdktrace.Link{{Attributes: text}}},
		"list of texts":         {Attributes: value(attribute.StringSliceValue([]string{"b", long}))},
		"bytes":                 {Attributes: value(attribute.ByteSliceValue([]byte(long)))},
		"list of truths":        {Attributes: value(attribute.BoolSliceValue(make([]bool, length)))},
		"list of integers":      {Attributes: value(attribute.Int64SliceValue(make([]int64, length/8)))},
		"list of numbers":       {Attributes: value(attribute.Float64SliceValue(make([]float64, length/8)))},
		"list of values":        {Attributes: value(attribute.SliceValue(attribute.BoolValue(true), attribute.StringValue(long)))},
		"map":                   {Attributes: value(attribute.MapValue(text...))},
	} {
		require.InDelta(t, length, exportqueue.Measure(span.Snapshot()).Bytes, 3000, name)
	}
}

// Spans without a text take memory, too.
func TestMeasure_CountsPartsWithoutTexts(t *testing.T) {
	const parts = 1000
	for name, span := range map[string]tracetest.SpanStub{
		"events":     {Events: make([]sdktrace.Event, parts)},
		"links":      {Links: make([]sdktrace.Link, parts)},
		"attributes": {Attributes: make([]attribute.KeyValue, parts)},
		"texts":      {Attributes: []attribute.KeyValue{attribute.StringSlice("", make([]string, parts))}},
		"values":     {Attributes: []attribute.KeyValue{{Value: attribute.SliceValue(make([]attribute.Value, parts)...)}}},
	} {
		require.Greater(t, exportqueue.Measure(span.Snapshot()).Bytes, 16*parts, name)
	}
}

package tailsampling_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/warrenmq/warren/observe/internal/exportqueue"
	"github.com/warrenmq/warren/observe/internal/tailsampling"
)

// start returns a tracer that samples nothing by itself, the sampler behind it,
// and what it exports.
func start(t *testing.T, mode tailsampling.Mode) (trace.Tracer, *tailsampling.Sampler, *tracetest.InMemoryExporter) {
	t.Helper()
	return startWith(t, mode, -1)
}

func startWith(t *testing.T, mode tailsampling.Mode, errorRate int) (trace.Tracer, *tailsampling.Sampler, *tracetest.InMemoryExporter) {
	t.Helper()
	exporter := tracetest.NewInMemoryExporter()
	s := tailsampling.New(tailsampling.Config{Mode: mode, Bytes: 1 << 20, ErrorRate: errorRate, Queue: exportqueue.Config{
		Exporter: exporter, Size: 100, ErrorSize: 1000, Bytes: 1 << 20, Interval: time.Hour, Timeout: time.Minute, Exported: func(int, error) {},
	}})
	provider := sdktrace.NewTracerProvider(sdktrace.WithSampler(sdktrace.AlwaysRecord(sdktrace.NeverSample())), sdktrace.WithSpanProcessor(s))
	t.Cleanup(func() { require.NoError(t, provider.Shutdown(context.Background())) })
	return provider.Tracer("test"), s, exporter
}

// work makes a trace of two spans, of which the child may fail.
func work(tracer trace.Tracer, failing bool) {
	ctx, root := tracer.Start(context.Background(), "root")
	_, child := tracer.Start(ctx, "child")
	if failing {
		child.SetStatus(codes.Error, "")
	}
	child.End()
	root.End()
}

func TestSampler_ExportsWhatItsModeSays(t *testing.T) {
	for _, test := range []struct {
		mode tailsampling.Mode
		want []string
	}{
		{tailsampling.LocalTrace, []string{"child", "root"}},
		{tailsampling.ErrorSpans, []string{"child"}},
		{tailsampling.Nothing, nil},
	} {
		tracer, s, exporter := start(t, test.mode)
		work(tracer, true)
		work(tracer, false)
		require.NoError(t, s.ForceFlush(context.Background()))
		var names []string
		for _, span := range exporter.GetSpans() {
			names = append(names, span.Name)
			require.True(t, span.SpanContext.IsSampled(), "what is exported says that it is sampled")
		}
		require.Equal(t, test.want, names)
	}
}

func TestDiscard_LeavesTracesThatAreExported(t *testing.T) {
	tracer, s, _ := start(t, tailsampling.LocalTrace)
	discard := func(span trace.Span) bool { return s.Discard(span.(sdktrace.ReadOnlySpan)) }

	ctx, root := tracer.Start(context.Background(), "root")
	_, child := tracer.Start(ctx, "child")
	require.False(t, discard(root), "another span of the trace is open")
	child.SetStatus(codes.Error, "")
	require.False(t, discard(child), "it is an error")
	child.End()
	require.False(t, discard(root), "its trace has an error")
	root.End()

	_, alone := tracer.Start(context.Background(), "alone")
	require.True(t, discard(alone))
	alone.End()
}

// A storm of errors is kept in part: as many traces as the rate gives a minute.
func TestErrorRate_BoundsTheTracesThatAreKept(t *testing.T) {
	for _, test := range []struct {
		mode  tailsampling.Mode
		spans int // of a trace
	}{{tailsampling.LocalTrace, 2}, {tailsampling.ErrorSpans, 1}} {
		synctest.Test(t, func(t *testing.T) {
			tracer, s, exporter := startWith(t, test.mode, 1)
			for range 100 {
				work(tracer, true)
			}
			require.NoError(t, s.ForceFlush(context.Background()))
			require.Len(t, exporter.GetSpans(), 60*test.spans, "whole traces")
			require.EqualValues(t, 40, s.Limited())

			_, late := tracer.Start(context.Background(), "late")
			late.SetStatus(codes.Error, "")
			require.False(t, s.Keeps(late), "an exemplar would lead nowhere")
			time.Sleep(time.Second)
			require.True(t, s.Keeps(late))
			late.End()
			require.NoError(t, s.ForceFlush(context.Background()))
			require.Len(t, exporter.GetSpans(), 60*test.spans+1)
			require.EqualValues(t, 40, s.Limited())
		})
	}
}

// A second error of a trace that wasn't kept is neither kept nor counted.
func TestErrorRate_DecidesATraceOnce(t *testing.T) {
	tracer, s, exporter := startWith(t, tailsampling.LocalTrace, 0)
	ctx, root := tracer.Start(context.Background(), "root")
	for range 3 {
		_, child := tracer.Start(ctx, "child")
		child.SetStatus(codes.Error, "")
		child.End()
	}
	require.False(t, s.Keeps(root))
	root.End()
	require.NoError(t, s.ForceFlush(context.Background()))
	require.Empty(t, exporter.GetSpans())
	require.EqualValues(t, 1, s.Limited())
}

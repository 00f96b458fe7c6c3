package tailsampling_test

import (
	"context"
	"testing"
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
	exporter := tracetest.NewInMemoryExporter()
	s := tailsampling.New(tailsampling.Config{Mode: mode, Bytes: 1 << 20, Queue: exportqueue.Config{
		Exporter: exporter, Size: 100, ErrorSize: 100, Bytes: 1 << 20, Interval: time.Hour, Timeout: time.Minute, Exported: func(int, error) {},
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

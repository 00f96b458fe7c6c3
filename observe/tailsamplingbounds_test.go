package observe_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/warrenmq/warren/internal/otlptest"
	"github.com/warrenmq/warren/observe"
)

func TestTailSampling_ExportsManySpansInParts(t *testing.T) {
	receiver := otlptest.GRPC(t)
	o := configure(t, observe.Config{OTLPEndpoint: receiver.Endpoint, TraceSampleRate: 1})
	ctx, root := observe.TraceSpan(context.Background(), "root")
	for range 300 {
		_, span := observe.TraceSpan(ctx, "child")
		span.End(nil)
	}
	flush(t, o)
	require.Len(t, receiver.Spans(), 300, "the root is still open")
	root.End(nil)
	flush(t, o)
	require.Len(t, receiver.Spans(), 301)
}

func TestTailSampling_KeepsALateErrorAlone(t *testing.T) {
	receiver := otlptest.GRPC(t)
	o := configure(t, observe.Config{OTLPEndpoint: receiver.Endpoint})
	ctx, root := observe.TraceSpan(context.Background(), "root")
	for range 300 {
		_, span := observe.TraceSpan(ctx, "child")
		span.End(nil)
	}
	failure := errTest
	root.End(&failure)
	flush(t, o)
	require.Equal(t, []string{"root"}, names(receiver.Spans()))
	require.EqualValues(t, 1, o.Stats().DecidedAlone)
}

func TestTailSampling_BoundsSpansThatNeverEnd(t *testing.T) {
	receiver := otlptest.GRPC(t)
	o := configure(t, observe.Config{OTLPEndpoint: receiver.Endpoint})
	for range 40_000 {
		observe.TraceSpan(context.Background(), "never ended")
	}
	for range 100 {
		work(true)
	}
	flush(t, o)
	failed := 0
	for _, s := range receiver.Spans() {
		if s.Failed() {
			failed++
		}
	}
	require.Equal(t, 100, failed, "errors are kept, with their trace or alone")
}

func TestExportQueue_BoundsErrors(t *testing.T) {
	exporter := &gated{gate: make(chan struct{})}
	o := configure(t, observe.Config{Exporter: exporter, ErrorQueueSize: 30})
	for range 2000 {
		work(true)
	}
	require.NotZero(t, o.Stats().DroppedOfError)
	close(exporter.gate)
}

func TestTailSampling_BoundsBytes(t *testing.T) {
	const bytes = 1 << 20
	exporter := &gated{gate: make(chan struct{})}
	large := attribute.StringSlice("large", []string{strings.Repeat("x", 10_000)})
	work := func(n int, sampled float64) observe.Stats {
		o := configure(t, observe.Config{Exporter: exporter, TraceSampleRate: sampled, SpanBytes: bytes, ExportInterval: time.Hour})
		ctx, root := observe.TraceSpan(context.Background(), "root")
		for range n {
			_, span := observe.TraceSpan(ctx, "child")
			span.Span().SetAttributes(large)
			span.End(nil)
		}
		stats := o.Stats()
		root.End(nil)
		shutdown(t, o)
		return stats
	}
	close(exporter.gate)
	fits := bytes / 2 / 12_000
	require.Zero(t, work(fits, 0).DecidedAlone)
	require.NotZero(t, work(2*fits, 0).DecidedAlone, "half is for what waits for the end of its trace")
}

func TestExportQueue_BoundsBytes(t *testing.T) {
	exporter := &gated{gate: make(chan struct{})}
	o := configure(t, observe.Config{Exporter: exporter, TraceSampleRate: 1, SpanBytes: 1 << 20, ExportInterval: time.Hour})
	for range 200 {
		_, span := observe.TraceSpan(context.Background(), "large")
		span.Span().SetAttributes(attribute.String("large", strings.Repeat("x", 10_000)))
		span.End(nil)
	}
	require.NotZero(t, o.Stats().Dropped, "a quarter is for what waits to be exported")
	require.Less(t, o.Stats().Dropped, uint64(200-20))
	close(exporter.gate)
}

func TestTailSampling_ExportsLongTracesBeforeTheyEnd(t *testing.T) {
	exporter := &gated{gate: make(chan struct{})}
	close(exporter.gate)
	synctest.Test(t, func(t *testing.T) {
		o := configure(t, observe.Config{Exporter: exporter, TraceSampleRate: 1})
		ctx, root := observe.TraceSpan(context.Background(), "root")
		_, child := observe.TraceSpan(ctx, "child")
		child.End(nil)
		time.Sleep(25 * time.Second)
		require.Zero(t, exporter.count("child"))
		time.Sleep(15 * time.Second)
		require.Equal(t, 1, exporter.count("child"))
		root.End(nil)
		shutdown(t, o)
		require.Equal(t, 1, exporter.count("root"))
	})
}

func TestTailSampling_BoundsHeldSpans(t *testing.T) {
	exporter := &gated{gate: make(chan struct{})}
	close(exporter.gate)
	o := configure(t, observe.Config{Exporter: exporter})
	var roots []*observe.Span
	for range 300 {
		ctx, root := observe.TraceSpan(context.Background(), "root")
		roots = append(roots, root)
		for range 250 {
			_, span := observe.TraceSpan(ctx, "child")
			span.End(nil)
		}
	}
	alone := o.Stats().DecidedAlone
	require.EqualValues(t, 38, alone, "300 traces of 250 spans are more than 65,536: each of the last 38 has one that finds no room")
	for _, root := range roots {
		root.End(nil)
	}
	work(true)
	flush(t, o)
	require.Equal(t, alone, o.Stats().DecidedAlone, "what has ended gives its room back")
	require.Equal(t, 1, errorTraces(exporter))
}

// Spans that are never ended, as with a broker that doesn't report settling, take
// every place that there is.
func TestTailSampling_FreesIdleTracesWhenFull(t *testing.T) {
	exporter := &gated{gate: make(chan struct{})}
	close(exporter.gate)
	synctest.Test(t, func(t *testing.T) {
		o := configure(t, observe.Config{Exporter: exporter})
		for range 40_000 {
			ctx, _ := observe.TraceSpan(context.Background(), "never ended")
			for range 2 {
				_, span := observe.TraceSpan(ctx, "held")
				span.End(nil)
			}
		}
		work(true)
		require.NotZero(t, o.Stats().DecidedAlone, "there is no room")
		alone := o.Stats().DecidedAlone
		time.Sleep(11 * time.Minute)
		for range 100 {
			work(true)
		}
		require.Equal(t, alone, o.Stats().DecidedAlone)
		shutdown(t, o)
		require.Equal(t, 100, errorTraces(exporter), "all but the first are whole")
	})
}

func TestTailSampling_HoldsALongTraceWhileThereIsRoom(t *testing.T) {
	exporter := &gated{gate: make(chan struct{})}
	close(exporter.gate)
	synctest.Test(t, func(t *testing.T) {
		o := configure(t, observe.Config{Exporter: exporter})
		ctx, root := observe.TraceSpan(context.Background(), "root")
		_, child := observe.TraceSpan(ctx, "child")
		child.End(nil)
		time.Sleep(time.Hour)
		failure := errTest
		root.End(&failure)
		shutdown(t, o)
		require.Equal(t, 1, exporter.count("child"))
		require.Equal(t, 1, exporter.count("root"))
	})
}

// incoming is the context of a request whose caller has decided.
func incoming(flags trace.TraceFlags) context.Context {
	return trace.ContextWithRemoteSpanContext(context.Background(), trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{1, 15: 0xff}, SpanID: trace.SpanID{1}, TraceFlags: flags, Remote: true,
	}))
}

// A service that is called back by one that it called may get its own trace with
// another decision.
func TestTailSampling_KeepsATraceOfWhichAnySpanIsSampled(t *testing.T) {
	for _, test := range []struct {
		name string
		work func(ctx context.Context)
	}{
		{"before", func(ctx context.Context) {
			_, span := observe.TraceSpan(incoming(trace.FlagsSampled), "callback")
			span.End(nil)
			_, span = observe.TraceSpan(ctx, "child")
			span.End(nil)
		}},
		{"after", func(ctx context.Context) {
			_, span := observe.TraceSpan(ctx, "child")
			span.End(nil)
			_, span = observe.TraceSpan(incoming(trace.FlagsSampled), "callback")
			span.End(nil)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			receiver := otlptest.GRPC(t)
			o := configure(t, observe.Config{OTLPEndpoint: receiver.Endpoint})
			ctx, root := observe.TraceSpan(incoming(0), "root")
			test.work(ctx)
			root.End(nil)
			flush(t, o)
			require.Equal(t, []string{"callback", "child", "root"}, names(receiver.Spans()))
			for _, span := range receiver.Spans() {
				require.NotZero(t, span.Flags&sampledFlag, span.Name)
			}
		})
	}
}

func TestTailSampling_KeepsAnErrorThatTheCallerDrops(t *testing.T) {
	receiver := otlptest.GRPC(t)
	o := configure(t, observe.Config{OTLPEndpoint: receiver.Endpoint, TraceSampleRate: 1})
	failure := errTest
	_, span := observe.TraceSpan(incoming(0), "work")
	span.End(&failure)
	flush(t, o)
	receiver.Named(t, "work")
}

func TestTailSampling_KeepsTheRequestOfASampledSpan(t *testing.T) {
	receiver := otlptest.GRPC(t)
	o := configure(t, observe.Config{OTLPEndpoint: receiver.Endpoint})
	request(answering(func(context.Context) {
		_, span := observe.TraceSpan(incoming(trace.FlagsSampled), "callback")
		span.End(nil)
	}), "GET", "/work", "Traceparent", "00-010000000000000000000000000000ff-0100000000000000-00")
	flush(t, o)
	require.Equal(t, []string{"GET /work", "callback"}, names(receiver.Spans()))
	require.Equal(t, "/work", receiver.Named(t, "GET /work").Attributes()["http.route"])
}

func TestTailSampling_DropsTheRestOfADroppedTrace(t *testing.T) {
	exporter := &gated{gate: make(chan struct{})}
	o := configure(t, observe.Config{Exporter: exporter, TraceSampleRate: 1, QueueSize: 300, ExportInterval: time.Hour})
	ctx, root := observe.TraceSpan(context.Background(), "root")
	for range 1000 { // 256 are held, then each goes alone
		_, span := observe.TraceSpan(ctx, "child")
		span.End(nil)
	}
	dropped := o.Stats().Dropped
	require.NotZero(t, dropped)
	close(exporter.gate)
	flush(t, o)
	root.End(nil)
	flush(t, o)
	require.Zero(t, exporter.count("root"))
	require.Equal(t, dropped+1, o.Stats().Dropped)
}

func TestShutdown_ExportsUnfinishedTraces(t *testing.T) {
	exporter := &gated{gate: make(chan struct{})}
	close(exporter.gate)
	o := configure(t, observe.Config{Exporter: exporter, TraceSampleRate: 1})
	ctx, _ := observe.TraceSpan(context.Background(), "root")
	_, child := observe.TraceSpan(ctx, "child")
	child.End(nil)
	shutdown(t, o)
	require.Equal(t, 1, exporter.count("child"))
}

func TestKeepErrorSpans_HasAQueueOfItsOwn(t *testing.T) {
	exporter := &gated{gate: make(chan struct{})}
	o := configure(t, observe.Config{Exporter: exporter, KeepErrors: observe.KeepErrorSpans, QueueSize: 1, ExportInterval: time.Hour})
	for range 100 {
		work(true)
	}
	close(exporter.gate)
	flush(t, o)
	require.Equal(t, 100, exporter.count("bad"))
}

// What is left of a trace whose error found no room is dropped, also if there is
// room again.
func TestTailSampling_DropsTheTraceOfAnErrorWithoutRoom(t *testing.T) {
	exporter := &gated{gate: make(chan struct{})}
	o := configure(t, observe.Config{Exporter: exporter, ErrorQueueSize: 2, ExportInterval: time.Hour})
	ctx, root := observe.TraceSpan(context.Background(), "lost")
	for range 2 {
		_, span := observe.TraceSpan(ctx, "lost")
		span.End(nil)
	}
	failure := errTest
	_, span := observe.TraceSpan(ctx, "lost")
	span.End(&failure)
	close(exporter.gate)
	flush(t, o)
	root.End(&failure)
	_, alone := observe.TraceSpan(context.Background(), "kept")
	alone.End(&failure)
	flush(t, o)
	require.Zero(t, exporter.count("lost"))
	require.Equal(t, 1, exporter.count("kept"))
	require.EqualValues(t, 4, o.Stats().DroppedOfError)
}

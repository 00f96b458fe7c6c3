package observe_test

import (
	"context"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/warrenmq/warren/observe"
)

func endSpan(name string) {
	_, span := observe.TraceSpan(context.Background(), name)
	span.End(nil)
}

// A health check with little time must not cost the spans that it finds.
func TestAFlushThatGivesUpLosesNothing(t *testing.T) {
	exporter := &gated{gate: make(chan struct{})}
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		exporter.gate = gate
		o := configure(t, observe.Config{Exporter: exporter, TraceSampleRate: 1})
		endSpan("work")
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		require.ErrorIs(t, o.Flush(ctx), context.DeadlineExceeded)
		require.ErrorIs(t, observe.Diagnose(ctx), context.DeadlineExceeded)
		close(gate)
		shutdown(t, o)
		require.Equal(t, 1, exporter.count("work"))
		require.Zero(t, o.Stats().FailedExports)
	})
}

func TestASmallQueueIsExportedBeforeItIsFull(t *testing.T) {
	exporter := &gated{gate: make(chan struct{})}
	close(exporter.gate)
	synctest.Test(t, func(t *testing.T) {
		o := configure(t, observe.Config{Exporter: exporter, TraceSampleRate: 1, QueueSize: 10, ExportInterval: time.Hour})
		for range 100 {
			endSpan("work")
			synctest.Wait()
		}
		shutdown(t, o)
		require.Equal(t, 100, exporter.count("work"))
		require.Zero(t, o.Stats().Dropped)
	})
}

func TestShutdownSaysWhatIsLost(t *testing.T) {
	exporter := &gated{gate: make(chan struct{})}
	o, err := observe.Configure(context.Background(), observe.Config{Exporter: exporter, TraceSampleRate: 1, LogWriter: io.Discard})
	require.NoError(t, err)
	for range 600 {
		endSpan("work")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err = o.Shutdown(ctx)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "spans were waiting, and are lost")
	require.NotZero(t, o.Stats().Dropped)
	close(exporter.gate)
}

// explosive panics in the first export.
type explosive struct {
	gated
	once sync.Once
}

func (e *explosive) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	e.once.Do(func() { panic("boom") })
	return e.gated.ExportSpans(ctx, spans)
}

func TestAnExportersPanicIsAFailedExport(t *testing.T) {
	exporter := &explosive{gated: gated{gate: make(chan struct{})}}
	close(exporter.gate)
	o := configure(t, observe.Config{Exporter: exporter, TraceSampleRate: 1, LogWriter: io.Discard})
	endSpan("first")
	require.ErrorContains(t, o.Flush(context.Background()), "the exporter panicked: boom")
	endSpan("second")
	flush(t, o)
	require.Equal(t, 1, exporter.count("second"))
	require.EqualValues(t, 1, o.Stats().FailedExports)
}

func TestSpansThatEndAfterTheShutdownDoNothing(t *testing.T) {
	exporter := &gated{gate: make(chan struct{})}
	close(exporter.gate)
	first := configure(t, observe.Config{Exporter: exporter, TraceSampleRate: 1})
	_, old := observe.TraceSpan(context.Background(), "old")
	shutdown(t, first)
	second := configure(t, observe.Config{Exporter: exporter, TraceSampleRate: 1})
	old.End(nil)
	old.End(nil)
	endSpan("new")
	flush(t, second)
	require.Zero(t, exporter.count("old"))
	require.Equal(t, 1, exporter.count("new"))
}

func TestASpanThatEndsTwiceIsExportedOnce(t *testing.T) {
	exporter := &gated{gate: make(chan struct{})}
	close(exporter.gate)
	o := configure(t, observe.Config{Exporter: exporter, TraceSampleRate: 1})
	ctx, root := observe.TraceSpan(context.Background(), "root")
	_, child := observe.TraceSpan(ctx, "child")
	child.End(nil)
	child.End(nil)
	flush(t, o)
	require.Zero(t, exporter.count("child"), "the trace is open")
	root.End(nil)
	flush(t, o)
	require.Equal(t, 1, exporter.count("child"))
}

// Traces begin, end and fail while tracing is flushed, shut down and set up
// again.
func TestTracesGoOnWhileTracingIsSetUpAgain(t *testing.T) {
	stop := make(chan struct{})
	var working sync.WaitGroup
	for range 4 {
		working.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
					work(i%3 == 0)
				}
			}
		})
	}
	for i := range 50 {
		exporter := &gated{gate: make(chan struct{})}
		close(exporter.gate)
		o, err := observe.Configure(context.Background(), observe.Config{Exporter: exporter, TraceSampleRate: float64(i%2) / 2, LogWriter: io.Discard})
		require.NoError(t, err)
		flush(t, o)
		shutdown(t, o)
		require.EqualValues(t, len(exporter.got), o.Stats().Exported)
	}
	close(stop)
	working.Wait()
}

func TestAProviderThatTheProgramHasPutInPlaceStays(t *testing.T) {
	before := otel.GetTracerProvider()
	defer otel.SetTracerProvider(before)
	o := configure(t, observe.Config{})
	own := sdktrace.NewTracerProvider()
	otel.SetTracerProvider(own)
	shutdown(t, o)
	require.Same(t, own, otel.GetTracerProvider())
}

package observe_test

import (
	"context"
	"io"
	"slices"
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
func TestFlush_LosesNothingWhenItGivesUp(t *testing.T) {
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

func TestExportQueue_ExportsASmallQueueBeforeItIsFull(t *testing.T) {
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

func TestExportQueue_ExportsErrorsFirst(t *testing.T) {
	exporter := &gated{gate: make(chan struct{})}
	o := configure(t, observe.Config{Exporter: exporter, TraceSampleRate: 1, QueueSize: 10_000, ExportInterval: time.Hour})
	for range 5000 {
		endSpan("other")
	}
	failure := errTest
	_, span := observe.TraceSpan(context.Background(), "failed")
	span.End(&failure)
	close(exporter.gate)
	flush(t, o)
	at := slices.IndexFunc(exporter.got, func(s sdktrace.ReadOnlySpan) bool { return s.Name() == "failed" })
	require.NotEqual(t, -1, at)
	require.LessOrEqual(t, at, 512, "at the latest in the batch after the one that was on its way")
}

func TestExportQueue_ExportsFullBatchesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		exporter := &gated{gate: make(chan struct{})}
		o := configure(t, observe.Config{Exporter: exporter, TraceSampleRate: 1, QueueSize: 10_000, ExportInterval: time.Hour})
		for range 5*512 + 100 {
			endSpan("work")
		}
		close(exporter.gate)
		synctest.Wait()
		require.GreaterOrEqual(t, exporter.count("work"), 5*512)
		shutdown(t, o)
	})
}

func TestExportQueue_EndsAnExportAtItsTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		exporter := &gated{gate: make(chan struct{})}
		o := configure(t, observe.Config{Exporter: exporter, TraceSampleRate: 1, ExportTimeout: 3 * time.Second})
		endSpan("work")
		began := time.Now()
		require.ErrorIs(t, o.Flush(context.Background()), context.DeadlineExceeded)
		require.Equal(t, 3*time.Second, time.Since(began))
		shutdown(t, o)
	})
}

// orderly lets its exports end before it shuts down.
type orderly struct {
	gated
	busy sync.Mutex
}

func (e *orderly) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	e.busy.Lock()
	defer e.busy.Unlock()
	return e.gated.ExportSpans(ctx, spans)
}

func (e *orderly) Shutdown(context.Context) error {
	e.busy.Lock()
	defer e.busy.Unlock()
	return errTest
}

func TestShutdown_CancelsTheExportUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		exporter := &orderly{gated: gated{gate: make(chan struct{})}}
		o, err := observe.Configure(context.Background(), observe.Config{
			Exporter: exporter, TraceSampleRate: 1, ExportTimeout: time.Hour, LogWriter: io.Discard,
		})
		require.NoError(t, err)
		for range 512 {
			endSpan("work")
		}
		synctest.Wait()
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		began := time.Now()
		err = o.Shutdown(ctx)
		require.Equal(t, time.Second, time.Since(began))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorIs(t, err, errTest, "the exporter's own")
	})
}

func TestShutdown_CountsLostSpans(t *testing.T) {
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

func TestExportQueue_TakesAPanicForAFailedExport(t *testing.T) {
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

func TestShutdown_IgnoresSpansThatEndAfterIt(t *testing.T) {
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

func TestSpan_IsExportedOnceWhenEndedTwice(t *testing.T) {
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
func TestConfigure_WhileTracesGoOn(t *testing.T) {
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

func TestShutdown_LeavesTheProgramsOwnProvider(t *testing.T) {
	before := otel.GetTracerProvider()
	defer otel.SetTracerProvider(before)
	o := configure(t, observe.Config{})
	own := sdktrace.NewTracerProvider()
	otel.SetTracerProvider(own)
	shutdown(t, o)
	require.Same(t, own, otel.GetTracerProvider())
}

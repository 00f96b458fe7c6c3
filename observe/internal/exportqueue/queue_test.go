package exportqueue_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/warrenmq/warren/observe/internal/exportqueue"
)

// recorder keeps the names of the spans in each export.
type recorder struct {
	mu      sync.Mutex
	batches [][]string
	err     error
	stopped int
}

func (r *recorder) ExportSpans(_ context.Context, spans []sdktrace.ReadOnlySpan) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var names []string
	for _, span := range spans {
		names = append(names, span.Name())
	}
	r.batches = append(r.batches, names)
	return r.err
}

func (r *recorder) Shutdown(context.Context) error {
	r.stopped++
	return nil
}

func (r *recorder) exports() [][]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.batches
}

func spans(name string, n int) []exportqueue.Sized {
	all := make([]exportqueue.Sized, n)
	for i := range all {
		all[i] = exportqueue.Measure(tracetest.SpanStub{Name: name}.Snapshot())
	}
	return all
}

func newQueue(r *recorder) *exportqueue.Queue {
	q := exportqueue.New(exportqueue.Config{
		Exporter: r, Size: 1000, ErrorSize: 10, Bytes: 100_000_000, Interval: time.Minute, Timeout: time.Second, Exported: func(int, error) {},
	})
	q.Start(func() {})
	return q
}

// heldQueue returns one that exports nothing after its first batch until release is closed.
func heldQueue(r *recorder, release chan struct{}) *exportqueue.Queue {
	q := exportqueue.New(exportqueue.Config{
		Exporter: r, Size: 10_000, ErrorSize: 10, Bytes: 100_000_000, Interval: time.Minute, Timeout: time.Second, Exported: func(int, error) { <-release },
	})
	q.Start(func() {})
	return q
}

func TestAdd_TakesATraceAsAWholeOrNotAtAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := new(recorder)
		q := newQueue(r)
		require.True(t, q.Add(exportqueue.Errors, spans("a", 3)...))
		require.False(t, q.Add(exportqueue.Errors, spans("b", 8)...))
		require.EqualValues(t, 8, q.Dropped(exportqueue.Errors))
		require.Zero(t, q.Dropped(exportqueue.Sampled))
		require.NoError(t, q.Shutdown(context.Background()))
		require.Equal(t, [][]string{{"a", "a", "a"}}, r.batches)
		require.False(t, q.Add(exportqueue.Errors, spans("late", 1)...))
	})
}

func TestQueue_ExportsErrorsFirst(t *testing.T) {
	r := new(recorder)
	q := newQueue(r)
	q.Add(exportqueue.Sampled, spans("sampled", 2)...)
	q.Add(exportqueue.Errors, spans("error", 2)...)
	require.NoError(t, q.Flush(context.Background()))
	require.Equal(t, [][]string{{"error", "error", "sampled", "sampled"}}, r.batches)
	require.NoError(t, q.Shutdown(context.Background()))
}

func TestQueue_ExportsAtTheInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := new(recorder)
		q := newQueue(r)
		q.Add(exportqueue.Sampled, spans("a", 1)...)
		time.Sleep(time.Minute - time.Nanosecond)
		synctest.Wait()
		require.Empty(t, r.exports())
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		require.Len(t, r.exports(), 1)
		require.NoError(t, q.Shutdown(context.Background()))
	})
}

// What comes while a batch is exported isn't left to the interval.
func TestQueue_ExportsFullBatchesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, release := new(recorder), make(chan struct{})
		q := heldQueue(r, release)
		q.Add(exportqueue.Sampled, spans("a", 511)...)
		synctest.Wait()
		require.Empty(t, r.exports())
		q.Add(exportqueue.Sampled, spans("a", 1)...)
		synctest.Wait()
		require.Len(t, r.exports(), 1)
		q.Add(exportqueue.Sampled, spans("b", 512)...)
		q.Add(exportqueue.Sampled, spans("c", 512+100)...)
		synctest.Wait()
		require.Len(t, r.exports(), 1)
		close(release)
		synctest.Wait()
		require.Len(t, r.exports(), 3)
		require.Equal(t, 100, q.Waiting())
		require.NoError(t, q.Shutdown(context.Background()))
		require.False(t, q.Add(exportqueue.Sampled, spans("late", 1)...))
		require.EqualValues(t, 1, q.Dropped(exportqueue.Sampled))
	})
}

func TestQueue_ExportsEachOfTheFullBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, release := new(recorder), make(chan struct{})
		q := heldQueue(r, release)
		q.Add(exportqueue.Sampled, spans("a", 512)...)
		synctest.Wait()
		q.Add(exportqueue.Sampled, spans("b", 1024)...)
		close(release)
		synctest.Wait()
		require.Len(t, r.exports(), 3)
		require.Zero(t, q.Waiting())
		require.NoError(t, q.Shutdown(context.Background()))
	})
}

func TestFlush_ExportsTheLastOne(t *testing.T) {
	r := new(recorder)
	q := exportqueue.New(exportqueue.Config{
		Exporter: r, Size: 10_000, ErrorSize: 10, Bytes: 100_000_000, Interval: time.Hour, Timeout: time.Hour, Exported: func(int, error) {},
	})
	require.True(t, q.Add(exportqueue.Sampled, spans("a", 513)...))
	q.Start(func() {})
	require.NoError(t, q.Flush(context.Background()))
	require.Zero(t, q.Waiting())
	require.NoError(t, q.Shutdown(context.Background()))
}

func TestDrop_CountsASpanOfItsClass(t *testing.T) {
	q := exportqueue.New(exportqueue.Config{})
	q.Drop(exportqueue.Errors)
	require.EqualValues(t, 1, q.Dropped(exportqueue.Errors))
	require.Zero(t, q.Dropped(exportqueue.Sampled))
}

func TestStart_CallsOnIntervalAtEach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		q := exportqueue.New(exportqueue.Config{Exporter: new(recorder), Interval: time.Minute})
		q.Start(func() { calls++ })
		time.Sleep(3*time.Minute + time.Second)
		synctest.Wait()
		require.Equal(t, 3, calls)
		require.NoError(t, q.Shutdown(context.Background()))
	})
}

// A waiter exports until the context ends.
type waiter struct{ recorder }

func (w *waiter) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	<-ctx.Done()
	return context.Cause(ctx)
}

func TestShutdown_CancelsTheExportWhenItsTimeIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, began := new(waiter), time.Now()
		var failed error
		q := exportqueue.New(exportqueue.Config{
			Exporter: w, Size: 10_000, ErrorSize: 10, Bytes: 100_000_000, Interval: time.Hour, Timeout: time.Hour, Exported: func(_ int, err error) { failed = err },
		})
		q.Start(func() {})
		require.True(t, q.Add(exportqueue.Sampled, spans("a", 512)...))
		synctest.Wait()
		require.True(t, q.Add(exportqueue.Sampled, spans("b", 7)...))
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		err := q.Shutdown(ctx)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorContains(t, err, "7 spans were waiting, and are lost")
		require.Equal(t, time.Second, time.Since(began))
		require.EqualValues(t, 7, q.Dropped(exportqueue.Sampled))
		require.Equal(t, 1, w.stopped)
		synctest.Wait()
		require.ErrorIs(t, failed, context.Canceled)
	})
}

// patient is an exporter whose Shutdown waits for the end of its export.
type patient struct {
	waiter
	ended chan struct{}
}

func (p *patient) Shutdown(context.Context) error {
	<-p.ended
	return nil
}

func (p *patient) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	defer close(p.ended)
	return p.waiter.ExportSpans(ctx, spans)
}

func TestShutdown_CancelsTheExportBeforeTheExporterWaitsForIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := exportqueue.New(exportqueue.Config{
			Exporter: &patient{ended: make(chan struct{})}, Size: 10, ErrorSize: 10, Bytes: 100_000_000, Interval: time.Second, Timeout: time.Hour, Exported: func(int, error) {},
		})
		q.Start(func() {})
		require.True(t, q.Add(exportqueue.Sampled, spans("a", 1)...))
		time.Sleep(time.Second)
		synctest.Wait()
		ended, end := context.WithCancel(context.Background())
		end()
		began := time.Now()
		require.ErrorIs(t, q.Shutdown(ended), context.Canceled)
		require.Zero(t, time.Since(began), "the export has its timeout")
	})
}

// panicking is an exporter that panics.
type panicking struct{ recorder }

func (*panicking) ExportSpans(context.Context, []sdktrace.ReadOnlySpan) error { panic("no room") }

func TestFlush_TellsThatTheExporterPanicked(t *testing.T) {
	q := exportqueue.New(exportqueue.Config{
		Exporter: new(panicking), Size: 10, ErrorSize: 10, Bytes: 100_000_000, Interval: time.Hour, Timeout: time.Second, Exported: func(int, error) {},
	})
	q.Start(func() {})
	require.True(t, q.Add(exportqueue.Sampled, spans("a", 1)...))
	require.EqualError(t, q.Flush(context.Background()), "the exporter panicked: no room")
	require.NoError(t, q.Shutdown(context.Background()))
}

func TestQueue_EndsAnExportAfterItsTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := exportqueue.New(exportqueue.Config{
			Exporter: new(waiter), Size: 10, ErrorSize: 10, Bytes: 100_000_000, Interval: time.Hour, Timeout: time.Second, Exported: func(int, error) {},
		})
		q.Start(func() {})
		require.True(t, q.Add(exportqueue.Sampled, spans("a", 1)...))
		began := time.Now()
		require.ErrorIs(t, q.Flush(context.Background()), context.DeadlineExceeded)
		require.Equal(t, time.Second, time.Since(began))
		require.NoError(t, q.Shutdown(context.Background()))
	})
}

func TestFlush_ReturnsTheExportersError(t *testing.T) {
	r := &recorder{err: errors.New("no collector")}
	q := newQueue(r)
	q.Add(exportqueue.Sampled, spans("a", 1)...)
	require.ErrorIs(t, q.Flush(context.Background()), r.err)
	require.NoError(t, q.Flush(context.Background()), "the batch is lost, and nothing waits")
	require.NoError(t, q.Shutdown(context.Background()))
}

func TestShutdown_ReturnsTheExportersError(t *testing.T) {
	r := &recorder{err: errors.New("no collector")}
	q := newQueue(r)
	q.Add(exportqueue.Sampled, spans("a", 1)...)
	require.ErrorIs(t, q.Shutdown(context.Background()), r.err)
	require.Equal(t, 1, r.stopped)
}

func TestShutdown_StopsTheExporterOnce(t *testing.T) {
	r := new(recorder)
	q := newQueue(r)
	q.Add(exportqueue.Sampled, spans("a", 600)...)
	require.NoError(t, q.Shutdown(context.Background()))
	require.NoError(t, q.Shutdown(context.Background()))
	require.Equal(t, 1, r.stopped)
	n := 0
	for _, batch := range r.batches {
		require.LessOrEqual(t, len(batch), 512)
		n += len(batch)
	}
	require.Equal(t, 600, n)
	require.NoError(t, q.Flush(context.Background()), "after the shutdown there is nothing to flush")
}

package observe_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/warrenmq/warren/internal/otlptest"
	"github.com/warrenmq/warren/observe"
)

var errTest = errors.New("failed")

// work is a trace of three spans: root, good and, the last to start, bad, which
// fails if asked.
func work(failing bool) {
	ctx, root := observe.TraceSpan(context.Background(), "root")
	_, good := observe.TraceSpan(ctx, "good")
	good.End(nil)
	_, bad := observe.TraceSpan(ctx, "bad")
	var err error
	if failing {
		err = errTest
	}
	bad.End(&err)
	root.End(nil)
}

// traces groups spans by trace.
func traces(spans []otlptest.Span) map[string][]otlptest.Span {
	byTrace := make(map[string][]otlptest.Span)
	for _, s := range spans {
		byTrace[s.Trace()] = append(byTrace[s.Trace()], s)
	}
	return byTrace
}

func names(spans []otlptest.Span) []string {
	var all []string
	for _, s := range spans {
		all = append(all, s.Name)
	}
	slices.Sort(all)
	return all
}

const sampledFlag = 1

func TestC24_TenThousandTraces(t *testing.T) {
	const total, every, workers = 10_000, 100, 50
	for _, rate := range []float64{0, 0.1, 1} {
		t.Run(fmt.Sprint(rate), func(t *testing.T) {
			receiver := otlptest.GRPC(t)
			o := configure(t, observe.Config{OTLPEndpoint: receiver.Endpoint, TraceSampleRate: rate})
			var running sync.WaitGroup
			for w := range workers {
				running.Go(func() {
					for i := w; i < total; i += workers {
						work(i%every == 0)
					}
				})
			}
			running.Wait()
			flush(t, o)

			byTrace := traces(receiver.Spans())
			failed := 0
			for id, spans := range byTrace {
				require.Equal(t, []string{"bad", "good", "root"}, names(spans), "trace %s is whole and has nothing twice", id)
				if slices.ContainsFunc(spans, otlptest.Span.Failed) {
					failed++
				}
				for _, s := range spans {
					require.NotZero(t, s.Flags&sampledFlag, "it is delivered as sampled")
				}
			}
			require.Equal(t, total/every, failed, "every trace with an error is kept")
			if rate == 0 {
				require.Len(t, byTrace, total/every)
			}
			stats := o.Stats()
			require.Zero(t, stats.DroppedOfError)
			require.Zero(t, stats.DecidedAlone)
			require.EqualValues(t, 3*len(byTrace), stats.Exported)
		})
	}
}

func TestC24_ConcurrentTracesOfManyGoroutines(t *testing.T) {
	for _, rate := range []float64{0, 0.1, 1} {
		t.Run(fmt.Sprint(rate), func(t *testing.T) { concurrentTraces(t, rate) })
	}
}

// concurrentTraces has 10,000 traces open at once, of which one in 50 fails.
func concurrentTraces(t *testing.T, rate float64) {
	const total, every = 10_000, 50
	receiver := otlptest.GRPC(t)
	o := configure(t, observe.Config{OTLPEndpoint: receiver.Endpoint, TraceSampleRate: rate, QueueSize: 2 * total})
	var started, running sync.WaitGroup
	release := make(chan struct{})
	started.Add(total)
	for i := range total {
		running.Go(func() {
			ctx, root := observe.TraceSpan(context.Background(), "root")
			_, child := observe.TraceSpan(ctx, "child")
			started.Done()
			<-release
			child.End(nil)
			var err error
			if i%every == 0 {
				err = errTest
			}
			root.End(&err)
		})
	}
	started.Wait()
	close(release)
	running.Wait()
	flush(t, o)

	byTrace := traces(receiver.Spans())
	failed := 0
	for id, spans := range byTrace {
		require.Equal(t, []string{"child", "root"}, names(spans), "trace %s is whole and has nothing twice", id)
		if slices.ContainsFunc(spans, otlptest.Span.Failed) {
			failed++
		}
	}
	require.Equal(t, total/every, failed, "every trace with an error is kept")
	switch rate {
	case 0:
		require.Len(t, byTrace, failed)
	case 1:
		require.Len(t, byTrace, total)
	}
}

func TestC24_RateIsKept(t *testing.T) {
	receiver := otlptest.GRPC(t)
	o := configure(t, observe.Config{OTLPEndpoint: receiver.Endpoint, TraceSampleRate: 0.25, QueueSize: 10_000})
	for range 2000 {
		work(false)
	}
	flush(t, o)
	require.InDelta(t, 500, len(traces(receiver.Spans())), 120, "six standard deviations")
}

func TestC24_ParentsDecisionIsFollowedOrNot(t *testing.T) {
	remote := func(flags trace.TraceFlags) context.Context {
		return trace.ContextWithRemoteSpanContext(context.Background(), trace.NewSpanContext(trace.SpanContextConfig{
			TraceID: trace.TraceID{1, 15: 0xff}, SpanID: trace.SpanID{1}, TraceFlags: flags, Remote: true,
		}))
	}
	for _, test := range []struct {
		name   string
		config observe.Config
		flags  trace.TraceFlags
		want   int
	}{
		{"a sampled parent", observe.Config{}, trace.FlagsSampled, 1},
		{"a parent that isn't", observe.Config{TraceSampleRate: 1}, 0, 0},
		{"ignored, sampled", observe.Config{IgnoreParent: true}, trace.FlagsSampled, 0},
		{"ignored, not sampled", observe.Config{IgnoreParent: true, TraceSampleRate: 1}, 0, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			receiver := otlptest.GRPC(t)
			test.config.OTLPEndpoint = receiver.Endpoint
			o := configure(t, test.config)
			_, span := observe.TraceSpan(remote(test.flags), "work")
			span.End(nil)
			flush(t, o)
			require.Len(t, receiver.Spans(), test.want)
		})
	}
}

func TestC24_ModesOfKeepingErrors(t *testing.T) {
	for _, test := range []struct {
		mode observe.ErrorKeep
		want []string
	}{
		{observe.KeepLocalTrace, []string{"bad", "good", "root"}},
		{observe.KeepErrorSpans, []string{"bad"}},
		{observe.KeepNone, nil},
	} {
		t.Run(test.mode.String(), func(t *testing.T) {
			receiver := otlptest.HTTP(t)
			o := configure(t, observe.Config{OTLPEndpoint: receiver.Endpoint, KeepErrors: test.mode})
			_, unsampled := observe.TraceSpan(context.Background(), "unsampled")
			require.Equal(t, test.mode != observe.KeepNone, unsampled.Span().IsRecording(), "only the last mode saves the recording")
			unsampled.End(nil)
			work(true)
			work(false)
			flush(t, o)
			require.Equal(t, test.want, names(receiver.Spans()))
			for _, span := range receiver.Spans() {
				require.NotZero(t, span.Flags&sampledFlag, "it is delivered as sampled")
			}
		})
	}
}

// gated exports when it is let.
type gated struct {
	gate chan struct{}
	mu   sync.Mutex
	got  []sdktrace.ReadOnlySpan
}

func (g *gated) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	select {
	case <-g.gate:
	case <-ctx.Done():
		return ctx.Err()
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.got = append(g.got, spans...)
	return nil
}

func (*gated) Shutdown(context.Context) error { return nil }

func (g *gated) count(name string) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := 0
	for _, s := range g.got {
		if s.Name() == name {
			n++
		}
	}
	return n
}

// producer ends spans faster than its exporter takes them, until stop.
func producer(t *testing.T) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var working sync.WaitGroup
	working.Go(func() {
		for ctx.Err() == nil {
			endSpan("work")
			time.Sleep(100 * time.Microsecond) // twice as many as are exported
		}
	})
	return func() {
		cancel()
		working.Wait()
	}
}

// slow takes 100 ms for each export.
type slow struct{ gated }

func (s *slow) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	time.Sleep(100 * time.Millisecond)
	return s.gated.ExportSpans(ctx, spans)
}

func TestFlush_EndsWhileSpansComeFasterThanTheyAreExported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		exporter := &slow{gated{gate: make(chan struct{})}}
		close(exporter.gate)
		o := configure(t, observe.Config{Exporter: exporter, TraceSampleRate: 1, QueueSize: 2048})
		stop := producer(t)
		time.Sleep(3 * time.Second) // until the queue is full
		// A queue of 2,048 takes four exports, and one may be under way for another cause.
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		require.NoError(t, o.Flush(ctx))

		var backlog *observe.BacklogError
		require.ErrorAs(t, observe.Diagnose(ctx), &backlog)
		require.NoError(t, backlog.Err)
		require.NotZero(t, backlog.Waiting)
		require.NotZero(t, backlog.Dropped)

		hurried, cancel := context.WithTimeout(context.Background(), time.Millisecond)
		defer cancel()
		require.ErrorAs(t, observe.Diagnose(hurried), &backlog, "that there was no time is no failed export")
		require.ErrorIs(t, backlog, context.DeadlineExceeded)
		require.ErrorContains(t, backlog, "were dropped")
		require.Zero(t, o.Stats().FailedExports)
		stop()
		shutdown(t, o)
	})
}

func TestDiagnose_NamesThatNothingIsSampled(t *testing.T) {
	exporter := &gated{gate: make(chan struct{})}
	close(exporter.gate)
	o := configure(t, observe.Config{Exporter: exporter})
	require.ErrorIs(t, observe.Diagnose(context.Background()), observe.ErrNotSampled)
	shutdown(t, o)

	t.Setenv("OTEL_TRACES_SAMPLER", "always_off")
	o = configure(t, observe.Config{Exporter: exporter})
	require.NoError(t, observe.Diagnose(context.Background()), "it is wanted")
	shutdown(t, o)
}

func TestC24_FloodDoesntStarveErrors(t *testing.T) {
	exporter := &gated{gate: make(chan struct{})}
	o := configure(t, observe.Config{Exporter: exporter, TraceSampleRate: 1, QueueSize: 600})
	for i := range 20_000 {
		work(i%100 == 0)
	}
	close(exporter.gate)
	flush(t, o)

	require.Equal(t, 200, errorTraces(exporter))
	require.NotZero(t, o.Stats().Dropped)
	require.Zero(t, o.Stats().DroppedOfError)
	require.Equal(t, exporter.count("root"), exporter.count("bad"), "no trace is in part")
}

func errorTraces(g *gated) int {
	failed := make(map[trace.TraceID]bool)
	for _, s := range g.got {
		if s.Status().Description == errTest.Error() {
			failed[s.SpanContext().TraceID()] = true
		}
	}
	whole := 0
	for id := range failed {
		n := 0
		for _, s := range g.got {
			if s.SpanContext().TraceID() == id {
				n++
			}
		}
		if n == 3 {
			whole++
		}
	}
	return whole
}

func TestC24_ExceptionEventsAreErrorsWhenAsked(t *testing.T) {
	for _, asked := range []bool{false, true} {
		receiver := otlptest.GRPC(t)
		o, err := observe.Configure(context.Background(), observe.Config{OTLPEndpoint: receiver.Endpoint, KeepExceptions: asked})
		require.NoError(t, err)
		_, span := observe.TraceSpan(context.Background(), "work")
		span.Span().RecordError(errTest)
		span.End(nil)
		shutdown(t, o)
		require.Equal(t, asked, len(receiver.Spans()) == 1)
	}
}

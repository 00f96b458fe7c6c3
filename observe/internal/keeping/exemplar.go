package keeping

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"

	"github.com/warrenmq/warren/observe/internal/logkey"
)

// exemplarPeriod is the least time between two exemplars of a series: each costs
// as much as ten requests.
const exemplarPeriod = 100 * time.Millisecond

// Exemplars are those of a series: one in 100 ms at most, of spans that are exported.
// The zero Exemplars are ready, and safe for concurrent use.
type Exemplars struct {
	last atomic.Int64 // in nanoseconds since the epoch
}

// Next returns the labels of an exemplar for the span of the context, nil for none. It
// asks whether the span is exported last, which costs most.
func (e *Exemplars) Next(ctx context.Context) prometheus.Labels {
	span := trace.SpanFromContext(ctx)
	ids := span.SpanContext()
	if !ids.IsValid() {
		return nil
	}
	now, last := time.Now().UnixNano(), e.last.Load()
	if now-last < int64(exemplarPeriod) || !Keeps(span) || !e.last.CompareAndSwap(last, now) {
		return nil
	}
	return prometheus.Labels{logkey.TraceID: ids.TraceID().String(), logkey.SpanID: ids.SpanID().String()}
}

// Count adds one, and observes how long it took, with one exemplar for both.
func (e *Exemplars) Count(ctx context.Context, counter prometheus.Counter, histogram prometheus.Observer, seconds float64) {
	if labels := e.Next(ctx); labels != nil {
		counter.(prometheus.ExemplarAdder).AddWithExemplar(1, labels)
		histogram.(prometheus.ExemplarObserver).ObserveWithExemplar(seconds, labels)
		return
	}
	counter.Inc()
	histogram.Observe(seconds)
}
